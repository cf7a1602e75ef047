"""The tiles: 28 of each colour, all different."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NewType

from tuilerie.games.blockers.board import CELLS, COLUMNS, REGIONS, ROWS, Cell, region_of
from tuilerie.games.game import Values

Tile = NewType("Tile", str)
"""A colour and a face: 'b7' column, 'bC' row, 'b#4' region, 'b*' joker."""

COLOURS = "bygrk"
Colour = Annotated[str, Values(tuple(COLOURS), all_keys=False)]
"""The first letter of every tile."""

Board = Mapping[Cell, Tile]
"""The tiles on the board, by cell."""

RACK = 5  # tiles of each of a seat's colours on its rack
KEPT = 4  # a colour stops when this many of its tiles are left

_CELLS_OF_FACE: Mapping[str, tuple[Cell, ...]] = {
    **{column: tuple(cell for cell in CELLS if cell[1] == column) for column in COLUMNS},
    **{row: tuple(cell for cell in CELLS if cell[0] == row) for row in ROWS},
    **{f"#{r}": tuple(cell for cell in CELLS if region_of(cell) == r) for r in REGIONS},
    "*": CELLS,
}

TILES: Mapping[Colour, tuple[Tile, ...]] = {
    colour: tuple(Tile(colour + face) for face in _CELLS_OF_FACE) for colour in COLOURS
}
"""The tiles of each colour in their fixed order: columns, rows, regions, joker."""

CELLS_OF: Mapping[Tile, tuple[Cell, ...]] = {
    tile: _CELLS_OF_FACE[tile[1:]] for tiles in TILES.values() for tile in tiles
}
"""The cells that a tile matches: nine in a column, row or region; all 81 for a joker."""

_ORDER: Mapping[Tile, int] = {tile: index for index, tile in enumerate(CELLS_OF)}


def with_tiles(tiles: tuple[Tile, ...], more: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Add tiles in fixed order: a rack does not reveal when a tile was drawn."""
    return tuple(sorted(tiles + more, key=_ORDER.__getitem__))


def without_tile(tiles: tuple[Tile, ...], tile: Tile) -> tuple[Tile, ...]:
    """Remove one tile."""
    index = tiles.index(tile)
    return tiles[:index] + tiles[index + 1 :]


def count_of(tiles: tuple[Tile, ...], colour: Colour) -> int:
    """Count the tiles of a colour."""
    return len([tile for tile in tiles if tile[0] == colour])


def cells_by_colour(board: Board, colours: tuple[Colour, ...]) -> dict[Colour, frozenset[Cell]]:
    """Return the cells of each colour."""
    return {c: frozenset(cell for cell in board if board[cell][0] == c) for c in colours}
