"""A node follows only the tables that it has sockets or duties for, and only those who follow a
table get its hints."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.server.house import House, Line, house, table_of_two, whose_turn
from tuilerie.games.game import AnyGame, AnyView
from tuilerie.server.bots.pool import NoBotPool, Thought
from tuilerie.server.ops.limits import CLOSE_WAIT_ELSEWHERE_MS, CLOSE_WAIT_MS
from tuilerie.server.tables import registry
from tuilerie.server.tables.bus import LocalBus


class CountingBus(LocalBus):
    """Counts hints, and reads of the log by those who get them."""

    def __init__(self) -> None:
        super().__init__()
        self.hints = 0

    def publish_head(self, table: str, number: int, nodes: Iterable[str]) -> None:
        receivers = list(nodes)
        self.hints += len(receivers)
        super().publish_head(table, number, receivers)


async def until_sure(*servers: House) -> None:
    """Wait until every node has received its own beat."""
    async with asyncio.timeout(120):
        while not all(server.registry.presence.is_sure for server in servers):
            await asyncio.sleep(0.02)


async def move(lines: tuple[Line, ...]) -> int:
    """Somebody makes a move, and all receive it."""
    line = whose_turn(lines)
    number: int = (await line.do("make", move=line.view["play"]["legal"][0]))["number"]
    for each in lines:
        await each.until_number(number)
    return number


async def test_tables_of_another_node_are_neither_loaded_nor_hinted_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "SWEEP_SECONDS", 0.1)
    bus = CountingBus()
    async with house(tmp_path, bus=bus) as one, house(tmp_path, bus=bus) as two:
        await until_sure(one, two)
        slug, _browsers, lines = await table_of_two(one)
        for _ in range(3):
            await move(lines)
        await asyncio.sleep(0.5)  # several sweeps
        assert not two.registry.is_in_memory(slug)
        assert bus.hints == 0
        eve = await two.browser().join(slug)
        before = bus.hints
        number = await move(lines)
        await eve.until_number(number)
        assert bus.hints == before + 1


async def test_a_table_whose_people_are_on_another_node_is_unloaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "IDLE_SHARED_SECONDS", 0.0)
    monkeypatch.setattr("tuilerie.server.tables.room.LEAVE_SECONDS", 0.1)
    bus = LocalBus()
    async with house(tmp_path, bus=bus) as one, house(tmp_path, bus=bus) as two:
        slug, _browsers, _lines = await table_of_two(one)
        eve = await two.browser().join(slug)
        await eve.until("presence", seats=[True, True])
        await eve.close()
        async with asyncio.timeout(120):
            while two.registry.is_in_memory(slug):
                two.registry._unload()
                await asyncio.sleep(0.02)
        one.registry._unload()
        assert one.registry.is_in_memory(slug)
        assert list(one.registry.presence.followers(slug)) == []


async def test_shared_tables_are_polled_less_and_less_often_and_others_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    clock = SimpleNamespace(monotonic=lambda: now)
    monkeypatch.setattr("tuilerie.server.tables.registry.time", clock)
    bus = LocalBus()
    async with house(tmp_path, bus=bus) as one, house(tmp_path, bus=bus) as two:
        shared, _, _ = await table_of_two(one)
        await table_of_two(one)
        await two.browser().join(shared)
        polled = []
        for _ in range(400):
            now += 1
            if one.registry._to_poll() == [shared]:
                polled.append(int(now) - 1000)
        assert polled[:5] == [2, 6, 14, 30, 60]
        assert 380 <= polled[-1] <= 400


class Asked(NoBotPool):
    """Counts the questions of a node."""

    def __init__(self) -> None:
        self.asked = 0

    async def think(self, rules: AnyGame, level: str, view: AnyView, table: str) -> Thought:
        self.asked += 1
        return await super().think(rules, level, view, table)


@pytest.mark.parametrize("game", ["blockers", "kaosmos"])
async def test_one_node_moves_the_bots_of_a_table_that_two_nodes_follow(
    tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tuilerie.server.tables.presence.NODE_SILENT_SECONDS", 300)
    monkeypatch.setattr("tuilerie.server.bots.driver.YIELD_TIMES", 10_000)
    bus, pools = LocalBus(), (Asked(), Asked())
    options = {"seconds": None} if game == "kaosmos" else {}
    async with (
        house(tmp_path, bus=bus, bot_pool=pools[0]) as one,
        house(tmp_path, bus=bus, bot_pool=pools[1]) as two,
    ):
        await until_sure(one, two)
        ada = one.browser()
        slug = await ada.create(game, 2, bots=[{"seat": 1, "level": "greedy"}], options=options)
        line, watching = await ada.join(slug), await two.browser().join(slug)
        await watching.until("presence", spectators=1)
        await line.do("begin")
        while sum(pool.asked for pool in pools) < 4:
            room = await one.registry.table(slug)
            assert room is not None
            legal = room.table.rules.view(room.table.shown_state, 0).legal
            if 0 in room.table.actors and legal:
                await line.do("make", move=legal[0])
            else:
                await line.recv()
        asked = sorted(pool.asked for pool in pools)
        assert asked[0] == 0
        assert asked[1] > 0


@pytest.mark.parametrize("other", [True, False])
async def test_clients_wait_less_before_they_reconnect_if_another_node_is_up(
    tmp_path: Path, other: bool
) -> None:
    bus = LocalBus()
    async with house(tmp_path, bus=bus) as one:
        if other:
            async with house(tmp_path, bus=bus) as two:
                await until_sure(one, two)
                low, high = await _wait_at_the_end(one)
        else:
            low, high = await _wait_at_the_end(one)
    expected = CLOSE_WAIT_ELSEWHERE_MS if other else CLOSE_WAIT_MS
    assert expected[0] <= low <= high <= expected[1]


async def _wait_at_the_end(server: House) -> tuple[int, int]:
    _slug, _browsers, lines = await table_of_two(server)
    await server.registry.send_away()
    waits = [(await line.until("bye"))["wait"] for line in lines]
    return min(waits), max(waits)
