"""Random completion of galaxies when time is up.

By the rulebook, tiles that are not laid, or laid against the rules, are shuffled and fill the gaps
in random order and orientation; all others stay.
"""

from __future__ import annotations

from dataclasses import dataclass

from tuilerie.games.game import Code, Pick, Refused, Seat, choose
from tuilerie.games.kaosmos.board import READING, Slot, free_beside, groups
from tuilerie.games.kaosmos.notation import Fill
from tuilerie.games.kaosmos.state import State
from tuilerie.games.kaosmos.tiles import TileId


@dataclass(frozen=True, slots=True)
class Gap:
    """What is missing in a galaxy."""

    stays: tuple[Slot, ...]  # slots of legally laid tiles
    taken: tuple[Slot, ...]  # slots of illegally laid tiles, which are taken up
    tiles: tuple[TileId, ...]  # the tiles to shuffle, by name
    count: int  # the number of them to lay


def gap(state: State, seat: Seat) -> Gap:
    """Return what is missing in the galaxy of a seat.

    Only a free shape can be laid illegally: then its largest connected group stays. A tile set
    aside stays aside; if none is, the tile left out is random.
    """
    shape, galaxy = state.rules.shape, state.galaxies[seat]
    stays = tuple(galaxy)
    if shape.joined and galaxy:
        stays = groups(galaxy)[0]
    taken = tuple(slot for slot in sorted(galaxy, key=READING.__getitem__) if slot not in stays)
    tiles = sorted((*state.hands[seat].supply, *(galaxy[slot][0] for slot in taken)))
    return Gap(stays, taken, tuple(tiles), shape.size - len(stays))


def draw_fill(state: State, seat: Seat, pick: Pick) -> Fill:
    """Fill the gaps at random."""
    missing = gap(state, seat)
    laid = set(missing.stays)
    puts = []
    for tile in choose(missing.tiles, missing.count, pick):
        free = _free(state, laid)
        slot = free[pick(len(free))] if state.rules.shape.joined else free[0]
        # Ruling: the card overrides the basic rule: with fixed orientation, tiles are not turned.
        puts.append((tile, slot, pick(4) if state.rules.turning else 0))
        laid.add(slot)
    return Fill("fill", seat, tuple(puts))


def _free(state: State, laid: set[Slot]) -> tuple[Slot, ...]:
    """Return the possible slots of the next tile, in reading order.

    Ruling: in a free shape it is laid next to a laid tile, within the frame; the very first tile
    goes anywhere.
    """
    shape = state.rules.shape
    if shape.joined:
        return free_beside(laid)
    return tuple(slot for slot in shape.slots if slot not in laid)


def check_fill(state: State, fill: Fill) -> Gap:
    """Check that a fill lays exactly the missing tiles."""
    missing = gap(state, fill.seat)
    if len(fill.puts) != missing.count:
        raise Refused(Code.ILLEGAL, "wrong-count", found=len(fill.puts), expected=missing.count)
    left = set(missing.tiles)
    laid = set(missing.stays)
    for tile, slot, turns in fill.puts:
        if tile not in left:
            raise Refused(Code.ILLEGAL, "not-in-supply", tile=tile, seat=fill.seat)
        if slot not in _free(state, laid):
            raise Refused(Code.ILLEGAL, "not-a-gap", slot=slot, seat=fill.seat)
        if turns not in range(4):
            raise Refused(Code.ILLEGAL, "bad-turns", turns=turns)
        if turns and not state.rules.turning:
            raise Refused(Code.ILLEGAL, "orientation-fixed", tile=tile)
        left.remove(tile)
        laid.add(slot)
    return missing
