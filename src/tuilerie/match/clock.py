"""Turn clocks as values: none, per move, or per game with an increment.

A seat's clock runs while a decision is asked of the person who plays it and no glass runs. One
decision is one action where seats take turns. Where they act together it is all that is asked until
the seat has answered: a galaxy that is built without a glass is one decision.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tuilerie.match.config import Clock, PerGame
from tuilerie.match.race import made_at

ANNOUNCED = 3000
"""How long before it starts, in ms, a glass is announced: '3-2-1', for all at once."""

AFTER_A_COUNT = 10_000
"""The same, where building goes on right after a count: people want to see what they have won."""

GRACE = 150
"""How long, in ms, a move may be on its way after time was up; never longer than its way takes."""

CLOSING = 250
"""How long after the end, in ms, the table says that time is up: every grace is over by then."""


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The clock of one seat."""

    left: int | None  # ms for the rest of the game, when it last stopped; None: no such limit
    since: int | None = None  # when it began to run; None: it does not run
    flagged: bool = False  # this decision's time is over: it is a bot's now


def fresh(rule: Clock, players: int) -> tuple[SeatClock, ...]:
    """The clocks at the start."""
    left = rule.seconds * 1000 if isinstance(rule, PerGame) else None
    return (SeatClock(left),) * players


def stopped(rule: Clock, clock: SeatClock, at: int, decided: bool) -> SeatClock:
    """The clock when it no longer runs; `decided`: because the decision was made."""
    if clock.since is None:
        return clock
    left = clock.left
    if left is not None and isinstance(rule, PerGame):
        bonus = rule.increment * 1000 if decided else 0
        left = max(0, left - (at - clock.since)) + bonus
    return SeatClock(left)


def running(clock: SeatClock, at: int) -> SeatClock:
    """The clock when it runs, from now on if it did not yet."""
    return clock if clock.since is not None else replace(clock, since=at)


def deadline(rule: Clock, clock: SeatClock) -> int | None:
    """When this seat's time is over, if its clock runs."""
    if clock.since is None:
        return None
    return clock.since + (rule.seconds * 1000 if clock.left is None else clock.left)


def in_time(ends_at: int, arrived: int, pressed: int | None, rtt: int | None) -> bool:
    """Whether a move counts: it may arrive a little late, if it was made in time."""
    grace = min(GRACE, max(0, rtt or 0))
    late = made_at(pressed, arrived, rtt, GRACE) > ends_at or arrived > ends_at + grace
    return arrived <= ends_at or not late
