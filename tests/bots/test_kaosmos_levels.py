"""The levels of Kaosmos play whole games under every card, and know only what they may know."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from tests.amounts import one_in
from tests.games.kaosmos.driver import MARTIN, OTHER, GameDriver, building
from tests.hidden import PERMUTE
from tests.tables import Table, random_game
from tuilerie import native
from tuilerie.bots.bot import LEVEL_NAMES, Budget, Level
from tuilerie.bots.kaosmos_levels import LEVELS
from tuilerie.games.kaosmos import GAME, Kaosmos
from tuilerie.games.kaosmos.board import groups
from tuilerie.games.kaosmos.cards import CARDS
from tuilerie.games.kaosmos.notation import parse_galaxy
from tuilerie.games.kaosmos.versions import VERSIONS

SHORT = Budget(nodes=60)


def named(value: object) -> str | None:
    """Return the name of a level, for the id of a test."""
    return value.name if isinstance(value, Level) else None


def test_there_are_five_levels() -> None:
    assert tuple(level.name for level in LEVELS) == LEVEL_NAMES


@pytest.mark.slow
@pytest.mark.parametrize(("cards", "level"), one_in(3, product(range(4), LEVELS)), ids=named)
def test_a_level_plays_every_card_to_the_end(level: Level, cards: int) -> None:
    driver, random = GameDriver(3, seconds=None), Random(cards)
    for seat in driver.asked(list(CARDS)[cards * 5 : cards * 5 + 5], random):
        view = driver.view(seat)
        best, *others = level.think(view, random.randrange(2**60), SHORT)
        assert best.move in view.legal
        assert {other.move for other in others} <= set(view.legal)
        assert 0 <= best.value <= 1
        driver.act(seat, best.move)
    assert driver.state.result is not None


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
def test_hidden_tiles_do_not_change_the_move(level: Level) -> None:
    table, random, met = Table("kaosmos", 3), Random(2), 0
    for moment in random_game(table, 5):
        state = moment.after
        if not GAME.actors(state) or random.randrange(4):
            continue
        seat = GAME.actors(state)[0]
        other = PERMUTE["kaosmos"](state, seat, random)
        moves = [level.think(GAME.view(each, seat), 77, SHORT) for each in (state, other)]
        assert moves[0] == moves[1]
        met += 1
    assert met > 10


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
def test_a_level_plays_by_rules_version_1(level: Level) -> None:
    driver, random = GameDriver(2, Kaosmos(version=VERSIONS[1]), seconds=None), Random(9)
    for seat in driver.asked(["loterie", "derive"], random):
        move = level.think(driver.view(seat), random.randrange(2**60), SHORT)[0].move
        assert move in driver.view(seat).legal
        driver.act(seat, move)
    assert driver.state.round == 3


def test_a_galaxy_is_built_without_moving_placed_tiles() -> None:
    driver = building()
    moves: list[str] = []
    while 0 in driver.state.waiting:
        moves.append(LEVELS[3](driver.view(0), Random(len(moves)).randrange))
        driver.act(0, moves[-1])
    assert [move.split()[0] for move in moves[:-1]] == ["put"] * 9


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
def test_a_free_shape_stays_connected_while_it_grows(level: Level) -> None:
    driver = building("derive")
    for _ in range(9):
        move = level.think(driver.view(0), 3, SHORT)[0].move
        assert move.startswith("put")
        driver.act(0, move)
        assert len(groups(driver.state.galaxies[0])) == 1
    assert driver.state.is_complete(0)


def test_disconnected_tiles_are_taken_back() -> None:
    driver = building("derive").act(0, "put T03 a1 0").act(0, "put T12 c1 0")
    move = LEVELS[4].think(driver.view(0), 1, SHORT)[0].move
    if native.is_compiled():
        assert move == "lift T12"


def test_a_bonus_is_taken_when_it_is_sure() -> None:
    if not native.is_compiled():
        pytest.skip("only with the compiled core")
    driver = building().lay(0, parse_galaxy(MARTIN)).lay(1, parse_galaxy(OTHER)).act(1, "done")
    assert "green" in LEVELS[4].think(driver.view(0), 1, SHORT)[0].move


def test_a_larger_budget_does_not_exceed_the_limits_of_a_level() -> None:
    if not native.is_compiled():
        pytest.skip("only with the compiled core")
    view = building().view(0)
    for level in LEVELS[:4]:
        for budget in (Budget(seconds=5), Budget(nodes=10**9), Budget()):
            assert level.think(view, 1, budget) == level.think(view, 1, level.budget)
    strongest = LEVELS[4]
    assert strongest.think(view, 1, Budget()) == strongest.think(view, 1, strongest.budget)
    for nodes in (100, 100_000):
        assert strongest.think(view, 1, Budget(nodes=nodes))[0].visits == nodes


def test_without_the_core_the_simple_bots_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "is_compiled", lambda: False)
    view = building().view(0)
    for level in LEVELS:
        assert level.think(view, 1, SHORT)[0].move in view.legal


def test_without_time_for_a_trial_the_draft_is_greedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tuilerie.bots.kaosmos_levels.fast.weigh_keeps", lambda *_: [])
    game = GAME
    state, random = game.start(2, {}), Random(1)
    while game.due(state):
        state, _ = game.apply(state, game.chance(state, random.randrange))
    view = game.view(state, 0)
    for level in LEVELS:
        assert level(view, random.randrange) in view.legal
