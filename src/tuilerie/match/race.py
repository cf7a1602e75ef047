"""The race for what only one can have: the bonus tiles of Kaosmos. `Game.is_race` says which moves
take part in it.

The first claim opens a hold. All claims that arrive within it are settled together, in the order of
the times at which they were **made**, as far as these can be trusted: a player's device may say
when a move was made, but not more than the way to the server can have taken, and never more than
`TRUST` before it arrived. Equal times go by seat, from a seat that the log decides.

All of it follows from the facts `Claimed` alone, so that every node and every replay settles alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tuilerie.games.game import Seat

HOLD = 120
"""How long, in ms, after the first claim others are gathered. Longer makes it no fairer."""

TRUST = 120
"""How much earlier than it arrived, in ms, a move can count at most. More would help cheats."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim that is not settled; `number` is that of its fact, the others are its fields."""

    number: int
    seat: Seat
    move: str
    pressed: int | None
    arrived: int
    rtt: int | None

    @property
    def made(self) -> int:
        """When it was made, as far as that can be trusted."""
        return made_at(self.pressed, self.arrived, self.rtt)


def made_at(pressed: int | None, arrived: int, rtt: int | None, trust: int = TRUST) -> int:
    """When a move was made: what the player says, between the earliest and the latest that the way
    to the server allows, and at most `trust` ms before it arrived. Who says nothing gets the
    latest."""
    way = max(0, rtt or 0)
    latest = arrived - way * 3 // 10  # no way there is shorter than three tenths of both
    earliest = arrived - min(way, trust)
    return max(earliest, latest if pressed is None else min(pressed, latest))


def closes_at(claims: tuple[Claim, ...]) -> int | None:
    """When the claims that stand are settled."""
    return claims[0].arrived + HOLD if claims else None


def in_order(claims: tuple[Claim, ...], players: int) -> Iterable[Claim]:
    """The claims in the order in which they are granted, as far as they can be."""
    first = claims[0].number  # ties: this number decides which seat goes first, then in seat order
    return sorted(claims, key=lambda claim: (claim.made, (claim.seat - first) % players))
