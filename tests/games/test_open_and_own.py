"""A view is made of open fields, the same for all, and of its viewer's own."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tables import TABLES, Table, random_game
from tuilerie.codec import public_fields
from tuilerie.games.game import own_fields


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_fields_that_are_not_marked_own_are_the_same_for_every_viewer(table: Table) -> None:
    game = table.rules
    kind: Any = game.view_type
    own = own_fields(kind)
    open_names = [name for name in public_fields(kind) if name not in own]
    for number, moment in enumerate(random_game(table, 2)):
        if number % 7:
            continue
        watching = game.view(moment.after, None)
        for viewer in (None, *range(table.players)):
            view = game.view(moment.after, viewer)
            alone = game.own_view(moment.after, viewer)
            assert alone.keys() == own
            assert {name: getattr(view, name) for name in own} == alone
            for name in open_names:
                assert getattr(view, name) == getattr(watching, name), name
