"""A live table with all who watch it: each hears event after event, made for them alone."""

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
from tuilerie.server import messages, wire
from tuilerie.server.jobs import Jobs
from tuilerie.server.limits import (
    LEAVE_SECONDS,
    PRESENCE_SECONDS,
    SOCKETS_PER_TABLE,
    TooOften,
)
from tuilerie.server.presence import NOBODY, Presence, Seen
from tuilerie.server.robots import Robots
from tuilerie.server.scribe import Scribe
from tuilerie.server.session import Busy, Change, Session, now_ms, read_fact
from tuilerie.server.sockets import FAULT, GOING_AWAY, POLICY, Socket
from tuilerie.store.log import Log

log: Any = structlog.get_logger("tuilerie.live")


@dataclass(frozen=True, slots=True)
class Home:
    """What all live tables of a node share."""

    store: Log
    jobs: Jobs
    publish: Callable[[str, int], None]
    happened: Callable[[LiveTable, Sequence[Change]], None]
    presence: Presence
    hurry: float = 1.0  # how long bots make people wait, as a part of the usual time


class NoSpectators(Exception):
    """Only who holds a seat may watch this table."""


class LiveTable:
    """A session, its sockets, and its bots."""

    def __init__(self, slug: str, home: Home) -> None:
        self.slug = slug
        self._home = home
        self.session = Session(slug, home.store, self._changed, partial(home.publish, slug))
        self.robots = Robots(self.session, home.jobs, home.hurry)
        self.sockets: set[Socket] = set()
        self._scribe = Scribe()
        self._presence: asyncio.TimerHandle | None = None
        self._gone: dict[str, asyncio.TimerHandle] = {}
        self._later: deque[tuple[int, Change, bool]] = deque()  # for spectators who are behind
        self._later_timer: asyncio.TimerHandle | None = None

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.session.table

    @property
    def behind(self) -> int:
        """How many milliseconds spectators are behind. Before the start there is nothing to hide,
        and who has come to take a seat must see which are open."""
        return (self.table.config.spectators or 0) * 1000 if self.table.started_at else 0

    @property
    def waits(self) -> bool:
        """Whether something is still to be told or done after a while."""
        return bool(self._gone or self._later)

    def close(self) -> None:
        """Forget all timers and sockets."""
        self.session.close()
        timers = [self._presence, self._later_timer, *self._gone.values()]
        for timer in timers:
            if timer is not None:
                timer.cancel()
        self.sockets.clear()
        self._home.presence.here(self.slug, NOBODY)

    # --- coming and going -------------------------------------------------------------------------

    async def join(self, socket: Socket, last: int) -> None:
        """Welcome a socket. Raises `NoSpectators` or `TooOften`."""
        seat = self.session.seat_of(socket.player)
        if seat is None and not self._may_watch():
            raise NoSpectators
        if len(self.sockets) >= SOCKETS_PER_TABLE:
            raise TooOften("sockets-per-table", 10)
        missed = None if seat is None and self.behind else await self.session.history(last)
        seat = self.session.seat_of(socket.player)  # it may have been taken meanwhile
        if seat is None and self.behind:
            table = await self.table_for_spectators()
            socket.push(wire.welcome(table, None, now_ms()))
            socket.sent = table.number
        else:
            self._welcome(socket, seat, missed)
        socket.viewer = seat
        socket.table = self
        self.sockets.add(socket)
        self._tell_presence()
        if socket.player is not None and seat is not None:
            self._is_back(socket.player, seat)

    def _may_watch(self) -> bool:
        return self.table.config.spectators is not None or self.table.started_at is None

    def _welcome(self, socket: Socket, seat: Seat | None, missed: list[Change] | None) -> None:
        if missed is None:
            socket.push(wire.welcome(self.table, seat, now_ms()))
        else:
            socket.push(wire.catch_up(missed, self.table, seat, now_ms()))
        socket.sent = self.session.number

    async def table_for_spectators(self) -> Table:
        """The table as it was when spectators who are behind may see it."""
        if self.table.at <= now_ms() - self.behind:
            return self.table
        found = await self._home.store.read(self.slug)
        # The time after the reading: what the others were told of meanwhile is in it.
        until = now_ms() - self.behind
        table: Table | None = None
        for _number, data in found:
            fact = read_fact(data)
            after = evolve(table, fact)
            if fact.at > until and after.started_at is not None:
                break
            table = after
        assert table is not None
        return table

    def leave(self, socket: Socket) -> None:
        """A socket has closed. If it was a person's last one, the table hears of it later."""
        self.sockets.discard(socket)
        socket.flush()  # nobody else will
        socket.table = None
        self._tell_presence()
        player = socket.player
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
        self._tell_presence()
        self.expect_all()

    def _is_here(self, player: str) -> bool:
        return any(socket.player == player for socket in self.sockets)

    def _is_there(self, player: str) -> bool:
        """Whether somebody is connected to this table by any node."""
        seat = self.session.seat_of(player)
        return self._is_here(player) or seat in self._home.presence.elsewhere(self.slug).seats

    def _has_left(self, player: str, was_here: bool) -> None:
        self._gone.pop(player, None)
        if self._is_there(player) or self.session.seat_of(player) is None:
            return
        if was_here or self._home.presence.is_sure:
            self.session.spawn(self._quietly(commands.Leave(player)))

    def _is_back(self, player: str, seat: Seat) -> None:
        timer = self._gone.pop(player, None)
        if timer is not None:
            timer.cancel()
        if self.table.seats[seat].away is not None:
            self.session.spawn(self._quietly(commands.Return(player)))

    async def _quietly(self, command: commands.Command) -> None:
        try:
            await self.session.do(command)
        except (Refused, Busy):
            return

    # --- what happens -----------------------------------------------------------------------------

    def _changed(self, _session: Session, changes: Sequence[Change]) -> None:
        if not changes:
            self.robots.look()
            return
        if self.behind:
            self._keep_for_later(changes)
        asyncio.get_running_loop().call_soon(self.flush)  # even if something fails below
        self._deliver(changes)
        self._check_seats(changes)
        self._home.happened(self, changes)
        self.robots.look()

    def _deliver(self, changes: Sequence[Change]) -> None:
        first, last = changes[0], changes[-1]
        steady = first.before.seats is last.after.seats
        told = [
            (change, wire.Telling(change, self._scribe, with_view=change is last))
            for change in changes
        ]
        for socket in tuple(self.sockets):
            try:
                if steady and socket.viewer is not None and socket.sent == first.number - 1:
                    viewer = socket.viewer  # the usual case
                    socket.put(*[telling.text(viewer) for _, telling in told])
                    socket.sent = last.number
                else:
                    for change, telling in told:
                        self._deliver_one(change, telling, socket)
            except Exception as error:  # one viewer's trouble must not be everybody's
                log.error("not-delivered", kind=last.fact.kind, exc_info=error)
                socket.end(FAULT, "fault")

    def _deliver_one(self, change: Change, telling: wire.Telling, socket: Socket) -> None:
        seat = None if socket.player is None else change.after.seat_of(socket.player)
        if seat is None and self.behind and socket.viewer is None:
            return  # they hear of it later
        if seat is not None and socket.viewer is None and socket.sent != change.number - 1:
            # A spectator who was behind has sat down: from here on they see all at once.
            socket.put(wire.welcome(change.after, seat, now_ms()))
        elif change.number == socket.sent + 1:
            socket.put(telling.text(seat))
        else:
            return
        socket.sent, socket.viewer = change.number, seat

    def flush(self) -> None:
        """Send off what was said; those who come after in this turn of the loop can take long."""
        for socket in self.sockets:
            socket.flush()

    def _check_seats(self, changes: Sequence[Change]) -> None:
        """After seats have changed hands: who must go, and who was said to be away but is here."""
        same_people = changes[0].before.seats is changes[-1].after.seats
        if same_people and changes[0].before.started_at == changes[-1].after.started_at:
            return
        self._tell_presence()
        if not self._may_watch():
            for socket in [each for each in self.sockets if each.viewer is None]:
                bye = wire.write(messages.Bye("no-spectators"))
                socket.end(POLICY, "no-spectators", bye)
        for seat, place in enumerate(self.table.seats):
            if place.player is not None and place.away is not None and self._is_here(place.player):
                self._is_back(place.player, seat)

    # --- spectators who are behind ----------------------------------------------------------------

    def _keep_for_later(self, changes: Sequence[Change]) -> None:
        last = changes[-1].number
        for change in changes:
            self._later.append((change.fact.at + self.behind, change, change.number == last))
        if self._later_timer is None:
            self._set_later_timer()

    def _set_later_timer(self) -> None:
        self._later_timer = None
        if self._later:
            delay = max(0, self._later[0][0] - now_ms()) / 1000
            loop = asyncio.get_running_loop()
            self._later_timer = loop.call_later(delay, self._tell_later)

    def _tell_later(self) -> None:
        now = now_ms()
        while self._later and self._later[0][0] <= now:
            _due, change, with_view = self._later.popleft()
            telling = wire.Telling(change, self._scribe, with_view=with_view)
            for socket in tuple(self.sockets):
                if socket.viewer is None and change.number == socket.sent + 1:
                    self._tell_one(socket, telling, change)
        self._set_later_timer()

    @staticmethod
    def _tell_one(socket: Socket, telling: wire.Telling, change: Change) -> None:
        """A fault here must not stop what is due later."""
        try:
            socket.push(telling.text(None))
            socket.sent = change.number
        except Exception as error:
            log.error("not-delivered", kind=change.fact.kind, exc_info=error)
            socket.end(FAULT, "fault")

    def hang_up(self, players: Collection[str]) -> None:
        """End the sockets of these players: they are no longer known by what they hold."""
        for socket in [each for each in self.sockets if each.player in players]:
            socket.end(GOING_AWAY, "dismissed", wire.write(messages.Bye("dismissed", 0)))

    async def reload(self) -> None:
        """Read the log anew, from which names may have been erased, and show everybody the table as
        it now reads."""
        fresh = {change.number: change for change in await self.session.reload()}
        self._later = deque((due, fresh[old.number], whole) for due, old, whole in self._later)
        for socket in [each for each in self.sockets if not each.closed]:
            behind = self.behind and socket.viewer is None and socket.sent in fresh
            table = fresh[socket.sent].after if behind else self.table
            socket.push(wire.welcome(table, socket.viewer, now_ms()))
            socket.sent = table.number

    # --- presence ---------------------------------------------------------------------------------

    def _tell_presence(self) -> None:
        """Tell soon who is here; several changes are told together."""
        if self._presence is None:
            loop = asyncio.get_running_loop()
            self._presence = loop.call_later(PRESENCE_SECONDS, self._tell_presence_now)

    def _tell_presence_now(self) -> None:
        self._presence = None
        seen = Seen(
            frozenset(socket.viewer for socket in self.sockets if socket.viewer is not None),
            sum(socket.viewer is None for socket in self.sockets),
        )
        self._home.presence.here(self.slug, seen)
        elsewhere = self._home.presence.elsewhere(self.slug)
        there = seen.seats | elsewhere.seats
        places = enumerate(self.table.seats)
        seats = [place.kind == "bot" or seat in there for seat, place in places]
        watching = seen.spectators + elsewhere.spectators
        text = wire.write(messages.Presence(seats=seats, spectators=watching))
        for socket in tuple(self.sockets):
            socket.push(text)
