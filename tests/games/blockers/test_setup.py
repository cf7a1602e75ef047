"""The board, the options and the deal."""

from __future__ import annotations

import pytest

from tests.games.blockers.helpers import (
    assert_illegal,
    refusal,
    tiles,
    whole_game,
)
from tuilerie.games.blockers import GAME
from tuilerie.games.blockers.board import CELLS, NEIGHBOURS, SYMBOLS, Cell, groups_of, region_of
from tuilerie.games.blockers.events import Dealt
from tuilerie.games.game import Chance, Code, Refused, TilesDrawn, Timeout

# --- the board ------------------------------------------------------------------------------------


def test_the_board_has_81_cells_in_nine_regions() -> None:
    assert len(set(CELLS)) == 81
    assert (CELLS[0], CELLS[1], CELLS[9], CELLS[80]) == ("A1", "A2", "B1", "I9")
    assert {region: sum(region_of(c) == region for c in CELLS) for region in SYMBOLS} == (
        dict.fromkeys("123456789", 9)
    )
    assert SYMBOLS[region_of(Cell("G2"))] == "moon"
    assert region_of(Cell("C7")) == "3"


def test_neighbours_share_a_side() -> None:
    assert NEIGHBOURS[Cell("A1")] == {"A2", "B1"}
    assert NEIGHBOURS[Cell("E5")] == {"D5", "F5", "E4", "E6"}
    assert NEIGHBOURS[Cell("A9")] == {"A8", "B9"}
    assert sum(map(len, NEIGHBOURS.values())) == 2 * 144


def test_groups_do_not_join_at_corners() -> None:
    cells = frozenset(map(Cell, ("B2", "A1", "A2", "C3", "I9")))
    assert groups_of(cells) == (("A1", "A2", "B2"), ("C3",), ("I9",))
    assert groups_of(frozenset()) == ()


# --- options --------------------------------------------------------------------------------------


def test_default_options() -> None:
    usual = {"scoring": "blockers", "first": 0}
    assert GAME.options(2, {}) == {"colours": ["by", "gr"], **usual}
    assert GAME.options(3, {}) == {"colours": ["b", "y", "g"], **usual}
    assert GAME.options(5, {"colours": None}) == {"colours": ["b", "y", "g", "r", "k"], **usual}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_options_round_trip(players: int) -> None:
    options = GAME.options(players, {"scoring": "uptown", "first": players - 1})
    assert GAME.options(players, options) == options
    assert GAME.start(players, options).options.to_json() == options


def test_colours_can_be_chosen() -> None:
    assert GAME.options(3, {"colours": ["k", "r", "b"]})["colours"] == ["k", "r", "b"]
    options = GAME.start(2, {"colours": ["kb", "yr"]}).options
    assert options.in_play == ("b", "y", "r", "k")
    assert [options.owner(colour) for colour in "bykr"] == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("players", "given", "rule"),
    [
        (1, {}, "bad-players"),
        (6, {}, "bad-players"),
        (3, {"colors": ["b", "y", "g"]}, "unknown-option"),
        (3, {"colours": "byg"}, "bad-option"),
        (3, {"colours": ["b", "y"]}, "bad-option"),
        (3, {"colours": ["b", "y", "b"]}, "bad-option"),
        (3, {"colours": ["b", "y", "w"]}, "bad-option"),
        (3, {"colours": ["b", "y", "gr"]}, "bad-option"),
        (3, {"colours": ["b", "y", 1]}, "bad-option"),
        (2, {"colours": ["b", "y"]}, "bad-option"),
        (2, {"colours": ["bb", "gr"]}, "bad-option"),
        (2, {"colours": ["by", "yr"]}, "bad-option"),
        (3, {"scoring": "Uptown"}, "bad-option"),
        (3, {"scoring": None}, "bad-option"),
        (3, {"first": 3}, "bad-option"),
        (3, {"first": -1}, "bad-option"),
        (3, {"first": True}, "bad-option"),
        (3, {"first": "1"}, "bad-option"),
    ],
)
def test_invalid_options_are_refused(players: int, given: dict[str, object], rule: str) -> None:
    with pytest.raises(Refused) as caught:
        GAME.options(players, given)
    assert (caught.value.code, caught.value.rule) == (Code.MALFORMED, rule)
    assert {"found", "expected"} <= set(caught.value.params)


def test_first_player_is_random_by_default() -> None:
    asked = []

    def pick(n: int) -> int:
        asked.append(n)
        return 2

    assert GAME.draw_lots(4, {}, pick)["first"] == 2
    assert GAME.draw_lots(4, {"first": 0, "scoring": "uptown"}, pick) == {
        "colours": ["b", "y", "g", "r"],
        "scoring": "uptown",
        "first": 0,
    }
    assert asked == [4]


def test_card_facts_are_true() -> None:
    assert list(GAME.card.players) == [2, 3, 4, 5]
    assert [option.name for option in GAME.card.options] == list(GAME.options(4, {}))
    for option in GAME.card.options:
        for value in (option.default, *option.values):
            GAME.options(3, {option.name: value})
    state, _ = whole_game(3, 1)
    assert state.result is not None
    assert set(GAME.card.score_fields) == set(state.result.scores[0])
    assert GAME.timer(state) is None


# --- dealing --------------------------------------------------------------------------------------


def test_every_seat_is_dealt_five_tiles_of_each_colour_in_turn() -> None:
    for players in (2, 3, 4, 5):
        state = GAME.start(players, {"first": players - 1})
        each = 10 if players == 2 else 5
        for seat in range(players):
            assert GAME.due(state)
            assert GAME.actors(state) == ()
            assert GAME.legal(state, seat) == ()
            entry = GAME.chance(state, lambda n: n - 1)
            assert isinstance(entry, TilesDrawn)
            assert (entry.what, entry.seat, len(entry.tiles)) == ("deal", seat, each)
            state, events = GAME.apply(state, entry)
            assert events == (Dealt(seat, state.racks[seat]),)
            assert set(state.racks[seat]) == set(entry.tiles)
        assert not GAME.due(state)
        assert GAME.actors(state) == (players - 1,)
        assert [len(pile) for pile in state.piles.values()] == [23] * len(state.piles)


def test_rack_order_does_not_reveal_the_draw_order() -> None:
    start = GAME.start(3, {})
    one = GAME.apply(start, TilesDrawn("deal", 0, ("b*", "b#1", "bA", "b1", "b2"))).state
    two = GAME.apply(start, TilesDrawn("deal", 0, ("b1", "b*", "bA", "b2", "b#1"))).state
    assert one == two
    assert one.racks[0] == tiles("b1 b2 bA b#1 b*")


def deal(text: str, seat: int = 0) -> TilesDrawn:
    return TilesDrawn("deal", seat, tuple(text.split()))


def test_invalid_deal_is_refused() -> None:
    start = GAME.start(3, {})
    assert_illegal(start, deal("b1 b2 b3 b4 b5", 1), "wrong-seat", seat=1, expected=0)
    assert_illegal(start, deal("b1 b2 b3 b4"), "wrong-count", found=4, expected=5)
    assert_illegal(start, deal("b1 b2 b3 b4 y5"), "not-in-pile", tile="y5", colours="b")
    assert_illegal(start, deal("b1 b2 b3 b4 b4"), "not-in-pile", tile="b4", colours="b")
    assert_illegal(start, TilesDrawn("deal", 0, ("b1", "", "b3", "b4", "b5")), "not-in-pile",
                   tile="", colours="b")  # fmt: skip
    assert_illegal(start, TilesDrawn("draw", 0, ("b1",)), "not-due", what="draw")
    assert_illegal(start, Chance("deal"), "not-due", what="deal")
    assert_illegal(start, Timeout(), "not-due", what="time")


def test_with_two_players_five_of_each_colour_are_dealt() -> None:
    start = GAME.start(2, {})
    six_and_four = deal("b1 b2 b3 b4 b5 b6 y1 y2 y3 y4")
    assert_illegal(start, six_and_four, "wrong-count", found=6, expected=5, colour="b")
    mixed = deal("y1 b1 y2 b2 y3 b3 y4 b4 y5 b5")
    assert GAME.apply(start, mixed).state.racks[0] == tiles("b1 b2 b3 b4 b5 y1 y2 y3 y4 y5")


def test_moves_before_the_deal_are_refused() -> None:
    refused = refusal(GAME.start(3, {}), "b1-A1")
    assert (refused.code, refused.rule) == (Code.NOT_YOUR_TURN, "not-your-turn")
    assert refused.params == {"seat": 0}
