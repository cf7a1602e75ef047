"""What one seat, or a spectator, may know of a game of Génial!."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from tuilerie.games.game import Event, Own, Result, Seat
from tuilerie.games.genial.board import Board, Cell, Pair, board_of
from tuilerie.games.genial.card import Options
from tuilerie.games.genial.events import Drawn
from tuilerie.games.genial.legal import all_texts, free_pairs_of, legal_placements, near_cells
from tuilerie.games.genial.memory import Memory
from tuilerie.games.genial.notation import Keep, Swap
from tuilerie.games.genial.rules import actors
from tuilerie.games.genial.score import Symbols, Track, run
from tuilerie.games.genial.state import PLACE, SWAP, State
from tuilerie.games.genial.tiles import COLOURS, Colour, Tile

Preview = Mapping[Colour, Mapping[Cell, int]]
"""What a half of each colour would earn on each free cell, where it earns anything. A tile earns
the sum of its halves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Everything that a viewer may know, and what it may do."""

    viewer: Own[Seat | None]
    options: Options
    players: int
    radius: int
    symbols: Symbols
    last: Pair | None  # where the last tile was laid
    tracks: tuple[Track, ...]
    hand: Own[tuple[Tile, ...] | None]  # None for a spectator
    hand_counts: tuple[int, ...]
    bag_count: int
    unseen: Own[Mapping[Tile, int]]  # how many of each tile are in the bag or in others' hands
    returned: Memory  # which of them cannot be in hands that were drawn before a swap
    phase: str
    seat: Seat
    bonus: int
    turns: int
    actors: tuple[Seat, ...]
    near: tuple[Cell, ...] | None  # the next tile must cover one of these cells; None: any
    points: Preview | None  # while a tile is to be placed
    number: int
    result: Result | None

    @property
    def board(self) -> Board:
        """The board that is played on."""
        return board_of(self.radius)

    @property
    def legal(self) -> tuple[str, ...]:
        """Every move of the viewer, each once, in a fixed order."""
        if self.viewer is None or self.viewer not in self.actors:
            return ()
        if self.phase == SWAP:
            return str(Swap()), str(Keep())
        board = self.board
        free = free_pairs_of(board, self.symbols)
        return tuple(legal_placements(board, self.hand or (), free, self.near, all_texts(board)))


def view(state: State, viewer: Seat | None) -> View:
    """The view of a seat, or of a spectator."""
    placing = state.phase == PLACE
    return View(
        options=state.options,
        players=state.players,
        radius=state.board.radius,
        symbols=state.symbols,
        last=state.last,
        tracks=state.tracks,
        hand_counts=tuple(len(hand) for hand in state.hands),
        bag_count=len(state.bag),
        returned=state.returned,
        phase=state.phase,
        seat=state.seat,
        bonus=state.bonus,
        turns=state.turns,
        actors=actors(state),
        near=near_cells(state) if placing else None,
        points=preview(state.board, state.symbols) if placing else None,
        number=state.number,
        result=state.outcome,
        **own_view(state, viewer),  # type: ignore[arg-type]
    )


def own_view(state: State, viewer: Seat | None) -> dict[str, object]:
    """The fields that are the viewer's own."""
    return {
        "viewer": viewer,
        "hand": None if viewer is None else state.hands[viewer],
        "unseen": _unseen(state, viewer),
    }


def _unseen(state: State, viewer: Seat | None) -> Mapping[Tile, int]:
    counts = Counter(state.bag)
    for seat, hand in enumerate(state.hands):
        if seat != viewer:
            counts.update(hand)
    return {tile: counts[tile] for tile in sorted(counts)}


def redact(event: Event, viewer: Seat | None) -> Event:
    """The event without the tiles that only another seat may see."""
    if isinstance(event, Drawn) and event.seat != viewer:
        return replace(event, tiles=None)
    return event


def preview(board: Board, symbols: Symbols) -> Preview:
    """What a half of each colour would earn on each free cell."""
    points: dict[Colour, dict[Cell, int]] = {colour: {} for colour in COLOURS}
    for cell, rays in board.rays.items():
        if cell in symbols:
            continue
        for ray in rays:
            colour = symbols.get(ray.cells[0])
            if colour is not None:  # only a half of this colour earns anything in this direction
                earned = points[colour]
                earned[cell] = earned.get(cell, 0) + run(symbols, ray, colour)
    return points
