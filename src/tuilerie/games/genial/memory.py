"""What perfect memory knows of the tiles shown in swaps."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tuilerie.games.game import Seat, put_at
from tuilerie.games.genial.tiles import HAND_SIZE, Tile


@dataclass(frozen=True, slots=True)
class Returned:
    """The tiles that a swap returned to the bag after showing them.

    A seat can hold them only among the tiles that it has drawn since. Each is forgotten when an
    equal tile is seen at a seat that has drawn since: it may be the same one.
    """

    tiles: tuple[Tile, ...]
    since: tuple[int, ...]  # number of tiles drawn since then, by seat


Memory = tuple[Returned, ...]
"""The swaps that still carry information, oldest first."""


def after_swap(memory: Memory, seat: Seat, shown: tuple[Tile, ...], players: int) -> Memory:
    """Update after a seat has shown its hand, which returns to the bag after its draw."""
    for tile in shown:
        memory = after_tile(memory, seat, tile)
    return (*memory, Returned(shown, (0,) * players))


def after_tile(memory: Memory, seat: Seat, tile: Tile) -> Memory:
    """Update after a seat has shown or laid a tile."""
    return tuple(_without(one, tile) if one.since[seat] else one for one in memory)


def after_draw(memory: Memory, seat: Seat, count: int, returned: int) -> Memory:
    """Update after a seat has drawn tiles. In a swap it draws before the old ones return."""
    counted = memory[:-1] if returned else memory
    drawn = tuple(
        replace(one, since=put_at(one.since, seat, one.since[seat] + count)) for one in counted
    )
    return tuple(one for one in drawn + memory[len(counted) :] if _tells(one))


def _without(one: Returned, tile: Tile) -> Returned:
    if tile not in one.tiles:
        return one
    at = one.tiles.index(tile)
    return replace(one, tiles=one.tiles[:at] + one.tiles[at + 1 :])


def _tells(one: Returned) -> bool:
    """Return whether some seat may still hold a tile from before the swap."""
    return bool(one.tiles) and min(one.since) < HAND_SIZE
