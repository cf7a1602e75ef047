"""Simple bots for Génial!."""

from __future__ import annotations

from tuilerie.games.game import Pick
from tuilerie.games.genial.notation import Placement, parse_move
from tuilerie.games.genial.score import FULL, HALF_WAY, advance, track_of
from tuilerie.games.genial.state import SWAP
from tuilerie.games.genial.view import View


def random_move(view: View, pick: Pick) -> str:
    """Any legal move, each equally likely."""
    return view.legal[pick(len(view.legal))]


def greedy_move(view: View, pick: Pick) -> str:
    """The placement after which the own track is worth most, looking no further. Swaps always."""
    if view.phase == SWAP:
        return "swap"
    values = [worth_after(view, move) for move in view.legal]
    best = max(values)
    ties = [move for move, value in zip(view.legal, values, strict=True) if value == best]
    return ties[pick(len(ties))]


def worth_after(view: View, text: str) -> float:
    """What the own track is worth after a placement."""
    move = parse_move(text)
    assert isinstance(move, Placement)
    assert view.points is not None
    assert view.viewer is not None
    variant = view.options["variant"]
    track = dict(view.tracks[track_of(variant, view.viewer)])
    gained = {move.tile[0]: 0, move.tile[1]: 0}
    for colour, cell in zip(move.tile, (move.first, move.second), strict=True):
        gained[colour] += view.points[colour][cell]  # type: ignore[index]
    for colour, points in gained.items():
        track[colour], _ = advance(variant, track[colour], points)  # type: ignore[index]
    return sum(_worth(variant, at) for at in track.values())


def _worth(variant: str, at: int) -> float:
    """What a marker's place is worth: a step counts for more, the further a marker is behind."""
    steps_left = FULL[variant] - at
    base = 1.2 if FULL[variant] <= HALF_WAY else 1.1
    return -float(base**steps_left)
