"""Moves, of persons and of bots.

What is refused here, by rule name (code; when; params). What a move itself breaks, the game says.

================  =============  ===================================================================
not-started       illegal        the game has not begun
game-over         over           it is over
taken-over        too-late       a bot plays this seat for good; seat
time-is-up        too-late       the time for this decision, or the glass, has run out
not-yet           not-your-turn  the glass was announced but has not started; ms (how long to wait)
claim-pending     not-your-turn  this seat reaches for something, which is not settled yet
not-a-bot         too-late       a bot's move for a seat that no bot plays (any more); seat
stale-move        too-late       a bot's move for a game that has gone on since; number
takeback-pending  too-late       a bot's move while somebody asks to take one back
================  =============  ===================================================================
"""

from __future__ import annotations

from tuilerie.games.game import Action, Code, Refused, Seat
from tuilerie.match import commands as c
from tuilerie.match import facts as f
from tuilerie.match.batch import Batch
from tuilerie.match.clock import deadline, in_time
from tuilerie.match.lobby import check_seat, welcome
from tuilerie.match.table import Table


def check_playing(table: Table) -> None:
    """Refuses what can be done in a running game only."""
    if table.started_at is None:
        raise Refused(Code.ILLEGAL, "not-started")
    if table.result is not None:
        raise Refused(Code.OVER, "game-over")


def make(batch: Batch, command: c.Make) -> None:
    """A person makes a move."""
    seat = welcome(batch, command.player)
    check_playing(batch.table)
    if batch.table.seats[seat].bot is not None:
        raise Refused(Code.TOO_LATE, "taken-over", seat=seat)
    if batch.table.is_flagged(seat):
        raise Refused(Code.TOO_LATE, "time-is-up")
    _move(batch, seat, command.move, command.pressed, command.rtt)


def bot_moved(batch: Batch, command: c.BotMoved) -> None:
    """A bot makes a move, if it was made for the game as it still is."""
    table, seat, number = batch.table, command.seat, command.number
    check_playing(table)
    check_seat(table, seat)
    if table.bot_level(seat) is None:
        raise Refused(Code.TOO_LATE, "not-a-bot", seat=seat)
    # Where all act together, others' moves are no reason to think again.
    together = table.rules.card.simultaneous
    if number < (table.acted[seat] if together else table.entered):
        raise Refused(Code.TOO_LATE, "stale-move", number=number)
    if table.takeback is not None:
        raise Refused(Code.TOO_LATE, "takeback-pending")
    _move(batch, seat, command.move, None, None)


def _move(batch: Batch, seat: Seat, text: str, pressed: int | None, rtt: int | None) -> None:
    table, rules = batch.table, batch.table.rules
    if table.has_claim(seat):
        raise Refused(Code.NOT_YOUR_TURN, "claim-pending")
    _check_time(batch, seat, pressed, rtt)
    entry = Action(seat, rules.parse_move(text))
    if rules.is_race(table.game_state, seat, entry.move):
        rules.apply(table.game_state, entry)  # what is not allowed anyway is refused at once
        batch.add(f.Claimed, seat, str(entry.move), pressed, batch.at, rtt)
    else:
        batch.enter(entry)


def _check_time(batch: Batch, seat: Seat, pressed: int | None, rtt: int | None) -> None:
    """Refuses what comes before a glass starts, and what was made after time was up."""
    table, arrived = batch.table, batch.at
    ends_at = None
    if table.glass is not None:
        if arrived < table.glass.starts_at:
            raise Refused(Code.NOT_YOUR_TURN, "not-yet", ms=table.glass.starts_at - arrived)
        ends_at = table.glass.ends_at
    elif table.config.clock is not None and table.clock is not None:
        flagged = table.clock[seat].flagged  # then a bot moves, which may take its time
        ends_at = None if flagged else deadline(table.config.clock, table.clock[seat])
    if ends_at is not None and not in_time(ends_at, arrived, pressed, rtt):
        raise Refused(Code.TOO_LATE, "time-is-up")
