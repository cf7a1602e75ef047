"""Legal moves of a seat, from public information and the seat's own hand only.

States and views share this code, so both list the same moves. Moves are listed in notation; the
placements of a tile are cached per tile and shape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from tuilerie.games.game import Seat
from tuilerie.games.kaosmos.board import READING, SHAPES
from tuilerie.games.kaosmos.card import COLOURS, Colour
from tuilerie.games.kaosmos.notation import Done, Grab, Keep, LeaveOut, Lift, Transfer, Turn
from tuilerie.games.kaosmos.score import SeatCount
from tuilerie.games.kaosmos.state import (
    BUILDING,
    DRAFT,
    INTERFERENCE,
    TRANSFER,
    Hand,
    PublicState,
    actors,
    may_still_grab,
)
from tuilerie.games.kaosmos.tiles import TileId

KEEP = 3
"""Tiles kept from each packet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves:
    """A summary of a seat's legal moves. `legal_texts` lists them all."""

    keep: int = 0  # so many tiles of the packet
    put: bool = False  # any of its tiles on any slot, `turning`: in any orientation
    turning: bool = False
    leave: bool = False  # set a tile aside
    grab: tuple[Colour, ...] = ()  # one or more of these bonus tiles
    done: bool = False
    choices: tuple[str, ...] = ()  # what this round's card lets it choose, in the notation


def moves(public: PublicState, seat: Seat, hand: Hand) -> Moves | None:
    """A summary of a seat's legal moves; `None` if it has none."""
    free = tuple(colour for colour in COLOURS if public.bonuses[colour] is None)
    if seat not in actors(public):
        return Moves(grab=free) if free and may_still_grab(public, seat) else None
    if public.phase == DRAFT:
        return Moves(keep=KEEP)
    if public.phase != BUILDING:
        return Moves(choices=legal_texts(public, seat, hand))
    complete = public.is_complete(seat)
    return Moves(
        put=True,
        turning=public.rules.turning,
        leave=public.rules.shape.leaves_one,
        grab=free if complete or public.version.bonus_unfinished else (),
        done=complete,
    )


def legal_texts(public: PublicState, seat: Seat, hand: Hand) -> tuple[str, ...]:
    """List every move of a seat once, in a fixed order."""
    if seat in actors(public):
        return _LEGAL[public.phase](public, seat, hand)
    return _grabs(public) if may_still_grab(public, seat) else ()


def _keeps(public: PublicState, seat: Seat, hand: Hand) -> tuple[str, ...]:
    return tuple(str(Keep(tiles)) for tiles in combinations(hand.packet, KEEP))


def _building(public: PublicState, seat: Seat, hand: Hand) -> tuple[str, ...]:
    rules, galaxy, aside = public.rules, public.galaxies[seat], public.aside[seat]
    shape = rules.shape
    where = {laid[0]: slot for slot, laid in galaxy.items()}
    tiles = sorted((*hand.supply, *where, *((aside,) if aside else ())))
    moves: list[str] = []
    for tile in tiles:
        puts = _puts(tile, shape.name, rules.turning)
        if tile in where:  # except its current slot and orientation
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
        moves += [str(LeaveOut(tile)) for tile in tiles if tile != aside]
    complete = public.is_complete(seat)
    if complete or public.version.bonus_unfinished:
        moves += _grabs(public)
    if complete:
        moves.append(str(Done()))
    return tuple(moves)


def _grabs(public: PublicState) -> tuple[str, ...]:
    """List all sets of bonus tiles that can be taken."""
    free = [colour for colour in COLOURS if public.bonuses[colour] is None]
    numbers = range(1, len(free) + 1)
    return tuple(str(Grab(some)) for number in numbers for some in combinations(free, number))


@lru_cache(maxsize=1024)
def _puts(tile: TileId, shape: str, turning: bool) -> tuple[str, ...]:
    """List all placements of a tile on a shape, in every orientation."""
    orientations = range(4 if turning else 1)
    slots = SHAPES[shape].slots
    return tuple(f"put {tile} {slot} {turns}" for slot in slots for turns in orientations)


def _turns(public: PublicState, seat: Seat, hand: Hand) -> tuple[str, ...]:
    galaxy = public.galaxies[public.next_to(seat)]
    return tuple(str(Turn(slot)) for slot in sorted(galaxy, key=READING.__getitem__))


def _transfers(public: PublicState, seat: Seat, hand: Hand) -> tuple[str, ...]:
    moves = [Transfer("green", "blue", 0)]  # declined; the colours do not matter
    for source in COLOURS:
        most = transferable(public, public.counts[seat], source)
        others = [colour for colour in COLOURS if colour != source]
        moves += [Transfer(source, t, n) for t in others for n in range(1, most + 1)]
    return tuple(map(str, moves))


def transferable(public: PublicState, counted: SeatCount, colour: str) -> int:
    """Return how many points a seat may move from a colour: at most those gained this round."""
    return min(public.rules.transfer, counted.gained(colour))


_LEGAL: Mapping[str, Callable[[PublicState, Seat, Hand], tuple[str, ...]]] = {
    DRAFT: _keeps,
    BUILDING: _building,
    INTERFERENCE: _turns,
    TRANSFER: _transfers,
}
