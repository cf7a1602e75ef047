"""What a viewer may know, and how it keeps up with what happens."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import ClassVar

from tuilerie.games.game import Event, Seat
from tuilerie.games.kaosmos.events import Chosen, Drawn, Kept, Passed, Supplied
from tuilerie.games.kaosmos.legal import legal_texts
from tuilerie.games.kaosmos.score import GalaxyCount, count
from tuilerie.games.kaosmos.state import (
    BUILDING,
    DRAFT,
    DRAW,
    Hand,
    State,
    Table,
    actors,
    hand_after,
    table_after,
)
from tuilerie.games.kaosmos.tiles import TileId


@dataclass(frozen=True, slots=True, kw_only=True)
class View(Table):
    """The table as one seat sees it, or a spectator (`viewer` is `None`), with what it may do."""

    OWN: ClassVar = frozenset({"viewer", "packet", "supply", "choice", "counted", "legal"})
    """The fields that are not the same for every viewer."""

    viewer: Seat | None
    packet: tuple[TileId, ...] | None  # the packet in hand; None for a spectator
    supply: tuple[TileId, ...] | None  # the viewer's tiles that are not laid; None for a spectator
    choice: str | None  # the viewer's secret choice, until it is shown
    # What the viewer kept and passed on in the draft. It is remembered, not looked at: a bot may
    # use it, but it is not told as data.
    _seen: tuple[tuple[TileId, ...], ...] = ()
    counted: GalaxyCount | None = None  # what the viewer's galaxy is worth as it lies, in building
    actors: tuple[Seat, ...] = ()
    legal: tuple[str, ...] = ()  # the viewer's moves

    @property
    def seen(self) -> tuple[tuple[TileId, ...], ...]:
        """What a good memory holds of this round's draft, as `Hand.seen`."""
        return self._seen

    @property
    def hand(self) -> Hand:
        """What the viewer holds and may look at."""
        return Hand(self.packet or (), (), self.supply or (), self.choice, self._seen)


_OPEN = tuple(field.name for field in fields(Table))
"""What everyone may know."""


def view(state: State, viewer: Seat | None) -> View:
    """What this viewer may know."""
    table = {name: getattr(state, name) for name in _OPEN}
    seen = View(**table, viewer=viewer, packet=None, supply=None, choice=None)
    return _complete(seen, None if viewer is None else state.hands[viewer])


def redact(event: Event, viewer: Seat | None) -> Event:
    """The event as this viewer may see it: no tiles and no choices of another seat."""
    if isinstance(event, (Drawn, Kept, Passed, Supplied)) and event.seat != viewer:
        return replace(event, tiles=None)
    if isinstance(event, Chosen) and event.seat != viewer:
        return Chosen(event.seat, None)
    return event


def follow(view: View, event: Event) -> View:
    """The view after an event that was redacted for its viewer."""
    hand = None if view.viewer is None else hand_after(view, view.viewer, view.hand, event)
    return _complete(table_after(view, event), hand)


def _complete(seen: View, hand: Hand | None) -> View:
    """The view with the viewer's hand, as far as it may be looked at, and all that follows."""
    acting = actors(seen)
    if seen.viewer is None or hand is None:
        return replace(seen, actors=acting)
    # Whoever has kept from a packet does not look at it again, nor at what was kept before.
    reading = seen.phase == DRAW or (seen.phase == DRAFT and seen.viewer in acting)
    packet = hand.packet if reading else ()
    known = Hand(packet, (), hand.supply, hand.choice)
    return replace(
        seen,
        packet=packet,
        supply=hand.supply,
        choice=hand.choice,
        _seen=hand.seen,
        counted=_own_count(seen, seen.viewer),
        actors=acting,
        legal=legal_texts(seen, seen.viewer, known),
    )


def _own_count(seen: View, viewer: Seat) -> GalaxyCount | None:
    galaxy = seen.galaxies[viewer]
    if seen.phase != BUILDING or not galaxy:
        return None
    return count(galaxy, seen.rules, seen.box.tiles)
