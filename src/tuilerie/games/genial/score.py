"""Points and their reasons, the tracks that they are marked on, and who comes where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tuilerie.games.game import Seat, ranking
from tuilerie.games.genial.board import Board, Cell, Ray
from tuilerie.games.genial.card import DUEL, SOLO, STANDARD, TEAMS
from tuilerie.games.genial.tiles import COLOURS, Colour, Tile

Symbols = Mapping[Cell, Colour]
"""What shows on the board: printed symbols and the halves of tiles."""

Track = Mapping[Colour, int]
"""Six markers. In a duel each seat has its own side of one track: the other's is its mirror."""

FULL = {STANDARD: 18, SOLO: 36, TEAMS: 36, DUEL: 9}
"""Where a marker stops for good."""

HALF_WAY = 18  # on a track of 36, where the count stops once and a bonus is earned


@dataclass(frozen=True, slots=True)
class Line:
    """An unbroken run of the same symbol, seen from a half that was laid: one point a cell."""

    direction: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Half:
    """One half of a tile that was laid, with the lines that gave it points."""

    cell: Cell
    colour: Colour
    lines: tuple[Line, ...]
    points: int


@dataclass(frozen=True, slots=True)
class MarkerMove:
    """A marker goes forward; `points` that do not fit on the track are lost."""

    colour: Colour
    points: int
    before: int
    after: int
    bonus: bool


def run(symbols: Symbols, ray: Ray, colour: Colour) -> int:
    """How many cells show this colour from the beginning of a ray, without a break."""
    length = 0
    for reached in ray.cells:
        if symbols.get(reached) != colour:
            break
        length += 1
    return length


def score_half(board: Board, symbols: Symbols, cell: Cell, colour: Colour) -> Half:
    """The points of one half of a tile, on a board where **neither** half lies yet.

    The rule counts five directions, never the one towards the other half. As the other half's cell
    is still free here, its line ends at once, so looking in all six gives the same.
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
    """Both halves of a tile, each on its own, before it lies there."""
    return (
        score_half(board, symbols, first, Colour(tile[0])),
        score_half(board, symbols, second, Colour(tile[1])),
    )


def advance(variant: str, before: int, points: int) -> tuple[int, bool]:
    """Where a marker gets to, and whether it earns a bonus placement.

    Standard: up to 18. Solo and teams: the count stops at 18 when it is first reached, with a
    bonus, and at 36, with another. Duel: up to 9, where the colour is won; a colour that either
    side has won stays where it is.
    """
    full = FULL[variant]
    if variant == DUEL and before == -full:
        return before, False
    stop = HALF_WAY if before < HALF_WAY < full else full
    after = min(stop, before + points)
    return after, before < after == stop


def move_markers(variant: str, track: Track, halves: Sequence[Half]) -> tuple[MarkerMove, ...]:
    """The marker moves for a tile that was laid, one for each colour that it shows.

    Ruling: both halves of a double are counted together, so that the order in which the halves
    are counted never matters, not even where a track of 36 stops at 18.
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
    """All the colours whose marker is furthest behind."""
    low = min(track.values())
    return frozenset(colour for colour in COLOURS if track[colour] == low)


def is_full(variant: str, track: Track) -> bool:
    """Whether all six markers have reached the end: the game is won at once.

    Ruling: a duel ends so when all six colours are won, whoever won them.
    """
    if variant == DUEL:
        return all(abs(position) == FULL[DUEL] for position in track.values())
    return all(value == FULL[variant] for value in track.values())


def track_of(variant: str, seat: Seat) -> int:
    """Which track a seat scores on: its own, or its team's (partners sit opposite)."""
    return seat % 2 if variant == TEAMS else seat


def places(variant: str, tracks: Sequence[Track], players: int) -> tuple[int, ...]:
    """Who comes where: the lowest markers are compared, then the second lowest, and so on.

    In a duel the most colours win (those whose marker is on one's own side), then the lowest
    positions. Partners share their place; a complete tie is a shared place.
    """
    return ranking([_rank_key(variant, tracks[track_of(variant, s)]) for s in range(players)])


def _rank_key(variant: str, track: Track) -> tuple[int, ...]:
    lowest_first = tuple(sorted(track.values()))
    if variant == DUEL:
        return (sum(position > 0 for position in lowest_first), *lowest_first)
    return lowest_first
