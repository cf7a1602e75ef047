"""Regression tests for errors found in other implementations."""

from collections import Counter
from dataclasses import replace

import pytest

from tests.games.genial.helpers import play, points, position, track
from tuilerie.games.game import Refused
from tuilerie.games.genial import GAME
from tuilerie.games.genial.board import PRINTED, board_for
from tuilerie.games.genial.notation import Placement
from tuilerie.games.genial.rules import legal
from tuilerie.games.genial.score import places
from tuilerie.games.genial.state import DRAW, PLACE, SWAP
from tuilerie.games.genial.tiles import BAG, COLOURS

ZERO = track(0, 0, 0, 0, 0, 0)
LOW_BLUE_GREEN = (track(5, 5, 0, 0, 5, 5), ZERO)


def test_exactly_eighteen_gives_a_bonus() -> None:
    state = position("RB YB YB YB YB YB", laid="R: h7", tracks=(track(17, 0, 0, 0, 0, 0), ZERO))
    assert play(state, "RB h8 h9").state.bonus == 1


def test_marker_stops_at_eighteen_and_earns_one_bonus() -> None:
    tracks = (track(18, 0, 0, 0, 0, 0), ZERO)
    state = position("RB YB YB YB YB YB", laid="R: h7 h6 h5", tracks=tracks)
    after = play(state, "RB h8 h9").state
    assert after.tracks[0]["R"] == 18
    assert after.bonus == 0


def test_two_colours_reaching_eighteen_give_two_bonuses() -> None:
    tracks = (track(17, 0, 17, 0, 0, 0), ZERO)
    state = position("RB YB YB YB YB YB", laid="R: h7; B: h10", tracks=tracks)
    assert play(state, "RB h8 h9").state.bonus == 2


def test_nothing_is_drawn_before_the_bonus() -> None:
    state = position("RB YB YB YB YB YB", laid="R: h7", tracks=(track(17, 0, 0, 0, 0, 0), ZERO))
    after = play(state, "RB h8 h9").state
    assert not GAME.due(after)
    assert len(after.hands[0]) == 5


def test_the_swap_is_a_choice_after_placing_and_never_replaces_the_turn() -> None:
    state = position("RY RY RY RR PP OO", tracks=LOW_BLUE_GREEN)
    assert state.phase == PLACE
    assert all(isinstance(move, Placement) for move in legal(state, 0))
    after = play(state, "RY h8 h9").state
    assert after.phase == SWAP
    assert [str(move) for move in legal(after, 0)] == ["swap", "keep"]


def test_swap_requires_that_all_lowest_colours_are_missing() -> None:
    # Blue is missing from the hand, green (also lowest) is not.
    state = position("RY RG RY RR PP OO", tracks=LOW_BLUE_GREEN)
    assert play(state, "RY h8 h9").state.phase == DRAW


def test_there_is_one_swap_a_turn() -> None:
    state = play(position("RY RY RY RR PP OO", tracks=LOW_BLUE_GREEN), "RY h8 h9", "swap").state
    state = GAME.apply(state, GAME.chance(state, lambda n: n - 1)).state
    assert (state.phase, state.seat) == (PLACE, 1)


def test_an_empty_hand_does_not_win() -> None:
    tracks = (track(17, 17, 17, 17, 17, 0), ZERO)
    laid = "R: e3; Y: f3; B: g4; G: i5; P: k7"
    state = position("RR YY BB GG PP PP", laid=laid, tracks=tracks)
    after = play(
        state, "RR e4 e5", "YY f4 f5", "BB g5 g6", "GG i6 i7", "PP k8 k9", "PP j10 j11"
    ).state
    assert after.hands[0] == ()
    assert after.outcome is None
    assert after.phase == DRAW


def test_six_full_markers_win_at_once() -> None:
    nearly = track(18, 18, 18, 18, 18, 17)
    state = position("RO BO BO BO BO BO", laid="O: h10", tracks=(ZERO, nearly))
    state = replace(state, seat=1, hands=state.hands[::-1])
    outcome = play(state, "RO h8 h9").state.outcome
    assert outcome is not None
    assert outcome.places == (2, 1)


def test_printed_symbols_are_one_per_colour_on_the_inner_hexagon() -> None:
    for players in (2, 3, 4):
        assert dict(board_for(players).printed) == dict(PRINTED)
    assert sorted(PRINTED.values()) == sorted(COLOURS)


def test_boards_have_91_127_and_169_cells_for_up_to_four_players() -> None:
    assert [len(board_for(players).cells) for players in (2, 3, 4)] == [91, 127, 169]
    with pytest.raises(Refused):
        GAME.start(5, {})


def test_contact_is_not_required_after_the_first_round() -> None:
    state = position("RB RB RB RB RB RB", laid="G: h10")
    assert play(state, "RB e6 e7").state.symbols["e6"] == "R"  # type: ignore[index]


def test_first_round_requires_an_untouched_symbol() -> None:
    state = position("RB RB RB RB RB RB", turns=0)
    with pytest.raises(Refused, match="first-turn"):
        play(state, "RB h8 h9")


def test_every_legal_placement_is_listed_once() -> None:
    state = position("RB RB YY YY GO GO", laid="R: h7; B: h10")
    moves = [str(move) for move in legal(state, 0)]
    free = [p for p in state.board.pairs if not set(p) & state.symbols.keys()]
    assert len(moves) == len(set(moves)) == len(free) * (2 + 1 + 2)
    cells = {frozenset((m.split()[1], m.split()[2])) for m in moves}
    assert len(cells) == len(free)


def test_bag_has_exactly_120_tiles() -> None:
    counts = Counter(BAG)
    assert (counts["RG"], counts["OO"], counts["PO"], len(BAG)) == (6, 5, 6, 120)  # type: ignore[index]


def test_rays_cross_the_middle_row_straight() -> None:
    state = position("RB RB RB RB RB RB", laid="R: g8 f8 e8; G: g7 f6")
    assert points(state, "RB h8 i8") == (3, 0)  # straight down-right, through g8 f8 e8
    state = position("RB RB RB RB RB RB", laid="R: g7 f6 e5; G: g8")
    assert points(state, "RB h8 i8") == (3, 0)  # straight down-left


def test_every_direction_of_a_half_counts() -> None:
    state = position("RB RB RB RB RB RB", laid="R: h7 i8 i9 g7 g8")
    assert points(state, "RB h8 h9") == (5, 0)


def test_ties_are_broken_by_the_next_lowest_marker() -> None:
    assert places("standard", [track(3, 4, 9, 9, 9, 9), track(3, 5, 5, 5, 5, 5)], 2) == (2, 1)
