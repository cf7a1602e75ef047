"""Undo while building in Kaosmos: moves that restore an earlier layout.

The others keep building meanwhile, so entries are never removed from the record; undo appends
moves of the player's own that reverse the change.
"""

from __future__ import annotations

from dataclasses import dataclass

from tuilerie.games.kaosmos.score import Galaxy
from tuilerie.games.kaosmos.tiles import TileId
from tuilerie.games.kaosmos.view import View


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a seat's tiles."""

    galaxy: Galaxy
    aside: TileId | None


def layout_of(view: View) -> Layout:
    """Return the layout of the viewer's tiles."""
    assert view.viewer is not None
    return Layout(view.galaxies[view.viewer], view.aside[view.viewer])


def next_move_towards(view: View, wanted: Layout) -> str | None:
    """Return a move towards the wanted layout; `None` when it is reached."""
    now = layout_of(view)
    for slot, laid in wanted.galaxy.items():
        if now.galaxy.get(slot) != laid:
            return f"put {laid[0]} {slot} {laid[1]}"
    for slot, (tile, _) in now.galaxy.items():
        if slot not in wanted.galaxy:
            return f"lift {tile}"
    if now.aside == wanted.aside:
        return None
    if wanted.aside is not None:
        return f"leave {wanted.aside}"
    # A tile set aside returns only by being laid; the next step lifts or displaces it.
    slots = view.rules.shape.slots
    free = [slot for slot in slots if slot not in now.galaxy]
    return f"put {now.aside} {(free or slots)[0]} 0"
