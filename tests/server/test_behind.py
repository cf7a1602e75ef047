"""Spectators who are behind miss nothing, whatever happens while they come in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tuilerie.match import commands as c
from tuilerie.match.config import Config
from tuilerie.match.decide import open_table
from tuilerie.server import live as lives
from tuilerie.server import session as sessions
from tuilerie.server.live import Home, LiveTable
from tuilerie.server.presence import Presence
from tuilerie.server.session import write_fact
from tuilerie.server.sockets import Socket
from tuilerie.store.log import TableMeta
from tuilerie.store.memory import MemoryLog

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
    for module in (lives, sessions):
        monkeypatch.setattr(module, "now_ms", watch)
    return watch


async def playing(log: SlowLog, watch: Watch, moves: int) -> LiveTable:
    """A table at which two have made so many moves, one a second."""
    facts = open_table("blockers", Config(players=2, spectators=BEHIND), watch())
    await log.create("abc", [write_fact(fact) for fact in facts], TableMeta("blockers", 1))
    presence = Presence(lambda _message: None, lambda _slug: None, alone=True)
    jobs: Any = None  # no bot plays here
    live = LiveTable("abc", Home(log, jobs, lambda *_: None, lambda *_: None, presence))
    await live.session.load()
    for person in "ab":
        await live.session.do(c.Sit(person, None, person))
    for person in "ab":
        await live.session.do(c.SetReady(person, True))
    for _ in range(moves):
        watch.now += 1000
        table = live.table
        seat = table.actors[0]
        move = table.rules.legal(table.game_state, seat)[0]
        await live.session.do(c.Make(table.seats[seat].player or "", str(move)))
    return live


@pytest.mark.parametrize("moves", [4, 8, 14])
async def test_what_comes_due_while_the_log_is_read_is_not_missed(watch: Watch, moves: int) -> None:
    """The others are told of a move while the table is being read for one who comes in."""
    log = SlowLog()
    live = await playing(log, watch, moves)
    watch.now += 1000 * (BEHIND - moves // 2) - 5
    live._tell_later()

    def a_move_comes_due() -> None:
        log.meanwhile = None
        watch.now += 10
        live._tell_later()

    async def out(*_: object) -> None:
        pass

    log.meanwhile = a_move_comes_due
    socket = Socket(out, out, "x")
    await live.join(socket, 0)
    assert socket.sent < live.session.number
    watch.now += 1000 * BEHIND
    live._tell_later()
    assert socket.sent == live.session.number
    live.close()
