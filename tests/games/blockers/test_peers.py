"""Regression tests for errors found in other implementations."""

from __future__ import annotations

import pytest

from tests.games.blockers.helpers import (
    EMPTY,
    STUCK,
    STUCK_RACK,
    STUCK_RACKS,
    count_groups,
    moves_of,
    play,
    position,
    steps,
    whole_game,
)
from tuilerie.games.blockers.notation import Capture
from tuilerie.games.blockers.tiles import RACK
from tuilerie.games.game import Action

LONE = EMPTY.replace(".", "y", 1)


def test_single_tile_can_be_captured() -> None:
    # One requires that the number of groups stays the same.
    state = position(LONE, ["b1 b2 b3 b4 b5", "", ""])
    assert "b1xA1" in moves_of(state)
    after, _ = play(state, "b1xA1")
    assert after.groups == {"b": 1, "y": 0, "g": 0}


def test_a_tile_of_a_pair_can_be_captured() -> None:
    state = position("yy" + EMPTY[2:], ["b1 b2 b3 b4 b5", "", ""])
    assert {"b1xA1", "b2xA2"} <= set(moves_of(state))


def test_with_two_players_an_opponents_two_colours_are_not_added_up() -> None:
    # One adds them up before finding the colour captured most.
    board = "b........y........r........g" + "." * 53
    state = position(
        board,
        ["b1 b2 b3 b4 b5 y1 y2 y3 y4", "g1 g2 g3 g4 r1 r2 r3 r4"],
        captures=["g5 g6 r5", ""],
        empty_piles="bygr",
    )
    after, _ = play(state, "b1-E1")
    assert after.result is not None
    # The groups: b at A1 and E1, y at B1.
    assert after.result.scores[0] == {"groups": 3, "captures": {"g": 2, "r": 1}, "score": 5}


def test_two_players_have_two_colours_and_ten_tiles_each() -> None:
    # One deals them one colour each.
    state, _, _ = next(each for each in steps(2, 1) if each[0].phase == "play")
    assert [len(rack) for rack in state.racks] == [2 * RACK] * 2
    assert [{tile[0] for tile in rack} for rack in state.racks] == [{"b", "y"}, {"g", "r"}]


def test_player_without_a_move_discards() -> None:
    # One crashes, one passes.
    state = position(STUCK, STUCK_RACKS)
    assert moves_of(state) == [f"discard {tile}" for tile in STUCK_RACK.split()]


@pytest.mark.parametrize("seed", range(3))
def test_games_of_five_players_end(seed: int) -> None:
    state, _ = whole_game(5, seed)
    assert state.result is not None
    assert sorted(state.result.places)[0] == 1


def test_blockers_scores_captures_and_uptown_does_not() -> None:
    # One implements only Uptown's scoring.
    for scoring, score in (("blockers", 3), ("uptown", 1)):
        state = position(
            LONE,
            ["b1 b2 b3 b4 b5", "y1 y2 y3 y4", "g1 g2 g3 g4"],
            captures=["y5", "", ""],
            given={"A1": "yA"},
            empty_piles="byg",
            scoring=scoring,
        )
        after, _ = play(state, "b1xA1")
        assert after.result is not None
        scores = after.result.scores
        assert scores[0] == {"groups": 1, "captures": {"y": 2, "g": 0}, "score": score}


def test_a_capture_may_lower_the_number_of_groups_but_never_raise_it() -> None:
    seen = 0
    for state, entry, step in steps(5, 3):
        if isinstance(entry, Action) and isinstance(entry.move, Capture):
            colour = state.board[entry.move.cell][0]
            assert count_groups(step.state.board, colour) <= count_groups(state.board, colour)
            seen += 1
    assert seen >= 39
