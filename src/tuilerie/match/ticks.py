"""Time: what is due at a table, when the next `Tick` is due, and when bots move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from tuilerie.games.game import Seat, Timeout
from tuilerie.match import facts as f
from tuilerie.match.batch import Batch
from tuilerie.match.clock import CLOSING, deadline
from tuilerie.match.config import PerGame
from tuilerie.match.table import Table

TAKEBACK_WAIT = 30_000
"""How long a takeback request waits for answers, in ms. Bots wait, too."""

Alarm = tuple[int, Callable[[Batch], None]]
"""When something is due, and what then happens."""


def next_tick(table: Table) -> int | None:
    """When the next `Tick` is due (ms since the epoch); `None`: nothing is pending. Before that
    time `Tick` does nothing, from then on it adds facts."""
    alarms = _alarms(table)
    return min([when for when, _ in alarms]) if alarms else None


def bots_due(table: Table) -> tuple[Seat, ...]:
    """The seats that wait for a bot's move now; `Table.bot_level(seat)` is its level. Answer with
    `BotMoved(seat, move, table.number)`, not before `bots_from(table)`. Late or duplicate moves are
    refused.
    """
    if table.takeback is not None:
        return ()  # a bot's move would end the request
    return tuple([seat for seat in table.actors if table.bot_level(seat) is not None])


def bots_from(table: Table) -> int:
    """The earliest time (ms since the epoch) at which a bot may move: a timer may not have started
    yet."""
    return table.at if table.timer is None else table.timer.starts_at


def wanted_at(table: Table) -> int | None:
    """When a server must load this table, even if nobody is connected (ms since the epoch): when
    something is due, or since when a bot is to move. `None`: never."""
    if not table.is_playing:
        return None
    return bots_from(table) if bots_due(table) else next_tick(table)


def catch_up(batch: Batch) -> None:
    """Add the facts of everything that is due, in chronological order. This runs before every
    command, so a late `Tick` makes no difference.
    """
    while alarms := _alarms(batch.table):
        when, ring = min(alarms, key=lambda alarm: alarm[0])
        if when > batch.at:
            return
        ring(batch)
        batch.conclude()


def _alarms(table: Table) -> list[Alarm]:
    """All pending alarms; of two at the same time, the first one listed goes first."""
    alarms: list[Alarm] = []
    if table.result is not None:
        return alarms
    if table.timer is not None and not table.timer.started:
        alarms.append((table.timer.starts_at, _start_timer))
    elif table.timer is not None:
        alarms.append((table.timer.ends_at + CLOSING, _close))
    if table.takeback is not None:
        alarms.append((table.takeback.asked_at + TAKEBACK_WAIT, _stop_waiting))
    if table.held is not None:
        alarms.append((table.held.ends_at + CLOSING, _end_turn))
    if table.count is not None:
        alarms.append((table.count.until, _end_count))
    if table.clock is not None:
        alarms += _flags(table)
    if table.config.takeover_after is not None:
        alarms += _given_up(table, table.config.takeover_after)
    return alarms


def _start_timer(batch: Batch) -> None:
    """The timer starts: tiles are turned up."""
    batch.add(f.TimerStarted(batch.at))


def _close(batch: Batch) -> None:
    """Time is up."""
    batch.enter(Timeout())


def _end_turn(batch: Batch) -> None:
    """Nobody has undone the action: the turn is over."""
    assert batch.table.held is not None
    batch.add(f.TurnEnded(batch.at, batch.table.held.seat))


def _end_count(batch: Batch) -> None:
    """Somebody looks at the count for too long: the game goes on."""
    batch.add(f.CountEnded(batch.at))


def _stop_waiting(batch: Batch) -> None:
    """The takeback request has expired: no answer counts as no."""
    batch.add(f.TakebackAnswered(batch.at, batch.table.silent()[0], False))


def _flags(table: Table) -> Iterator[Alarm]:
    rule = table.config.clock
    if rule is None or table.clock is None:
        return
    for seat, clock in enumerate(table.clock):
        over_at = deadline(rule, clock)
        if over_at is not None and not clock.flagged:
            yield over_at + CLOSING, partial(_flag, seat=seat)


def _flag(batch: Batch, seat: Seat) -> None:
    """A seat's time is over: a bot makes this decision, or takes over."""
    config = batch.table.config
    batch.add(f.Flagged(batch.at, seat))
    if isinstance(config.clock, PerGame):
        batch.add(f.TakenOver(batch.at, seat, config.level, True))


def _given_up(table: Table, patience: int) -> list[Alarm]:
    seats = table.seats
    gone = [seat for seat, holder in enumerate(seats) if holder.away is not None and not holder.bot]
    if not gone or not table.is_anybody_waiting:
        return []  # with nobody present, nobody loses a seat
    # Absence counts only while somebody is present.
    since = [(seat, max(seats[seat].away or 0, table.awake_since)) for seat in gone]
    return [(at + 1000 * patience, partial(_give_up, seat=seat)) for seat, at in since]


def _give_up(batch: Batch, seat: Seat) -> None:
    """Somebody has been away too long: a bot takes over; before the start, the seat is vacated."""
    if batch.table.started_at is None:
        batch.add(f.Vacated(batch.at, seat))
    else:
        batch.add(f.TakenOver(batch.at, seat, batch.table.config.level, False))
