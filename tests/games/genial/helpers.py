"""Test helpers: hand-made positions of Génial!."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tuilerie.games.game import Action, Event, Step
from tuilerie.games.genial.board import Cell
from tuilerie.games.genial.card import read_options
from tuilerie.games.genial.events import Scored
from tuilerie.games.genial.legal import free_pairs_of
from tuilerie.games.genial.notation import parse_move
from tuilerie.games.genial.rules import apply, start
from tuilerie.games.genial.score import Track
from tuilerie.games.genial.state import PLACE, State
from tuilerie.games.genial.tiles import BAG, COLOURS, Colour, Tile, tile_named, without


def track(*markers: int) -> Track:
    """Six markers in the order R Y B G P O."""
    return dict(zip(COLOURS, markers, strict=True))


def tiles(names: str) -> tuple[Tile, ...]:
    found = [tile_named(name) for name in names.split()]
    assert None not in found
    return tuple(sorted(tile for tile in found if tile))


def symbols(text: str) -> Mapping[Cell, Colour]:
    """Parse 'R: h8 h9; B: i9' as symbols on cells."""
    laid: dict[Cell, Colour] = {}
    for part in filter(None, text.split(";")):
        colour, cells = part.split(":")
        laid |= {Cell(cell): colour.strip() for cell in cells.split()}
    return laid


def position(
    hand: str = "RR RR RR RR RR RY",
    laid: str = "",
    players: int = 2,
    tracks: tuple[Track, ...] | None = None,
    turns: int = 99,
    **options: object,
) -> State:
    """A state in which seat 0 is to place a tile; the other hands are arbitrary."""
    state = start(players, read_options(players, options))
    on_board = {**state.symbols, **symbols(laid)}
    mine = tiles(hand)
    bag = without(BAG, mine)
    assert bag is not None
    hands = [mine]
    for _ in range(players - 1):
        hands.append(bag[-6:])
        bag = bag[:-6]
    return replace(
        state,
        symbols=on_board,
        hands=tuple(hands),
        bag=bag,
        tracks=tracks or state.tracks,
        phase=PLACE,
        turns=turns,
        _free_pairs=free_pairs_of(state.board, on_board),
    )


def play(state: State, *moves: str) -> Step[State]:
    """Make moves of the seat on turn in order; return the last state and all events."""
    events: tuple[Event, ...] = ()
    for move in moves:
        state, new = apply(state, Action(state.seat, parse_move(move)))
        events += new
    return Step(state, events)


def points(state: State, move: str) -> tuple[int, int]:
    """Return the points of each half of a tile."""
    scored = next(event for event in play(state, move).events if isinstance(event, Scored))
    return scored.halves[0].points, scored.halves[1].points
