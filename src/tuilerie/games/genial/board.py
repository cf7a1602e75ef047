"""The board: pointy-top hexagons in horizontal rows, with six printed symbols.

Cells are named in one frame for all sizes: rows a (bottom) to o (top), numbers 1 to 15 that stay
the same towards the upper left. The centre is h8.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import NewType

from tuilerie.games.genial.tiles import Colour

Cell = NewType("Cell", str)
Pair = tuple[Cell, Cell]
"""Two adjacent cells: where a tile can lie."""

ROWS = "abcdefghijklmno"
CENTRE = (7, 8)  # h8, as (row, number)

DIRECTIONS: Mapping[str, tuple[int, int]] = {
    "right": (0, 1),
    "up-right": (1, 1),
    "up-left": (1, 0),
    "left": (0, -1),
    "down-left": (-1, -1),
    "down-right": (-1, 0),
}
"""A step in each direction, as (rows, numbers), counter-clockwise from the right."""

RADIUS_BY_PLAYERS: Mapping[int, int] = {1: 5, 2: 5, 3: 6, 4: 7}

# The six printed symbols stand on the corners of the inner hexagon of radius 5 at every player
# count. Clockwise from the top left.
PRINTED: Mapping[Cell, Colour] = {
    Cell("m8"): Colour("R"),
    Cell("m13"): Colour("G"),
    Cell("h13"): Colour("B"),
    Cell("c8"): Colour("O"),
    Cell("c3"): Colour("Y"),
    Cell("h3"): Colour("P"),
}


@dataclass(frozen=True, slots=True)
class Ray:
    """The cells in a straight line from a cell to the edge, nearest first."""

    direction: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """The fixed geometry of one size of board."""

    radius: int
    printed: Mapping[Cell, Colour]
    cells: tuple[Cell, ...]
    rays: Mapping[Cell, tuple[Ray, ...]]
    neighbours: Mapping[Cell, frozenset[Cell]]
    pairs: tuple[Pair, ...]
    """Every pair of adjacent cells without a printed symbol, each once."""


def cell_at(row: int, number: int) -> Cell:
    """The name of a cell; `row` counts from 0 for a."""
    return Cell(f"{ROWS[row]}{number}")


def place_of(cell: Cell) -> tuple[int, int]:
    """The row (0 for a) and number of a cell."""
    return ROWS.index(cell[0]), int(cell[1:])


def make_board(radius: int, printed: Mapping[Cell, Colour] = PRINTED) -> Board:
    """A board of any radius up to 7. The real ones come from `board_for`."""
    names = {
        (row, number): cell_at(row, number)
        for row in range(15)
        for number in range(1, 16)
        if _distance_from_centre(row, number) <= radius
    }
    rays = {cell: _rays_from(at, names) for at, cell in names.items()}
    neighbours = {cell: frozenset(ray.cells[0] for ray in rays[cell]) for cell in rays}
    pairs = tuple(
        (cell, other)
        for cell in rays
        for other in sorted(neighbours[cell])
        if place_of(cell) < place_of(other) and not {cell, other} & printed.keys()
    )
    return Board(radius, printed, tuple(rays), rays, neighbours, pairs)


@cache
def board_for(players: int) -> Board:
    """The board on which that many play."""
    return make_board(RADIUS_BY_PLAYERS[players])


def _distance_from_centre(row: int, number: int) -> int:
    i, j = row - CENTRE[0], number - CENTRE[1]
    return max(abs(i), abs(j), abs(i - j))


def _rays_from(at: tuple[int, int], names: Mapping[tuple[int, int], Cell]) -> tuple[Ray, ...]:
    rays = []
    for direction, (rows, numbers) in DIRECTIONS.items():
        cells = []
        row, number = at[0] + rows, at[1] + numbers
        while (row, number) in names:
            cells.append(names[row, number])
            row, number = row + rows, number + numbers
        if cells:
            rays.append(Ray(direction, tuple(cells)))
    return tuple(rays)
