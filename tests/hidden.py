"""Shuffles hidden information: states that differ only in what a viewer may not know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from tuilerie.games.blockers.state import State as BlockersState
from tuilerie.games.game import Json, Seat
from tuilerie.games.genial.state import State as GenialState
from tuilerie.games.kaosmos.state import State as KaosmosState


def _genial(state: GenialState, viewer: Seat | None, random: Random) -> GenialState:
    """Shuffle the others' hands and the bag. (Tiles set aside in a swap are public.)"""
    others = [seat for seat in range(state.players) if seat != viewer]
    tiles = list(state.bag)
    for seat in others:
        tiles += state.hands[seat]
    random.shuffle(tiles)
    hands = list(state.hands)
    for seat in others:
        size = len(hands[seat])
        hands[seat] = tuple(sorted(tiles[:size]))
        del tiles[:size]
    return replace(state, hands=tuple(hands), bag=tuple(sorted(tiles)))


def _blockers(state: BlockersState, viewer: Seat | None, random: Random) -> BlockersState:
    """Shuffle each other colour's rack and pile, except for tiles shown by a discard."""
    racks, piles = list(state.racks), dict(state.piles)
    for seat, colours in enumerate(state.options.colours):
        if seat == viewer:
            continue
        shown = list(state.shown[seat])
        rack = []
        for colour in colours:
            known = [tile for tile in racks[seat] if tile[0] == colour and tile in shown]
            unknown = [t for t in racks[seat] if t[0] == colour and t not in shown]
            mixed = unknown + list(piles[colour])
            random.shuffle(mixed)
            rack += known + mixed[: len(unknown)]
            piles[colour] = tuple(sorted(mixed[len(unknown) :]))
        racks[seat] = tuple(sorted(rack))
    return replace(state, racks=tuple(racks), piles=piles)


def _kaosmos(state: KaosmosState, viewer: Seat | None, random: Random) -> KaosmosState:
    """Shuffle the others' packets, kept tiles and supplies with the bag; change their choices.

    The viewer's own tiles stay, including those that it may not look at again.
    """
    others = [seat for seat in range(state.players) if seat != viewer]
    known = [laid[0] for galaxy in state.galaxies for laid in galaxy.values()]
    known += [tile for tile in state.aside if tile is not None]
    if viewer is not None:
        mine = state.hands[viewer]
        known += [*mine.packet, *mine.kept, *mine.supply]
    mixed = [tile for tile in state.box.tiles.ids if tile not in known]
    random.shuffle(mixed)
    hands = list(state.hands)
    for seat in others:
        held: dict[str, Any] = {}
        for name in ("packet", "kept", "supply"):
            size = len(getattr(hands[seat], name))
            held[name] = tuple(sorted(mixed[:size]))
            del mixed[:size]
        choice = _another_choice(state, seat, random) if hands[seat].choice else None
        hands[seat] = replace(hands[seat], choice=choice, **held)
    return replace(state, hands=tuple(hands))


def _another_choice(state: KaosmosState, seat: Seat, random: Random) -> str:
    if str(state.hands[seat].choice).startswith("turn"):
        return f"turn {random.choice(sorted(state.galaxies[state.next_to(seat)]))}"
    return "move green blue 0"


Permute = Callable[[Json, Seat | None, Random], Json]

PERMUTE: Mapping[str, Permute] = {
    "genial": _genial,
    "kaosmos": _kaosmos,
    "blockers": _blockers,
}
