"""Notation of moves and chance entries: 'b7-C7', 'b7xC7', 'discard b7'."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from tuilerie.games.blockers.board import COLUMNS, REGIONS, ROWS, Cell
from tuilerie.games.blockers.tiles import CELLS_OF, COLOURS, Tile
from tuilerie.games.game import Chance, Code, Json, Move, Refused, read_draw

EXPECTED_MOVE = "b7-C7, b7xC7, discard b7"

_TILE = rf"([{COLOURS}](?:[{COLUMNS}{ROWS}*]|#[{REGIONS}]))"
_PLACEMENT = re.compile(rf"{_TILE}([-x])([{ROWS}][{COLUMNS}])")


@dataclass(frozen=True, slots=True)
class Lay(Move):
    """Put a tile on an empty cell."""

    tile: Tile
    cell: Cell

    def __str__(self) -> str:
        return f"{self.tile}-{self.cell}"


@dataclass(frozen=True, slots=True)
class Capture(Move):
    """Replace an opponent's tile and keep it."""

    tile: Tile
    cell: Cell

    def __str__(self) -> str:
        return f"{self.tile}x{self.cell}"


@dataclass(frozen=True, slots=True)
class Discard(Move):
    """Show the rack and discard a tile, if no other move is possible."""

    tile: Tile

    def __str__(self) -> str:
        return f"discard {self.tile}"


BlockersMove = Lay | Capture | Discard

M = TypeVar("M")


class Moves(NamedTuple, Generic[M]):
    """Lookup tables of all possible moves."""

    placements: Mapping[Tile, tuple[tuple[Cell, M, M], ...]]
    """For each tile, the cells that it matches, with the lay and the capture on each."""

    discards: Mapping[Tile, M]


MOVES: Moves[BlockersMove] = Moves(
    {
        tile: tuple((cell, Lay(tile, cell), Capture(tile, cell)) for cell in cells)
        for tile, cells in CELLS_OF.items()
    },
    {tile: Discard(tile) for tile in CELLS_OF},
)

TEXTS: Moves[str] = Moves(
    {
        tile: tuple((cell, str(lay), str(capture)) for cell, lay, capture in moves)
        for tile, moves in MOVES.placements.items()
    },
    {tile: str(discard) for tile, discard in MOVES.discards.items()},
)
"""The same in notation."""


_BY_TEXT: Mapping[str, BlockersMove] = {
    str(move): move
    for tile, placements in MOVES.placements.items()
    for move in (*(m for _, lay, capture in placements for m in (lay, capture)), Discard(tile))
}


def parse_move(text: str) -> BlockersMove:
    """Parse a move. Only its form is checked: the rules refuse a tile on a cell that it does not
    match."""
    if (known := _BY_TEXT.get(text)) is not None:
        return known
    if match := _PLACEMENT.fullmatch(text):
        tile, sign, cell = Tile(match[1]), match[2], Cell(match[3])
        return Lay(tile, cell) if sign == "-" else Capture(tile, cell)
    raise Refused(Code.MALFORMED, "bad-move", found=text, expected=EXPECTED_MOVE)


def read_chance(entry: Mapping[str, Json]) -> Chance:
    """Parse the drawn tiles from a line of a record."""
    return read_draw(entry, _tile_named, '["b7", "bC", …]', "b7, bC, b#4, b*")


def _tile_named(text: str) -> Tile | None:
    return Tile(text) if text in CELLS_OF else None
