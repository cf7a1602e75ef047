"""What one seat, or a spectator, may know of a game of Génial!."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tuilerie.games.game import Ended, Event, Json, Result, Seat, put_at
from tuilerie.games.genial.board import Board, Cell, Pair
from tuilerie.games.genial.events import Drawn, Now, Placed, Scored, Swapped
from tuilerie.games.genial.legal import all_texts, free_pairs_of, legal_placements
from tuilerie.games.genial.memory import Memory, after_draw, after_swap, after_tile
from tuilerie.games.genial.notation import Keep, Swap
from tuilerie.games.genial.rules import actors, legal_texts, tracks_after
from tuilerie.games.genial.score import Symbols, Track, run
from tuilerie.games.genial.state import OVER, PLACE, SWAP, State
from tuilerie.games.genial.tiles import COLOURS, Colour, Tile

Preview = Mapping[Colour, Mapping[Cell, int]]
"""What a half of each colour would earn on each free cell. A tile earns the sum of its halves."""


@dataclass(frozen=True, slots=True)
class View:
    """All that a viewer may know, and what it may do."""

    viewer: Seat | None
    options: Mapping[str, Json]
    players: int
    radius: int
    symbols: Symbols
    last: Pair | None  # where the last tile was laid
    tracks: tuple[Track, ...]
    hand: tuple[Tile, ...] | None  # the viewer's own, None for a spectator
    hand_counts: tuple[int, ...]
    bag_count: int
    unseen: tuple[Tile, ...]  # all tiles that are in the bag or in others' hands
    returned: Memory  # which of them cannot be in hands that were drawn before a swap
    phase: str
    seat: Seat
    bonus: int
    turns: int
    actors: tuple[Seat, ...]
    legal: tuple[str, ...]
    points: Preview | None  # only for the viewer who is to place a tile
    number: int
    result: Result | None
    _board: Board


def view(state: State, viewer: Seat | None) -> View:
    """The view of a seat, or of a spectator."""
    return View(**open_view(state), **own_view(state, viewer), _board=state.board)


def open_view(state: State) -> dict[str, Any]:
    """The fields that are the same for every viewer."""
    return {
        "options": state.options.plain(),
        "players": state.players,
        "radius": state.board.radius,
        "symbols": state.symbols,
        "last": state.last,
        "tracks": state.tracks,
        "hand_counts": tuple(len(hand) for hand in state.hands),
        "bag_count": len(state.bag),
        "returned": state.returned,
        "phase": state.phase,
        "seat": state.seat,
        "bonus": state.bonus,
        "turns": state.turns,
        "actors": actors(state),
        "number": state.number,
        "result": state.outcome,
    }


def own_view(state: State, viewer: Seat | None) -> dict[str, Any]:
    """The fields that are the viewer's own."""
    places = state.phase == PLACE and viewer == state.seat
    return {
        "viewer": viewer,
        "hand": None if viewer is None else state.hands[viewer],
        "unseen": _unseen(state, viewer),
        "legal": () if viewer is None else tuple(legal_texts(state, viewer)),
        "points": preview(state.board, state.symbols) if places else None,
    }


def _unseen(state: State, viewer: Seat | None) -> tuple[Tile, ...]:
    tiles = list(state.bag)
    for seat, hand in enumerate(state.hands):
        if seat != viewer:
            tiles += hand
    return tuple(sorted(tiles))


def redact(event: Event, viewer: Seat | None) -> Event:
    """The event without the tiles that only another seat may see."""
    if isinstance(event, Drawn) and event.seat != viewer:
        return replace(event, tiles=None)
    return event


def follow(seen: View, event: Event) -> View:
    """The view after an event. What the viewer may do is known again after `Now` and `Ended`."""
    seen = replace(seen, number=seen.number + 1, actors=(), legal=(), points=None)
    if isinstance(event, Drawn):
        return _drew(seen, event)
    if isinstance(event, Placed):
        return _placed(seen, event)
    if isinstance(event, Scored):
        variant = seen.options["variant"]
        return replace(seen, tracks=tracks_after(variant, seen.tracks, event.seat, event.markers))
    if isinstance(event, Swapped):
        return _swapped(seen, event)
    if isinstance(event, Now):
        asked = replace(
            seen, phase=event.phase, seat=event.seat, bonus=event.bonus, turns=event.turns
        )
        return _with_moves(asked)
    if isinstance(event, Ended):
        return replace(seen, phase=OVER, bonus=0, result=event.result)
    return seen


def _swapped(seen: View, event: Swapped) -> View:
    mine = _mine(seen, event.seat)
    return replace(
        seen,
        hand_counts=_count(seen, event.seat, 0),
        hand=() if mine else seen.hand,
        unseen=seen.unseen if mine else _take(seen.unseen, event.shown),
        returned=after_swap(seen.returned, event.seat, event.shown, seen.players),
    )


def _drew(seen: View, event: Drawn) -> View:
    hand, unseen = seen.hand, seen.unseen
    if hand is not None and event.tiles is not None:
        hand = tuple(sorted(hand + event.tiles))
        unseen = _take(unseen, event.tiles)
    if event.returned:
        unseen = tuple(sorted(unseen + seen.returned[-1].tiles))
    return replace(
        seen,
        hand=hand,
        hand_counts=_count(seen, event.seat, seen.hand_counts[event.seat] + event.count),
        bag_count=seen.bag_count - event.count + event.returned,
        unseen=unseen,
        returned=after_draw(seen.returned, event.seat, event.count, event.returned),
    )


def _take(tiles: tuple[Tile, ...], taken: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """These tiles without some that are certainly among them."""
    left = list(tiles)
    for tile in taken:
        left.remove(tile)
    return tuple(left)


def _placed(seen: View, event: Placed) -> View:
    hand, unseen = seen.hand, seen.unseen
    if hand is not None and _mine(seen, event.seat):
        hand = _take(hand, (event.tile,))
    else:
        unseen = _take(unseen, (event.tile,))
    laid = {event.first: Colour(event.tile[0]), event.second: Colour(event.tile[1])}
    return replace(
        seen,
        hand=hand,
        hand_counts=_count(seen, event.seat, seen.hand_counts[event.seat] - 1),
        unseen=unseen,
        returned=after_tile(seen.returned, event.seat, event.tile),
        symbols={**seen.symbols, **laid},
        last=(event.first, event.second),
    )


def _with_moves(seen: View) -> View:
    """The view with who may act and what the viewer may do."""
    if seen.phase not in (PLACE, SWAP):
        return seen
    actors = (seen.seat,)
    if seen.viewer != seen.seat:
        return replace(seen, actors=actors)
    if seen.phase == SWAP:
        return replace(seen, actors=actors, legal=(str(Swap()), str(Keep())))
    moves = legal_placements(
        seen._board,
        seen.symbols,
        seen.hand or (),
        free_pairs_of(seen._board, seen.symbols),
        seen.turns < seen.players,
        seen.options["adjacent"],
        all_texts(seen._board),
    )
    points = preview(seen._board, seen.symbols)
    return replace(seen, actors=actors, legal=tuple(moves), points=points)


def preview(board: Board, symbols: Symbols) -> Preview:
    """What a half of each colour would earn on each free cell."""
    free = [cell for cell in board.cells if cell not in symbols]
    points = {colour: dict.fromkeys(free, 0) for colour in COLOURS}
    for cell in free:
        for ray in board.rays[cell]:
            colour = symbols.get(ray.cells[0])
            if colour is not None:  # only a half of this colour earns anything in this direction
                points[colour][cell] += run(symbols, ray, colour)
    return points


def _mine(seen: View, seat: Seat) -> bool:
    return seen.viewer == seat


def _count(seen: View, seat: Seat, count: int) -> tuple[int, ...]:
    return put_at(seen.hand_counts, seat, count)
