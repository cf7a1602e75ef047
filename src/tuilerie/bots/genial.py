"""Simple bots for Génial!."""

from __future__ import annotations

from functools import lru_cache

from tuilerie.games.game import Pick
from tuilerie.games.genial.board import Cell
from tuilerie.games.genial.score import FULL, HALF_WAY, advance, track_of
from tuilerie.games.genial.state import SWAP
from tuilerie.games.genial.tiles import Colour
from tuilerie.games.genial.view import View


def random_move(view: View, pick: Pick) -> str:
    """Any legal move, each equally likely."""
    legal = view.legal
    return legal[pick(len(legal))]


def greedy_move(view: View, pick: Pick) -> str:
    """The placement after which the own track has the highest value, without looking ahead. It
    always swaps."""
    if view.phase == SWAP:
        return "swap"
    legal = view.legal
    values = [worth_after(view, move) for move in legal]
    best = max(values)
    ties = [move for move, value in zip(legal, values, strict=True) if value == best]
    return ties[pick(len(ties))]


def worth_after(view: View, text: str) -> float:
    """The value of the own track after a placement."""
    tile, first, second = text.split(" ")
    one, other = tile[0], tile[1]
    assert view.points is not None
    assert view.viewer is not None
    variant = view.options.variant
    points = view.points[one].get(Cell(first), 0), view.points[other].get(Cell(second), 0)
    track = view.tracks[track_of(variant, view.viewer)]
    return _worth_after(variant, tuple(track.items()), (one, other), points)


@lru_cache(maxsize=10_000)  # many placements score the same
def _worth_after(
    variant: str,
    markers: tuple[tuple[Colour, int], ...],
    colours: tuple[Colour, Colour],
    points: tuple[int, int],
) -> float:
    track = dict(markers)
    gained = dict.fromkeys(colours, 0)
    for colour, earned in zip(colours, points, strict=True):
        gained[colour] += earned
    for colour, earned in gained.items():
        track[colour], _ = advance(variant, track[colour], earned)
    return sum(_worth(variant, at) for at in track.values())


def _worth(variant: str, at: int) -> float:
    """The value of a marker's position: a step counts for more, the further behind the marker
    is."""
    steps_left = FULL[variant] - at
    base = 1.2 if FULL[variant] <= HALF_WAY else 1.1
    return -float(base**steps_left)
