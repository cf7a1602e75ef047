"""The worked examples of the rulebook, and totals that follow from its numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tests.games.blockers.helpers import (
    EMPTY,
    assert_illegal,
    moves_of,
    play,
    position,
    tiles,
    whole_game,
)
from tuilerie.games.blockers.events import Captured, Discarded, Laid, Scored
from tuilerie.games.blockers.notation import BlockersMove, Lay
from tuilerie.games.game import Ended

# Figure A: a yellow tile lies at G2, in the region of the moon (the seventh).
FIGURE_A = """
    .........
    .........
    .........
    .........
    .........
    .........
    .y.......
    .........
    .........
"""


@pytest.mark.parametrize("tile", ["b#7", "bG", "b2", "b*"])
def test_figure_a_moon_g_two_and_the_joker_capture_at_g2(tile: str) -> None:
    state = position(FIGURE_A, [f"{tile} b1 bA b#1 b9", "", ""], given={"G2": "yG"})
    assert [move for move in moves_of(state) if "x" in move] == [f"{tile}xG2"]
    after, events = play(state, f"{tile}xG2")
    assert after.board == {"G2": tile}
    assert after.captures == (("yG",), (), ())
    assert isinstance(events[0], Captured)
    assert events[0].taken == "yG"


@pytest.mark.parametrize("tile", ["b#8", "b#4", "bF", "bH", "b1", "b3"])
def test_figure_a_no_other_tile_captures_at_g2(tile: str) -> None:
    state = position(FIGURE_A, [f"{tile} b5 bA b#1 b9", "", ""])
    assert not [move for move in moves_of(state) if "x" in move]
    assert_illegal(state, f"{tile}xG2", "cell-mismatch", tile=tile, cell="G2")


# Figure B: a capture must not split a group. The joker matches all cells.
FIGURE_B = """
    yyy...y.y
    ....y.y.y
    y..yyyy..
    ....y....
    ggg.....g
    g.g......
    ggg...gg.
    ......gg.
    .g.......
"""


def test_figure_b_only_tiles_that_split_no_group_can_be_captured() -> None:
    state = position(FIGURE_B, ["b* bA bB bC bD", "", ""])
    free = {move[3:] for move in moves_of(state) if move.startswith("b*x")}
    ends = {"A1", "A3", "A7", "A9", "B9", "B5", "C4", "D5"}
    ring = {
        "E1",
        "E2",
        "E3",
        "F1",
        "F3",
        "G1",
        "G2",
        "G3",
    }  # still connected without any one of them
    block = {"G7", "G8", "H7", "H8"}
    alone = {"C1", "E9", "I2"}
    assert free == ends | ring | block | alone


@pytest.mark.parametrize(("cell", "parts"), [("A2", 2), ("B7", 2), ("C7", 2), ("C6", 2), ("C5", 4)])
def test_figure_b_refusal_names_the_number_of_parts(cell: str, parts: int) -> None:
    state = position(FIGURE_B, ["b* bA bB bC bD", "", ""])
    assert_illegal(state, f"b*x{cell}", "splits-group", cell=cell, colour="y", parts=parts)


# Figure C: yellow has 4 groups and 1 capture, blue 3 groups and 2 captures, green only 2 groups.
# Blue lays its last tile, at I9 beside its own.
FIGURE_C = """
    y..ggg..b
    y...g...b
    ....g....
    ....g.yy.
    bbb.g....
    ..b...y..
    ....g....
    yy..gg...
    y......b.
"""


def test_figure_c_green_wins_with_two() -> None:
    state = position(
        FIGURE_C,
        ["b9 b1 b2 b3 bA", "y1 y2 y3 y4", "g1 g2 g3 g4"],
        captures=["y8 y9", "b8", ""],
        empty_piles="byg",
    )
    after, events = play(state, "b9-I9")
    assert after.result is not None
    assert after.result.reason == "all-laid"
    assert after.result.scores == (
        {"groups": 3, "captures": {"y": 2, "g": 0}, "score": 5},
        {"groups": 4, "captures": {"b": 1, "g": 0}, "score": 5},
        {"groups": 2, "captures": {"b": 0, "y": 0}, "score": 2},
    )
    # Blue and yellow are even at 5, and yellow has captured less.
    assert after.result.places == (3, 2, 1)

    laid, blue, yellow, green, ended = events
    assert isinstance(laid, Laid)
    assert blue == Scored(
        0,
        {"b": (("A9", "B9"), ("E1", "E2", "E3", "F3"), ("I8", "I9"))},  # type: ignore[dict-item]
        {"y": 2, "g": 0},
        "y",
        5,
    )
    assert isinstance(yellow, Scored)
    assert yellow.groups["y"] == (("A1", "B1"), ("D7", "D8"), ("F7",), ("H1", "H2", "I1"))
    assert isinstance(green, Scored)
    assert (green.counted, green.score, len(green.groups["g"])) == (None, 2, 2)
    assert ended == Ended(after.result)
    assert after.number == state.number + 5


def test_of_two_equally_captured_colours_only_one_counts() -> None:
    state = position(
        FIGURE_C,
        ["b9 b1 b2 b3 bA", "y1 y2 y3 y4", "g1 g2 g3 g4"],
        captures=["y8 g8 g9 y9", "", ""],
        empty_piles="byg",
    )
    after, events = play(state, "b9-I9")
    assert after.result is not None
    assert after.result.scores[0] == {"groups": 3, "captures": {"y": 2, "g": 2}, "score": 5}
    assert isinstance(events[1], Scored)
    assert events[1].counted == "y"


def laying_first(moves: Sequence[BlockersMove], pick: Callable[[int], int]) -> BlockersMove:
    """Choose a lay if there is one."""
    lays = [move for move in moves if isinstance(move, Lay)]
    chosen = lays or moves
    return chosen[pick(len(chosen))]


@pytest.mark.parametrize(
    ("players", "placements", "least"), [(2, 96, 15), (3, 72, 0), (4, 96, 15), (5, 120, 39)]
)
@pytest.mark.parametrize("seed", range(5))
def test_each_colour_plays_24_tiles(players: int, placements: int, least: int, seed: int) -> None:
    state, events = whole_game(players, seed, laying_first)
    moves = [event for event in events if isinstance(event, (Laid, Captured, Discarded))]
    assert len(moves) == placements
    assert [sum(move.seat == seat for move in moves) for seat in range(players)] == [
        placements // players
    ] * players
    captures = sum(isinstance(move, Captured) for move in moves)
    assert captures >= least
    assert captures == placements - len(state.board)
    assert all(len(pile) == 0 for pile in state.piles.values())
    each = 8 if players == 2 else 4
    assert [len(rack) for rack in state.racks] == [each] * players


def test_tile_matches_only_the_cells_of_its_face() -> None:
    state = position(EMPTY, ["b7 bC b#4 b* b1", "", ""])
    cells: dict[str, set[str]] = {}
    for move in moves_of(state):
        tile, cell = move.split("-")
        cells.setdefault(tile, set()).add(cell)
    assert cells["b7"] == {f"{row}7" for row in "ABCDEFGHI"}
    assert cells["bC"] == {f"C{column}" for column in "123456789"}
    assert cells["b#4"] == {"D1", "D2", "D3", "E1", "E2", "E3", "F1", "F2", "F3"}
    assert len(cells["b*"]) == 81
    assert set(cells) == set(tiles("b7 bC b#4 b* b1"))
