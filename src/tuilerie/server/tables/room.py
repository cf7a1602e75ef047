"""A live table with its connections and bots: each viewer gets events made for that viewer."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import structlog

from tuilerie.games.game import Refused, Seat
from tuilerie.match import commands
from tuilerie.match.evolve import evolve
from tuilerie.match.table import Table
from tuilerie.server.bots.driver import BotDriver
from tuilerie.server.bots.pool import BotPool
from tuilerie.server.ops.limits import (
    LEAVE_SECONDS,
    PRESENCE_SECONDS,
    SOCKETS_PER_TABLE,
    TooOften,
)
from tuilerie.server.tables import delivery
from tuilerie.server.tables.actor import Busy, Change, TableActor, now_ms, read_fact
from tuilerie.server.tables.presence import NOBODY, Presence, Seen
from tuilerie.server.tables.view_encoder import ViewEncoder
from tuilerie.server.ws import messages
from tuilerie.server.ws.connection import FAULT, GOING_AWAY, POLICY, Connection
from tuilerie.store.log import Log

log: Any = structlog.get_logger("tuilerie.room")


@dataclass(frozen=True, slots=True)
class RoomContext:
    """What all rooms of a node share."""

    store: Log
    bot_pool: BotPool
    publish_head: Callable[[str, int], None]
    on_changes: Callable[[Room, Sequence[Change]], None]
    presence: Presence
    bot_delay_factor: float = 1.0  # how long bots make people wait, as a part of the usual time


class NoSpectators(Exception):
    """Only who holds a seat may watch this table."""


class Room:
    """A table's actor, its connections, and its bots."""

    def __init__(self, slug: str, context: RoomContext) -> None:
        self.slug = slug
        self._context = context
        self.actor = TableActor(
            slug, context.store, self._changed, partial(context.publish_head, slug)
        )
        self.bot_driver = BotDriver(self.actor, context.bot_pool, context.bot_delay_factor)
        self.connections: set[Connection] = set()
        self._encoder = ViewEncoder()
        self._presence: asyncio.TimerHandle | None = None
        self._gone: dict[str, asyncio.TimerHandle] = {}
        self._delayed: deque[tuple[int, Change, bool]] = deque()  # due time, change, with view
        self._delayed_timer: asyncio.TimerHandle | None = None

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.actor.table

    @property
    def spectator_delay(self) -> int:
        """The delay of spectators, in milliseconds. Before the start there is nothing to hide, and
        who has come to take a seat must see which are open."""
        return (self.table.config.spectators or 0) * 1000 if self.table.started_at else 0

    @property
    def has_pending(self) -> bool:
        """Whether timers are still to fire: delayed events, people who may come back."""
        return bool(self._gone or self._delayed)

    def close(self) -> None:
        """Cancel all timers and forget all connections."""
        self.actor.close()
        timers = [self._presence, self._delayed_timer, *self._gone.values()]
        for timer in timers:
            if timer is not None:
                timer.cancel()
        self.connections.clear()
        self._context.presence.set_local(self.slug, NOBODY)

    # --- coming and going -------------------------------------------------------------------------

    async def join(self, connection: Connection, last: int) -> None:
        """Welcome a connection. Raises `NoSpectators` or `TooOften`."""
        seat = self.actor.seat_of(connection.player)
        if seat is None and not self._may_watch():
            raise NoSpectators
        if len(self.connections) >= SOCKETS_PER_TABLE:
            raise TooOften("sockets-per-table", 10)
        missed = None if seat is None and self.spectator_delay else await self.actor.history(last)
        seat = self.actor.seat_of(connection.player)  # it may have been taken meanwhile
        if seat is None and self.spectator_delay:
            table = await self.table_for_spectators()
            connection.push(delivery.welcome(table, None, now_ms()))
            connection.sent = table.number
        else:
            self._welcome(connection, seat, missed)
        connection.viewer = seat
        connection.table = self
        self.connections.add(connection)
        self._publish_presence()
        if connection.player is not None and seat is not None:
            self._is_back(connection.player, seat)

    def _may_watch(self) -> bool:
        return self.table.config.spectators is not None or self.table.started_at is None

    def _welcome(
        self, connection: Connection, seat: Seat | None, missed: list[Change] | None
    ) -> None:
        if missed is None:
            connection.push(delivery.welcome(self.table, seat, now_ms()))
        else:
            connection.push(delivery.catch_up(missed, self.table, seat, now_ms()))
        connection.sent = self.actor.number

    async def table_for_spectators(self) -> Table:
        """The table as delayed spectators may see it now."""
        if self.table.at <= now_ms() - self.spectator_delay:
            return self.table
        found = await self._context.store.read(self.slug)
        # The time after the reading: what the others were told of meanwhile is in it.
        until = now_ms() - self.spectator_delay
        table: Table | None = None
        for _number, data in found:
            fact = read_fact(data)
            after = evolve(table, fact)
            if fact.at > until and after.started_at is not None:
                break
            table = after
        assert table is not None
        return table

    def leave(self, connection: Connection) -> None:
        """A connection has closed. If it was a person's last one, the table hears of it later."""
        self.connections.discard(connection)
        connection.flush()  # nobody else will
        connection.table = None
        self._publish_presence()
        player = connection.player
        if player is not None and not self._is_here(player):
            self.expect(player)

    def expect(self, player: str, *, was_here: bool = True) -> None:
        """Wait for a person to come back; after a while the table is told that they left."""
        if player not in self._gone:
            loop = asyncio.get_running_loop()
            left = partial(self._has_left, player, was_here)
            self._gone[player] = loop.call_later(LEAVE_SECONDS, left)

    def expect_all(self) -> None:
        """Wait for every person who, as far as the log knows, should be here."""
        for place in self.table.seats:
            if place.player is not None and place.is_present and not self._is_there(place.player):
                self.expect(place.player, was_here=False)

    def elsewhere_changed(self) -> None:
        """On another node somebody has come or gone, or the node itself has."""
        self._publish_presence()
        self.expect_all()

    def _is_here(self, player: str) -> bool:
        return any(connection.player == player for connection in self.connections)

    def _is_there(self, player: str) -> bool:
        """Whether somebody is connected to this table by any node."""
        seat = self.actor.seat_of(player)
        return self._is_here(player) or seat in self._context.presence.elsewhere(self.slug).seats

    def _has_left(self, player: str, was_here: bool) -> None:
        self._gone.pop(player, None)
        if self._is_there(player) or self.actor.seat_of(player) is None:
            return
        if was_here or self._context.presence.is_sure:
            self.actor.spawn(self._quietly(commands.Leave(player)))

    def _is_back(self, player: str, seat: Seat) -> None:
        timer = self._gone.pop(player, None)
        if timer is not None:
            timer.cancel()
        if self.table.seats[seat].away is not None:
            self.actor.spawn(self._quietly(commands.Return(player)))

    async def _quietly(self, command: commands.Command) -> None:
        try:
            await self.actor.do(command)
        except (Refused, Busy):
            return

    # --- what happens -----------------------------------------------------------------------------

    def _changed(self, _actor: TableActor, changes: Sequence[Change]) -> None:
        if not changes:
            self.bot_driver.look()
            return
        if self.spectator_delay:
            self._queue_for_delayed(changes)
        asyncio.get_running_loop().call_soon(self.flush)  # even if something fails below
        self._deliver(changes)
        self._check_seats(changes)
        self._context.on_changes(self, changes)
        self.bot_driver.look()

    def _deliver(self, changes: Sequence[Change]) -> None:
        first, last = changes[0], changes[-1]
        steady = first.before.seats is last.after.seats
        events = [
            (change, delivery.EventMessage(change, self._encoder, with_view=change is last))
            for change in changes
        ]
        for connection in tuple(self.connections):
            try:
                if steady and connection.viewer is not None and connection.sent == first.number - 1:
                    viewer = connection.viewer  # the usual case
                    connection.put(*[message.text(viewer) for _, message in events])
                    connection.sent = last.number
                else:
                    for change, message in events:
                        self._deliver_one(change, message, connection)
            except Exception as error:  # one viewer's trouble must not be everybody's
                log.error("not-delivered", kind=last.fact.kind, exc_info=error)
                connection.end(FAULT, "fault")

    def _deliver_one(
        self, change: Change, message: delivery.EventMessage, connection: Connection
    ) -> None:
        seat = None if connection.player is None else change.after.seat_of(connection.player)
        if seat is None and self.spectator_delay and connection.viewer is None:
            return  # they hear of it later
        if seat is not None and connection.viewer is None and connection.sent != change.number - 1:
            # A delayed spectator has sat down: from here on they see everything at once.
            connection.put(delivery.welcome(change.after, seat, now_ms()))
        elif change.number == connection.sent + 1:
            connection.put(message.text(seat))
        else:
            return
        connection.sent, connection.viewer = change.number, seat

    def flush(self) -> None:
        """Send off what was said; those who come after in this turn of the loop can take long."""
        for connection in self.connections:
            connection.flush()

    def _check_seats(self, changes: Sequence[Change]) -> None:
        """After seats have changed hands: who must go, and who was said to be away but is here."""
        same_people = changes[0].before.seats is changes[-1].after.seats
        if same_people and changes[0].before.started_at == changes[-1].after.started_at:
            return
        self._publish_presence()
        if not self._may_watch():
            for connection in [each for each in self.connections if each.viewer is None]:
                bye = delivery.encode(messages.Bye("no-spectators"))
                connection.end(POLICY, "no-spectators", bye)
        for seat, place in enumerate(self.table.seats):
            if place.player is not None and place.away is not None and self._is_here(place.player):
                self._is_back(place.player, seat)

    # --- delayed spectators -----------------------------------------------------------------------

    def _queue_for_delayed(self, changes: Sequence[Change]) -> None:
        last = changes[-1].number
        for change in changes:
            self._delayed.append(
                (change.fact.at + self.spectator_delay, change, change.number == last)
            )
        if self._delayed_timer is None:
            self._set_delayed_timer()

    def _set_delayed_timer(self) -> None:
        self._delayed_timer = None
        if self._delayed:
            delay = max(0, self._delayed[0][0] - now_ms()) / 1000
            loop = asyncio.get_running_loop()
            self._delayed_timer = loop.call_later(delay, self._deliver_delayed)

    def _deliver_delayed(self) -> None:
        now = now_ms()
        while self._delayed and self._delayed[0][0] <= now:
            _due, change, with_view = self._delayed.popleft()
            message = delivery.EventMessage(change, self._encoder, with_view=with_view)
            for connection in tuple(self.connections):
                if connection.viewer is None and change.number == connection.sent + 1:
                    self._deliver_delayed_one(connection, message, change)
        self._set_delayed_timer()

    @staticmethod
    def _deliver_delayed_one(
        connection: Connection, message: delivery.EventMessage, change: Change
    ) -> None:
        """A fault here must not stop what is due later."""
        try:
            connection.push(message.text(None))
            connection.sent = change.number
        except Exception as error:
            log.error("not-delivered", kind=change.fact.kind, exc_info=error)
            connection.end(FAULT, "fault")

    def disconnect(self, players: Collection[str]) -> None:
        """Close the connections of these players: their tokens are no longer valid."""
        for connection in [each for each in self.connections if each.player in players]:
            connection.end(GOING_AWAY, "dismissed", delivery.encode(messages.Bye("dismissed", 0)))

    async def reload(self) -> None:
        """Read the log anew, from which names may have been erased, and show everybody the table as
        it now reads."""
        fresh = {change.number: change for change in await self.actor.reload()}
        self._delayed = deque((due, fresh[old.number], whole) for due, old, whole in self._delayed)
        for connection in [each for each in self.connections if not each.closed]:
            delayed = self.spectator_delay and connection.viewer is None
            is_old = delayed and connection.sent in fresh
            table = fresh[connection.sent].after if is_old else self.table
            connection.push(delivery.welcome(table, connection.viewer, now_ms()))
            connection.sent = table.number

    # --- presence ---------------------------------------------------------------------------------

    def _publish_presence(self) -> None:
        """Publish soon who is here; several changes go together."""
        if self._presence is None:
            loop = asyncio.get_running_loop()
            self._presence = loop.call_later(PRESENCE_SECONDS, self._publish_presence_now)

    def _publish_presence_now(self) -> None:
        self._presence = None
        seen = Seen(
            frozenset(
                connection.viewer
                for connection in self.connections
                if connection.viewer is not None
            ),
            sum(connection.viewer is None for connection in self.connections),
        )
        self._context.presence.set_local(self.slug, seen)
        elsewhere = self._context.presence.elsewhere(self.slug)
        there = seen.seats | elsewhere.seats
        places = enumerate(self.table.seats)
        seats = [place.kind == "bot" or seat in there for seat, place in places]
        watching = seen.spectators + elsewhere.spectators
        text = delivery.encode(messages.Presence(seats=seats, spectators=watching))
        for connection in tuple(self.connections):
            connection.push(text)
