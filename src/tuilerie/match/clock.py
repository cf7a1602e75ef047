"""Turn clocks as values: none, per move, or per game with an increment.

A seat's clock runs while its person has a decision to make and no timer runs. Where seats take
turns, a decision is one action. Where they act together, it is all actions until the seat is done:
a galaxy built without a timer is one decision.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tuilerie.match.config import Clock, PerGame

ANNOUNCED = 3000
"""How long before its start a timer is announced, in ms: a countdown for everybody."""

COUNT_MOST = 120_000
"""The longest time, in ms, for which players may look at a count before clocks and timers go on."""

GRACE = 150
"""The most, in ms, that a move may arrive after time was up; never more than its round trip."""

CLOSING = 250
"""How long after the end, in ms, the timed phase is closed: no late move can count any more."""


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The clock of one seat."""

    left: int | None  # ms for the rest of the game, when it last stopped; None: no such limit
    since: int | None = None  # when it began to run; None: it does not run
    flagged: bool = False  # time is over: a bot makes this decision


def fresh(rule: Clock, players: int) -> tuple[SeatClock, ...]:
    """The clocks at the start."""
    left = rule.seconds * 1000 if isinstance(rule, PerGame) else None
    return (SeatClock(left),) * players


def stopped(rule: Clock, clock: SeatClock, at: int, decided: bool) -> SeatClock:
    """The clock, stopped; `decided`: because the decision was made."""
    if clock.since is None:
        return clock
    left = clock.left
    if left is not None and isinstance(rule, PerGame):
        bonus = rule.increment * 1000 if decided else 0
        left = max(0, left - (at - clock.since)) + bonus
    return SeatClock(left)


def running(clock: SeatClock, at: int) -> SeatClock:
    """The clock, running: since now, if it did not run before."""
    return clock if clock.since is not None else replace(clock, since=at)


def delayed(clock: SeatClock, ms: int) -> SeatClock:
    """The clock after it stood still for a while."""
    return clock if clock.since is None else replace(clock, since=clock.since + ms)


def deadline(rule: Clock, clock: SeatClock) -> int | None:
    """When this seat's time is over, if its clock runs."""
    if clock.since is None:
        return None
    return clock.since + (rule.seconds * 1000 if clock.left is None else clock.left)


def made_at(pressed: int | None, arrived: int, rtt: int | None) -> int:
    """When a move was made: the player's time, clamped between the earliest and the latest that the
    round-trip time allows, and at most `GRACE` ms before its arrival. Without one, the latest."""
    way = max(0, rtt or 0)
    latest = arrived - way * 3 // 10  # one way takes at least 30 % of the round trip
    earliest = arrived - min(way, GRACE)
    return max(earliest, latest if pressed is None else min(pressed, latest))


def in_time(ends_at: int, arrived: int, pressed: int | None, rtt: int | None) -> bool:
    """Whether a move made in time counts, though it may arrive a little late."""
    grace = min(GRACE, max(0, rtt or 0))
    late = made_at(pressed, arrived, rtt) > ends_at or arrived > ends_at + grace
    return arrived <= ends_at or not late
