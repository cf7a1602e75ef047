"""A view that goes to a bot in another process as JSON comes back as the same view."""

from __future__ import annotations

import json

import pytest

from tests.tables import TABLES, Table, random_game
from tuilerie.codec import Malformed
from tuilerie.games import GAMES


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_view_survives_json(table: Table) -> None:
    game = table.rules
    for at, moment in enumerate(random_game(table, 4)):
        if at % 61 == 0:
            for viewer in range(table.players):
                view = game.view(moment.after, viewer)
                again = game.read_view(json.loads(json.dumps(game.write_view(view))))
                assert again == view
                assert again.legal == view.legal


@pytest.mark.parametrize("game", GAMES)
def test_view_of_another_shape_is_refused(game: str) -> None:
    rules = GAMES[game]
    data = rules.write_view(rules.view(rules.start(2, rules.draw_lots(2, {}, lambda n: 0)), 0))
    for wrong in ({**data, "more": 1}, {**data, "number": "1"}, {}):
        with pytest.raises(Malformed):
            rules.read_view(wrong)
