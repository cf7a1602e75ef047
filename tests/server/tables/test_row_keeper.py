"""Wake-up times and summaries beside the stored tables."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server.house import WAIT, House, house
from tests.store.conftest import database, postgres, postgres_url
from tests.store.memory_log import MemoryLog
from tuilerie.match import commands as c
from tuilerie.match.config import Config, PerGame, PerMove
from tuilerie.match.decide import decide, open_table
from tuilerie.match.evolve import fold
from tuilerie.match.facts import Fact
from tuilerie.match.summary import summary_of
from tuilerie.match.table import Table
from tuilerie.match.ticks import wanted_at
from tuilerie.server.tables import row_keeper
from tuilerie.server.tables.actor import now_ms
from tuilerie.server.tables.log_codec import write_fact
from tuilerie.server.tables.row_keeper import LATE_MS, OTHERS_MS, PAGE, RENEW_MS, RowKeeper
from tuilerie.server.tables.summary import status_of
from tuilerie.store import open_store
from tuilerie.store.errors import Damaged, Unavailable
from tuilerie.store.log import Log, Status, TableMeta

__all__ = ["database", "postgres", "postgres_url"]


def game_in_play(at: int, clock: PerMove | PerGame | None = None) -> tuple[list[Fact], Table]:
    """The log of a game of two people that began at this time, and the table."""
    facts: list[Fact] = list(open_table("blockers", Config(players=2, clock=clock), at))
    table = fold(facts)
    for command in (
        c.Sit("ada", None, "Ada"),
        c.Sit("bob", None, "Bob"),
        c.SetReady("bob", True),
        c.Begin("ada"),
    ):
        for each in decide(table, command, at, lambda many: 0):
            facts.append(each.fact)
            table = each.table
    assert table.is_playing
    return facts, table


async def store_game(
    log: Log, slug: str, facts: list[Fact], table: Table, wake: int | None
) -> None:
    meta = TableMeta("blockers", table.rules_version, status=Status.PLAYING, wake=wake)
    await log.create(slug, [write_fact(fact) for fact in facts], meta)


async def kinds(server: House, slug: str) -> list[str]:
    table = await server.registry.table(slug)
    assert table is not None
    return [change.fact.kind for change in await table.actor.replay()]


@pytest.mark.slow
async def test_every_overdue_clock_is_woken_on_every_page(
    database: str | Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However old its game is: the sweep once looked at the newest only."""
    monkeypatch.setattr(row_keeper, "PAGE", 20)
    facts, table = game_in_play(now_ms() - 3_600_000, PerMove(60))
    slugs = [f"t{number}" for number in range(45)]
    async with await open_store(database) as store:
        stored = (store_game(store.log, slug, facts, table, wanted_at(table)) for slug in slugs)
        await asyncio.gather(*stored)  # several in one transaction
        await store_game(store.log, "no-clock", *game_in_play(now_ms() - 1000), None)
    async with house(database) as server:
        await until(lambda: all_flagged(server, slugs))
        assert not server.registry.is_in_memory("no-clock")


async def all_flagged(server: House, slugs: list[str]) -> bool:
    heads = await server.registry.store.log.heads(slugs)
    return min(heads.values()) > BEGUN


BEGUN = len(game_in_play(0)[0])


async def until(done: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(WAIT):
        while not await done():
            await asyncio.sleep(0.1)


# --- one keeper -----------------------------------------------------------------------------------


class CountingLog(MemoryLog):
    """A log that counts the writes of wake-up times, and can fail."""

    def __init__(self) -> None:
        super().__init__()
        self.writes = 0
        self.fails = False

    async def set_wakes(self, wakes: Any) -> None:
        if self.fails:
            raise Unavailable("the disk is full")
        self.writes += bool(wakes)
        await super().set_wakes(wakes)


class Node:
    """A node with some tables in memory, and the time at which it lives."""

    def __init__(self, log: CountingLog, *, single_node: bool = True) -> None:
        self.log = log
        self.tables: dict[str, Table] = {}
        self.loads: list[str] = []
        self._tasks: list[asyncio.Task[None]] = []
        self.rows = RowKeeper(log, self.tables.get, self._spawn, single_node=single_node)

    def _spawn(self, work: Any) -> None:
        self._tasks.append(asyncio.get_running_loop().create_task(work))

    async def settle(self) -> None:
        await asyncio.gather(*self._tasks)

    async def load(self, slug: str) -> None:
        self.loads.append(slug)
        if slug == "damaged":
            raise Damaged("a log that today's rules cannot follow")
        self.tables[slug] = game_in_play(0, PerMove(60))[1]
        self.rows.loaded(slug)

    async def sweep(self) -> None:
        await self.rows.sweep(self.load)
        await self.settle()

    async def wake(self, slug: str) -> int | None:
        row = await self.log.table(slug)
        assert row is not None
        return row.wake


class Time:
    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    time = Time()
    monkeypatch.setattr(row_keeper, "now_ms", time)
    return time


async def test_one_sweep_wakes_every_page(clock: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not one page with each sweep."""
    monkeypatch.setattr(row_keeper, "PAGE", 3)
    node = Node(CountingLog())
    slugs = [f"t{number}" for number in range(8)]
    for slug in slugs:
        facts, table = game_in_play(0, PerMove(60))
        await store_game(node.log, slug, facts, table, wanted_at(table))
    await node.sweep()
    assert sorted(node.loads) == slugs


async def test_moves_rarely_write_wake_up_times(clock: Time) -> None:
    node = Node(CountingLog())
    facts, table = game_in_play(clock.now, PerMove(600))
    await store_game(node.log, "t", facts, table, None)
    node.tables["t"] = table
    node.rows.changed("t", table, table)
    await node.settle()
    assert await node.wake("t") == wanted_at(table)
    for _ in range(50):  # each move begins another ten minutes
        clock.now += 5_000
        _, node.tables["t"] = game_in_play(clock.now, PerMove(600))
        node.rows.changed("t", table, node.tables["t"])
        await node.settle()
    assert node.log.writes == 1
    clock.now += 345_000  # shortly before the stored time the sweep moves it on
    await node.sweep()
    assert await node.wake("t") == wanted_at(node.tables["t"])


async def test_earlier_wake_up_time_is_written_at_once(clock: Time) -> None:
    node = Node(CountingLog())
    facts, table = game_in_play(clock.now, PerGame(3_600))
    await store_game(node.log, "t", facts, table, None)
    node.tables["t"] = table
    node.rows.changed("t", table, table)
    await node.settle()
    _, hurried = game_in_play(clock.now, PerGame(60))
    node.rows.changed("t", table, hurried)
    await node.settle()
    assert await node.wake("t") == wanted_at(hurried)
    _, ringing = game_in_play(clock.now, PerMove(1))  # this node rings it itself
    node.rows.changed("t", hurried, ringing)
    await node.settle()
    assert await node.wake("t") == clock.now + LATE_MS


async def test_table_without_clock_or_bots_is_never_woken(clock: Time) -> None:
    node = Node(CountingLog())
    facts, table = game_in_play(clock.now)
    await store_game(node.log, "t", facts, table, 0)  # as a migration leaves it
    await node.sweep()
    assert node.loads == ["t"]
    node.tables["t"] = table
    node.rows.unloaded("t", table)
    await node.settle()
    assert await node.wake("t") is None


async def test_other_nodes_give_a_node_time_to_renew(clock: Time) -> None:
    log = CountingLog()
    holder, other = Node(log, single_node=False), Node(log, single_node=False)
    facts, table = game_in_play(clock.now, PerMove(60))
    wake = wanted_at(table)
    assert wake is not None
    await store_game(log, "t", facts, table, wake)
    holder.tables["t"] = table
    holder.rows.loaded("t")
    await holder.settle()
    clock.now = wake - RENEW_MS + 1
    await holder.sweep()
    renewed = await holder.wake("t")
    assert renewed is not None
    assert renewed > wake
    clock.now = renewed + OTHERS_MS - 1
    await other.sweep()
    assert other.loads == []
    clock.now += 1  # the holder is dead
    await other.sweep()
    assert other.loads == ["t"]


async def test_damaged_table_does_not_keep_others_asleep(clock: Time) -> None:
    node = Node(CountingLog())
    facts, table = game_in_play(0, PerMove(60))
    await store_game(node.log, "damaged", facts, table, 1)
    for number in range(PAGE + 2):
        await store_game(node.log, f"t{number}", facts, table, 2)
    await node.sweep()
    assert len(node.tables) == PAGE + 2
    await node.sweep()
    assert node.loads.count("damaged") == 1


async def test_wake_up_times_survive_a_failing_store(clock: Time) -> None:
    node = Node(CountingLog())
    facts, table = game_in_play(clock.now, PerMove(600))
    await store_game(node.log, "t", facts, table, None)
    node.tables["t"] = table
    node.log.fails = True
    node.rows.changed("t", table, table)
    await node.settle()
    assert await node.wake("t") is None
    node.log.fails = False
    await node.sweep()
    assert await node.wake("t") == wanted_at(table)


async def test_loading_repairs_a_summary_that_was_not_written() -> None:
    """The node died after the append."""
    node = Node(CountingLog())
    facts, table = game_in_play(0)
    meta = TableMeta("blockers", table.rules_version, summary={"seats": []})
    await node.log.create("t", [write_fact(fact) for fact in facts], meta)
    node.tables["t"] = table
    node.rows.loaded("t")
    await node.settle()
    row = await node.log.table("t")
    assert row is not None
    assert (row.status, row.summary) == (status_of(table), summary_of(table))
    assert [seat["name"] for seat in summary_of(table)["seats"]] == ["Ada", "Bob"]
