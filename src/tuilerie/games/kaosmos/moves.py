"""The preconditions and immediate effects of each move.

Each function validates a move of a seat that may act, and returns its events. `rules` holds what
follows once no seat is waited for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tuilerie.games.game import Code, Event, Refused, Seat
from tuilerie.games.kaosmos.card import COLOURS
from tuilerie.games.kaosmos.events import (
    ASIDE,
    SUPPLY,
    Chosen,
    Grabbed,
    Kept,
    Lifted,
    Locked,
    Placed,
    SetAside,
)
from tuilerie.games.kaosmos.legal import KEEP, transferable
from tuilerie.games.kaosmos.notation import (
    Done,
    Grab,
    KaosmosMove,
    Keep,
    LeaveOut,
    Lift,
    Put,
    Transfer,
    Turn,
)
from tuilerie.games.kaosmos.state import (
    BUILDING,
    DRAFT,
    INTERFERENCE,
    TRANSFER,
    State,
    slot_of,
)
from tuilerie.games.kaosmos.tiles import TileId

Events = tuple[Event, ...]


def _keep(state: State, seat: Seat, move: Keep) -> Events:
    """Keep three tiles of the packet, face down."""
    packet = state.hands[seat].packet
    if len(set(move.tiles)) != KEEP:
        raise Refused(Code.ILLEGAL, "wrong-count", found=len(set(move.tiles)), expected=KEEP)
    for tile in move.tiles:
        if tile not in packet:
            raise Refused(Code.ILLEGAL, "not-in-packet", tile=tile)
    return (Kept(seat, KEEP, tuple(sorted(set(move.tiles)))),)


def _put(state: State, seat: Seat, move: Put) -> Events:
    """Tiles may be laid, moved and turned freely."""
    tile, slot, rules = move.tile, move.slot, state.rules
    source = _where(state, seat, tile)
    if slot not in rules.shape.slots:
        raise Refused(Code.ILLEGAL, "slot-outside", slot=slot, shape=rules.shape.name)
    if move.turns not in range(4):
        raise Refused(Code.ILLEGAL, "bad-turns", turns=move.turns)
    if move.turns and not rules.turning:
        raise Refused(Code.ILLEGAL, "orientation-fixed", tile=tile)
    there = state.galaxies[seat].get(slot)
    if there == (tile, move.turns):
        raise Refused(Code.ILLEGAL, "nothing-changes", tile=tile)
    displaced = there[0] if there and there[0] != tile else None
    return (Placed(seat, tile, slot, move.turns, source, displaced),)


def _lift(state: State, seat: Seat, move: Lift) -> Events:
    """Take a tile back."""
    slot = slot_of(state.galaxies[seat], move.tile)
    if slot is None:
        raise Refused(Code.ILLEGAL, "not-laid", tile=move.tile)
    return (Lifted(seat, move.tile, slot),)


def _leave(state: State, seat: Seat, move: LeaveOut) -> Events:
    """Choose the tile to leave out of a shape of eight tiles.

    Ruling: at most one tile is aside; another one sends it back to the supply.
    """
    if not state.rules.shape.leaves_one:
        raise Refused(Code.ILLEGAL, "no-tile-left-out", tile=move.tile)
    source = _where(state, seat, move.tile)
    if source == ASIDE:
        raise Refused(Code.ILLEGAL, "nothing-changes", tile=move.tile)
    return (SetAside(seat, move.tile, source, state.aside[seat]),)


def _where(state: State, seat: Seat, tile: TileId) -> str:
    """Return where a seat has a tile: its slot, 'supply' or 'aside'."""
    slot = slot_of(state.galaxies[seat], tile)
    if slot is not None:
        return slot
    if tile in state.hands[seat].supply:
        return SUPPLY
    if tile == state.aside[seat]:
        return ASIDE
    raise Refused(Code.ILLEGAL, "not-your-tile", tile=tile)


def _grab(state: State, seat: Seat, move: Grab) -> Events:
    """Take one or more bonus tiles at once; then the galaxy is locked.

    The rulebook does not require a complete galaxy: gaps are filled at random, as when time is up.
    Ruling: a player who comes second for a bonus tile gets none of those named and is not locked.
    """
    if not move.colours or not set(move.colours) <= set(COLOURS):
        raise Refused(Code.ILLEGAL, "unknown-colour", colours=list(move.colours))
    if not state.version.bonus_unfinished:
        _check_complete(state, seat)
    colours = tuple(colour for colour in COLOURS if colour in move.colours)
    taken = [colour for colour in colours if state.bonuses[colour] is not None]
    if taken:
        by = [state.bonuses[colour] for colour in taken]
        raise Refused(Code.TOO_LATE, "bonus-taken", colours=taken, by=by)
    grabbed = Grabbed(seat, colours)
    return (grabbed,) if seat in state.locked else (grabbed, Locked(seat))


def _done(state: State, seat: Seat, move: Done) -> Events:
    """Finish building. Bonus tiles may still be taken, until the round ends."""
    _check_complete(state, seat)
    return (Locked(seat),)


def _check_complete(state: State, seat: Seat) -> None:
    """Ruling: 'done' requires a complete galaxy."""
    if not state.is_complete(seat):
        shape, laid = state.rules.shape, len(state.galaxies[seat])
        raise Refused(
            Code.ILLEGAL, "galaxy-incomplete", laid=laid, needed=shape.size, shape=shape.name
        )


def _turn(state: State, seat: Seat, move: Turn) -> Events:
    """Secretly pick a tile of the next player in passing direction (Ingérence)."""
    owner = state.next_to(seat)
    if move.slot not in state.galaxies[owner]:
        raise Refused(Code.ILLEGAL, "no-tile-there", slot=move.slot, seat=owner)
    return (Chosen(seat, str(move)),)


def _transfer(state: State, seat: Seat, move: Transfer) -> Events:
    """Secretly choose points of this round to move to another colour, or none (Transfert)."""
    if not {move.source, move.target} <= set(COLOURS):
        raise Refused(Code.ILLEGAL, "unknown-colour", colours=[move.source, move.target])
    if move.source == move.target:
        raise Refused(Code.ILLEGAL, "same-colour", colour=move.source)
    most = transferable(state, state.counts[seat], move.source)
    if move.points not in range(most + 1):
        facts = {"source": move.source, "points": move.points, "most": most}
        raise Refused(Code.ILLEGAL, "too-many-points", **facts)
    return (Chosen(seat, str(move)),)


def rearranges(state: State, seat: Seat, move: KaosmosMove) -> bool:
    """Return whether a move takes a tile from the galaxy, or sends one back to the supply."""
    match move:
        case Lift():
            return True
        case Put(tile, slot):
            return _is_laid(state, seat, tile) or slot in state.galaxies[seat]
        case LeaveOut(tile):
            return _is_laid(state, seat, tile) or state.aside[seat] is not None
    return False


def _is_laid(state: State, seat: Seat, tile: TileId) -> bool:
    return slot_of(state.galaxies[seat], tile) is not None


MOVES: Mapping[type[Any], tuple[str, Callable[[State, Seat, Any], Events]]] = {
    Keep: (DRAFT, _keep),
    Put: (BUILDING, _put),
    Lift: (BUILDING, _lift),
    LeaveOut: (BUILDING, _leave),
    Grab: (BUILDING, _grab),
    Done: (BUILDING, _done),
    Turn: (INTERFERENCE, _turn),
    Transfer: (TRANSFER, _transfer),
}
"""For each kind of move, its phase and its function."""
