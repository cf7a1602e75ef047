"""Sizes and geometry of the boards, and the content of the bag."""

from collections import Counter

import pytest

from tests.games.genial.helpers import position
from tuilerie.games.genial.board import PRINTED, board_for, make_board
from tuilerie.games.genial.card import read_options
from tuilerie.games.genial.rules import legal, start
from tuilerie.games.genial.tiles import BAG


@pytest.mark.parametrize(
    ("players", "radius", "cells", "pairs"),
    [(1, 5, 91, 222), (2, 5, 91, 222), (3, 6, 127, 306), (4, 7, 169, 426)],
)
def test_each_board_has_its_size(players: int, radius: int, cells: int, pairs: int) -> None:
    board = board_for(players)
    assert (board.radius, len(board.cells), len(board.pairs)) == (radius, cells, pairs)
    assert all(cell in board.cells for cell in PRINTED)


@pytest.mark.parametrize(("players", "pairs_a_symbol"), [(1, 9), (2, 9), (3, 17), (4, 24)])
def test_number_of_first_placements_per_symbol(players: int, pairs_a_symbol: int) -> None:
    state = position("RB RB RB RB RB RB", players=players, turns=0)
    assert len(legal(state, 0)) == 6 * pairs_a_symbol * 2  # two orientations


def test_cell_names_follow_the_notation() -> None:
    cells = set(board_for(4).cells)
    for row, first, last in (("a", 1, 8), ("h", 1, 15), ("o", 8, 15)):
        numbers = sorted(int(cell[1:]) for cell in cells if cell[0] == row)
        assert numbers == list(range(first, last + 1))


def test_inner_cell_has_six_neighbours() -> None:
    board = board_for(2)
    assert board.neighbours["h8"] == {"h7", "h9", "i8", "i9", "g7", "g8"}  # type: ignore[index]


def test_no_cell_touches_two_printed_symbols() -> None:
    for players in (2, 3, 4):
        board = board_for(players)
        for pair in board.pairs:
            touched = {s for cell in pair for s in PRINTED if s in board.neighbours[cell]}
            assert len(touched) <= 1


def test_the_bag_holds_six_of_each_pair_and_five_of_each_double() -> None:
    assert len(BAG) == 120
    for tile, count in Counter(BAG).items():
        assert count == (5 if tile[0] == tile[1] else 6)
    assert len(set(BAG)) == 21


def test_a_board_of_any_radius_can_be_made() -> None:
    board = make_board(1, {})
    assert (len(board.cells), len(board.pairs)) == (7, 12)
    assert start(2, read_options(2, {}), board).board is board
