"""Where a tile may lie: all placements of a hand, listed quickly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from operator import itemgetter
from typing import TypeVar

from tuilerie.games.genial.board import Board, Cell
from tuilerie.games.genial.notation import Placement
from tuilerie.games.genial.score import Symbols
from tuilerie.games.genial.tiles import TILES, Tile

M = TypeVar("M")
Table = Mapping[Tile, tuple[tuple[M, ...], ...]]
"""For each tile and way round, its placement on each pair of the board: made once, so that listing
moves is only looking up."""


def legal_placements(  # noqa: PLR0913, PLR0917 - all that decides where a tile may lie
    board: Board,
    symbols: Symbols,
    hand: Iterable[Tile],
    free_pairs: tuple[int, ...],
    first_turn: bool,
    adjacent: bool,
    table: Table[M],
) -> list[M]:
    """Every placement of every tile in hand, each once, by tile, turn and place."""
    if first_turn or adjacent:
        # A first tile lies beside a printed symbol, so it keeps the house rule by itself.
        near = first_turn_cells(board, symbols) if first_turn else cells_beside(board, symbols)
        free_pairs = tuple([at for at in free_pairs if not near.isdisjoint(board.pairs[at])])
    chosen = _pick_out(free_pairs)
    moves: list[M] = []
    for tile in sorted(set(hand)):
        for way_round in table[tile]:
            moves += chosen(way_round)
    return moves


@cache
def all_placements(board: Board) -> Table[Placement]:
    """All placements that there are on a board."""
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
def all_texts(board: Board) -> Table[str]:
    """The same, written down."""
    return {
        tile: tuple(tuple(map(str, way_round)) for way_round in ways)
        for tile, ways in all_placements(board).items()
    }


def _pick_out(indices: tuple[int, ...]) -> Callable[[tuple[M, ...]], Iterable[M]]:
    """Like `itemgetter`, which is by far the fastest way, but right for one and for none too."""
    if len(indices) > 1:
        return itemgetter(*indices)
    return lambda row: [row[at] for at in indices]


def free_pairs_of(board: Board, symbols: Symbols) -> tuple[int, ...]:
    """Where a tile still fits, as places in `board.pairs`."""
    return tuple(
        at for at, (a, b) in enumerate(board.pairs) if a not in symbols and b not in symbols
    )


def cells_beside(board: Board, symbols: Symbols) -> set[Cell]:
    """The cells that touch a tile or a printed symbol."""
    return set[Cell]().union(*[board.neighbours[cell] for cell in symbols])


def first_turn_cells(board: Board, symbols: Symbols) -> set[Cell]:
    """The cells beside a printed symbol that no tile touches yet."""
    cells: set[Cell] = set()
    for printed in board.printed:
        if board.neighbours[printed].isdisjoint(symbols):
            cells |= board.neighbours[printed]
    return cells
