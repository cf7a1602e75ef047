"""Spectators who are behind miss nothing, whatever happens while they come in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.store.memory_log import MemoryLog
from tuilerie.match import commands as c
from tuilerie.match.config import Config
from tuilerie.match.decide import open_table
from tuilerie.server.tables import actor as actors
from tuilerie.server.tables import room as rooms
from tuilerie.server.tables.actor import write_fact
from tuilerie.server.tables.presence import Presence
from tuilerie.server.tables.room import Room, RoomContext
from tuilerie.server.ws.connection import Connection
from tuilerie.store.log import TableMeta

BEHIND = 30  # seconds


class Watch:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.now = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now


class SlowLog(MemoryLog):
    """A log during whose reading something happens."""

    meanwhile: Callable[[], None] | None = None

    async def read(self, *words: Any, **named: Any) -> Any:
        found = await super().read(*words, **named)
        if self.meanwhile is not None:
            self.meanwhile()
        return found


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    watch = Watch()
    for module in (rooms, actors):
        monkeypatch.setattr(module, "now_ms", watch)
    return watch


async def playing(log: SlowLog, watch: Watch, moves: int) -> Room:
    """A table at which two have made so many moves, one a second."""
    facts = open_table("blockers", Config(players=2, spectators=BEHIND), watch())
    await log.create("abc", [write_fact(fact) for fact in facts], TableMeta("blockers", 1))
    presence = Presence(lambda _message: None, lambda _slug: None, single_node=True)
    bot_pool: Any = None  # no bot plays here
    room = Room("abc", RoomContext(log, bot_pool, lambda *_: None, lambda *_: None, presence))
    await room.actor.load()
    for person in "ab":
        await room.actor.do(c.Sit(person, None, person))
    for person in "ab":
        await room.actor.do(c.SetReady(person, True))
    for _ in range(moves):
        watch.now += 1000
        table = room.table
        seat = table.actors[0]
        move = table.rules.legal(table.game_state, seat)[0]
        await room.actor.do(c.Make(table.seats[seat].player or "", str(move)))
    return room


@pytest.mark.parametrize("moves", [4, 8, 14])
async def test_what_comes_due_while_the_log_is_read_is_not_missed(watch: Watch, moves: int) -> None:
    """The others are told of a move while the table is being read for one who comes in."""
    log = SlowLog()
    room = await playing(log, watch, moves)
    watch.now += 1000 * (BEHIND - moves // 2) - 5
    room._deliver_delayed()

    def a_move_comes_due() -> None:
        log.meanwhile = None
        watch.now += 10
        room._deliver_delayed()

    async def out(*_: object) -> None:
        pass

    log.meanwhile = a_move_comes_due
    connection = Connection(out, out, "x")
    await room.join(connection, 0)
    assert connection.sent < room.actor.number
    watch.now += 1000 * BEHIND
    room._deliver_delayed()
    assert connection.sent == room.actor.number
    room.close()
