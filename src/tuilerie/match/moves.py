"""Moves of persons and bots; the end of a turn, undo, and hints.

What is refused here, by rule name (code; when; params). Illegal moves are refused by the game.

================  =============  ===================================================================
not-started       illegal        the game has not begun
game-over         over           it is over
taken-over        too-late       a bot plays this seat for good; seat
time-is-up        too-late       the time for this decision, or the timer, has run out
not-yet           not-your-turn  the timer has not started; ms (how long to wait, at least)
claim-pending     not-your-turn  a racing move of this seat is not decided yet (see `race`)
not-a-bot         too-late       a bot's move for a seat that no bot plays (any more); seat
stale-move        too-late       a bot's move for a game that has gone on since; number
takeback-pending  too-late       a bot's move while somebody asks to take one back
turn-not-ended    not-your-turn  the turn before is held; seat
no-undo           too-late       the turn has ended, or the last action is another's
no-hint           illegal        another person plays, too
hint-not-now      not-your-turn  a hint for a seat that has nothing to decide
too-many-changes  too-late       this person has rearranged tiles for too long
================  =============  ===================================================================
"""

from __future__ import annotations

from tuilerie.games.game import Action, Code, Refused, Seat
from tuilerie.match import commands as c
from tuilerie.match import facts as f
from tuilerie.match.batch import Batch
from tuilerie.match.clock import ANNOUNCED, deadline, in_time
from tuilerie.match.lobby import check_growth, check_seat, mark_back
from tuilerie.match.table import PERSON, Table
from tuilerie.record import ACTION

MOST_ACTIONS = 2_000
"""How often one seat may act before it can rearrange tiles no longer: a log must not grow for ever.
No game needs a tenth of it."""


def check_playing(table: Table) -> None:
    """Refuses unless a game is being played."""
    if table.started_at is None:
        raise Refused(Code.ILLEGAL, "not-started")
    if table.result is not None:
        raise Refused(Code.OVER, "game-over")


def make(batch: Batch, command: c.Make) -> None:
    """A person makes a move."""
    seat = mark_back(batch, command.player)
    check_playing(batch.table)
    if batch.table.seats[seat].bot is not None:
        raise Refused(Code.TOO_LATE, "taken-over", seat=seat)
    if batch.table.is_flagged(seat):
        raise Refused(Code.TOO_LATE, "time-is-up")
    _check_rearranging(batch.table, seat, command.move)
    _mark_seen(batch, seat)
    _check_time(batch, seat, command.pressed, command.rtt)
    _move(batch, seat, command.move, command.hold or 0)


def end_turn(batch: Batch, command: c.EndTurn) -> None:
    """A person ends the turn; if it has ended already, nothing happens."""
    seat = mark_back(batch, command.player)
    held = batch.table.held
    if held is not None and held.seat == seat:
        batch.add(f.TurnEnded(batch.at, seat))


def undo(batch: Batch, command: c.Undo) -> None:
    """A person undoes the last action of a turn that has not ended."""
    seat = mark_back(batch, command.player)
    check_playing(batch.table)
    if not batch.table.can_undo(seat):
        raise Refused(Code.TOO_LATE, "no-undo")
    check_growth(batch.table)
    batch.add(f.TakenBack(batch.at, len(batch.table.entries) - 1))


def see_count(batch: Batch, command: c.SeeCount) -> None:
    """A person has seen the count."""
    _mark_seen(batch, mark_back(batch, command.player))


def _mark_seen(batch: Batch, seat: Seat) -> None:
    if seat in batch.table.looking():
        batch.add(f.CountSeen(batch.at, seat))


def hint(batch: Batch, command: c.Hint) -> None:
    """A person who plays against bots only asks for a hint: the game counts as assisted."""
    seat = mark_back(batch, command.player)
    table = batch.table
    check_playing(table)
    if any(holder.kind == PERSON and at != seat for at, holder in enumerate(table.seats)):
        raise Refused(Code.ILLEGAL, "no-hint")
    if seat not in table.actors or table.held is not None or table.bot_level(seat) is not None:
        raise Refused(Code.NOT_YOUR_TURN, "hint-not-now")
    if seat not in table.hinted:
        batch.add(f.Hinted(batch.at, seat))


def _check_rearranging(table: Table, seat: Seat, text: str) -> None:
    """Refuses to rearrange tiles once a seat has acted `MOST_ACTIONS` times. Every other move is
    still possible, so that the game can end."""
    if len(table.entries) < MOST_ACTIONS:
        return
    rules = table.rules
    acted = (entry["kind"] == ACTION and entry["seat"] == seat for entry in table.entries)
    if sum(acted) < MOST_ACTIONS:
        return
    if rules.rearranges(table.game_state, seat, rules.parse_move(text)):
        raise Refused(Code.TOO_LATE, "too-many-changes")


def bot_moved(batch: Batch, command: c.BotMoved) -> None:
    """A bot makes a move, unless the game has changed since it was computed."""
    table, seat, number = batch.table, command.seat, command.number
    check_playing(table)
    check_seat(table, seat)
    if table.bot_level(seat) is None:
        raise Refused(Code.TOO_LATE, "not-a-bot", seat=seat)
    # Where all act together, others' moves do not make it stale.
    together = table.rules.card.simultaneous
    if number < (table.acted[seat] if together else table.entered):
        raise Refused(Code.TOO_LATE, "stale-move", number=number)
    if table.takeback is not None:
        raise Refused(Code.TOO_LATE, "takeback-pending")
    _check_time(batch, seat, None, None)
    _move(batch, seat, command.move, 0)


def _move(batch: Batch, seat: Seat, text: str, hold: int) -> None:
    held = batch.table.held
    if held is not None:
        raise Refused(Code.NOT_YOUR_TURN, "turn-not-ended", seat=held.seat)
    batch.enter(Action(seat, batch.table.rules.parse_move(text)), hold)


def _check_time(batch: Batch, seat: Seat, pressed: int | None, rtt: int | None) -> None:
    """Refuses moves before a timer starts, and those made after time was up."""
    table, arrived = batch.table, batch.at
    ends_at = None
    if table.timer is None and table.rules.timer(table.game_state) is not None:
        raise Refused(Code.NOT_YOUR_TURN, "not-yet", ms=ANNOUNCED)  # others look at the count
    if table.timer is not None:
        if arrived < table.timer.starts_at:
            raise Refused(Code.NOT_YOUR_TURN, "not-yet", ms=table.timer.starts_at - arrived)
        ends_at = table.timer.ends_at
    elif table.config.clock is not None and table.clock is not None:
        flagged = table.clock[seat].flagged  # then a bot moves, which may take its time
        ends_at = None if flagged else deadline(table.config.clock, table.clock[seat])
    if ends_at is not None and not in_time(ends_at, arrived, pressed, rtt):
        raise Refused(Code.TOO_LATE, "time-is-up")
