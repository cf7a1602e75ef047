"""The 120 tiles: each has two symbols, named by the letters of their colours."""

from __future__ import annotations

from itertools import combinations
from typing import Annotated, NewType

from tuilerie.games.game import Values

COLOURS: tuple[str, ...] = tuple("RYBGPO")
"""Red asterisk, yellow sun, blue star, green disc, purple ring, orange hexagon."""

Colour = Annotated[str, Values(COLOURS)]
Tile = NewType("Tile", str)
"""Two letters in the order of `COLOURS`: 'RB' and 'BR' are the same tile, named 'RB'."""

MIXED: tuple[Tile, ...] = tuple(Tile(a + b) for a, b in combinations(COLOURS, 2))
DOUBLES: tuple[Tile, ...] = tuple(Tile(colour * 2) for colour in COLOURS)
TILES: tuple[Tile, ...] = MIXED + DOUBLES

BAG: tuple[Tile, ...] = tuple(sorted(MIXED * 6 + DOUBLES * 5))
"""All 120 tiles: six of each mixed pair, five of each double. A bag is always sorted; chance
entries alone decide which tiles are drawn."""

HAND_SIZE = 6


def tile_named(letters: str) -> Tile | None:
    """Return the tile with these two letters, in either order; `None` if there is none."""
    named = Tile("".join(sorted(letters, key="RYBGPO".find)))
    return _BY_NAME.get(named)


_BY_NAME: dict[str, Tile] = {tile: tile for tile in TILES}


def without(bag: tuple[Tile, ...], tiles: tuple[Tile, ...]) -> tuple[Tile, ...] | None:
    """Remove tiles from the bag; `None` if it does not hold them all."""
    rest = list(bag)
    for tile in tiles:
        if tile not in rest:
            return None
        rest.remove(tile)
    return tuple(rest)
