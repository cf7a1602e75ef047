"""The start, the card, the draw, the draft, and a whole game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest

from tests.games.kaosmos.sitting import MARTIN, Sitting, counted, tiles_of
from tuilerie.games.game import Action, Chance, Clock, Code, Ended, Event, Json, Refused, TilesDrawn
from tuilerie.games.kaosmos import GAME, Kaosmos
from tuilerie.games.kaosmos.card import CARD
from tuilerie.games.kaosmos.cards import CARDS
from tuilerie.games.kaosmos.events import (
    CardShown,
    Drawn,
    Kept,
    Passed,
    PhaseBegan,
    Supplied,
)
from tuilerie.games.kaosmos.notation import (
    CardTurned,
    Fill,
    Keep,
)
from tuilerie.games.kaosmos.rules import bag, deck
from tuilerie.games.kaosmos.state import after
from tuilerie.games.kaosmos.tiles import TILES, TileSet

IDS = TILES.ids
MINE = tiles_of(MARTIN)


def packets(players: int) -> list[Sequence[str]]:
    """T01–T09 for seat 0, T10–T18 for seat 1, and so on."""
    return [IDS[seat * 9 : seat * 9 + 9] for seat in range(players)]


def drafting(players: int = 3, rounds: int = 1) -> Sitting:
    """The draft of a round without cards; the rounds before it were filled by luck."""
    sitting = Sitting(players, kaos=False)
    for _ in range(rounds - 1):
        sitting.draw(*packets(players))
        keep_all(sitting)
        sitting.time()
        while sitting.state.phase == "fill":
            sitting.enter(sitting.game.chance(sitting.state, lambda n: 0))
    return sitting.draw(*packets(players))


def keep_all(sitting: Sitting) -> None:
    while sitting.state.phase == "draft":
        seat = sitting.state.waiting[0]
        sitting.enter(Action(seat, sitting.game.legal(sitting.state, seat)[0]))


# --- before the game ------------------------------------------------------------------------------


def test_the_options_of_a_table_are_all_named() -> None:
    assert GAME.options(2, {}) == {"kaos": True, "draft": True, "seconds": 60}
    assert GAME.options(6, {"seconds": None, "kaos": False}) == {
        "kaos": False,
        "draft": True,
        "seconds": None,
    }
    assert GAME.draw_lots(3, {"draft": False}, lambda n: 0) == GAME.options(3, {"draft": False})


@pytest.mark.parametrize(
    ("players", "given", "rule", "params"),
    [
        (1, {}, "bad-players", {"found": 1, "expected": "2–6"}),
        (7, {}, "bad-players", {"found": 7, "expected": "2–6"}),
        (2, {"x": 1}, "unknown-option", {"found": "x", "expected": "kaos, draft, seconds"}),
        (2, {"kaos": 1}, "bad-option", {"name": "kaos", "found": 1, "expected": "true, false"}),
        (
            2,
            {"seconds": 61},
            "bad-option",
            {"name": "seconds", "found": 61, "expected": "30, 45, 60, 90, 120, null"},
        ),
        (
            2,
            {"seconds": 60.0},
            "bad-option",
            {"name": "seconds", "found": 60.0, "expected": "30, 45, 60, 90, 120, null"},
        ),
    ],
)
def test_other_options_are_refused(players: int, given: Json, rule: str, params: Json) -> None:
    with pytest.raises(Refused) as refused:
        GAME.start(players, given)
    assert (refused.value.code, refused.value.rule) == (Code.MALFORMED, rule)
    assert refused.value.params == params


def test_a_box_must_be_large_enough_for_the_table() -> None:
    small = Kaosmos(TileSet(TILES.tiles[:18]), dict(list(CARDS.items())[:4]))
    for players, options, rule, params in (
        (3, {"kaos": False}, "too-few-tiles", {"found": 18, "needed": 27}),
        (2, {}, "too-few-cards", {"found": 4, "needed": 5}),
    ):
        with pytest.raises(Refused) as refused:
            small.start(players, options)
        assert (refused.value.code, refused.value.rule) == (Code.ILLEGAL, rule)
        assert refused.value.params == params
    assert small.start(2, {"kaos": False}).box.tiles.ids == IDS[:18]


def test_our_own_game_uses_our_own_box() -> None:
    state = GAME.start(2, {})
    assert state.box.tiles is TILES
    assert deck(state) == tuple(CARDS)


# --- the card and the draw ------------------------------------------------------------------------


def test_a_round_begins_with_a_card() -> None:
    sitting = Sitting()
    assert (sitting.state.phase, sitting.game.due(sitting.state)) == ("card", True)
    sitting.card("breche")
    assert sitting.events == [CardShown("breche"), PhaseBegan("draw", (0, 1))]
    assert sitting.state.card == "breche"
    assert sitting.state.number == 2


def test_without_kaos_a_round_begins_with_the_draw() -> None:
    sitting = Sitting(kaos=False)
    assert (sitting.state.phase, sitting.state.waiting) == ("draw", (0, 1))


def test_chance_turns_any_card_and_draws_any_nine_tiles() -> None:
    sitting = Sitting()
    assert sitting.game.chance(sitting.state, lambda n: n - 1) == CardTurned("card", "supernova")
    assert sitting.game.chance(sitting.state, lambda n: 0) == CardTurned("card", "une-dimension")
    sitting.card("breche")
    drawn = sitting.game.chance(sitting.state, lambda n: 0)
    assert isinstance(drawn, TilesDrawn)
    assert (drawn.what, drawn.seat, len(set(drawn.tiles))) == ("draw", 0, 9)
    sitting.enter(drawn)
    other = sitting.game.chance(sitting.state, lambda n: 0)
    assert isinstance(other, TilesDrawn)
    assert not set(other.tiles) & set(drawn.tiles)


def test_drawing_without_a_draft_leads_to_building() -> None:
    sitting = Sitting(kaos=False, draft=False).draw(packets(2)[0])
    assert sitting.events == [Drawn(0, 9, True, IDS[:9])]
    assert (sitting.state.kept, sitting.state.supplies) == ((9, 0), (0, 0))
    assert sitting.view(0).supply == (), "nobody looks at them yet"
    assert len(bag(sitting.state)) == 45
    sitting.enter(TilesDrawn("draw", 1, tuple(reversed(IDS[9:18]))))
    assert sitting.events == [
        Drawn(1, 9, True, tuple(reversed(IDS[9:18]))),
        Supplied(0, 9, IDS[:9]),
        Supplied(1, 9, IDS[9:18]),
        PhaseBegan("building", (0, 1), 60),
    ]
    assert (sitting.state.kept, sitting.state.supplies) == ((0, 0), (9, 9))
    assert sitting.state.hands[1].supply == IDS[9:18]


def test_six_players_use_every_tile() -> None:
    sitting = Sitting(6, kaos=False).draw(*packets(6))
    assert sitting.state.phase == "draft"
    assert bag(sitting.state) == ()


@pytest.mark.parametrize(
    ("entry", "rule", "params"),
    [
        (CardTurned("card", "nothing"), "not-in-deck", {"card": "nothing"}),
        (TilesDrawn("draw", 0, IDS[:9]), "not-due", {"what": "draw", "phase": "card"}),
        (Fill("fill", 0, ()), "not-due", {"what": "fill", "phase": "card"}),
        (Chance("card"), "not-due", {"what": "card", "phase": "card"}),
        (Clock(), "not-timed", {"phase": "card"}),
    ],
)
def test_only_a_card_of_the_deck_can_be_turned(
    entry: Chance | Clock, rule: str, params: Json
) -> None:
    assert Sitting().refused(entry) == (Code.ILLEGAL, rule, params)


def test_a_card_comes_once_in_a_game() -> None:
    sitting = counted("breche")
    assert sitting.state.round == 2
    assert sitting.refused(CardTurned("card", "breche"))[1] == "not-in-deck"
    assert "breche" not in deck(sitting.state)


@pytest.mark.parametrize(
    ("entry", "rule"),
    [
        (TilesDrawn("draw", 1, IDS[9:18]), "not-due"),
        (TilesDrawn("deal", 0, IDS[9:18]), "not-due"),
        (Fill("draw", 0, ()), "not-due"),
        (CardTurned("card", "breche"), "not-due"),
        (TilesDrawn("draw", 0, IDS[9:17]), "wrong-count"),
        (TilesDrawn("draw", 0, (*IDS[9:17], IDS[9])), "not-in-bag"),
        (TilesDrawn("draw", 0, (*IDS[9:17], "T99")), "not-in-bag"),
    ],
)
def test_a_draw_is_nine_tiles_of_the_bag_for_the_seat_in_turn(entry: Chance, rule: str) -> None:
    assert Sitting(kaos=False).refused(entry)[:2] == (Code.ILLEGAL, rule)


def test_a_draw_holds_no_tile_that_another_seat_has() -> None:
    sitting = Sitting(kaos=False).draw(IDS[:9])
    assert sitting.refused(TilesDrawn("draw", 1, IDS[8:17])) == (
        Code.ILLEGAL,
        "not-in-bag",
        {"tiles": list(IDS[8:17])},
    )


def test_nobody_acts_while_chance_must_speak() -> None:
    for sitting in (Sitting(), Sitting(kaos=False)):
        assert sitting.game.actors(sitting.state) == ()
        assert sitting.game.legal(sitting.state, 0) == ()
        assert sitting.refused((0, "keep T01 T02 T03")) == (
            Code.NOT_YOUR_TURN,
            "not-your-turn",
            {"seat": 0},
        )


# --- the draft ------------------------------------------------------------------------------------


def test_packets_of_six_pass_to_the_left_in_odd_rounds() -> None:
    sitting = drafting()
    sitting.act(0, "keep T01 T02 T03").act(2, "keep T19 T20 T21")
    assert sitting.events == [Kept(2, 3, ("T19", "T20", "T21"))]
    sitting.act(1, "keep T10 T11 T12")
    assert sitting.events == [
        Kept(1, 3, ("T10", "T11", "T12")),
        Passed(0, 1, 6, False, IDS[3:9]),
        Passed(1, 2, 6, False, IDS[12:18]),
        Passed(2, 0, 6, False, IDS[21:27]),
    ]
    assert sitting.state.waiting == (0, 1, 2)
    assert [hand.packet for hand in sitting.state.hands] == [IDS[21:27], IDS[3:9], IDS[12:18]]


def test_packets_pass_to_the_right_in_even_rounds() -> None:
    sitting = drafting(rounds=2)
    assert sitting.state.direction == "right"
    sitting.act(0, "keep T01 T02 T03").act(1, "keep T10 T11 T12").act(2, "keep T19 T20 T21")
    assert [hand.packet for hand in sitting.state.hands] == [IDS[12:18], IDS[21:27], IDS[3:9]]


def test_the_third_round_passes_to_the_left_again() -> None:
    assert drafting(2, rounds=3).state.direction == "left"


def test_the_last_three_tiles_go_on_unseen() -> None:
    sitting = drafting()
    sitting.act(0, "keep T01 T02 T03").act(1, "keep T10 T11 T12").act(2, "keep T19 T20 T21")
    sitting.act(0, "keep T22 T23 T24").act(1, "keep T04 T05 T06").act(2, "keep T13 T14 T15")
    assert sitting.events[1:] == [
        Passed(0, 1, 3, True, None),
        Passed(1, 2, 3, True, None),
        Passed(2, 0, 3, True, None),
        Supplied(0, 9, (*IDS[0:3], *IDS[15:18], *IDS[21:24])),
        Supplied(1, 9, (*IDS[3:6], *IDS[9:12], *IDS[24:27])),
        Supplied(2, 9, (*IDS[6:9], *IDS[12:15], *IDS[18:21])),
        PhaseBegan("building", (0, 1, 2), 60),
    ]
    assert sitting.state.supplies == (9, 9, 9)
    assert sitting.state.kept == sitting.state.packets == (0, 0, 0)


def test_each_three_of_the_packet_can_be_kept() -> None:
    sitting = drafting(2)
    assert [str(move) for move in sitting.game.legal(sitting.state, 0)] == [
        f"keep {' '.join(tiles)}" for tiles in combinations(IDS[:9], 3)
    ]


@pytest.mark.parametrize(
    ("tiles", "rule", "params"),
    [
        (("T01", "T02", "T10"), "not-in-packet", {"tile": "T10"}),
        (("T01", "T02", "T02"), "wrong-count", {"found": 2, "expected": 3}),
        (("T01", "T02"), "wrong-count", {"found": 2, "expected": 3}),
        (("T01", "T02", "T03", "T04"), "wrong-count", {"found": 4, "expected": 3}),
    ],
)
def test_three_different_tiles_of_the_packet_are_kept(
    tiles: tuple[str, ...], rule: str, params: Json
) -> None:
    assert drafting(2).refused(Action(0, Keep(tiles))) == (Code.ILLEGAL, rule, params)


def test_the_order_in_which_tiles_are_named_does_not_matter() -> None:
    sitting = drafting(2).enter(Action(0, Keep(("T03", "T01", "T02"))))
    assert sitting.events == [Kept(0, 3, ("T01", "T02", "T03"))]


def test_who_has_kept_waits_for_the_others() -> None:
    sitting = drafting(2).act(0, "keep T01 T02 T03")
    assert sitting.game.actors(sitting.state) == (1,)
    assert sitting.refused((0, "keep T04 T05 T06"))[:2] == (Code.NOT_YOUR_TURN, "not-your-turn")


def test_nobody_builds_during_the_draft() -> None:
    assert drafting(2).refused((0, "put T01 a1 0")) == (
        Code.ILLEGAL,
        "wrong-phase",
        {"phase": "draft", "expected": "building"},
    )
    assert drafting(2).refused((5, "keep T01 T02 T03"))[:2] == (Code.NOT_YOUR_TURN, "not-your-turn")


# --- a whole game ---------------------------------------------------------------------------------


def whole_game(players: int, **options: Json) -> Sitting:
    sitting = Sitting(players, **options)
    pick = Random(players).randrange
    while sitting.state.result is None:
        if sitting.game.due(sitting.state):
            sitting.enter(sitting.game.chance(sitting.state, pick))
        elif sitting.state.phase == "building":
            sitting.time()
        else:
            seat = sitting.state.waiting[0]
            sitting.enter(Action(seat, sitting.game.legal(sitting.state, seat)[0]))
    return sitting


@pytest.mark.parametrize("players", CARD.players)
def test_a_game_has_five_rounds(players: int) -> None:
    sitting = whole_game(players)
    state, result = sitting.state, sitting.game.result(sitting.state)
    assert (state.round, state.phase, len(set(state.cards))) == (5, "over", 5)
    assert sitting.events[-1] == Ended(result)  # type: ignore[arg-type]
    assert result is not None
    for own, score in zip(state.markers, result.scores, strict=True):
        lowest = min(own["green"], own["blue"], own["orange"])
        assert score == {**own, "score": lowest + own["star"]}
        assert tuple(score) == CARD.score_fields


def test_nothing_happens_after_the_end() -> None:
    sitting = whole_game(2, kaos=False, draft=False)
    entries: list[Json] = [(0, "done"), Clock(), CardTurned("card", "breche")]
    for entry in entries:
        assert sitting.refused(entry) == (Code.OVER, "game-over", {})
    assert sitting.game.actors(sitting.state) == ()
    assert not sitting.game.due(sitting.state)


def test_an_event_of_another_game_is_no_event_of_this_one() -> None:
    with pytest.raises(TypeError):
        after(Sitting().state, Event())
