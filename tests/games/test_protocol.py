"""What live tables ask of a game: versions, face-down tiles, races, moves that show a hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.games.kaosmos.driver import MARTIN, OTHER, building
from tests.tables import Table, random_game
from tuilerie.games import GAMES
from tuilerie.games.game import Code, Refused
from tuilerie.games.kaosmos.notation import parse_galaxy, parse_move


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_game_has_its_rule_versions(name: str) -> None:
    game = GAMES[name]
    assert game.version == game.card.rules == max(game.card.versions)
    for version in game.card.versions:
        assert game.by_version(version).version == version
    with pytest.raises(Refused) as caught:
        game.by_version(99)
    assert (caught.value.code, caught.value.rule) == (Code.MALFORMED, "unknown-rules")


@pytest.mark.parametrize("name", ["genial", "blockers"])
def test_untimed_games_have_no_face_down_state_and_no_races(name: str) -> None:
    game = GAMES[name]
    state = game.start(2, game.options(2, {}))
    assert game.timer(state) is None
    assert game.face_down(state) is state
    move = game.parse_move({"genial": "keep", "blockers": "b7-C7"}[name])
    assert not game.is_race(state, 0, move)
    assert not game.rearranges(state, 0, move)


@pytest.mark.parametrize(
    ("name", "move", "shown"),
    [
        ("genial", "swap", True),
        ("genial", "keep", False),
        ("blockers", "discard b7", True),
        ("blockers", "b7-C7", False),
        ("kaosmos", "done", False),
    ],
)
def test_moves_that_reveal_a_hand(name: str, move: str, shown: bool) -> None:
    game = GAMES[name]
    assert game.reveals(game.parse_move(move)) is shown


def test_bonus_tiles_and_the_end_of_the_round_are_races() -> None:
    driver = building().lay(0, parse_galaxy(MARTIN)).lay(1, parse_galaxy(OTHER))
    game, grab, done = driver.game, parse_move("grab green"), parse_move("done")
    assert game.is_race(driver.state, 0, grab)
    assert not game.is_race(driver.state, 0, done), "the other seat still builds"
    assert not game.is_race(driver.state, 0, parse_move("lift T03"))
    driver.act(0, "done")
    assert game.is_race(driver.state, 1, done), "it ends the round while the other may still grab"
    driver.act(0, "grab green blue orange")
    assert not game.is_race(driver.state, 1, done), "no bonus tile is left"


@pytest.mark.parametrize(
    ("move", "rearranges"),
    [
        ("put T49 a1 0", False),  # from the supply to a free slot
        ("put T49 b2 0", True),  # it sends a tile back
        ("put T03 b2 1", True),
        ("put T03 a1 0", True),
        ("lift T03", True),
        ("done", False),
        ("grab blue", False),
        ("leave T49", False),
        ("leave T03", True),
    ],
)
def test_moves_that_only_rearrange_tiles(move: str, rearranges: bool) -> None:
    """Without them every game ends: each tile is laid once, and left aside once."""
    driver = building().act(0, "put T03 b2 0")
    assert driver.game.rearranges(driver.state, 0, parse_move(move)) is rearranges


def test_another_tile_left_aside_sends_the_first_one_back() -> None:
    driver = building("trou-noir").act(0, "leave T03")
    assert driver.game.rearranges(driver.state, 0, parse_move("leave T49"))
    assert not driver.game.rearranges(driver.state, 0, parse_move("put T03 a1 0"))


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("genial", lambda view: view.hand_counts),
        ("blockers", lambda view: [sum(rack.values()) for rack in view.racks]),
        (
            "kaosmos",
            lambda v: map(sum, zip(v.packets, v.kept, v.supplies, strict=True)),
        ),
    ],
)
def test_held_tiles_are_as_many_as_everybody_sees(name: str, counts: Callable[[Any], Any]) -> None:
    game = GAMES[name]
    for moment in random_game(Table(name, 2), 1):
        held = [len(game.held(moment.after, seat)) for seat in range(2)]
        assert held == list(counts(game.view(moment.after, None)))
