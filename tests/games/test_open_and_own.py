"""A view is made of what all may know and what is its viewer's own, in every game."""

from __future__ import annotations

import pytest

from tests.tables import Table, random_game
from tuilerie.games.game import plain

TABLES = [Table("genial", 2), Table("blockers", 3), Table("kaosmos", 2)]


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_open_and_own_fields_make_the_view_and_none_is_both(table: Table) -> None:
    game = table.rules
    for number, moment in enumerate(random_game(table, 2)):
        if number % 7:
            continue
        shared = plain(game.open_view(moment.after))
        for viewer in (None, *range(table.players)):
            own = plain(game.own_view(moment.after, viewer))
            assert not shared.keys() & own.keys()
            assert {**shared, **own} == plain(game.view(moment.after, viewer))
