"""Taking back while building in Kaosmos: the moves that lead to how the galaxy lay before.

Others go on building meanwhile, so nothing is ever cut out of the record; what is taken back is
made good by moves of one's own.
"""

from __future__ import annotations

from dataclasses import dataclass

from tuilerie.games.kaosmos.score import Galaxy
from tuilerie.games.kaosmos.tiles import TileId
from tuilerie.games.kaosmos.view import View


@dataclass(frozen=True, slots=True)
class Layout:
    """How a seat's tiles lie."""

    galaxy: Galaxy
    aside: TileId | None


def layout_of(view: View) -> Layout:
    """How the viewer's tiles lie."""
    assert view.viewer is not None
    return Layout(view.galaxies[view.viewer], view.aside[view.viewer])


def next_move_towards(view: View, wanted: Layout) -> str | None:
    """A move that brings the viewer's tiles nearer to a layout; `None` when they lie so."""
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
    # A tile comes back from aside only by being laid; then it is lifted, or makes way again.
    slots = view.rules.shape.slots
    free = [slot for slot in slots if slot not in now.galaxy]
    return f"put {now.aside} {(free or slots)[0]} 0"
