"""What a viewer may know, and how it keeps up with what happens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tuilerie.games.blockers.board import Cell, loose_of
from tuilerie.games.blockers.card import Options
from tuilerie.games.blockers.events import Captured, Dealt, Discarded, Drawn, GroupChange, Laid
from tuilerie.games.blockers.notation import TEXTS
from tuilerie.games.blockers.rules import actors, legal_moves, legal_texts, next_seat
from tuilerie.games.blockers.state import Phase, State
from tuilerie.games.blockers.tiles import (
    KEPT,
    RACK,
    Board,
    Colour,
    Tile,
    cells_by_colour,
    count_of,
    with_tiles,
    without_tile,
)
from tuilerie.games.game import Ended, Event, Result, Seat, put_at

Counts = Mapping[Colour, int]


@dataclass(frozen=True, slots=True)
class View:
    """The table as one seat sees it, or a spectator (`viewer` is `None`)."""

    viewer: Seat | None
    options: Options
    number: int  # how many events have happened
    phase: Phase
    turn: Seat | None  # who plays, or draws to end its turn; `None` before and after the game
    board: Board
    last: Cell | None  # where the last tile was laid
    rack: tuple[Tile, ...] | None  # the viewer's own
    racks: tuple[Counts, ...]  # how many tiles of each of its colours every seat holds
    piles: Counts  # how many tiles are left to draw
    captures: tuple[tuple[Tile, ...], ...]  # by captor, in the order in which they were taken
    discards: tuple[Tile, ...]
    shown: tuple[tuple[Tile, ...], ...]  # tiles on each rack that all have seen (by a discard)
    groups: tuple[int, ...]  # how many groups each seat has now
    result: Result | None
    # What follows from the above:
    actors: tuple[Seat, ...] = ()
    last_turn: bool = False  # the seat to act does so for the last time
    legal: tuple[str, ...] = ()  # the viewer's moves


def view(state: State, viewer: Seat | None) -> View:
    """What this viewer may know."""
    return View(**open_view(state), **own_view(state, viewer))


def own_view(state: State, viewer: Seat | None) -> dict[str, Any]:
    """The fields that are the viewer's own."""
    if viewer is None:
        return {"viewer": None, "rack": None, "legal": ()}
    legal = legal_texts(state, viewer)
    return {"viewer": viewer, "rack": state.racks[viewer], "legal": legal}


def open_view(state: State) -> dict[str, Any]:
    """The fields that are the same for every viewer."""
    options = state.options
    racks = tuple(map(_counts, options.colours, state.racks))
    piles = {colour: len(pile) for colour, pile in state.piles.items()}
    playing = state.phase == "play"
    return {
        "options": options,
        "number": state.number,
        "phase": state.phase,
        "turn": state.seat if state.phase in ("play", "draw") else None,
        "board": state.board,
        "last": state.last,
        "racks": racks,
        "piles": piles,
        "captures": state.captures,
        "discards": state.discards,
        "shown": state.shown,
        "groups": tuple([_sum(state.groups, own) for own in options.colours]),
        "result": state.result,
        "actors": actors(state),
        "last_turn": playing and sum(_turns_left(racks[state.seat], piles).values()) == 1,
    }


def _sum(counts: Counts, own: str) -> int:
    return counts[own] if len(own) == 1 else sum([counts[colour] for colour in own])


def _counts(own: str, rack: tuple[Tile, ...]) -> Counts:
    if len(own) == 1:
        return {own: len(rack)}
    return {colour: count_of(rack, colour) for colour in own}


def redact(event: Event, viewer: Seat | None) -> Event:
    """The event as this viewer may see it: no faces of tiles that another seat took."""
    if isinstance(event, Dealt) and event.seat != viewer:
        return Dealt(event.seat, None)
    if isinstance(event, Drawn) and event.seat != viewer:
        return Drawn(event.seat, event.colour, None)
    return event


def follow(view: View, event: Event) -> View:
    """The view after an event that was redacted for its viewer."""
    view = replace(view, number=view.number + 1)
    if isinstance(event, Dealt):
        view = _dealt(view, event)
    elif isinstance(event, Laid):
        view = _laid(view, event)
    elif isinstance(event, Captured):
        view = _captured(view, event)
    elif isinstance(event, Discarded):
        view = _discarded(view, event)
    elif isinstance(event, Drawn):
        view = _drawn(view, event)
    elif isinstance(event, Ended):
        view = replace(view, result=event.result)
    return _complete(view)


def _complete(view: View) -> View:
    # Everything that follows from the facts of a view, by the same rules as in a game.
    if view.phase != "play" or view.turn is None:
        return replace(view, actors=(), last_turn=False, legal=())
    seat = view.turn
    turns = _turns_left(view.racks[seat], view.piles)
    legal: tuple[str, ...] = ()
    if view.rack is not None and seat == view.viewer:
        live = [colour for colour, left in turns.items() if left > 0]
        cells = cells_by_colour(view.board, view.options.in_play)
        own = view.options.colours[seat]
        loose = frozenset[Cell]().union(*map(loose_of, cells.values()))
        legal = legal_moves(view.board, loose, view.rack, own, live, TEXTS)
    return replace(view, actors=(seat,), last_turn=sum(turns.values()) == 1, legal=legal)


def _turns_left(rack: Counts, piles: Counts) -> dict[Colour, int]:
    # How many tiles of each of its colours a seat has yet to play.
    return {c: piles[c] + held - KEPT for c, held in rack.items()}


def _dealt(view: View, event: Dealt) -> View:
    own = view.options.colours[event.seat]
    last = event.seat + 1 == len(view.racks)
    return replace(
        view,
        phase="play" if last else "deal",
        turn=view.options.first if last else None,
        rack=view.rack if event.tiles is None else event.tiles,
        racks=put_at(view.racks, event.seat, dict.fromkeys(own, RACK)),
        piles={c: left - RACK if c in own else left for c, left in view.piles.items()},
    )


def _laid(view: View, event: Laid) -> View:
    view = replace(view, board={**view.board, event.cell: event.tile}, last=event.cell)
    return _moved(_regrouped(view, event.groups), event.seat, event.tile)


def _captured(view: View, event: Captured) -> View:
    captures = (*view.captures[event.seat], event.taken)
    view = replace(
        view,
        board={**view.board, event.cell: event.tile},
        last=event.cell,
        captures=put_at(view.captures, event.seat, captures),
    )
    return _moved(_regrouped(view, event.groups), event.seat, event.tile)


def _discarded(view: View, event: Discarded) -> View:
    view = replace(
        view,
        discards=(*view.discards, event.tile),
        shown=put_at(view.shown, event.seat, event.rack),
    )
    return _moved(view, event.seat, event.tile)


def _drawn(view: View, event: Drawn) -> View:
    seat, colour = event.seat, event.colour
    rack = view.rack
    if rack is not None and event.tile is not None:
        rack = with_tiles(rack, (event.tile,))
    held = {**view.racks[seat], colour: view.racks[seat][colour] + 1}
    return replace(
        view,
        phase="play",
        turn=next_seat(seat, len(view.racks)),
        rack=rack,
        racks=put_at(view.racks, seat, held),
        piles={**view.piles, colour: view.piles[colour] - 1},
    )


def _regrouped(view: View, changes: tuple[GroupChange, ...]) -> View:
    groups = view.groups
    for change in changes:
        owner = view.options.owner(change.colour)
        groups = put_at(groups, owner, groups[owner] + change.after - change.before)
    return replace(view, groups=groups)


def _moved(view: View, seat: Seat, tile: Tile) -> View:
    # A tile has left the rack of a seat: then it draws, the next one plays, or all is over.
    colour = tile[0]
    held = {**view.racks[seat], colour: view.racks[seat][colour] - 1}
    shown = view.shown[seat]
    view = replace(
        view,
        rack=without_tile(view.rack, tile) if view.rack and seat == view.viewer else view.rack,
        racks=put_at(view.racks, seat, held),
        shown=put_at(view.shown, seat, without_tile(shown, tile) if tile in shown else shown),
    )
    if view.piles[colour]:
        return replace(view, phase="draw")
    tiles_left = sum(view.piles.values()) + sum(sum(held.values()) for held in view.racks)
    if tiles_left == KEPT * len(view.piles):
        return replace(view, phase="over", turn=None)
    return replace(view, turn=next_seat(seat, len(view.racks)))
