"""The golden playthroughs are what the rules still do. `make golden` writes them anew."""

import pytest

from tests.playthroughs import FOLDER, TOLD, path_of, tell
from tests.tables import Table
from tuilerie.games import GAMES


@pytest.mark.parametrize("table", TOLD, ids=str)
def test_a_playthrough_is_told_as_before(table: Table) -> None:
    golden = path_of(table).read_text(encoding="utf-8").splitlines()
    for number, (told, kept) in enumerate(zip(tell(table), golden, strict=True), 1):
        assert told == kept, f"{path_of(table).name}, line {number}"


def test_every_game_has_playthroughs_and_none_is_left_over() -> None:
    assert {table.game for table in TOLD} == set(GAMES)
    assert {path.name for path in FOLDER.glob("*.txt")} == {path_of(t).name for t in TOLD}
