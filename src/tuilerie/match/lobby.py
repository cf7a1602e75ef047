"""Seats, bots and readiness before the start; leaving and returning at any time.

What is refused here, by rule name (code; when; params):

================  =========  =======================================================================
not-seated        illegal    the person has no seat
already-started   too-late   seats cannot change any more
already-seated    illegal    a second seat for the same person; seat
table-full        too-late   no seat is open
no-such-seat      malformed  seat, expected (how many there are)
seat-taken        too-late   seat
bad-name          malformed  a name that is empty, too long or cannot be read; expected (how long)
not-host          illegal    only the host may do this
not-a-bot         illegal    no bot has (or, in `moves`: plays) this seat; seat
seats-open        illegal    the host begins too early; open (how many)
not-a-person      illegal    no other person has this seat; seat
table-closed      over       the host has closed the table
too-many-changes  too-late   the log of this table has reached its limit
================  =========  =======================================================================
"""

from __future__ import annotations

from tuilerie.games.game import Code, Refused, Seat
from tuilerie.match import commands as c
from tuilerie.match import facts as f
from tuilerie.match.batch import Batch
from tuilerie.match.config import PlayerId, check_level
from tuilerie.match.table import BOT, OPEN, PERSON, Table
from tuilerie.names import LONGEST, clean, is_good


def seat_of(table: Table, player: PlayerId) -> Seat:
    """The seat of a person. Refuses one without a seat."""
    seat = table.seat_of(player)
    if seat is None:
        raise Refused(Code.ILLEGAL, "not-seated")
    return seat


def mark_back(batch: Batch, player: PlayerId) -> Seat:
    """The seat of a person, who is back if they had left: then a bot hands the seat back."""
    seat = seat_of(batch.table, player)
    holder = batch.table.seats[seat]
    if holder.away is not None:
        batch.add(f.Returned(batch.at, seat))
        if holder.bot is not None and not holder.for_good:
            batch.add(f.HandedBack(batch.at, seat))
    return seat


def check_seat(table: Table, seat: Seat) -> None:
    """Refuses a seat that the table does not have."""
    if seat not in range(table.config.players):
        players = table.config.players
        raise Refused(Code.MALFORMED, "no-such-seat", seat=seat, expected=players)


def _check_before_start(table: Table) -> None:
    if table.closed:
        raise Refused(Code.OVER, "table-closed")
    if table.started_at is not None:
        raise Refused(Code.TOO_LATE, "already-started")


def check_growth(table: Table) -> None:
    """Refuses what only makes a log longer, once it is long."""
    if not table.can_grow:
        raise Refused(Code.TOO_LATE, "too-many-changes")


def _check_host(table: Table, player: PlayerId) -> None:
    if player != table.host:
        raise Refused(Code.ILLEGAL, "not-host")


def _open_seat(table: Table, wanted: Seat | None) -> Seat:
    """The requested seat, or the first open one."""
    if wanted is not None:
        check_seat(table, wanted)
        if table.seats[wanted].kind != OPEN:
            raise Refused(Code.TOO_LATE, "seat-taken", seat=wanted)
        return wanted
    seats = (seat for seat, holder in enumerate(table.seats) if holder.kind == OPEN)
    seat = next(seats, None)
    if seat is None:
        raise Refused(Code.TOO_LATE, "table-full")
    return seat


def sit(batch: Batch, command: c.Sit) -> None:
    """A person takes a seat."""
    table, name = batch.table, clean(command.name)
    _check_before_start(table)
    seat = table.seat_of(command.player)
    if seat is not None:
        raise Refused(Code.ILLEGAL, "already-seated", seat=seat)
    check_growth(table)
    if not is_good(name):
        raise Refused(Code.MALFORMED, "bad-name", expected=LONGEST)
    batch.add(f.Seated(batch.at, _open_seat(table, command.seat), command.player, name))


def stand(batch: Batch, command: c.Stand) -> None:
    """A person leaves the seat."""
    seat = seat_of(batch.table, command.player)
    _check_before_start(batch.table)
    check_growth(batch.table)
    batch.add(f.Vacated(batch.at, seat))


def add_bot(batch: Batch, command: c.AddBot) -> None:
    """The host seats a bot."""
    table, level = batch.table, command.level
    _check_host(table, command.player)
    _check_before_start(table)
    check_growth(table)
    check_level(table.game, level)
    seat = command.seat
    if seat is None or seat not in range(len(table.seats)) or table.seats[seat].kind != BOT:
        seat = _open_seat(table, command.seat)
    elif table.seats[seat].level == level:
        return
    batch.add(f.BotSeated(batch.at, seat, level, f"{level} {seat + 1}"))


def remove_bot(batch: Batch, command: c.RemoveBot) -> None:
    """The host removes a bot."""
    table, seat = batch.table, command.seat
    _check_host(table, command.player)
    _check_before_start(table)
    check_growth(table)
    check_seat(table, seat)
    if table.seats[seat].kind != BOT:
        raise Refused(Code.ILLEGAL, "not-a-bot", seat=seat)
    batch.add(f.Vacated(batch.at, seat))


def remove(batch: Batch, command: c.Remove) -> None:
    """The host removes another person."""
    table, seat = batch.table, command.seat
    _check_host(table, command.player)
    _check_before_start(table)
    check_growth(table)
    check_seat(table, seat)
    if table.seats[seat].kind != PERSON or table.seats[seat].player == command.player:
        raise Refused(Code.ILLEGAL, "not-a-person", seat=seat)
    batch.add(f.Vacated(batch.at, seat))


def close(batch: Batch, command: c.Close) -> None:
    """The host closes the table."""
    _check_host(batch.table, command.player)
    _check_before_start(batch.table)
    batch.add(f.Closed(batch.at))


def set_ready(batch: Batch, command: c.SetReady) -> None:
    """A person is ready, or not."""
    seat = mark_back(batch, command.player)
    _check_before_start(batch.table)
    if batch.table.seats[seat].ready != command.ready:
        if not command.ready:
            check_growth(batch.table)
        batch.add(f.Readied(batch.at, seat, command.ready))


def begin(batch: Batch, command: c.Begin) -> None:
    """The host starts the game: everybody with a seat is ready."""
    table = batch.table
    _check_host(table, command.player)
    _check_before_start(table)
    empty = sum(holder.kind == OPEN for holder in table.seats)
    if empty:
        raise Refused(Code.ILLEGAL, "seats-open", open=empty)
    if table.seat_of(command.player) is not None:
        mark_back(batch, command.player)
    for seat, holder in enumerate(table.seats):
        if not holder.ready:
            batch.add(f.Readied(batch.at, seat, True))


def leave(batch: Batch, command: c.Leave) -> None:
    """A person has left."""
    seat = seat_of(batch.table, command.player)
    table = batch.table
    if table.seats[seat].away is not None:
        return
    if table.started_at is None and not table.can_grow:
        return  # after so many, leaving is not recorded any more
    batch.add(f.Left(batch.at, seat))


def come_back(batch: Batch, command: c.Return) -> None:
    """A person is back."""
    mark_back(batch, command.player)
