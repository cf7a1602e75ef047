"""The board: pointy-top hexagons in horizontal rows, with six printed symbols.

Cells have the same names on all board sizes: rows a (bottom) to o (top), numbers 1 to 15, which are
constant towards the upper left. The centre is h8.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import NewType

from tuilerie.games.genial.tiles import Colour

Cell = NewType("Cell", str)
Pair = tuple[Cell, Cell]
"""Two adjacent cells: a position for a tile."""

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
"""The six directions as (rows, numbers), counter-clockwise from the right."""

RADIUS_BY_PLAYERS: Mapping[int, int] = {1: 5, 2: 5, 3: 6, 4: 7}

# The six printed symbols are on the corners of the inner hexagon of radius 5, for any number of
# players. Clockwise from the top left.
PRINTED: Mapping[Cell, Colour] = {
    Cell("m8"): "R",
    Cell("m13"): "G",
    Cell("h13"): "B",
    Cell("c8"): "O",
    Cell("c3"): "Y",
    Cell("h3"): "P",
}


@dataclass(frozen=True, slots=True)
class Ray:
    """The cells in a straight line from a cell to the edge, nearest first."""

    direction: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """The geometry of a board size."""

    radius: int
    printed: Mapping[Cell, Colour]
    cells: tuple[Cell, ...]
    rays: Mapping[Cell, tuple[Ray, ...]]
    neighbours: Mapping[Cell, frozenset[Cell]]
    pairs: tuple[Pair, ...]
    """Every pair of adjacent cells without a printed symbol, each once."""


def cell_at(row: int, number: int) -> Cell:
    """Return the name of a cell; row 0 is a."""
    return Cell(f"{ROWS[row]}{number}")


def row_and_number(cell: Cell) -> tuple[int, int]:
    """Return the row (0 is a) and number of a cell."""
    return ROWS.index(cell[0]), int(cell[1:])


def make_board(radius: int, printed: Mapping[Cell, Colour] = PRINTED) -> Board:
    """Make a board of any radius up to 7. `board_for` returns those of the game."""
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
        if row_and_number(cell) < row_and_number(other) and not {cell, other} & printed.keys()
    )
    return Board(radius, printed, tuple(rays), rays, neighbours, pairs)


@cache
def board_of(radius: int) -> Board:
    """The board of this size, with the printed symbols."""
    return make_board(radius)


def board_for(players: int) -> Board:
    """The board on which that many play."""
    return board_of(RADIUS_BY_PLAYERS[players])


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
