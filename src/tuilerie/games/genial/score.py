"""Scoring: points with their reasons, the score tracks, and the final ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tuilerie.games.game import Seat, ranking
from tuilerie.games.genial.board import Board, Cell, Ray
from tuilerie.games.genial.card import DUEL, SOLO, STANDARD, TEAMS
from tuilerie.games.genial.tiles import COLOURS, Colour, Tile

Symbols = Mapping[Cell, Colour]
"""The symbols on the board, by cell: printed ones and the halves of tiles."""

Track = Mapping[Colour, int]
"""Six markers. In a duel both seats share one track, seen from opposite sides."""

FULL = {STANDARD: 18, SOLO: 36, TEAMS: 36, DUEL: 9}
"""The last space of the track."""

HALF_WAY = 18  # on a track of 36: a marker stops here once and earns a bonus


@dataclass(frozen=True, slots=True)
class Line:
    """An unbroken run of the same symbol from a laid half: one point per cell."""

    direction: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Half:
    """One half of a laid tile, with its scoring lines."""

    cell: Cell
    colour: Colour
    lines: tuple[Line, ...]
    points: int


@dataclass(frozen=True, slots=True)
class MarkerMove:
    """A marker's advance; `points` beyond the end of the track are lost."""

    colour: Colour
    points: int
    before: int
    after: int
    bonus: bool


def run(symbols: Symbols, ray: Ray, colour: Colour) -> int:
    """Count the cells of this colour from the start of a ray, without a gap."""
    colour_at = symbols.get
    for length, reached in enumerate(ray.cells):
        if colour_at(reached) != colour:
            return length
    return len(ray.cells)


def score_half(board: Board, symbols: Symbols, cell: Cell, colour: Colour) -> Half:
    """Score one half of a tile, on a board where **neither** half is laid yet.

    By the rule five directions count, not the one towards the other half. Here the other half's
    cell is still free, so that line has length zero and all six directions can be counted.
    """
    lines = []
    points = 0
    for ray in board.rays[cell]:
        length = run(symbols, ray, colour)
        if length:
            lines.append(Line(ray.direction, ray.cells[:length]))
            points += length
    return Half(cell, colour, tuple(lines), points)


def score_tile(
    board: Board, symbols: Symbols, tile: Tile, first: Cell, second: Cell
) -> tuple[Half, Half]:
    """Score both halves of a tile separately, before it is laid."""
    return (
        score_half(board, symbols, first, tile[0]),
        score_half(board, symbols, second, tile[1]),
    )


def advance(variant: str, before: int, points: int) -> tuple[int, bool]:
    """Return a marker's new position, and whether it earns a bonus placement.

    Standard: up to 18. Solo and teams: a marker stops at 18 when it first gets there, with a bonus,
    and at 36, with another. Duel: up to 9, where the colour is won; a won colour no longer moves.
    """
    full = FULL[variant]
    if variant == DUEL and before == -full:
        return before, False
    stop = HALF_WAY if before < HALF_WAY < full else full
    after = min(stop, before + points)
    return after, before < after == stop


def move_markers(variant: str, track: Track, halves: Sequence[Half]) -> tuple[MarkerMove, ...]:
    """Return the marker moves for a laid tile, one per colour.

    Ruling: both halves of a double are added up first, so that their order never matters, not even
    where a track of 36 stops at 18.
    """
    points: dict[Colour, int] = {}
    for half in halves:
        points[half.colour] = points.get(half.colour, 0) + half.points
    moves = []
    for colour, gained in points.items():
        after, bonus = advance(variant, track[colour], gained)
        moves.append(MarkerMove(colour, gained, track[colour], after, bonus))
    return tuple(moves)


def lowest_colours(track: Track) -> frozenset[Colour]:
    """Return all colours with the lowest marker."""
    low = min(track.values())
    return frozenset(colour for colour in COLOURS if track[colour] == low)


def is_full(variant: str, track: Track) -> bool:
    """Return whether all six markers have reached the end, which wins at once.

    Ruling: a duel ends when all six colours are won, by either player.
    """
    if variant == DUEL:
        return all(abs(position) == FULL[DUEL] for position in track.values())
    return all(value == FULL[variant] for value in track.values())


def track_of(variant: str, seat: Seat) -> int:
    """Return the track of a seat: its own, or its team's (partners sit opposite)."""
    return seat % 2 if variant == TEAMS else seat


def places(variant: str, tracks: Sequence[Track], players: int) -> tuple[int, ...]:
    """Rank the seats by their lowest marker, then the second lowest, and so on.

    In a duel the most colours win (those whose marker is on the player's side), then the lowest
    positions. Partners share a rank, and so does a complete tie.
    """
    return ranking([_rank_key(variant, tracks[track_of(variant, s)]) for s in range(players)])


def _rank_key(variant: str, track: Track) -> tuple[int, ...]:
    lowest_first = tuple(sorted(track.values()))
    if variant == DUEL:
        return (sum(position > 0 for position in lowest_first), *lowest_first)
    return lowest_first
