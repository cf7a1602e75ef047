"""Rooms without a network: a clock that stands, a slow log, and clients that keep their views."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from tests.changes import apply_changes
from tests.store.memory_log import MemoryLog
from tuilerie.codec import to_builtins
from tuilerie.games.game import Json, Seat
from tuilerie.match import commands as c
from tuilerie.match.config import Config
from tuilerie.match.decide import open_table
from tuilerie.match.view import view
from tuilerie.server.tables.actor import TableActor
from tuilerie.server.tables.log_codec import write_fact
from tuilerie.server.tables.presence import PresenceTracker
from tuilerie.server.tables.room import HeldView, Room
from tuilerie.server.ws.connection import Connection
from tuilerie.store.log import TableMeta

SLUG = "abc"


class Watch:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.now = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now


class SlowLog(MemoryLog):
    """A log during whose next reading something happens: before it is read, or after."""

    before: Callable[[], Awaitable[None]] | None = None
    after: Callable[[], Awaitable[None]] | None = None

    async def read(self, *words: Any, **named: Any) -> Any:
        before, self.before = self.before, None
        after, self.after = self.after, None
        if before is not None:
            await before()
        found = await super().read(*words, **named)
        if after is not None:
            await after()
        return found


async def loaded(log: MemoryLog) -> Room:
    """The room of this log, as another node would load it."""
    presence = PresenceTracker(lambda _news, _node: None, lambda _slug: None, single_node=True)
    actor = TableActor(SLUG, log)
    room = Room(actor, presence)
    await actor.load()
    return room


async def opened(log: MemoryLog, watch: Watch, spectators: int | None = 0) -> Room:
    """A table for two, at which nobody sits."""
    facts = open_table("blockers", Config(players=2, spectators=spectators), watch())
    await log.create(SLUG, [write_fact(fact) for fact in facts], TableMeta("blockers", 1))
    return await loaded(log)


async def seat_two(room: Room) -> None:
    for person in "ab":
        await room.actor.do(c.Sit(person, None, person))


async def begin(room: Room) -> None:
    for person in "ab":
        await room.actor.do(c.SetReady(person, True))


async def playing(log: MemoryLog, watch: Watch, moves: int, spectators: int | None = 0) -> Room:
    """A table after so many moves of two players, one per second."""
    room = await opened(log, watch, spectators)
    await seat_two(room)
    await begin(room)
    await move(room, watch, moves)
    return room


async def move(room: Room, watch: Watch, times: int = 1) -> None:
    for _ in range(times):
        watch.now += 1000
        table = room.table
        seat = table.actors[0]
        text = str(table.rules.legal(table.game_state, seat)[0])
        await room.actor.do(c.Make(table.seats[seat].player or "", text))


class Viewer:
    """A client that keeps its view, and fails at a gap."""

    def __init__(self, player: str | None = None) -> None:
        self.connection = Connection(self._out, self._out, "x", self._write)
        self.connection.player = player
        self.messages: list[Json] = []
        self.view: Json = None
        self.number = 0
        self.events: list[int] = []

    async def _out(self, *_: object) -> None:
        pass

    def _write(self, texts: Iterable[bytes]) -> bool:
        for text in texts:
            self._receive(json.loads(text))
        return True

    def _receive(self, received: Json) -> None:
        if received["t"] not in ("welcome", "update"):
            return
        self.messages.append(received)
        numbers = [event["number"] for event in received["events"]]
        if received["t"] == "welcome":
            self.view, self.events = received["view"], numbers
        else:
            assert numbers == list(range(self.number + 1, received["number"] + 1))
            self.view = apply_changes(self.view, received["changes"])
            self.events += numbers
        self.number = received["number"]
        assert self.view["number"] == self.number

    @property
    def kinds(self) -> list[str]:
        return [message["t"] for message in self.messages]

    async def join(self, room: Room) -> None:
        you: Seat | None = None if self.view is None else self.view["you"]
        at = None if self.view is None else self.view.get("at")
        await room.join(self.connection, HeldView(self.number, at, you))
        await asyncio.sleep(0)

    async def check(self, room: Room) -> None:
        """Check that it got every event once, and holds the view of a newcomer."""
        await asyncio.sleep(0)
        assert self.number == room.actor.number
        assert self.events == list(range(2, self.number + 1))
        seat = room.actor.seat_of(self.connection.player)
        assert self.view == json.loads(json.dumps(to_builtins(view(room.table, seat))))
