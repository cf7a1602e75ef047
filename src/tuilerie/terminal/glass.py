"""The glass, and bots that act at a human pace while it runs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from tuilerie.games.game import Pick, Seat

PACE_MS = range(2000, 4001)
"""How long a bot takes for one action."""


@dataclass(slots=True)
class Glass:
    """A glass that was turned: when it is empty, and when each bot acts next."""

    ends: float
    acts_at: dict[Seat, float] = field(default_factory=dict)

    @classmethod
    def turned(cls, now: float, seconds: int, bots: Collection[Seat], pick: Pick) -> Glass:
        """A glass that begins to run now."""
        glass = cls(now + seconds)
        for seat in bots:
            glass.plan(seat, now, pick)
        return glass

    def plan(self, seat: Seat, now: float, pick: Pick) -> None:
        """Decide when a bot acts next."""
        self.acts_at[seat] = now + PACE_MS[pick(len(PACE_MS))] / 1000

    def next_bot(self, seats: Collection[Seat]) -> tuple[float, Seat] | None:
        """Which of these seats acts next, and when; `None` if no bot is among them."""
        return min(((self.acts_at[s], s) for s in seats if s in self.acts_at), default=None)

    def seconds_left(self, now: float) -> int:
        """Whole seconds until it is empty."""
        return max(0, int(self.ends - now + 0.999))
