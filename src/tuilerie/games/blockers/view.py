"""What one seat, or a spectator, may know of a game of Blockers!."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tuilerie.games.blockers.board import Cell
from tuilerie.games.blockers.card import Options
from tuilerie.games.blockers.events import Dealt, Drawn
from tuilerie.games.blockers.rules import actors, legal_texts
from tuilerie.games.blockers.state import Phase, State
from tuilerie.games.blockers.tiles import KEPT, Board, Colour, Tile, count_of
from tuilerie.games.game import Event, Own, Result, Seat

Counts = Mapping[Colour, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The table as one seat sees it, or a spectator (`viewer` is `None`)."""

    viewer: Own[Seat | None]
    options: Options
    number: int  # how many events have happened
    phase: Phase
    turn: Seat | None  # who plays, or draws to end its turn; `None` before and after the game
    board: Board
    last: Cell | None  # where the last tile was laid
    rack: Own[tuple[Tile, ...] | None]  # None for a spectator
    racks: tuple[Counts, ...]  # how many tiles of each of its colours every seat holds
    piles: Counts  # how many tiles are left to draw
    captures: tuple[tuple[Tile, ...], ...]  # by captor, in the order in which they were taken
    discards: tuple[Tile, ...]
    shown: tuple[tuple[Tile, ...], ...]  # tiles on each rack that all have seen (by a discard)
    groups: tuple[int, ...]  # how many groups each seat has now
    result: Result | None
    actors: tuple[Seat, ...]
    last_turn: bool  # the seat to act does so for the last time
    legal: Own[tuple[str, ...]]  # the viewer's moves: a short list, unlike in the other games


def view(state: State, viewer: Seat | None) -> View:
    """What this viewer may know."""
    options = state.options
    racks = tuple(map(_counts, options.colours, state.racks))
    piles = {colour: len(pile) for colour, pile in state.piles.items()}
    playing = state.phase == "play"
    return View(
        options=options,
        number=state.number,
        phase=state.phase,
        turn=state.seat if state.phase in ("play", "draw") else None,
        board=state.board,
        last=state.last,
        racks=racks,
        piles=piles,
        captures=state.captures,
        discards=state.discards,
        shown=state.shown,
        groups=tuple([_sum(state.groups, own) for own in options.colours]),
        result=state.result,
        actors=actors(state),
        last_turn=playing and _turns_left(racks[state.seat], piles) == 1,
        **own_view(state, viewer),  # type: ignore[arg-type]
    )


def own_view(state: State, viewer: Seat | None) -> dict[str, object]:
    """The fields that are the viewer's own."""
    if viewer is None:
        return {"viewer": None, "rack": None, "legal": ()}
    legal = legal_texts(state, viewer)
    return {"viewer": viewer, "rack": state.racks[viewer], "legal": legal}


def _sum(counts: Counts, own: str) -> int:
    return counts[own] if len(own) == 1 else sum([counts[colour] for colour in own])


def _counts(own: str, rack: tuple[Tile, ...]) -> Counts:
    if len(own) == 1:
        return {own: len(rack)}
    return {colour: count_of(rack, colour) for colour in own}


def _turns_left(rack: Counts, piles: Counts) -> int:
    # How many tiles of its colours a seat has yet to play.
    return sum(piles[colour] + held - KEPT for colour, held in rack.items())


def redact(event: Event, viewer: Seat | None) -> Event:
    """The event as this viewer may see it: no faces of tiles that another seat took."""
    if isinstance(event, Dealt) and event.seat != viewer:
        return Dealt(event.seat, None)
    if isinstance(event, Drawn) and event.seat != viewer:
        return Drawn(event.seat, event.colour, None)
    return event
