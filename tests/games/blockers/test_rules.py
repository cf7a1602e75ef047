"""Every rule and every refusal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.games.blockers.helpers import (
    EMPTY,
    STUCK,
    STUCK_RACK,
    STUCK_RACKS,
    assert_illegal,
    count_groups,
    moves_of,
    play,
    position,
    refusal,
    steps,
    tiles,
)
from tuilerie.games.blockers import GAME
from tuilerie.games.blockers.board import CELLS, Cell, groups_of, loose_of
from tuilerie.games.blockers.events import Captured, Discarded, Drawn, GroupChange, Laid
from tuilerie.games.blockers.notation import BlockersMove, Capture, Discard, Lay
from tuilerie.games.blockers.score import Score, result_of
from tuilerie.games.blockers.state import State
from tuilerie.games.blockers.tiles import CELLS_OF, TILES, cells_by_colour
from tuilerie.games.game import Action, Chance, Code, TilesDrawn, Timeout

# --- laying and drawing ---------------------------------------------------------------------------


def test_a_move_is_followed_by_a_draw_and_then_the_next_seat_plays() -> None:
    state = position(EMPTY, ["b1 b2 b3 b4 b5", "y1 y2 y3 y4 y5", "g1 g2 g3 g4 g5"])
    laid, events = play(state, "b1-A1")
    assert events == (Laid(0, tiles("b1")[0], CELLS[0], (GroupChange("b", 0, 1),)),)
    assert laid.board == {"A1": "b1"}
    assert laid.racks[0] == tiles("b2 b3 b4 b5")
    assert GAME.due(laid)
    assert (laid.phase, laid.drawing, GAME.actors(laid)) == ("draw", "b", ())
    assert GAME.legal(laid, 0) == ()
    assert state.board == {}, "states are immutable"

    drawn, events = GAME.apply(laid, TilesDrawn("draw", 0, ("bA",)))
    assert events == (Drawn(0, "b", tiles("bA")[0]),)
    assert drawn.racks[0] == tiles("b2 b3 b4 b5 bA")
    assert "bA" not in drawn.piles["b"]
    assert not GAME.due(drawn)
    assert GAME.actors(drawn) == (1,)
    assert drawn.number == state.number + 2


def test_turns_go_clockwise() -> None:
    for players in (2, 3, 4, 5):
        seats = [e.seat for _, e, _ in steps(players, 7, first=1) if isinstance(e, Action)]
        assert seats == [(1 + i) % players for i in range(len(seats))]


def test_invalid_draw_is_refused() -> None:
    state = position(EMPTY, ["b1 b2 b3 b4 b5", "y1 y2 y3 y4 y5", "g1 g2 g3 g4 g5"])
    laid = play(state, "b1-A1").state
    for tile in ("b1", "b2", "y9", "b10"):
        draw = TilesDrawn("draw", 0, (tile,))
        assert_illegal(laid, draw, "not-in-pile", tile=tile, colours="b")
    assert_illegal(laid, TilesDrawn("draw", 1, ("b9",)), "wrong-seat", seat=1, expected=0)
    assert_illegal(laid, TilesDrawn("draw", 0, ("b8", "b9")), "wrong-count", found=2, expected=1)
    assert_illegal(laid, TilesDrawn("draw", 0, ()), "wrong-count", found=0, expected=1)
    assert_illegal(laid, TilesDrawn("deal", 0, tiles("b6 b7 b8 b9 bA")), "not-due", what="deal")
    assert_illegal(laid, Chance("draw"), "not-due", what="draw")
    assert_illegal(state, TilesDrawn("draw", 0, ("b9",)), "not-due", what="draw")
    assert_illegal(state, TilesDrawn("play", 0, tiles("b6 b7 b8 b9 bA")), "not-due", what="play")
    refused = refusal(laid, "b2-A2")
    assert (refused.code, refused.rule) == (Code.NOT_YOUR_TURN, "not-your-turn")


def test_any_tile_of_the_pile_can_be_drawn() -> None:
    state = position(EMPTY, ["b1 b2 b3 b4 b5", "y1 y2 y3 y4 y5", "g1 g2 g3 g4 g5"])
    laid = play(state, "b1-A1").state
    sizes: list[int] = []

    def pick(index: int) -> TilesDrawn:
        def choose(n: int) -> int:
            sizes.append(n)
            return index

        drawn = GAME.chance(laid, choose)
        assert isinstance(drawn, TilesDrawn)
        return drawn

    assert {pick(index).tiles for index in range(23)} == {(tile,) for tile in laid.piles["b"]}
    assert sizes == [23] * 23


def test_only_the_seat_whose_turn_it_is_may_act() -> None:
    state = position(EMPTY, ["b1 b2 b3 b4 b5", "y1 y2 y3 y4 y5", "g1 g2 g3 g4 g5"])
    for seat in (1, 2, 3, -1):
        refused = refusal(state, Action(seat, GAME.parse_move("y1-A1")))
        assert (refused.code, refused.rule) == (Code.NOT_YOUR_TURN, "not-your-turn")
        assert refused.params == {"seat": seat}
        assert GAME.legal(state, seat) == ()


BESIDE = """
    bb.g.....
    .y.......
    yyy......
    .........
    ....b....
    .........
    .........
    .........
    ........k
"""
RACKS = ["b3 b* bA b#1 b9", "y1 y2 y3 y4 y5", "g1 g2 g3 g4 g5", "r1 r2 r3 r4 r5", "k1 k2 k3 k4 k5"]


def test_illegal_move_names_the_rule() -> None:
    state = position(BESIDE, RACKS)
    taken = state.board
    assert_illegal(state, "b8-A8", "tile-not-in-hand", tile="b8")
    assert_illegal(state, "y1-D1", "tile-not-in-hand", tile="y1")
    assert_illegal(state, "discard b8", "tile-not-in-hand", tile="b8")
    assert_illegal(state, "b3-A4", "cell-mismatch", tile="b3", cell="A4")
    assert_illegal(state, "bA-B3", "cell-mismatch", tile="bA", cell="B3")
    assert_illegal(state, "b#1xA4", "cell-mismatch", tile="b#1", cell="A4")
    assert_illegal(state, "bA-A4", "cell-occupied", cell="A4", tile=taken[Cell("A4")])
    assert_illegal(state, "bA-A1", "cell-occupied", cell="A1", tile=taken[Cell("A1")])
    assert_illegal(state, "b3xA3", "cell-empty", cell="A3")
    assert_illegal(state, "b*xE5", "own-tile", cell="E5", tile=taken[Cell("E5")])
    assert_illegal(state, "b#1xC2", "splits-group", cell="C2", colour="y", parts=3)
    for tile in tiles(RACKS[0]):
        assert_illegal(state, f"discard {tile}", "discard-not-allowed", tile=tile)


def test_capture_event_holds_group_changes_of_both_colours() -> None:
    state = position(BESIDE, RACKS)
    before = dict(state.groups)
    assert before == {"b": 2, "y": 1, "g": 1, "r": 0, "k": 1}
    # A single tile: one group less for green, nothing joined for blue.
    after, events = play(state, "bAxA4")
    taken = state.board[Cell("A4")]
    changes = (GroupChange("b", 2, 3), GroupChange("g", 1, 0))
    assert events == (Captured(0, tiles("bA")[0], Cell("A4"), taken, changes),)
    assert after.captures == ((taken,), (), (), (), ())
    assert after.groups == {"b": 3, "y": 1, "g": 0, "r": 0, "k": 1}
    # One of a group: yellow keeps its group, blue joins its own.
    after, events = play(state, "b#1xB2")
    assert isinstance(events[0], Captured)
    assert events[0].groups == (GroupChange("b", 2, 2), GroupChange("y", 1, 1))


def test_a_tile_can_join_several_groups() -> None:
    state = position(".b......." + "b.b......" + ".b......." + "." * 54, ["b* b1 b2 b3 b4", "", ""])
    _, events = play(state, "b*-B2")
    assert isinstance(events[0], Laid)
    assert events[0].groups == (GroupChange("b", 4, 1),)


def test_captured_tiles_are_kept_in_order() -> None:
    last = None
    for before, _, step in steps(4, 11):
        for seat, kept in enumerate(before.captures):
            assert step.state.captures[seat][: len(kept)] == kept
        last = step.state
    assert last is not None
    assert all(tile[0] != "bygr"[seat] for seat, row in enumerate(last.captures) for tile in row)


ROW = "." * 18 + "ygygygygy" + "." * 54
"""Nine tiles in row C, no two equal neighbours: each can be captured."""


def test_capture_is_optional_while_a_matching_cell_is_empty() -> None:
    state = position(ROW, ["bC b1 b2 b3 b4", "", ""])
    assert {move[2] for move in moves_of(state) if move.startswith("b1")} == {"-", "x"}


def test_capture_is_forced_without_a_matching_empty_cell() -> None:
    # With two players, yellow has stopped, and of blue only what fits in row C is on the rack.
    board = "r" * 9 + "g" * 9 + "rg" * 4 + "r" + "." * 54
    state = position(
        board,
        ["bA bB bC b#1 b#2 yE yF yG yH", "gE gF gG gH gI rE rF rG rH rI"],
        empty_piles="y",
    )
    assert moves_of(state)
    assert all("x" in move for move in moves_of(state))
    assert_illegal(state, "yE-E1", "colour-stopped", colour="y")
    assert_illegal(state, "discard bC", "discard-not-allowed", tile="bC")


def test_moves_are_listed_once_lays_before_captures() -> None:
    for players in (2, 5):
        for state, entry, _ in steps(players, 2):
            if isinstance(entry, Action):
                moves = GAME.legal(state, entry.seat)
                assert len(set(moves)) == len(moves)
                kinds = [type(move) for move in moves]
                assert kinds == sorted(kinds, key=[Lay, Capture, Discard].index)
                assert entry.move in moves


def all_moves(state: State) -> list[BlockersMove]:
    """Every move to every cell with the tiles on the racks and a few others."""
    hand = [tile for rack in state.racks for tile in rack]
    others = [TILES[colour][3] for colour in state.piles]
    moves: list[BlockersMove] = []
    for tile in {*hand, *others}:
        moves.append(Discard(tile))
        for cell in CELLS:
            moves += [Lay(tile, cell), Capture(tile, cell)]
    return moves


def allowed(state: State, move: BlockersMove) -> bool:
    """A direct implementation of the rulebook: return whether a move is allowed."""
    own = state.options.colours[state.seat]
    if move.tile not in state.racks[state.seat]:
        return False
    left = [tile for tile in state.racks[state.seat] if tile[0] == move.tile[0]]
    if len(left) + len(state.piles[move.tile[0]]) <= 4 or isinstance(move, Discard):
        return False
    if move.cell not in CELLS_OF[move.tile]:
        return False
    there = state.board.get(move.cell)
    if there is None or isinstance(move, Lay):
        return there is None and isinstance(move, Lay)
    rest = {cell: tile for cell, tile in state.board.items() if cell != move.cell}
    split = count_groups(rest, there[0]) > count_groups(state.board, there[0])
    return there[0] not in own and not split


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_legal_moves_are_exactly_the_accepted_ones(players: int) -> None:
    turns = [state for state, entry, _ in steps(players, 5) if isinstance(entry, Action)]
    for state in turns[7::23]:
        legal = set(GAME.legal(state, state.seat))
        for move in all_moves(state):
            assert (move in legal) is allowed(state, move), move
            if move in legal:
                assert GAME.apply(state, Action(state.seat, move)).events
            else:
                assert refusal(state, Action(state.seat, move)).code is Code.ILLEGAL


# --- no move --------------------------------------------------------------------------------------


def test_player_without_a_move_shows_the_rack_discards_and_draws() -> None:
    state = position(STUCK, STUCK_RACKS)
    assert moves_of(state) == [f"discard {tile}" for tile in STUCK_RACK.split()]
    assert_illegal(state, "b#1-A1", "cell-occupied", cell="A1", tile=state.board[Cell("A1")])
    assert_illegal(state, "b#1xA1", "splits-group", cell="A1", colour="y", parts=2)

    after, events = play(state, "discard bB")
    rack = tiles(STUCK_RACK)
    assert events == (Discarded(0, rack, rack[1]),)
    assert after.discards == tiles("bB")
    assert after.racks[0] == after.shown[0] == tiles("bA b#1 b#2 b#3")
    assert after.board == state.board
    assert (after.phase, after.seat, after.drawing) == ("draw", 0, "b")

    drawn = GAME.apply(after, TilesDrawn("draw", 0, ("b*",))).state
    assert drawn.shown[0] == tiles("bA b#1 b#2 b#3"), "the drawn tile is hidden"
    assert GAME.actors(drawn) == (1,)
    again = replace(drawn, seat=0)
    assert play(again, "b*-E5").state.shown[0] == tiles("bA b#1 b#2 b#3")


def test_played_tile_is_no_longer_shown_on_the_rack() -> None:
    state = replace(
        position(EMPTY, ["b1 b2 b3 b4 b5", "", ""]), shown=(tiles("b1 b2"), tiles("y1"), ())
    )
    assert play(state, "b1-A1").state.shown == (tiles("b2"), tiles("y1"), ())
    lone = replace(position("y" + EMPTY[1:], ["b1 b2 b3 b4 b5", "", ""]), shown=state.shown)
    assert play(lone, "b1xA1").state.shown == (tiles("b2"), tiles("y1"), ())


def test_discard_counts_as_one_of_24_played_tiles() -> None:
    state = position(STUCK, STUCK_RACKS, empty_piles="byg")
    after = play(state, "discard bA").state
    assert (after.phase, after.seat) == ("play", 1), "nothing to draw: the next seat plays"
    four_each = [STUCK_RACK, "yE yF yG yH", "gE gF gG gH"]
    ending = position(STUCK, four_each, empty_piles="byg")
    after = play(ending, "discard bA").state
    assert after.result is not None
    assert [score["groups"] for score in after.result.scores] == [1, 1, 1]


def test_with_two_players_a_stopped_colour_cannot_be_discarded() -> None:
    # Yellow is the seat's own here; the connected groups are green and red.
    board = STUCK.replace("y", "r")
    stuck = "yA yB y#1 y#2 y#3"
    state = position(
        board,
        [f"b1 b2 b8 bI {stuck}", "gE gF gG gH gI rE rF rG rH rI"],
        empty_piles="b",
    )
    assert moves_of(state) == [f"discard {tile}" for tile in stuck.split()]
    assert_illegal(state, "bI-I1", "colour-stopped", colour="b")
    assert_illegal(state, "discard bI", "colour-stopped", colour="b")
    after, events = play(state, "discard yA")
    assert events == (Discarded(0, state.racks[0], tiles("yA")[0]),)
    assert after.shown[0] == tiles("b1 b2 b8 bI yB y#1 y#2 y#3")


# --- two players ----------------------------------------------------------------------------------


def test_with_two_players_neither_own_colour_can_be_captured() -> None:
    state = position(
        "yg" + EMPTY[2:], ["b1 b2 b3 b4 b5 y3 y4 y5 y6 y7", "g1 g2 g3 g4 g5 r1 r2 r3 r4 r5"]
    )
    assert [move for move in moves_of(state) if "x" in move] == ["b2xA2"]
    assert_illegal(state, "b1xA1", "own-tile", cell="A1", tile=state.board[Cell("A1")])


def test_with_two_players_the_played_colour_is_drawn() -> None:
    state = position(EMPTY, ["b1 b2 b3 b4 b5 y1 y2 y3 y4 y5", "g1 g2 g3 g4 g5 r1 r2 r3 r4 r5"])
    laid = play(state, "y1-A1").state
    assert laid.drawing == "y"
    draw = TilesDrawn("draw", 0, ("b9",))
    assert_illegal(laid, draw, "not-in-pile", tile="b9", colours="y")


def test_stopped_colour_cannot_be_played_but_the_other_can() -> None:
    state = position(
        EMPTY,
        ["b1 b2 b3 b4 y1 y2 y3 y4 y5", "g1 g2 g3 g4 g5 r1 r2 r3 r4"],
        empty_piles="byr",
    )
    assert {move[0] for move in moves_of(state)} == {"y"}
    assert_illegal(state, "b1-A1", "colour-stopped", colour="b")
    after = play(state, "y1-A1").state
    assert (after.phase, after.seat) == ("play", 1)
    assert {move[0] for move in moves_of(after)} == {"g"}


# --- the end --------------------------------------------------------------------------------------


def final(captures: list[str], scoring: str = "blockers") -> State:
    return position(
        "byg" + EMPTY[3:],
        ["b1 b2 b3 b4 b9", "y1 y2 y3 y4", "g1 g2 g3 g4"],
        captures=captures,
        given={"A1": "b#1", "A2": "y#1", "A3": "g#1"},
        empty_piles="byg",
        scoring=scoring,
    )


def places(captures: list[str], scoring: str = "blockers") -> tuple[int, ...]:
    result = play(final(captures, scoring), "b1-B1").state.result
    assert result is not None
    return result.places


def test_a_tie_goes_to_the_fewest_captures_and_is_then_shared() -> None:
    assert places(["", "", ""]) == (1, 1, 1)
    assert places(["y9 g9", "b9", "b9"]) == (3, 1, 1)
    assert places(["y9 y8", "b8 g9", "b7 y7"]) == (3, 1, 1)
    assert places(["y9", "b8 g9 g8", "b7 y7"]) == (1, 3, 2)


def test_uptown_ranks_by_groups_then_total_captures() -> None:
    assert places(["y9 y8", "b8 g9", ""], "uptown") == (2, 2, 1)
    assert places(["y9 y8", "b8", ""], "uptown") == (3, 2, 1)
    result = play(final(["y9 y8", "", ""], "uptown"), "b1-B1").state.result
    assert result is not None
    assert result.scores[0] == {"groups": 1, "captures": {"y": 2, "g": 0}, "score": 1}


def test_score_ranks_before_captures() -> None:
    few_groups = Score({"b": (("A1",),)}, {"y": 1, "g": 1}, "y", 2)  # type: ignore[dict-item]
    no_captures = Score({"y": (("B1",), ("D1",), ("F1",))}, {"b": 0, "g": 0}, None, 3)  # type: ignore[dict-item]
    assert result_of((no_captures, few_groups)).places == (2, 1)


def test_entries_after_the_end_are_refused() -> None:
    over = play(final(["", "", ""]), "b1-B1").state
    assert (over.phase, over.seat) == ("over", 0)
    assert GAME.actors(over) == ()
    assert not GAME.due(over)
    assert [GAME.legal(over, seat) for seat in range(3)] == [()] * 3
    move = Action(1, GAME.parse_move("y1-C1"))
    for entry in (move, TilesDrawn("draw", 0, ("b9",)), TilesDrawn("over", 0, ()), Timeout()):
        refused = refusal(over, entry)
        assert (refused.code, refused.rule, refused.params) == (Code.OVER, "game-over", {})


def test_with_two_players_groups_of_both_colours_are_added() -> None:
    state = position(
        "b.b.y.g.r" + EMPTY.replace("\n", "")[9:],
        ["b1 b2 b3 b4 b9 y1 y2 y3 y4", "g1 g2 g3 g4 r1 r2 r3 r4"],
        captures=["", "b8 y8 y7"],
        empty_piles="bygr",
    )
    result = play(state, "b1-B1").state.result
    assert result is not None
    assert result.scores == (
        {"groups": 3, "captures": {"g": 0, "r": 0}, "score": 3},
        {"groups": 2, "captures": {"b": 1, "y": 2}, "score": 4},
    )
    assert result.places == (1, 2)


# --- invariants -----------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_tiles_are_conserved_and_group_counts_are_right(players: int) -> None:
    number = 0
    for before, _, (state, events) in steps(players, 13):
        assert state.number == before.number + len(events)
        number += len(events)
        everywhere = [
            *state.board.values(),
            *(tile for rack in state.racks for tile in rack),
            *(tile for pile in state.piles.values() for tile in pile),
            *(tile for row in state.captures for tile in row),
            *state.discards,
        ]
        colours = state.options.in_play
        assert sorted(everywhere) == sorted(tile for c in colours for tile in TILES[c])
        assert state._cells == cells_by_colour(state.board, colours)
        assert state._loose == frozenset().union(*map(loose_of, state._cells.values()))
        assert state.groups == {c: len(groups_of(state._cells[c])) for c in colours}
    assert state.groups == {c: count_groups(state.board, c) for c in colours}
    assert state.number == number
