"""Every rule of Génial! and every refusal."""

from dataclasses import replace
from random import Random

import pytest

from tests.games.genial.helpers import play, points, position, tiles, track
from tuilerie.games.game import Action, Chance, Code, Ended, Refused, TilesDrawn, Timeout
from tuilerie.games.genial import GAME
from tuilerie.games.genial.board import make_board
from tuilerie.games.genial.card import read_options
from tuilerie.games.genial.events import Drawn, Genial, Kept, Scored, Swapped
from tuilerie.games.genial.notation import Placement, parse_move
from tuilerie.games.genial.rules import apply, chance, legal, start
from tuilerie.games.genial.score import advance, is_full, places
from tuilerie.games.genial.state import DRAW, OVER, PLACE, SWAP, State
from tuilerie.games.genial.tiles import BAG, COLOURS

ZERO = track(0, 0, 0, 0, 0, 0)


def refused(state: State, move: str) -> Refused:
    with pytest.raises(Refused) as caught:
        apply(state, Action(state.seat, parse_move(move)))
    return caught.value


def draw(state: State, names: str) -> State:
    entry = TilesDrawn(state.phase, state.seat, tiles(names))
    return apply(state, entry).state


# --- placing --------------------------------------------------------------------------------------


def test_first_tile_must_touch_an_untouched_symbol() -> None:
    state = position("RB RB RB RB RB RB", turns=0)
    assert refused(state, "RB h8 h9").rule == "first-turn"
    taken = play(state, "RB m9 m10").state
    assert taken.phase in (DRAW, SWAP)
    claimed = position("RB RB RB RB RB RB", laid="Y: m9; O: m10", turns=1)
    assert refused(claimed, "RB l8 l9").rule == "first-turn"  # red's symbol is taken
    assert play(claimed, "RB h12 h11").state.phase != PLACE


def test_later_tiles_may_be_laid_anywhere_even_for_no_points() -> None:
    state = position("RB RB RB RB RB RB", turns=2)
    assert points(state, "RB h8 h9") == (0, 0)
    assert len(legal(state, 0)) == 222 * 2


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ("RO h8 h9", "tile-not-in-hand"),
        ("RB n8 n9", "off-board"),
        ("RB m8 o9", "off-board"),
        ("RB h8 h10", "not-adjacent"),
        ("RB h8 h8", "not-adjacent"),
        ("RB m8 m9", "cell-occupied"),
        ("RB h9 h10", "cell-occupied"),
        ("swap", "swap-not-allowed"),
        ("keep", "swap-not-allowed"),
    ],
)
def test_illegal_placement_names_the_rule(move: str, rule: str) -> None:
    state = position("RB RB RB RB RB RB", laid="G: h10")
    refusal = refused(state, move)
    assert (refusal.code, refusal.rule) == (Code.ILLEGAL, rule)


def test_house_rule_requires_contact() -> None:
    state = position("RB RB RB RB RB RB", laid="G: h10", adjacent=True)
    assert refused(state, "RB h7 h8").rule == "not-touching"
    assert play(state, "RB h8 h9").state.symbols["h9"] == "B"  # type: ignore[index]
    moves = [move for move in legal(state, 0) if isinstance(move, Placement)]
    near = set(state.symbols)
    board = state.board
    for move in moves:
        assert (board.neighbours[move.first] | board.neighbours[move.second]) & near
    assert 0 < len(moves) < 221 * 2


def test_only_the_seat_on_turn_may_act() -> None:
    state = position()
    with pytest.raises(Refused) as caught:
        apply(state, Action(1, parse_move("RR h8 h9")))
    assert caught.value.code is Code.NOT_YOUR_TURN
    drawing = play(state, "RR h8 h9").state
    assert drawing.phase == DRAW
    assert refused(drawing, "RR h10 h11").code is Code.NOT_YOUR_TURN
    assert legal(drawing, 0) == []
    assert legal(state, 1) == []


def test_a_game_has_no_timer() -> None:
    with pytest.raises(Refused) as caught:
        apply(position(), Timeout())
    assert caught.value.rule == "not-timed"
    assert GAME.timer(position()) is None


# --- counting -------------------------------------------------------------------------------------


def test_cell_adjacent_to_both_halves_counts_for_each() -> None:
    state = position("RR RR RR RR RR RY", laid="R: i9")
    assert points(state, "RR h8 h9") == (1, 1)


def test_printed_symbols_count_and_lines_run_through_them() -> None:
    state = position("RB RB RB RB RB RB", laid="R: m9")
    assert points(state, "RB m10 l10") == (2, 0)


def test_a_line_ends_at_a_free_cell_and_at_another_symbol() -> None:
    state = position("RB RB RB RB RB RB", laid="R: h6 h4 h10 h12; G: h11")
    assert points(state, "RB h7 i8") == (1, 0)
    assert points(state, "RB h9 i10") == (1, 0)


def test_scored_event_names_the_scoring_cells() -> None:
    state = position("RB RB RB RB RB RB", laid="R: h7 h6")
    scored = next(e for e in play(state, "RB h8 h9").events if isinstance(e, Scored))
    (line,) = scored.halves[0].lines
    assert (line.direction, line.cells) == ("left", ("h7", "h6"))
    assert scored.markers[0].after - scored.markers[0].before == len(line.cells)


# --- bonus placements -----------------------------------------------------------------------------


def test_reaching_exactly_eighteen_gives_a_bonus_before_any_draw() -> None:
    tracks = (track(17, 0, 0, 0, 0, 0), ZERO)
    state = position("RB YB YB YB YB YB", laid="R: h7", tracks=tracks)
    step = play(state, "RB h8 h9")
    assert Genial(0, ("R",)) in step.events
    assert (step.state.phase, step.state.seat, step.state.bonus) == (PLACE, 0, 1)
    assert len(step.state.hands[0]) == 5


def test_surplus_is_lost_and_a_full_marker_gives_no_second_bonus() -> None:
    tracks = (track(17, 0, 0, 0, 0, 0), ZERO)
    state = position("RB RB YB YB YB YB", laid="R: h7 h6 h5 h4", tracks=tracks)
    after = play(state, "RB h8 h9").state
    assert after.tracks[0]["R"] == 18
    again = play(after, "RB i8 j8")  # more reds in line: nothing more to earn
    scored = next(e for e in again.events if isinstance(e, Scored))
    assert scored.markers[0].points > 0
    assert scored.markers[0].after == 18
    assert again.state.bonus == 0


def test_one_tile_can_earn_two_bonus_placements_and_they_chain() -> None:
    tracks = (track(17, 17, 17, 0, 0, 0), ZERO)
    laid = "R: h7; Y: h10; B: f5"
    state = position("RY BG BG BG BG BG", laid=laid, tracks=tracks)
    both = play(state, "RY h8 h9")
    assert both.state.bonus == 2
    chained = play(both.state, "BG f6 f7")
    assert chained.state.bonus == 2  # one used, another earned
    done = play(chained.state, "BG d4 d5", "BG d7 d8").state
    assert done.phase != PLACE
    assert len(done.hands[0]) == 2
    assert done.seat == 0


def test_an_unused_bonus_lapses_when_the_board_is_full() -> None:
    board = make_board(1, {})
    state = start(2, read_options(2, {}), board)
    free = {"h8", "h9"}
    laid = {cell: "R" for cell in board.cells if cell not in free}
    state = replace(
        position("RR RR RR RR RR RB", tracks=(track(17, 0, 0, 0, 0, 0), ZERO)),
        symbols=laid,
        _board=board,
        _free_pairs=tuple(i for i, pair in enumerate(board.pairs) if set(pair) == free),
    )
    moves = legal(state, 0)
    assert len(moves) == 3  # the double once, the mixed tile in both orientations
    step = play(state, "RR h8 h9")
    assert isinstance(step.events[-1], Ended)
    assert step.state.outcome is not None
    assert step.state.outcome.reason == "board-full"
    assert step.state.bonus == 0


def test_bonus_lapses_with_an_empty_hand() -> None:
    tracks = (track(17, 5, 5, 5, 5, 5),)
    state = position("RB YB YB YB YB YB", laid="R: h7", players=1, tracks=tracks)
    state = replace(state, hands=(tiles("RB"),))
    after = play(state, "RB h8 h9").state
    assert (after.phase, after.bonus, after.hands[0]) == (DRAW, 0, ())
    assert isinstance(chance(after, lambda n: 0), TilesDrawn)


# --- swapping -------------------------------------------------------------------------------------


def test_a_swap_is_offered_only_if_no_tile_shows_any_lowest_colour() -> None:
    tracks = (track(5, 5, 0, 0, 5, 5), ZERO)  # blue and green are lowest
    offered = play(position("RY RY RY RR PP OO", tracks=tracks), "RY h8 h9").state
    assert offered.phase == SWAP
    assert [str(move) for move in legal(offered, 0)] == ["swap", "keep"]
    with_one_of_two = position("RY RG RY RR PP OO", tracks=tracks)
    assert play(with_one_of_two, "RY h8 h9").state.phase == DRAW


def test_swap_uses_the_markers_after_scoring() -> None:
    tracks = (track(5, 5, 0, 1, 5, 5), ZERO)
    state = position("RB RY RY RR PP OO", laid="B: h10 h11", tracks=tracks)
    # Blue moves to 2, so only green is lowest, and no tile shows it.
    assert play(state, "RB h8 h9").state.phase == SWAP


def test_swapping_shows_the_hand_draws_six_and_then_returns_the_old_tiles() -> None:
    tracks = (track(5, 5, 0, 0, 5, 5), ZERO)
    state = play(position("RY RY RY RR PP OO", tracks=tracks), "RY h8 h9").state
    bag_before = len(state.bag)
    step = play(state, "swap")
    assert step.events[0] == Swapped(0, tiles("RY RY RR PP OO"))
    drawing = step.state
    assert (drawing.phase, drawing.hands[0]) == (DRAW, ())
    with pytest.raises(Refused) as caught:  # the tiles set aside cannot be drawn again at once
        draw(replace(drawing, bag=tiles("BB BB BB BB BB GG")), "RY RY BB BB BB GG")
    assert caught.value.rule == "not-in-bag"
    done = draw(drawing, "BB BB BB GG GG GG")
    assert done.hands[0] == tiles("BB BB BB GG GG GG")
    assert len(done.bag) == bag_before - 6 + 5
    assert (done.phase, done.seat, done.aside) == (PLACE, 1, ())


def test_keep_draws_one_tile_and_placements_are_refused() -> None:
    tracks = (track(5, 5, 0, 0, 5, 5), ZERO)
    state = play(position("RY RY RY RR PP OO", tracks=tracks), "RY h8 h9").state
    assert refused(state, "RY h10 h11").rule == "must-choose"
    step = play(state, "keep")
    assert step.events[0] == Kept(0)
    assert len(draw(step.state, "BB").hands[0]) == 6


def test_a_bonus_is_placed_before_a_swap_is_offered() -> None:
    tracks = (track(17, 5, 0, 0, 5, 5), ZERO)
    state = position("RY RY RY RR PP OO", laid="R: h7", tracks=tracks)
    bonus = play(state, "RY h8 h9").state
    assert bonus.phase == PLACE
    assert play(bonus, "OO d4 d5").state.phase == SWAP


# --- chance ---------------------------------------------------------------------------------------


def test_deal_gives_six_tiles_each_and_the_first_seat_begins() -> None:
    state = start(3, read_options(3, {}))
    for seat in range(3):
        entry = chance(state, lambda n: 0)
        assert isinstance(entry, TilesDrawn)
        assert (entry.what, entry.seat, len(entry.tiles)) == ("deal", seat, 6)
        state = apply(state, entry).state
    assert (state.phase, state.seat, len(state.bag)) == (PLACE, 0, 102)


@pytest.mark.parametrize(
    ("entry", "rule"),
    [
        (TilesDrawn("draw", 0, ("RB",) * 6), "not-due"),
        (TilesDrawn("deal", 1, ("RB",) * 6), "not-due"),
        (Chance("card"), "not-due"),
        (TilesDrawn("deal", 0, ("RB",) * 5), "wrong-count"),
        (TilesDrawn("deal", 0, ("RR",) * 6), "not-in-bag"),
    ],
)
def test_invalid_deal_is_refused(entry: Chance, rule: str) -> None:
    with pytest.raises(Refused) as caught:
        apply(start(2, read_options(2, {})), entry)
    assert caught.value.rule == rule


def test_draw_is_refused_while_a_seat_must_act() -> None:
    with pytest.raises(Refused) as caught:
        apply(position(), TilesDrawn("draw", 0, ("RB",)))
    assert caught.value.rule == "not-due"


def test_draw_reveals_tiles_to_its_seat_and_passes_the_turn() -> None:
    state = play(position("RR RR RR RR RR YB"), "RR h8 h9").state
    step = apply(state, TilesDrawn("draw", 0, ("GG",)))
    assert step.events[0] == Drawn(0, tiles("GG"), 1, 0)
    assert GAME.redact(step.events[0], 1) == Drawn(0, None, 1, 0)
    assert GAME.redact(step.events[0], 0) == step.events[0]
    assert step.state.seat == 1


# --- the end --------------------------------------------------------------------------------------


def test_entries_after_the_end_are_refused() -> None:
    over = replace(position(), phase=OVER)
    for entry in (Action(0, parse_move("RR h8 h9")), TilesDrawn("draw", 0, ("RB",)), Timeout()):
        with pytest.raises(Refused) as caught:
            apply(over, entry)
        assert caught.value.code is Code.OVER


def test_a_complete_tie_is_a_shared_place() -> None:
    same, other = track(1, 2, 3, 4, 5, 6), track(6, 5, 4, 3, 2, 1)
    assert places("standard", [same, track(9, 9, 9, 9, 9, 0), other], 3) == (1, 3, 1)


# --- variants -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "before", "gained", "after", "bonus"),
    [
        ("standard", 15, 2, 17, False),
        ("standard", 15, 3, 18, True),
        ("standard", 15, 9, 18, True),
        ("standard", 18, 4, 18, False),
        ("solo", 15, 9, 18, True),
        ("solo", 18, 0, 18, False),
        ("solo", 18, 9, 27, False),
        ("solo", 30, 9, 36, True),
        ("solo", 36, 1, 36, False),
        ("teams", 17, 1, 18, True),
        ("duel", 7, 1, 8, False),
        ("duel", 7, 5, 9, True),
        ("duel", 9, 5, 9, False),
        ("duel", -9, 5, -9, False),
        ("duel", -8, 5, -3, False),
    ],
)
def test_markers_advance(variant: str, before: int, gained: int, after: int, bonus: bool) -> None:
    assert advance(variant, before, gained) == (after, bonus)


def test_both_halves_of_a_double_are_counted_together_on_a_track_of_36() -> None:
    laid = "R: h7 h6 h5 i8 i9; B: h10"
    state = position("RR BB BB BB BB BB", laid=laid, players=1, tracks=(track(15, 0, 0, 0, 0, 0),))
    scored = next(e for e in play(state, "RR h8 h9").events if isinstance(e, Scored))
    (marker,) = scored.markers
    assert (marker.points, marker.after, marker.bonus) == (6, 18, True)


def test_single_player_plays_solo_up_to_36() -> None:
    nearly = track(36, 36, 36, 36, 36, 35)
    state = position("RO BO BO BO BO BO", laid="O: h10", players=1, tracks=(nearly,))
    assert state.options.variant == "solo"
    outcome = play(state, "RO h8 h9").state.outcome
    assert outcome is not None
    assert (outcome.reason, outcome.places, outcome.scores[0]["O"]) == ("markers-full", (1,), 36)


def test_partners_share_a_track_and_a_rank() -> None:
    state = position("RB RB RB RB RB RB", laid="R: h7", players=4, variant="teams")
    after = play(state, "RB h8 h9").state
    assert len(after.tracks) == 2
    assert (after.tracks[0]["R"], after.tracks[1]["R"]) == (1, 0)
    low, high = track(1, 9, 9, 9, 9, 9), track(2, 2, 2, 2, 2, 2)
    assert places("teams", [low, high], 4) == (3, 1, 3, 1)


def test_team_swap_uses_the_teams_track() -> None:
    tracks = (track(5, 5, 0, 5, 5, 5), ZERO)
    state = position("RY RY RY RR PP OO", players=4, variant="teams", tracks=tracks)
    assert play(state, "RY h8 h9").state.phase == SWAP


def test_duel_is_a_tug_of_war() -> None:
    state = position("RB RB RB RB RB RB", laid="R: h7 h6", variant="duel")
    after = play(state, "RB h8 h9").state
    assert after.tracks[0]["R"] == 2
    assert after.tracks[1]["R"] == -2
    for colour in COLOURS:
        assert after.tracks[0][colour] == -after.tracks[1][colour]


def test_a_duel_is_won_by_colours_then_by_the_lowest_positions() -> None:
    mine = track(9, 1, 1, 1, -9, -9)
    assert places("duel", [mine, {c: -v for c, v in mine.items()}], 2) == (1, 2)
    even = track(9, 9, 1, -1, -1, -8)
    assert places("duel", [even, {c: -v for c, v in even.items()}], 2) == (1, 2)
    quite_even = track(9, 2, 1, -9, -2, -1)
    assert places("duel", [quite_even, {c: -v for c, v in quite_even.items()}], 2) == (1, 1)


def test_a_duel_ends_when_all_six_colours_are_won() -> None:
    assert is_full("duel", track(9, 9, -9, 9, -9, -9))
    assert not is_full("duel", track(9, 9, -9, 9, -9, 0))


@pytest.mark.parametrize(
    ("players", "options", "rule"),
    [
        (0, {}, "bad-players"),
        (5, {}, "bad-players"),
        (2, {"variant": "solo"}, "variant-players"),
        (3, {"variant": "teams"}, "variant-players"),
        (1, {"variant": "standard"}, "variant-players"),
        (2, {"variant": "chess"}, "bad-option"),
        (2, {"adjacent": 1}, "bad-option"),
        (2, {"adjacent": "true"}, "bad-option"),
        (2, {"colour": "red"}, "unknown-option"),
        (2, {"first": 2}, "bad-option"),
        (2, {"first": -1}, "bad-option"),
        (2, {"first": True}, "bad-option"),
        (2, {"first": "lots"}, "bad-option"),
        (2, {"first": "lot"}, "bad-option"),  # must be resolved before the start
    ],
)
def test_options_are_checked(players: int, options: dict[str, object], rule: str) -> None:
    with pytest.raises(Refused) as caught:
        GAME.start(players, options)
    assert (caught.value.code, caught.value.rule) == (Code.MALFORMED, rule)


def test_first_seat_begins_by_default() -> None:
    whole = {"variant": "standard", "adjacent": False}
    assert GAME.options(2, {}) == GAME.options(2, {"first": 0}) == whole
    assert GAME.draw_lots(2, {}, lambda n: n - 1) == whole
    assert GAME.options(3, {"first": "lot"}) == {**whole, "first": "lot"}
    drawn = GAME.draw_lots(3, {"first": "lot"}, lambda n: n - 1)
    assert drawn == {**whole, "first": 2}
    assert GAME.draw_lots(3, drawn, lambda n: 0) == drawn


@pytest.mark.parametrize("first", [0, 1, 2])
def test_the_chosen_seat_begins_and_the_others_follow_clockwise(first: int) -> None:
    state, random = GAME.start(3, {"first": first}), Random(first)
    order: list[int] = []
    while len(order) < 4:
        if GAME.due(state):
            state, _ = GAME.apply(state, GAME.chance(state, random.randrange))
            continue
        (seat,) = GAME.actors(state)
        order.append(seat)
        state, _ = GAME.apply(state, Action(seat, GAME.legal(state, seat)[0]))
    assert order == [first, (first + 1) % 3, (first + 2) % 3, first]


def test_bag_holds_tiles_neither_in_hand_nor_laid() -> None:
    state = position()
    assert len(state.bag) + sum(map(len, state.hands)) == len(BAG)
