"""The load generator of the benchmarks plays by the views that the server sends."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.match.driver import PEOPLE, started
from tuilerie.codec import to_builtins
from tuilerie.games import GAMES
from tuilerie.match import commands as c
from tuilerie.match.view import view

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def load_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield import_module("load_games")
    del sys.modules["load_games"]


@pytest.mark.parametrize("game", GAMES)
def test_generated_moves_are_legal(game: str, load_games: Any) -> None:
    driver = started(game, players=4, people=4, options=dict(load_games.OPTIONS[game]))
    random, moves = Random(1), 0
    for _ in range(60):
        seat = driver.table.actors[0]
        shown = json.loads(json.dumps(to_builtins(view(driver.table, seat))))
        move = load_games.move_of(game, shown, random)
        if move is None or driver.table.result is not None:
            break
        driver.do(c.Make(PEOPLE[seat], move))  # it would raise `Refused`
        moves += 1
    assert moves > 40
