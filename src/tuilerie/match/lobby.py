"""Before the start: seats, bots, who is ready; and at all times: who is there.

What is refused here, by rule name (code; when; params):

================  =========  =======================================================================
not-seated        illegal    a person without a seat asks for what only the seated may
already-started   too-late   seats cannot change any more
already-seated    illegal    a second seat for the same person; seat
table-full        too-late   no seat is open
no-such-seat      malformed  seat, expected (how many there are)
seat-taken        too-late   seat
bad-name          malformed  a name that is empty, too long or cannot be read; expected (how long)
not-host          illegal    only the host may do this
not-a-bot         illegal    no bot has (or, in `moves`: plays) this seat; seat
seats-open        illegal    the host begins too early; open (how many)
not-ready         illegal    the host begins while others are not ready; seats
================  =========  =======================================================================
"""

from __future__ import annotations

from tuilerie.games.game import Code, Refused, Seat
from tuilerie.match import commands as c
from tuilerie.match import facts as f
from tuilerie.match.batch import Batch
from tuilerie.match.config import PlayerId, check_level
from tuilerie.match.table import BOT, OPEN, Table

LONGEST_NAME = 24
"""Of a person, in letters; there must be room for it on a phone."""


def seat_of(table: Table, player: PlayerId) -> Seat:
    """Where this person sits. Refuses who does not."""
    seat = table.seat_of(player)
    if seat is None:
        raise Refused(Code.ILLEGAL, "not-seated")
    return seat


def welcome(batch: Batch, player: PlayerId) -> Seat:
    """Where this person sits, who is there again if they had left: a bot hands the seat back."""
    seat = seat_of(batch.table, player)
    place = batch.table.seats[seat]
    if place.away is not None:
        batch.add(f.Returned, seat)
        if place.bot is not None and not place.for_good:
            batch.add(f.HandedBack, seat)
    return seat


def check_seat(table: Table, seat: Seat) -> None:
    """Refuses a seat that the table does not have."""
    if seat not in range(table.config.players):
        players = table.config.players
        raise Refused(Code.MALFORMED, "no-such-seat", seat=seat, expected=players)


def _check_before_start(table: Table) -> None:
    if table.started_at is not None:
        raise Refused(Code.TOO_LATE, "already-started")


def _check_host(table: Table, player: PlayerId) -> None:
    if player != table.host:
        raise Refused(Code.ILLEGAL, "not-host")


def _open_seat(table: Table, wanted: Seat | None) -> Seat:
    """The seat that is wanted, or the first that is open."""
    if wanted is not None:
        check_seat(table, wanted)
        if table.seats[wanted].kind != OPEN:
            raise Refused(Code.TOO_LATE, "seat-taken", seat=wanted)
        return wanted
    seats = (seat for seat, place in enumerate(table.seats) if place.kind == OPEN)
    seat = next(seats, None)
    if seat is None:
        raise Refused(Code.TOO_LATE, "table-full")
    return seat


def sit(batch: Batch, command: c.Sit) -> None:
    """A person takes a seat."""
    table, name = batch.table, command.name.strip()
    _check_before_start(table)
    seat = table.seat_of(command.player)
    if seat is not None:
        raise Refused(Code.ILLEGAL, "already-seated", seat=seat)
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise Refused(Code.MALFORMED, "bad-name", expected=LONGEST_NAME)
    batch.add(f.Seated, _open_seat(table, command.seat), command.player, name)


def stand(batch: Batch, command: c.Stand) -> None:
    """A person gives the seat back."""
    seat = seat_of(batch.table, command.player)
    _check_before_start(batch.table)
    batch.add(f.Vacated, seat)


def add_bot(batch: Batch, command: c.AddBot) -> None:
    """The host seats a bot."""
    table, level = batch.table, command.level
    _check_host(table, command.player)
    _check_before_start(table)
    check_level(table.game, level)
    seat = _open_seat(table, command.seat)
    batch.add(f.BotSeated, seat, level, f"{level} {seat + 1}")


def remove_bot(batch: Batch, command: c.RemoveBot) -> None:
    """The host sends a bot away."""
    table, seat = batch.table, command.seat
    _check_host(table, command.player)
    _check_before_start(table)
    check_seat(table, seat)
    if table.seats[seat].kind != BOT:
        raise Refused(Code.ILLEGAL, "not-a-bot", seat=seat)
    batch.add(f.Vacated, seat)


def set_ready(batch: Batch, command: c.SetReady) -> None:
    """A person is ready, or not."""
    seat = welcome(batch, command.player)
    _check_before_start(batch.table)
    if batch.table.seats[seat].ready != command.ready:
        batch.add(f.Readied, seat, command.ready)


def begin(batch: Batch, command: c.Begin) -> None:
    """The host begins, and is ready by that."""
    table = batch.table
    _check_host(table, command.player)
    _check_before_start(table)
    own = table.seat_of(command.player)
    empty = sum(place.kind == OPEN for place in table.seats)
    if empty:
        raise Refused(Code.ILLEGAL, "seats-open", open=empty)
    late = [seat for seat, place in enumerate(table.seats) if not place.ready and seat != own]
    if late:
        raise Refused(Code.ILLEGAL, "not-ready", seats=late)
    batch.add(f.Readied, welcome(batch, command.player), True)


def leave(batch: Batch, command: c.Leave) -> None:
    """A person has gone away."""
    seat = seat_of(batch.table, command.player)
    if batch.table.seats[seat].away is None:
        batch.add(f.Left, seat)


def come_back(batch: Batch, command: c.Return) -> None:
    """A person is back."""
    welcome(batch, command.player)
