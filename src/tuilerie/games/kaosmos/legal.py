"""What a seat may do: from what lies open and what the seat itself holds, and nothing else.

States and views ask here, so both give the same moves. A move is given as its text; the texts of
all ways to put a tile are made once for each tile and shape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import combinations

from tuilerie.games.game import Seat
from tuilerie.games.kaosmos.board import READING, SHAPES
from tuilerie.games.kaosmos.card import COLOURS
from tuilerie.games.kaosmos.notation import Done, Grab, Keep, Leave, Lift, Transfer, Turn
from tuilerie.games.kaosmos.score import SeatCount
from tuilerie.games.kaosmos.state import (
    BUILDING,
    DRAFT,
    INTERFERENCE,
    TRANSFER,
    Hand,
    Table,
    actors,
    may_still_grab,
)
from tuilerie.games.kaosmos.tiles import TileId

KEEP = 3
"""How many tiles are kept of each packet."""


def legal_texts(table: Table, seat: Seat, hand: Hand) -> tuple[str, ...]:
    """Every move of a seat, each once, in a fixed order."""
    if seat in actors(table):
        return _LEGAL[table.phase](table, seat, hand)
    return _grabs(table) if may_still_grab(table, seat) else ()


def _keeps(table: Table, seat: Seat, hand: Hand) -> tuple[str, ...]:
    return tuple(str(Keep(tiles)) for tiles in combinations(hand.packet, KEEP))


def _building(table: Table, seat: Seat, hand: Hand) -> tuple[str, ...]:
    rules, galaxy, aside = table.rules, table.galaxies[seat], table.aside[seat]
    shape = rules.shape
    where = {laid[0]: slot for slot, laid in galaxy.items()}
    tiles = sorted((*hand.supply, *where, *((aside,) if aside else ())))
    moves: list[str] = []
    for tile in tiles:
        puts = _puts(tile, shape.name, rules.turning)
        if tile in where:  # not where it lies, as it lies
            slot = where[tile]
            orientations = 4 if rules.turning else 1
            same = shape.slots.index(slot) * orientations + galaxy[slot][1]
            moves += puts[:same]
            moves += puts[same + 1 :]
        else:
            moves += puts
    slots = sorted(galaxy, key=READING.__getitem__)
    moves += [str(Lift(galaxy[slot][0])) for slot in slots]
    if shape.leaves_one:
        moves += [str(Leave(tile)) for tile in tiles if tile != aside]
    complete = table.is_complete(seat)
    if complete or table.version.bonus_unfinished:
        moves += _grabs(table)
    if complete:
        moves.append(str(Done()))
    return tuple(moves)


def _grabs(table: Table) -> tuple[str, ...]:
    """All ways to take bonus tiles at the same moment."""
    free = [colour for colour in COLOURS if table.bonuses[colour] is None]
    numbers = range(1, len(free) + 1)
    return tuple(str(Grab(some)) for number in numbers for some in combinations(free, number))


@lru_cache(maxsize=1024)
def _puts(tile: TileId, shape: str, turning: bool) -> tuple[str, ...]:
    """All ways to put a tile, on every slot of a shape and in every orientation."""
    orientations = range(4 if turning else 1)
    slots = SHAPES[shape].slots
    return tuple(f"put {tile} {slot} {turns}" for slot in slots for turns in orientations)


def _turns(table: Table, seat: Seat, hand: Hand) -> tuple[str, ...]:
    galaxy = table.galaxies[table.next_to(seat)]
    return tuple(str(Turn(slot)) for slot in sorted(galaxy, key=READING.__getitem__))


def _transfers(table: Table, seat: Seat, hand: Hand) -> tuple[str, ...]:
    moves = [Transfer("green", "blue", 0)]  # declined, the same whatever colours are named
    for source in COLOURS:
        most = transferable(table, table.counts[seat], source)
        others = [colour for colour in COLOURS if colour != source]
        moves += [Transfer(source, t, n) for t in others for n in range(1, most + 1)]
    return tuple(map(str, moves))


def transferable(table: Table, counted: SeatCount, colour: str) -> int:
    """How many points a seat may move away from a colour: none that it did not gain just now."""
    return min(table.rules.transfer, counted.gained(colour))


_LEGAL: Mapping[str, Callable[[Table, Seat, Hand], tuple[str, ...]]] = {
    DRAFT: _keeps,
    BUILDING: _building,
    INTERFERENCE: _turns,
    TRANSFER: _transfers,
}
