"""Notation of moves and chance entries: 'RB h8 h9', 'swap', 'keep'."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tuilerie.games.game import Chance, Code, Json, Move, Refused, read_draw
from tuilerie.games.genial.board import ROWS, Cell, row_and_number
from tuilerie.games.genial.tiles import Tile, tile_named

EXPECTED_MOVE = "RB h8 h9, swap, keep"

_CELL = re.compile(rf"[{ROWS}]([1-9]|1[0-5])")


@dataclass(frozen=True, slots=True)
class Placement(Move):
    """Lay a tile, with its first letter on the first cell. Create it with `placement`, which
    returns the canonical form."""

    tile: Tile
    first: Cell
    second: Cell

    def __str__(self) -> str:
        return f"{self.tile} {self.first} {self.second}"


@dataclass(frozen=True, slots=True)
class Swap(Move):
    """Show the hand, set it aside and draw six new tiles."""

    def __str__(self) -> str:
        return "swap"


@dataclass(frozen=True, slots=True)
class Keep(Move):
    """Keep the hand although a swap is allowed."""

    def __str__(self) -> str:
        return "keep"


GenialMove = Placement | Swap | Keep


def placement(letters: str, first: Cell, second: Cell) -> Placement | None:
    """Return the canonical placement of these letters on these cells; `None` for an unknown tile.

    'BR h9 h8' is the same as 'RB h8 h9', and 'RR h9 h8' as 'RR h8 h9'.
    """
    tile = tile_named(letters)
    if tile is None:
        return None
    turned_around = (
        row_and_number(first) > row_and_number(second) if tile[0] == tile[1] else tile != letters
    )
    return Placement(tile, second, first) if turned_around else Placement(tile, first, second)


def parse_move(text: str) -> GenialMove:
    """Parse a move."""
    words = text.split()
    if words == ["swap"]:
        return Swap()
    if words == ["keep"]:
        return Keep()
    if len(words) == 3 and _CELL.fullmatch(words[1]) and _CELL.fullmatch(words[2]):
        move = placement(words[0], Cell(words[1]), Cell(words[2]))
        if move is not None:
            return move
    raise Refused(Code.MALFORMED, "bad-move", found=text, expected=EXPECTED_MOVE)


def read_chance(entry: Mapping[str, Json]) -> Chance:
    """Parse the drawn tiles from a line of a record."""
    return read_draw(entry, tile_named, '["RY", "GB", …]', "RY, GB, OO, …")
