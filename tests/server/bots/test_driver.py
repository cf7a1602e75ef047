"""Which bot plays at a table: a stale move is no failure, and one node moves a table's bots."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from tuilerie.games.game import AnyGame, AnyView, Code, Refused
from tuilerie.server.bots import driver
from tuilerie.server.bots.driver import BotDriver
from tuilerie.server.bots.pool import NoBotPool, Thought
from tuilerie.server.tables.actor import TableActor


class Counting(NoBotPool):
    """Counts the questions."""

    def __init__(self) -> None:
        self.asked = 0

    async def think(self, rules: AnyGame, level: str, view: AnyView, table: str) -> Thought:
        self.asked += 1
        return Thought("a move", shortened=True)


class FakeActor:
    """A table at which one bot is due until a move of it is taken."""

    slug = "t"

    def __init__(self, *refusals: Refused) -> None:
        self.refusals = list(refusals)
        self.done: list[str] = []
        self.due: tuple[int, ...] = (0,)
        self.tasks: list[asyncio.Task[None]] = []
        self.table: Any = self
        self.rules = self
        self.card = self
        self.simultaneous = False
        self.number = 1
        self.shown_state = None

    def subscribe(self, _listener: Any) -> None:
        return

    def bot_level(self, _seat: int) -> str:
        return "porcelain"

    def view(self, _state: Any, _seat: int) -> Any:
        return None

    def spawn(self, work: Any) -> None:
        self.tasks.append(asyncio.get_running_loop().create_task(work))

    async def do(self, command: Any) -> int:
        self.done.append(command.move)
        if self.refusals:
            raise self.refusals.pop(0)
        self.due = ()
        return 2


@pytest.fixture(autouse=True)
def tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "bots_due", lambda table: table.due)
    monkeypatch.setattr(driver, "bots_from", lambda _table: 0)
    monkeypatch.setattr(driver, "fallback_move", lambda _rules, _view: "the greedy move")
    monkeypatch.setattr(driver, "YIELD_SECONDS", 0.01)


async def test_a_stale_move_is_no_failure_of_the_bot() -> None:
    actor, bot_pool = FakeActor(*[Refused(Code.TOO_LATE, "stale-move")] * 3), Counting()
    BotDriver(cast(TableActor, actor), bot_pool, 0).look()
    await asyncio.gather(*actor.tasks)
    assert actor.done == ["a move"] * 4
    assert bot_pool.asked == 4


async def test_after_two_illegal_moves_the_greedy_bot_plays() -> None:
    actor, bot_pool = FakeActor(*[Refused(Code.ILLEGAL, "occupied")] * 2), Counting()
    BotDriver(cast(TableActor, actor), bot_pool, 0).look()
    await asyncio.gather(*actor.tasks)
    assert actor.done == ["a move", "a move", "the greedy move"]


async def test_a_node_leaves_the_bots_to_another_until_that_one_is_silent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(driver, "YIELD_TIMES", 10_000)
    actor, bot_pool, ours = FakeActor(), Counting(), False
    thoughts: list[Thought] = []
    BotDriver(
        cast(TableActor, actor),
        bot_pool,
        0,
        is_ours=lambda: ours,
        on_thought=thoughts.append,
    ).look()
    await asyncio.sleep(0.1)
    assert bot_pool.asked == 0
    ours = True
    await asyncio.gather(*actor.tasks)
    assert bot_pool.asked == 1
    assert thoughts == [Thought("a move", shortened=True)]


async def test_bots_move_although_every_node_leaves_them_to_another() -> None:
    actor, bot_pool = FakeActor(), Counting()
    BotDriver(cast(TableActor, actor), bot_pool, 0, is_ours=lambda: False).look()
    await asyncio.gather(*actor.tasks)
    assert bot_pool.asked == 1
