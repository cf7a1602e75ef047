"""The worked examples of the rulebook, as equivalent positions."""

from tests.games.genial.helpers import play, points, position, track
from tuilerie.games.genial.events import Scored
from tuilerie.games.genial.score import Line, places


def test_star_beside_a_star_scores_one_and_isolated_asterisk_none() -> None:
    state = position("RB RR RR RR RR RY", laid="B: h10")
    assert points(state, "RB h8 h9") == (0, 1)


def test_red_line_of_one_and_two_blue_neighbours_score_one_and_two() -> None:
    # The star has a star to its down-left and one to its down-right.
    state = position("RB RR RR RR RR RY", laid="R: i8; B: h9 h10")
    assert points(state, "RB i9 i10") == (1, 2)


def test_a_double_counts_both_halves_but_never_its_own_other_half() -> None:
    # The upper star sees one to the left and one down-left; the lower one a line of two.
    state = position("BB RR RR RR RR RY", laid="B: i8 h8 h7")
    assert points(state, "BB i9 h9") == (2, 2)


def test_symbols_off_the_line_do_not_count() -> None:
    # i10 is blue and between the ends of the two lines, but in line with neither.
    state = position("RB RR RR RR RR RY", laid="R: k9 k8; B: j10 i9 j11 i11 i10")
    red, blue = points(state, "RB k10 k11")
    assert (red, blue) == (2, 4)
    scored = next(e for e in play(state, "RB k10 k11").events if isinstance(e, Scored))
    assert Line("left", ("k9", "k8")) in scored.halves[0].lines  # type: ignore[arg-type]
    assert {line.direction for line in scored.halves[1].lines} == {"down-left", "down-right"}


def test_double_in_a_gap_scores_seven_and_five() -> None:
    laid = (
        "G: i9 i8 h7 g7 g8 f8 e8"  # left half at h8: four single discs and a line of three
        " i10 h10 g9;"  # right half at h9 …
        "P: e7"  # … whose line down-left ends at a ring
    )
    state = position("GG RR RR RR RR RY", laid=laid)
    left, right = points(state, "GG h8 h9")
    assert (left, right) == (7, 5)


def test_final_ranking_compares_lowest_markers_in_turn() -> None:
    lina = track(10, 14, 15, 13, 18, 12)
    thomas = track(13, 17, 9, 18, 14, 12)
    sam = track(12, 12, 18, 15, 9, 16)
    alba = track(18, 18, 7, 16, 15, 18)
    assert places("standard", [lina, thomas, sam, alba], 4) == (1, 2, 3, 4)


def test_all_markers_at_eighteen_win_at_once() -> None:
    nearly = track(18, 18, 18, 18, 18, 17)
    state = position("RO BO BO BO BO BO", laid="O: h10", tracks=(nearly, track(*[0] * 6)))
    step = play(state, "RO h8 h9")
    assert step.state.outcome is not None
    assert step.state.outcome.reason == "markers-full"
    assert step.state.outcome.places == (1, 2)
