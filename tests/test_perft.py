"""Perft from fixed deals, and whole game trees on tiny boards compared with brute force."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.games.genial.helpers import position, tiles
from tests.perft import after, divide, perft
from tests.tables import Table
from tuilerie.games import GAMES
from tuilerie.games.game import Action
from tuilerie.games.genial.board import make_board
from tuilerie.games.genial.state import State

GENIAL = GAMES["genial"]

COUNTS = [
    (Table("genial", 1), 0, 2, 1_282_716),
    (Table("genial", 2), 0, 2, 320_760),
    (Table("genial", 2), 6, 2, 2_462_760),
    (Table("genial", 3), 4, 2, 8_000_208),
    (Table("genial", 4), 70, 3, 237_600),
    (Table("genial", 2, {"adjacent": True}), 3, 2, 633_360),
    (Table("genial", 4, {"variant": "teams"}), 72, 3, 4_080),
    (Table("blockers", 2), 0, 2, 14_580),
    (Table("blockers", 3), 10, 3, 79_378),
    (Table("blockers", 4), 80, 3, 123_430),
    (Table("blockers", 5), 100, 3, 55_496),
    (Table("kaosmos", 2, {"kaos": False}), 0, 2, 7_056),
    (Table("kaosmos", 3, {"kaos": False, "draft": False}, 1), 0, 2, 324 * 324),
    (Table("kaosmos", 2, {"kaos": False, "draft": False}, 1), 9, 2, 324 * 324),
    (Table("kaosmos", 2, version=1), 4, 2, 324 * 324),
    # 324 puts; then as many again and seven grabs. After a grab the next seat builds, with three
    # grabs or one left.
    (Table("kaosmos", 2), 4, 2, 324 * 331 + 3 * 327 + 3 * 325 + 324),
    (
        Table("kaosmos", 3, {"kaos": False, "draft": False}),
        0,
        2,
        324 * 331 + 3 * 327 + 3 * 325 + 324,
    ),
]

DEEP_COUNTS = [
    (Table("genial", 2), 30, 3, 709_632),
    (Table("genial", 2, {"variant": "duel"}), 32, 3, 669_410),
    (Table("blockers", 2), 92, 4, 704_562),
    (Table("genial", 2, {"variant": "duel"}), 28, 3, 3_725_635),
    (Table("blockers", 2), 90, 4, 3_230_174),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "actions", "depth", "expected"),
    [*COUNTS, *(pytest.param(*count, marks=pytest.mark.proof) for count in DEEP_COUNTS)],
    ids=str,
)
def test_perft_counts(table: Table, actions: int, depth: int, expected: int) -> None:
    state = after(table, actions)
    count = perft(table.rules, state, depth)
    if count != expected:
        parts = divide(table.rules, state, depth)
        listing = "\n".join(f"{move}: {number}" for move, number in parts.items())
        pytest.fail(f"{count} instead of {expected}, by first move:\n{listing}")


# --- whole trees ---


def tiny(hand: str, other: str) -> State:
    """A state with a board of seven cells without symbols, and two hands."""
    board = make_board(1, {})
    state = position("RB YB YB YB YB YB")
    return replace(
        state,
        symbols={},
        hands=(tiles(hand), tiles(other)),
        _board=board,
        _free_pairs=tuple(range(len(board.pairs))),
    )


def ways_to_fill(free: frozenset[tuple[int, int]], hands: tuple[tuple[str, ...], ...]) -> int:
    """Count all games on these cells by brute force: six neighbours, two halves.

    Without draws and swaps; every game lasts until no pair of cells is free.
    """
    ways = 0
    hand = hands[0]
    for cell in free:
        for step in ((0, 1), (1, 1), (1, 0)):
            other = (cell[0] + step[0], cell[1] + step[1])
            if other not in free:
                continue
            for tile in set(hand):
                left = list(hand)
                left.remove(tile)
                rest = ways_to_fill(free - {cell, other}, (*hands[1:], tuple(left)))
                ways += rest * (1 if tile[0] == tile[1] else 2)
    return ways or 1


def games_below(state: State) -> int:
    """Count all games by the rules, without draws and swaps."""
    if state.outcome is not None:
        return 1
    if GENIAL.due(state):
        now = replace(state, phase="place", seat=1 - state.seat, turns=state.turns + 1)
        return games_below(now)
    if state.phase == "swap":
        return games_below(GENIAL.apply(state, Action(state.seat, GENIAL.parse_move("keep"))).state)
    moves = GENIAL.legal(state, state.seat)
    return sum(games_below(GENIAL.apply(state, Action(state.seat, m)).state) for m in moves)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hand", "other"), [("RR RB", "YY GO"), ("RB RB", "PP"), ("RY YB GG", "OO RO RP")]
)
def test_game_tree_on_seven_cells_agrees_with_brute_force(hand: str, other: str) -> None:
    state = tiny(hand, other)
    cells = frozenset((ord(cell[0]), int(cell[1:])) for cell in state.board.cells)
    assert games_below(state) == ways_to_fill(cells, (tuple(hand.split()), tuple(other.split())))
