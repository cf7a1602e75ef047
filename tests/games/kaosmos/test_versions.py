"""Every version of the rules and its differences: old games keep their rules."""

from __future__ import annotations

import pytest

from tests.games.kaosmos.driver import MARTIN, OTHER, GameDriver, tiles_of
from tuilerie.games.game import Code, Refused
from tuilerie.games.kaosmos import GAME, Kaosmos
from tuilerie.games.kaosmos.card import CARD
from tuilerie.games.kaosmos.notation import parse_galaxy
from tuilerie.games.kaosmos.versions import NEWEST, VERSIONS


def building(version: int) -> GameDriver:
    """Two players who build by this version of the rules."""
    driver = GameDriver(game=Kaosmos().by_version(version), kaos=False, draft=False)
    return driver.draw(tiles_of(MARTIN), tiles_of(OTHER))


def test_new_games_use_the_newest_version() -> None:
    assert CARD.versions == (1, 2)
    assert GAME.version == CARD.rules == NEWEST.number == 2
    assert GAME.start(2, {}).version is NEWEST


@pytest.mark.parametrize("version", VERSIONS)
def test_state_keeps_its_version(version: int) -> None:
    game = GAME.by_version(version)
    assert game.version == version
    assert game.start(2, {}).version is VERSIONS[version]
    assert game.view(game.start(2, {}), 0).version is VERSIONS[version]
    assert game.by_version(version) is game


def test_tiles_and_cards_are_the_same_in_every_version() -> None:
    cards = dict(list(GAME.by_version(2).start(2, {}).box.cards.items())[:6])
    other = Kaosmos(cards=cards)
    old = other.by_version(1)
    assert (old.box, old.edition) == (other.box, other.edition)


@pytest.mark.parametrize("version", [0, 3, 99, -1, True, 1.0, "1", None])
def test_an_unknown_version_is_refused(version: int) -> None:
    with pytest.raises(Refused) as caught:
        GAME.by_version(version)
    assert (caught.value.code, caught.value.rule) == (Code.MALFORMED, "unknown-rules")
    assert caught.value.params == {"found": version, "expected": "1, 2"}


def test_version_1_bars_bonus_tiles_after_done() -> None:
    driver = building(1).lay(0, parse_galaxy(MARTIN)).act(0, "done")
    assert driver.refused((0, "grab blue")) == (Code.TOO_LATE, "locked", {"seat": 0})
    assert driver.game.legal(driver.state, 0) == ()


def test_version_1_bars_bonus_tiles_before_the_galaxy_is_complete() -> None:
    driver = building(1).act(0, "put T03 b2 0")
    assert driver.refused((0, "grab blue")) == (
        Code.ILLEGAL,
        "galaxy-incomplete",
        {"laid": 1, "needed": 9, "shape": "square"},
    )
    assert not [move for move in driver.view(0).legal if move.startswith("grab")]


def test_version_1_shows_tiles_as_soon_as_they_are_drawn() -> None:
    driver = GameDriver(game=Kaosmos().by_version(1), kaos=False, draft=False)
    driver.draw(tiles_of(MARTIN))
    assert driver.view(0).supply == tuple(sorted(tiles_of(MARTIN)))
    driver = building(1)
    assert driver.game.face_down(driver.state) is driver.state


def test_newest_version_shows_no_tile_before_the_timer_starts() -> None:
    driver = building(2).act(0, "put T03 b2 0")
    shown = driver.game.face_down(driver.state)
    view = driver.game.view(shown, 0)
    assert (view.phase, view.supply, view.legal, view.actors) == ("ready", (), (), ())
    draft = GameDriver(kaos=False).draw(tiles_of(MARTIN), tiles_of(OTHER))
    assert draft.game.face_down(draft.state) is draft.state
