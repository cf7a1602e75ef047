"""A live table with its connections: each viewer is sent updates made for that viewer."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Collection, Sequence
from functools import partial
from typing import Any, NamedTuple

import structlog

from tuilerie.games.game import Refused, Seat
from tuilerie.match import commands, messages
from tuilerie.match.table import Table
from tuilerie.server.bots.pool import Thought
from tuilerie.server.ops.limits import (
    LEAVE_SECONDS,
    PRESENCE_SECONDS,
    RESUME_EVENTS,
    SOCKETS_PER_PLAYER,
    SPECTATORS_PER_TABLE,
    TooOften,
)
from tuilerie.server.tables import delivery
from tuilerie.server.tables.actor import Busy, TableActor, Transition, now_ms
from tuilerie.server.tables.delivery import Snapshot, UpdateEncoder
from tuilerie.server.tables.presence import PresenceTracker, Seen
from tuilerie.server.ws.connection import FAULT, GOING_AWAY, POLICY, Connection

log: Any = structlog.get_logger("tuilerie.room")


class NoSpectators(Exception):
    """This table admits no spectators."""


class HeldView(NamedTuple):
    """The view that a client holds: after fact `last`, of time `at`, as seen by seat `you`."""

    last: int  # 0: none
    at: int | None  # None: not given
    you: Seat | None


NOTHING_HELD = HeldView(0, None, None)

_DISMISSED = delivery.encode(messages.Bye("dismissed", 0))


class Room:
    """The connections of a live table: each is sent what its viewer may know."""

    def __init__(self, actor: TableActor, presence: PresenceTracker) -> None:
        self.slug = actor.slug
        self.actor = actor
        self._nodes = presence
        self.connections: set[Connection] = set()
        self._snapshot: Snapshot | None = None  # the last one that was sent
        self._presence: asyncio.TimerHandle | None = None
        self._gone: dict[str, asyncio.TimerHandle] = {}
        self._delayed: deque[Transition] = deque()  # not yet sent to delayed spectators
        self._delayed_timer: asyncio.TimerHandle | None = None
        self._hurried = False  # whether its bots had less than their own thinking time
        self._dismissals = 0  # how often tokens were revoked since this room was loaded
        actor.subscribe(self._on_transitions)
        presence.follow(self.slug)

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.actor.table

    @property
    def spectator_delay(self) -> int:
        """The delay of spectators, in milliseconds. None before the start: there is nothing to
        hide, and newcomers must see which seats are open."""
        return (self.table.config.spectators or 0) * 1000 if self.table.started_at else 0

    @property
    def has_pending(self) -> bool:
        """Whether timers are pending: delayed events, or players who may reconnect."""
        return bool(self._gone or self._delayed)

    def close(self) -> None:
        """Cancel all timers and drop all connections."""
        self.actor.close()
        timers = [self._presence, self._delayed_timer, *self._gone.values()]
        for timer in timers:
            if timer is not None:
                timer.cancel()
        self.connections.clear()
        self._nodes.unfollow(self.slug)

    # --- connect and disconnect -------------------------------------------------------------------

    async def join(self, connection: Connection, held: HeldView) -> None:
        """Welcome a connection, or send it what it missed. Raises `NoSpectators` or `TooOften`."""
        seat, delayed = admitted = self._admit(connection)
        dismissals = self._dismissals
        while True:
            last = held.last if not delayed and seat == held.you else 0
            is_short = self.actor.number <= RESUME_EVENTS  # a long log is never read for a client
            past = self.actor.since(last) if last > 0 else None
            resumes = past is not None or (is_short and 0 < last <= self.actor.number)
            if past is None and (is_short or delayed):
                past = await self.actor.history(last if resumes else 0)
            elif past is None:
                past = list(self.actor.recent)
            # No `await` from here on: later transitions are delivered.
            now_admitted = self._admit(connection)
            if dismissals != self._dismissals:  # its token may have been revoked
                connection.end(GOING_AWAY, "dismissed", _DISMISSED)
                return
            if now_admitted != admitted:  # a seat was taken, or the game has started
                seat, delayed = admitted = now_admitted
            elif resumes and held.at not in (None, (past[0].before if past else self.table).at):
                held = NOTHING_HELD  # the view of another log, as after a restored backup
            else:
                break
        table = self.table
        if delayed:
            past, table = self._known_to_delayed(past)
        if resumes:
            before = Snapshot(past[0].before if past else table)
            connection.push(UpdateEncoder(past, before, Snapshot(table)).text(seat, seat))
        else:
            connection.push(delivery.welcome(table, past, seat, now_ms()))
        connection.sent, connection.viewer = table.number, seat
        connection.table = self
        self.connections.add(connection)
        self._publish_presence()
        if connection.player is not None and seat is not None:
            self._is_back(connection.player, seat)

    def _admit(self, connection: Connection) -> tuple[Seat | None, bool]:
        """The connection's seat, and whether it gets events with a delay. Raises `NoSpectators` or
        `TooOften`."""
        seat = self._seat_of(connection)
        if seat is None and not self._may_watch():
            raise NoSpectators
        most = SPECTATORS_PER_TABLE if seat is None else SOCKETS_PER_PLAYER
        if sum(self._seat_of(other) == seat for other in self.connections) >= most:
            raise TooOften("sockets-per-table", 10)
        return seat, self._is_delayed(connection)

    def _seat_of(self, connection: Connection) -> Seat | None:
        """The current seat of a connection's player. (`Connection.viewer` is the seat at the last
        message.)"""
        return self.actor.seat_of(connection.player)

    def _is_delayed(self, connection: Connection) -> bool:
        return bool(self.spectator_delay) and self._seat_of(connection) is None

    def _may_watch(self) -> bool:
        return self.table.config.spectators is not None or self.table.started_at is None

    def _known_to_delayed(self, past: Sequence[Transition]) -> tuple[list[Transition], Table]:
        """The transitions that delayed spectators may know now, and the table after them."""
        now = now_ms()
        known = [each for each in past if self._due(each) <= now]
        return known, known[-1].after if known else past[0].before

    def table_for_spectators(self) -> Table:
        """The table as delayed spectators may see it now."""
        if self.spectator_delay:
            now = now_ms()
            for each in self._delayed:
                if self._due(each) > now:
                    return each.before
        return self.table

    def leave(self, connection: Connection) -> None:
        """Remove a closed connection. If it was the player's last one, `Leave` follows later."""
        self.connections.discard(connection)
        connection.flush()  # the room's own flush no longer reaches it
        connection.table = None
        if not self.connections:
            self._snapshot = None
        self._publish_presence()
        player = connection.player
        if player is not None and not self._is_here(player):
            self.expect(player)

    def expect(self, player: str, *, was_here: bool = True) -> None:
        """Wait for a player to reconnect; after `LEAVE_SECONDS` they have left."""
        if player not in self._gone:
            loop = asyncio.get_running_loop()
            left = partial(self._has_left, player, was_here)
            self._gone[player] = loop.call_later(LEAVE_SECONDS, left)

    def expect_all(self) -> None:
        """Wait for every player who is present according to the log, but not connected."""
        for holder in self.table.seats:
            if (
                holder.player is not None
                and holder.is_present
                and not self._is_there(holder.player)
            ):
                self.expect(holder.player, was_here=False)

    def elsewhere_changed(self) -> None:
        """The presence on other nodes has changed."""
        self._publish_presence()
        self.expect_all()

    def _is_here(self, player: str) -> bool:
        return any(connection.player == player for connection in self.connections)

    def _is_there(self, player: str) -> bool:
        """Whether a player is connected to this table, on any node."""
        seat = self.actor.seat_of(player)
        return self._is_here(player) or seat in self._nodes.elsewhere(self.slug).seats

    def _has_left(self, player: str, was_here: bool) -> None:
        self._gone.pop(player, None)
        if self._is_there(player) or self.actor.seat_of(player) is None:
            return
        if was_here or self._nodes.is_sure:
            self.actor.spawn(self._quietly(commands.Leave(player)))
        else:  # the bus is down: look again later
            self.expect(player, was_here=False)

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

    # --- transitions ------------------------------------------------------------------------------

    def _on_transitions(self, transitions: Sequence[Transition], _ours: bool) -> None:
        if not transitions:
            return
        if self.spectator_delay:
            self._queue_for_delayed(transitions)
        asyncio.get_running_loop().call_soon(self.flush)  # even if something fails below
        if self.connections:
            self._deliver(transitions)
        self._check_seats(transitions)

    def _deliver(self, transitions: Sequence[Transition]) -> None:
        first, last = transitions[0], transitions[-1]
        before = self._snapshot
        if before is None or before.table is not first.before:
            before = Snapshot(first.before)
        self._snapshot = after = Snapshot(last.after)
        update = UpdateEncoder(transitions, before, after)
        has_delay = bool(self.spectator_delay)
        for connection in tuple(self.connections):
            seat = self._seat_of(connection)
            if seat is not None or not has_delay:  # else it is sent later
                self._deliver_to(connection, seat, update)

    @staticmethod
    def _deliver_to(connection: Connection, seat: Seat | None, update: UpdateEncoder) -> None:
        """Send an update, or a snapshot if the connection does not hold the view before it."""
        last = update.happened[-1]
        if connection.sent >= last.number:
            return
        try:
            if connection.sent == update.happened[0].number - 1:
                connection.put(update.text(seat, connection.viewer))
            else:
                text = delivery.welcome(last.after, update.happened, seat, now_ms())
                connection.put(text)
            connection.sent, connection.viewer = last.number, seat
        except Exception as error:  # must not affect the other viewers
            log.error("not-delivered", kind=last.fact.kind, exc_info=error)
            connection.end(FAULT, "fault")

    def flush(self) -> None:
        """Write out what was queued, before other callbacks of this loop iteration delay it."""
        for connection in self.connections:
            connection.flush()

    def _check_seats(self, transitions: Sequence[Transition]) -> None:
        """After seats have changed: close the connections of those who may not watch any more, and
        mark connected players as back."""
        same_people = transitions[0].before.seats is transitions[-1].after.seats
        if same_people and transitions[0].before.started_at == transitions[-1].after.started_at:
            return
        self._publish_presence()
        if not self._may_watch():
            for connection in [each for each in self.connections if self._seat_of(each) is None]:
                bye = delivery.encode(messages.Bye("no-spectators"))
                connection.end(POLICY, "no-spectators", bye)
        for seat, holder in enumerate(self.table.seats):
            if (
                holder.player is not None
                and holder.away is not None
                and self._is_here(holder.player)
            ):
                self._is_back(holder.player, seat)

    # --- delayed spectators -----------------------------------------------------------------------

    def _due(self, transition: Transition) -> int:
        """When a transition may be sent to delayed spectators."""
        has_begun = transition.after.started_at is not None
        return transition.fact.at + (self.spectator_delay if has_begun else 0)

    def _queue_for_delayed(self, transitions: Sequence[Transition]) -> None:
        self._delayed += transitions
        if self._delayed_timer is None:
            self._set_delayed_timer()

    def _set_delayed_timer(self) -> None:
        self._delayed_timer = None
        if self._delayed:
            delay = max(0, self._due(self._delayed[0]) - now_ms()) / 1000
            loop = asyncio.get_running_loop()
            self._delayed_timer = loop.call_later(delay, self._deliver_delayed)

    def _deliver_delayed(self) -> None:
        now, due = now_ms(), []
        while self._delayed and self._due(self._delayed[0]) <= now:
            due.append(self._delayed.popleft())
        self._set_delayed_timer()
        updates: dict[int, UpdateEncoder] = {}  # by the first transition of each
        for connection in tuple(self.connections):
            if not self._is_delayed(connection):
                continue
            # A spectator who joined just now knows the first of them already.
            new = [each for each in due if each.number > connection.sent]
            if new and new[0].number not in updates:
                before, after = Snapshot(new[0].before), Snapshot(new[-1].after)
                updates[new[0].number] = UpdateEncoder(new, before, after)
            if new:
                self._deliver_to(connection, None, updates[new[0].number])
                connection.flush()

    def disconnect(self, players: Collection[str]) -> None:
        """Close the connections of these players: their tokens are no longer valid."""
        self._dismissals += 1
        for connection in [each for each in self.connections if each.player in players]:
            connection.end(GOING_AWAY, "dismissed", _DISMISSED)

    async def reload(self) -> None:
        """Read the log again, because names in it may have been erased, and send everybody a
        snapshot."""
        past = await self.actor.reload()
        fresh = {each.number: each for each in past}
        self._delayed = deque(fresh[each.number] for each in self._delayed)
        self._snapshot = None
        for connection in [each for each in self.connections if not each.closed]:
            seen, table, seat = past, self.table, self._seat_of(connection)
            if self._is_delayed(connection):
                seen = [each for each in past if each.number <= connection.sent]
                table = seen[-1].after if seen else past[0].before
            connection.push(delivery.welcome(table, seen, seat, now_ms()))
            connection.sent, connection.viewer = table.number, seat

    # --- presence ---------------------------------------------------------------------------------

    def bot_thought(self, thought: Thought) -> None:
        """Show whether the bots of this table think shortly, because the server is busy."""
        if thought.shortened != self._hurried:
            self._hurried = thought.shortened
            self._publish_presence()

    def _publish_presence(self) -> None:
        """Publish soon who is connected; changes within `PRESENCE_SECONDS` are sent together."""
        if self._presence is None:
            loop = asyncio.get_running_loop()
            self._presence = loop.call_later(PRESENCE_SECONDS, self._publish_presence_now)

    def _publish_presence_now(self) -> None:
        self._presence = None
        here = [self._seat_of(connection) for connection in self.connections]
        seats_here = frozenset(seat for seat in here if seat is not None)
        seen = Seen(seats_here, here.count(None), self._hurried)
        self._nodes.set_local(self.slug, seen)
        elsewhere = self._nodes.elsewhere(self.slug)
        there = seen.seats | elsewhere.seats
        by_seat = enumerate(self.table.seats)
        seats = [holder.kind == "bot" or seat in there for seat, holder in by_seat]
        watching = seen.spectators + elsewhere.spectators
        hurried = seen.hurried or elsewhere.hurried
        text = delivery.encode(messages.Presence(seats, watching, hurried))
        for connection in tuple(self.connections):
            connection.push(text)
