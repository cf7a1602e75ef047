"""Golden playthroughs: the rules still produce them. `make golden` regenerates them."""

import pytest

from tests.playthroughs import FOLDER, PLAYTHROUGHS, path_of, playthrough_lines
from tests.tables import Table
from tuilerie.games import GAMES


@pytest.mark.slow
@pytest.mark.parametrize("table", PLAYTHROUGHS, ids=str)
def test_playthrough_is_unchanged(table: Table) -> None:
    golden = path_of(table).read_text(encoding="utf-8").splitlines()
    for number, (line, kept) in enumerate(zip(playthrough_lines(table), golden, strict=True), 1):
        assert line == kept, f"{path_of(table).name}, line {number}"


def test_every_game_has_playthroughs_and_none_is_unused() -> None:
    assert {table.game for table in PLAYTHROUGHS} == set(GAMES)
    assert {path.name for path in FOLDER.glob("*.txt")} == {path_of(t).name for t in PLAYTHROUGHS}
