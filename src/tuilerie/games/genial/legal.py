"""Fast generation of all legal placements of a hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from operator import itemgetter
from typing import TypeVar

from tuilerie.games.genial.board import Board, Cell
from tuilerie.games.genial.notation import Placement
from tuilerie.games.genial.score import Symbols
from tuilerie.games.genial.state import State
from tuilerie.games.genial.tiles import TILES, Tile

M = TypeVar("M")
MovesByTile = Mapping[Tile, tuple[tuple[M, ...], ...]]
"""For each tile and orientation, its placement on each pair of the board, precomputed so that move
generation is a lookup."""


def legal_placements(
    board: Board,
    hand: Iterable[Tile],
    free_pairs: tuple[int, ...],
    near: Iterable[Cell] | None,
    table: MovesByTile[M],
) -> list[M]:
    """Every placement of every tile in hand, each once, by tile, turn and place."""
    if near is not None:
        covered = frozenset(near)
        free_pairs = tuple([at for at in free_pairs if not covered.isdisjoint(board.pairs[at])])
    chosen = _pick_out(free_pairs)
    moves: list[M] = []
    for tile in sorted(set(hand)):
        for way_round in table[tile]:
            moves += chosen(way_round)
    return moves


def near_cells(state: State) -> tuple[Cell, ...] | None:
    """The cells of which the next tile must cover one; `None`: it may lie anywhere."""
    board, symbols = state.board, state.symbols
    if state.is_first_turn:  # beside a printed symbol, so it keeps the house rule by itself
        return tuple(sorted(first_turn_cells(board, symbols)))
    return tuple(sorted(cells_beside(board, symbols))) if state.options.adjacent else None


@cache
def all_placements(board: Board) -> MovesByTile[Placement]:
    """Return all placements on a board."""
    table: dict[Tile, tuple[tuple[Placement, ...], ...]] = {}
    for tile in TILES:
        if tile[0] == tile[1]:
            table[tile] = (tuple(Placement(tile, *pair) for pair in board.pairs),)
        else:
            table[tile] = (
                tuple(Placement(tile, a, b) for a, b in board.pairs),
                tuple(Placement(tile, b, a) for a, b in board.pairs),
            )
    return table


@cache
def all_texts(board: Board) -> MovesByTile[str]:
    """Return all placements on a board in notation."""
    return {
        tile: tuple(tuple(map(str, way_round)) for way_round in ways)
        for tile, ways in all_placements(board).items()
    }


def _pick_out(indices: tuple[int, ...]) -> Callable[[tuple[M, ...]], Iterable[M]]:
    """Return an `itemgetter` (the fastest way) that also works for one index and for none."""
    if len(indices) > 1:
        return itemgetter(*indices)
    return lambda row: [row[at] for at in indices]


def free_pairs_of(board: Board, symbols: Symbols) -> tuple[int, ...]:
    """Return the free pairs, as indices into `board.pairs`."""
    return tuple(
        at for at, (a, b) in enumerate(board.pairs) if a not in symbols and b not in symbols
    )


def cells_beside(board: Board, symbols: Symbols) -> set[Cell]:
    """Return the cells that touch a tile or a printed symbol."""
    return set[Cell]().union(*[board.neighbours[cell] for cell in symbols])


def first_turn_cells(board: Board, symbols: Symbols) -> set[Cell]:
    """Return the cells beside a printed symbol that no tile touches yet."""
    cells: set[Cell] = set()
    for printed in board.printed:
        if board.neighbours[printed].isdisjoint(symbols):
            cells |= board.neighbours[printed]
    return cells
