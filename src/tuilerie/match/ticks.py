"""Time: what comes due at a table, when it wants to be woken for it, and when bots are to move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from tuilerie.games.game import Action, Clock, Refused, Seat, plain
from tuilerie.match import facts as f
from tuilerie.match import race
from tuilerie.match.batch import Batch
from tuilerie.match.clock import CLOSING, deadline
from tuilerie.match.config import PerGame
from tuilerie.match.table import Table

TAKEBACK_WAIT = 30_000
"""How long, in ms, an answer to a takeback is waited for. Bots wait for it too."""

Alarm = tuple[int, Callable[[Batch], None]]
"""When something is due, and how it comes about."""


def next_tick(table: Table) -> int | None:
    """When something is due that only `Tick` brings about (ms since the epoch); `None`: never, as
    things are. Before that time `Tick` does nothing, from then on it does something."""
    alarms = _alarms(table)
    return min([when for when, _ in alarms]) if alarms else None


def bots_due(table: Table) -> tuple[Seat, ...]:
    """The seats that wait for a bot's move now; `Table.bot_level(seat)` is its level.

    Answer with `BotMoved(seat, move, table.number)`, not before `bots_from(table)`. What is late or
    comes twice is refused and does no harm.
    """
    if table.takeback is not None:
        return ()  # who asks would be told no by a bot's move
    due = [seat for seat in table.actors if table.bot_level(seat) is not None]
    return tuple([seat for seat in due if not table.has_claim(seat)]) if due else ()


def bots_from(table: Table) -> int:
    """The earliest time (ms since the epoch) at which a move is taken: a glass may yet have to
    start."""
    return table.at if table.glass is None else table.glass.starts_at


def catch_up(batch: Batch) -> None:
    """Let all happen that has come due, in the order in which it did.

    This comes before every command, so that it does not matter how late a `Tick` is.
    """
    while alarms := _alarms(batch.table):
        when, ring = min(alarms, key=lambda alarm: alarm[0])
        if when > batch.at:
            return
        ring(batch)
        batch.conclude()


def _alarms(table: Table) -> list[Alarm]:
    """All that is to come at this table; of two at one time, the first comes first."""
    alarms: list[Alarm] = []
    if table.result is not None:
        return alarms
    settled_at = race.closes_at(table.claims)
    if settled_at is not None:
        alarms.append((settled_at, settle))
    if table.glass is not None and not table.glass.started:
        alarms.append((table.glass.starts_at, _start_glass))
    elif table.glass is not None:
        alarms.append((max(table.glass.ends_at + CLOSING, settled_at or 0), _close))
    if table.takeback is not None:
        alarms.append((table.takeback.asked_at + TAKEBACK_WAIT, _stop_waiting))
    if table.clock is not None:
        alarms += _flags(table)
    if table.config.takeover_after is not None:
        alarms += _given_up(table, table.config.takeover_after)
    return alarms


def settle(batch: Batch) -> None:
    """The race is run: claims are granted in order, as far as the rules still take them."""
    rules = batch.table.rules
    for claim in race.in_order(batch.table.claims, batch.table.config.players):
        entry = Action(claim.seat, rules.parse_move(claim.move))
        try:
            rules.apply(batch.table.game_state, entry)
        except Refused as refused:
            batch.add(f.ClaimSettled, claim.seat, False, refused.rule, plain(refused.params))
        else:
            batch.add(f.ClaimSettled, claim.seat, True, None, {})
            batch.enter(entry)


def _start_glass(batch: Batch) -> None:
    """The timer starts: tiles are turned up."""
    batch.add(f.GlassStarted)


def _close(batch: Batch) -> None:
    """The glass is empty."""
    batch.enter(Clock())


def _stop_waiting(batch: Batch) -> None:
    """Who has not answered does not agree."""
    batch.add(f.TakebackAnswered, batch.table.silent()[0], False)


def _flags(table: Table) -> Iterator[Alarm]:
    rule = table.config.clock
    if rule is None or table.clock is None:
        return
    for seat, clock in enumerate(table.clock):
        over_at = deadline(rule, clock)
        # A claim that stands was made in time: it is settled first.
        if over_at is not None and not clock.flagged and not table.has_claim(seat):
            yield over_at + CLOSING, partial(_flag, seat=seat)


def _flag(batch: Batch, seat: Seat) -> None:
    """A seat's time is over: a bot makes this decision, or all the rest."""
    config = batch.table.config
    batch.add(f.Flagged, seat)
    if isinstance(config.clock, PerGame):
        batch.add(f.TakenOver, seat, config.level, True)


def _given_up(table: Table, patience: int) -> list[Alarm]:
    seats = table.seats
    gone = [seat for seat, place in enumerate(seats) if place.away is not None and not place.bot]
    if not gone or not table.is_anybody_waiting:
        return []  # where nobody waits, the seats of those who left stay theirs
    # They are missed only since somebody is there to miss them.
    since = [(seat, max(seats[seat].away or 0, table.awake_since)) for seat in gone]
    return [(at + 1000 * patience, partial(_give_up, seat=seat)) for seat, at in since]


def _give_up(batch: Batch, seat: Seat) -> None:
    """Somebody has been away too long: a bot plays on; before the start, the seat is free."""
    if batch.table.started_at is None:
        batch.add(f.Vacated, seat)
    else:
        batch.add(f.TakenOver, seat, batch.table.config.level, False)
