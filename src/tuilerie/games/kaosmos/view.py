"""What a viewer may know, and how it keeps up with what happens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from operator import attrgetter
from typing import Any

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


_OPEN = tuple(field.name for field in fields(Table) if not field.name.startswith("_"))
"""What everyone may know."""

_read_open = attrgetter(*_OPEN)


def view(state: State, viewer: Seat | None) -> View:
    """What this viewer may know."""
    seen = () if viewer is None else state.hands[viewer].seen
    told = {**open_view(state), **own_view(state, viewer)}
    return View(**told, _box=state.box, _version=state.version, _seen=seen)


def open_view(state: State) -> dict[str, Any]:
    """The fields that are the same for every viewer."""
    return {"actors": actors(state), **dict(zip(_OPEN, _read_open(state), strict=True))}


def own_view(state: State, viewer: Seat | None) -> dict[str, Any]:
    """The fields that are the viewer's own."""
    return _own(state, viewer, None if viewer is None else state.hands[viewer])


_NOBODYS: Mapping[str, Any] = {
    "packet": None,
    "supply": None,
    "choice": None,
    "counted": None,
    "legal": (),
}
"""What a spectator holds, and may do."""


def _own(table: Table, viewer: Seat | None, hand: Hand | None) -> dict[str, Any]:
    """A viewer's own fields: the hand, as far as it may be looked at, and all that follows."""
    if viewer is None or hand is None:
        return {"viewer": None, **_NOBODYS}
    # Whoever has kept from a packet does not look at it again, nor at what was kept before.
    reading = table.phase == DRAW or (table.phase == DRAFT and viewer in actors(table))
    packet = hand.packet if reading else ()
    known = Hand(packet, (), hand.supply, hand.choice)
    return {
        "viewer": viewer,
        "packet": packet,
        "supply": hand.supply,
        "choice": hand.choice,
        "counted": _own_count(table, viewer),
        "legal": legal_texts(table, viewer, known),
    }


def _own_count(table: Table, viewer: Seat) -> GalaxyCount | None:
    galaxy = table.galaxies[viewer]
    if table.phase != BUILDING or not galaxy:
        return None
    return count(galaxy, table.rules, table.box.tiles)


def redact(event: Event, viewer: Seat | None) -> Event:
    """The event as this viewer may see it: no tiles and no choices of another seat."""
    if isinstance(event, Drawn) and event.unseen:
        return replace(event, tiles=None)
    if isinstance(event, (Drawn, Kept, Passed, Supplied)) and event.seat != viewer:
        return replace(event, tiles=None)
    if isinstance(event, Chosen) and event.seat != viewer:
        return Chosen(event.seat, None)
    return event


def follow(view: View, event: Event) -> View:
    """The view after an event that was redacted for its viewer."""
    hand = None if view.viewer is None else hand_after(view, view.viewer, view.hand, event)
    after, seen = table_after(view, event), () if hand is None else hand.seen
    return replace(after, actors=actors(after), _seen=seen, **_own(after, view.viewer, hand))
