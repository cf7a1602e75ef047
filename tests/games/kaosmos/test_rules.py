"""Start, card, draw, draft, and whole games."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest

from tests.games.kaosmos.driver import MARTIN, GameDriver, counted, tiles_of
from tuilerie.games.game import (
    Action,
    Chance,
    Code,
    Ended,
    Event,
    Json,
    Refused,
    TilesDrawn,
    Timeout,
)
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


def drafting(players: int = 3, rounds: int = 1) -> GameDriver:
    """The draft of a round without cards; earlier rounds were filled at random."""
    driver = GameDriver(players, kaos=False)
    for _ in range(rounds - 1):
        driver.draw(*packets(players))
        keep_all(driver)
        driver.time()
        while driver.state.phase == "fill":
            driver.enter(driver.game.chance(driver.state, lambda n: 0))
    return driver.draw(*packets(players))


def keep_all(driver: GameDriver) -> None:
    while driver.state.phase == "draft":
        seat = driver.state.waiting[0]
        driver.enter(Action(seat, driver.game.legal(driver.state, seat)[0]))


# --- before the game ------------------------------------------------------------------------------


def test_all_options_have_defaults() -> None:
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
def test_invalid_options_are_refused(players: int, given: Json, rule: str, params: Json) -> None:
    with pytest.raises(Refused) as refused:
        GAME.start(players, given)
    assert (refused.value.code, refused.value.rule) == (Code.MALFORMED, rule)
    assert refused.value.params == params


def test_box_must_hold_enough_tiles_and_cards() -> None:
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


def test_default_game_uses_the_default_box() -> None:
    state = GAME.start(2, {})
    assert state.box.tiles is TILES
    assert deck(state) == tuple(CARDS)


# --- the card and the draw ------------------------------------------------------------------------


def test_a_round_begins_with_a_card() -> None:
    driver = GameDriver()
    assert (driver.state.phase, driver.game.due(driver.state)) == ("card", True)
    driver.card("breche")
    assert driver.events == [CardShown("breche"), PhaseBegan("draw", (0, 1))]
    assert driver.state.card == "breche"
    assert driver.state.number == 2


def test_without_kaos_a_round_begins_with_the_draw() -> None:
    driver = GameDriver(kaos=False)
    assert (driver.state.phase, driver.state.waiting) == ("draw", (0, 1))


def test_chance_turns_any_card_and_draws_any_nine_tiles() -> None:
    driver = GameDriver()
    assert driver.game.chance(driver.state, lambda n: n - 1) == CardTurned("card", "supernova")
    assert driver.game.chance(driver.state, lambda n: 0) == CardTurned("card", "une-dimension")
    driver.card("breche")
    drawn = driver.game.chance(driver.state, lambda n: 0)
    assert isinstance(drawn, TilesDrawn)
    assert (drawn.what, drawn.seat, len(set(drawn.tiles))) == ("draw", 0, 9)
    driver.enter(drawn)
    other = driver.game.chance(driver.state, lambda n: 0)
    assert isinstance(other, TilesDrawn)
    assert not set(other.tiles) & set(drawn.tiles)


def test_drawing_without_a_draft_leads_to_building() -> None:
    driver = GameDriver(kaos=False, draft=False).draw(packets(2)[0])
    assert driver.events == [Drawn(0, 9, True, IDS[:9])]
    assert (driver.state.kept, driver.state.supplies) == ((9, 0), (0, 0))
    assert driver.view(0).supply == (), "the tiles are still face down"
    assert len(bag(driver.state)) == 45
    driver.enter(TilesDrawn("draw", 1, tuple(reversed(IDS[9:18]))))
    assert driver.events == [
        Drawn(1, 9, True, tuple(reversed(IDS[9:18]))),
        Supplied(0, 9, IDS[:9]),
        Supplied(1, 9, IDS[9:18]),
        PhaseBegan("building", (0, 1), 60),
    ]
    assert (driver.state.kept, driver.state.supplies) == ((0, 0), (9, 9))
    assert driver.state.hands[1].supply == IDS[9:18]


def test_six_players_use_every_tile() -> None:
    driver = GameDriver(6, kaos=False).draw(*packets(6))
    assert driver.state.phase == "draft"
    assert bag(driver.state) == ()


@pytest.mark.parametrize(
    ("entry", "rule", "params"),
    [
        (CardTurned("card", "nothing"), "not-in-deck", {"card": "nothing"}),
        (TilesDrawn("draw", 0, IDS[:9]), "not-due", {"what": "draw", "phase": "card"}),
        (Fill("fill", 0, ()), "not-due", {"what": "fill", "phase": "card"}),
        (Chance("card"), "not-due", {"what": "card", "phase": "card"}),
        (Timeout(), "not-timed", {"phase": "card"}),
    ],
)
def test_only_a_card_of_the_deck_can_be_turned(
    entry: Chance | Timeout, rule: str, params: Json
) -> None:
    assert GameDriver().refused(entry) == (Code.ILLEGAL, rule, params)


def test_card_is_turned_at_most_once_per_game() -> None:
    driver = counted("breche")
    assert driver.state.round == 2
    assert driver.refused(CardTurned("card", "breche"))[1] == "not-in-deck"
    assert "breche" not in deck(driver.state)


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
    assert GameDriver(kaos=False).refused(entry)[:2] == (Code.ILLEGAL, rule)


def test_a_draw_holds_no_tile_that_another_seat_has() -> None:
    driver = GameDriver(kaos=False).draw(IDS[:9])
    assert driver.refused(TilesDrawn("draw", 1, IDS[8:17])) == (
        Code.ILLEGAL,
        "not-in-bag",
        {"tiles": list(IDS[8:17])},
    )


def test_nobody_may_act_while_a_chance_entry_is_due() -> None:
    for driver in (GameDriver(), GameDriver(kaos=False)):
        assert driver.game.actors(driver.state) == ()
        assert driver.game.legal(driver.state, 0) == ()
        assert driver.refused((0, "keep T01 T02 T03")) == (
            Code.NOT_YOUR_TURN,
            "not-your-turn",
            {"seat": 0},
        )


# --- the draft ------------------------------------------------------------------------------------


def test_packets_of_six_pass_to_the_left_in_odd_rounds() -> None:
    driver = drafting()
    driver.act(0, "keep T01 T02 T03").act(2, "keep T19 T20 T21")
    assert driver.events == [Kept(2, 3, ("T19", "T20", "T21"))]
    driver.act(1, "keep T10 T11 T12")
    assert driver.events == [
        Kept(1, 3, ("T10", "T11", "T12")),
        Passed(0, 1, 6, False, IDS[3:9]),
        Passed(1, 2, 6, False, IDS[12:18]),
        Passed(2, 0, 6, False, IDS[21:27]),
    ]
    assert driver.state.waiting == (0, 1, 2)
    assert [hand.packet for hand in driver.state.hands] == [IDS[21:27], IDS[3:9], IDS[12:18]]


def test_packets_pass_to_the_right_in_even_rounds() -> None:
    driver = drafting(rounds=2)
    assert driver.state.direction == "right"
    driver.act(0, "keep T01 T02 T03").act(1, "keep T10 T11 T12").act(2, "keep T19 T20 T21")
    assert [hand.packet for hand in driver.state.hands] == [IDS[12:18], IDS[21:27], IDS[3:9]]


def test_the_third_round_passes_to_the_left_again() -> None:
    assert drafting(2, rounds=3).state.direction == "left"


def test_last_three_tiles_are_passed_unseen() -> None:
    driver = drafting()
    driver.act(0, "keep T01 T02 T03").act(1, "keep T10 T11 T12").act(2, "keep T19 T20 T21")
    driver.act(0, "keep T22 T23 T24").act(1, "keep T04 T05 T06").act(2, "keep T13 T14 T15")
    assert driver.events[1:] == [
        Passed(0, 1, 3, True, None),
        Passed(1, 2, 3, True, None),
        Passed(2, 0, 3, True, None),
        Supplied(0, 9, (*IDS[0:3], *IDS[15:18], *IDS[21:24])),
        Supplied(1, 9, (*IDS[3:6], *IDS[9:12], *IDS[24:27])),
        Supplied(2, 9, (*IDS[6:9], *IDS[12:15], *IDS[18:21])),
        PhaseBegan("building", (0, 1, 2), 60),
    ]
    assert driver.state.supplies == (9, 9, 9)
    assert driver.state.kept == driver.state.packets == (0, 0, 0)


def test_any_three_tiles_of_the_packet_can_be_kept() -> None:
    driver = drafting(2)
    assert [str(move) for move in driver.game.legal(driver.state, 0)] == [
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
    driver = drafting(2).enter(Action(0, Keep(("T03", "T01", "T02"))))
    assert driver.events == [Kept(0, 3, ("T01", "T02", "T03"))]


def test_seat_that_has_kept_waits_for_the_others() -> None:
    driver = drafting(2).act(0, "keep T01 T02 T03")
    assert driver.game.actors(driver.state) == (1,)
    assert driver.refused((0, "keep T04 T05 T06"))[:2] == (Code.NOT_YOUR_TURN, "not-your-turn")


def test_building_moves_are_refused_during_the_draft() -> None:
    assert drafting(2).refused((0, "put T01 a1 0")) == (
        Code.ILLEGAL,
        "wrong-phase",
        {"phase": "draft", "expected": "building"},
    )
    assert drafting(2).refused((5, "keep T01 T02 T03"))[:2] == (Code.NOT_YOUR_TURN, "not-your-turn")


# --- a whole game ---------------------------------------------------------------------------------


def whole_game(players: int, **options: Json) -> GameDriver:
    driver = GameDriver(players, **options)
    pick = Random(players).randrange
    while driver.state.result is None:
        if driver.game.due(driver.state):
            driver.enter(driver.game.chance(driver.state, pick))
        elif driver.state.phase == "building":
            driver.time()
        else:
            seat = driver.state.waiting[0]
            driver.enter(Action(seat, driver.game.legal(driver.state, seat)[0]))
    return driver


@pytest.mark.parametrize("players", CARD.players)
def test_a_game_has_five_rounds(players: int) -> None:
    driver = whole_game(players)
    state, result = driver.state, driver.game.result(driver.state)
    assert (state.round, state.phase, len(set(state.cards))) == (5, "over", 5)
    assert driver.events[-1] == Ended(result)  # type: ignore[arg-type]
    assert result is not None
    for own, score in zip(state.markers, result.scores, strict=True):
        lowest = min(own["green"], own["blue"], own["orange"])
        assert score == {**own, "score": lowest + own["star"]}
        assert tuple(score) == CARD.score_fields


def test_entries_after_the_end_are_refused() -> None:
    driver = whole_game(2, kaos=False, draft=False)
    entries: list[Json] = [(0, "done"), Timeout(), CardTurned("card", "breche")]
    for entry in entries:
        assert driver.refused(entry) == (Code.OVER, "game-over", {})
    assert driver.game.actors(driver.state) == ()
    assert not driver.game.due(driver.state)


def test_foreign_event_raises_type_error() -> None:
    with pytest.raises(TypeError):
        after(GameDriver().state, Event())
