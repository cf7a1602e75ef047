"""What live tables ask of a game: versions, face-down tiles, races, moves that show a hand."""

from __future__ import annotations

import pytest

from tests.games.kaosmos.sitting import MARTIN, OTHER, building
from tuilerie.games import GAMES
from tuilerie.games.game import Code, Refused
from tuilerie.games.kaosmos.notation import parse_galaxy, parse_move


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_game_knows_the_versions_of_its_rules(name: str) -> None:
    game = GAMES[name]
    assert game.version == game.card.rules == max(game.card.versions)
    for version in game.card.versions:
        assert game.by_version(version).version == version
    with pytest.raises(Refused) as caught:
        game.by_version(99)
    assert (caught.value.code, caught.value.rule) == (Code.MALFORMED, "unknown-rules")


@pytest.mark.parametrize("name", ["genial", "blockers"])
def test_where_nothing_is_timed_nothing_lies_face_down_and_nobody_races(name: str) -> None:
    game = GAMES[name]
    state = game.start(2, game.options(2, {}))
    assert game.glass(state) is None
    assert game.face_down(state) is state
    move = game.parse_move({"genial": "keep", "blockers": "b7-C7"}[name])
    assert not game.is_race(state, 0, move)


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
def test_some_moves_reveal_what_one_holds(name: str, move: str, shown: bool) -> None:
    game = GAMES[name]
    assert game.reveals(game.parse_move(move)) is shown


def test_bonus_tiles_are_raced_for_and_so_is_the_end_of_the_round() -> None:
    sitting = building().lay(0, parse_galaxy(MARTIN)).lay(1, parse_galaxy(OTHER))
    game, grab, done = sitting.game, parse_move("grab green"), parse_move("done")
    assert game.is_race(sitting.state, 0, grab)
    assert not game.is_race(sitting.state, 0, done), "the other one goes on"
    assert not game.is_race(sitting.state, 0, parse_move("lift T03"))
    sitting.act(0, "done")
    assert game.is_race(sitting.state, 1, done), "it ends the round for one who may still grab"
    sitting.act(0, "grab green blue orange")
    assert not game.is_race(sitting.state, 1, done), "nothing is left to reach for"
