"""The building timer, with bots that act at a human pace while it runs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from tuilerie.games.game import Pick, Seat

PACE_MS = range(2000, 4001)
"""How long a bot takes for one action, in milliseconds."""


@dataclass(slots=True)
class Timer:
    """A running timer: when it ends, and when each bot acts next."""

    ends: float
    acts_at: dict[Seat, float] = field(default_factory=dict)

    @classmethod
    def start(cls, now: float, seconds: int, bots: Collection[Seat], pick: Pick) -> Timer:
        """Start a timer and schedule every bot."""
        timer = cls(now + seconds)
        for seat in bots:
            timer.schedule(seat, now, pick)
        return timer

    def schedule(self, seat: Seat, now: float, pick: Pick) -> None:
        """Draw the time of a bot's next action."""
        self.acts_at[seat] = now + PACE_MS[pick(len(PACE_MS))] / 1000

    def next_bot(self, seats: Collection[Seat]) -> tuple[float, Seat] | None:
        """Return when the next bot acts, and its seat; `None` if none of these seats is a bot."""
        return min(((self.acts_at[s], s) for s in seats if s in self.acts_at), default=None)

    def seconds_left(self, now: float) -> int:
        """Return the seconds left, rounded up."""
        return max(0, int(self.ends - now + 0.999))
