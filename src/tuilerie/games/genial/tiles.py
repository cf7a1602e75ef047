"""The 120 tiles: each shows two symbols, and a symbol is known by the letter of its colour."""

from __future__ import annotations

from itertools import combinations
from typing import NewType

Colour = NewType("Colour", str)
Tile = NewType("Tile", str)
"""Two letters in the order of `COLOURS`: 'RB' and 'BR' are the same tile, named 'RB'."""

COLOURS: tuple[Colour, ...] = tuple(map(Colour, "RYBGPO"))
"""Red asterisk, yellow sun, blue star, green disc, purple ring, orange hexagon."""

MIXED: tuple[Tile, ...] = tuple(Tile(a + b) for a, b in combinations(COLOURS, 2))
DOUBLES: tuple[Tile, ...] = tuple(Tile(colour * 2) for colour in COLOURS)
TILES: tuple[Tile, ...] = MIXED + DOUBLES

BAG: tuple[Tile, ...] = tuple(sorted(MIXED * 6 + DOUBLES * 5))
"""All 120 tiles: six of each mixed pair, five of each double. A bag is always kept sorted: in what
order tiles leave it is decided by the entries of chance alone."""

HAND_SIZE = 6


def tile_named(letters: str) -> Tile | None:
    """The tile with these two letters, in either order; `None` if there is none."""
    named = Tile("".join(sorted(letters, key="RYBGPO".find)))
    return _BY_NAME.get(named)


_BY_NAME: dict[str, Tile] = {tile: tile for tile in TILES}


def without(bag: tuple[Tile, ...], tiles: tuple[Tile, ...]) -> tuple[Tile, ...] | None:
    """The bag with these tiles taken out; `None` if it does not hold them all."""
    rest = list(bag)
    for tile in tiles:
        if tile not in rest:
            return None
        rest.remove(tile)
    return tuple(rest)
