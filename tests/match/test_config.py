"""How a table can be set up, and how it cannot."""

from __future__ import annotations

import pytest

from tests.match.driver import NOON
from tuilerie.games.game import Code, Json, Refused
from tuilerie.match.config import LONGEST_CLOCK, Clock, Config, PerGame, PerMove
from tuilerie.match.decide import open_table
from tuilerie.match.evolve import fold
from tuilerie.match.facts import Opened


def test_a_table_opens_with_all_seats_open() -> None:
    config = Config(players=3, options={"scoring": "uptown"}, clock=PerMove(30))
    facts = open_table("blockers", config, NOON)
    assert facts == (Opened(NOON, "blockers", 1, config),)
    table = fold(facts)
    assert (table.number, table.at, table.game, table.config) == (1, NOON, "blockers", config)
    assert [place.kind for place in table.seats] == ["open"] * 3
    assert table.host is None
    assert not table.is_playing


@pytest.mark.parametrize(
    ("game", "config", "rule"),
    [
        ("chess", Config(players=2), "unknown-game"),
        ("genial", Config(players=5), "bad-players"),
        ("genial", Config(players=2, options={"size": 3}), "unknown-option"),
        ("kaosmos", Config(players=2, options={"seconds": 61}), "bad-option"),
        ("genial", Config(players=2, level="genius"), "unknown-level"),
        ("genial", Config(players=2, clock=PerMove(0)), "bad-seconds"),
        ("genial", Config(players=2, clock=PerMove(LONGEST_CLOCK + 1)), "bad-seconds"),
        ("genial", Config(players=2, clock=PerGame(0, 5)), "bad-seconds"),
        ("genial", Config(players=2, clock=PerGame(60, -1)), "bad-seconds"),
        ("genial", Config(players=2, spectators=-1), "bad-seconds"),
        ("genial", Config(players=2, takeover_after=0), "bad-seconds"),
    ],
)
def test_invalid_configs_are_refused(game: str, config: Config, rule: str) -> None:
    with pytest.raises(Refused) as caught:
        open_table(game, config, NOON)
    assert (caught.value.code, caught.value.rule) == (Code.MALFORMED, rule)


@pytest.mark.parametrize("clock", [None, PerMove(1), PerGame(LONGEST_CLOCK, 0)])
@pytest.mark.parametrize("spectators", [None, 0, 300])
@pytest.mark.parametrize("patience", [None, 1])
def test_valid_configs_are_accepted(clock: Clock | None, spectators: Json, patience: Json) -> None:
    config = Config(
        players=2, clock=clock, spectators=spectators, takeover_after=patience, level="random"
    )
    assert fold(open_table("genial", config, NOON)).config == config
