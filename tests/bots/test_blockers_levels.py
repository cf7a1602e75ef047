"""The levels of Blockers!: fair, reproducible, and able to play at every table."""

from __future__ import annotations

from random import Random

import pytest

from tests.hidden import PERMUTE
from tests.perft import after
from tests.tables import TABLES, Table
from tuilerie import native
from tuilerie.bots.blockers import greedy_choices
from tuilerie.bots.blockers_levels import LEVELS, Thinker
from tuilerie.bots.bot import LEVEL_NAMES, Budget, Level
from tuilerie.games.blockers import GAME
from tuilerie.games.game import Action

needs_core = pytest.mark.skipif(not native.is_compiled(), reason="the core is not built")
FEW = Budget(nodes=200)
BLOCKERS = [table for table in TABLES if table.game == "blockers"]


def test_there_are_five_levels_with_the_usual_names() -> None:
    assert tuple(level.name for level in LEVELS) == LEVEL_NAMES


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_hidden_tiles_do_not_change_the_answer(level: Level, players: int) -> None:
    """The same view with other tiles on the racks and in the piles: the same answer, to the last
    digit."""
    for actions in (0, 17, 40, 64, 70):
        state = after(Table("blockers", players), actions)
        seat = state.seat
        expected = level.think(GAME.view(state, seat), 7, FEW)
        for mix in range(3):
            other = PERMUTE["blockers"](state, seat, Random(mix))
            assert other != state or actions == 70
            assert level.think(GAME.view(other, seat), 7, FEW) == expected


@pytest.mark.parametrize("table", BLOCKERS, ids=str)
def test_levels_play_whole_games(table: Table) -> None:
    pick = Random(str(table)).randrange
    state = GAME.start(table.players, GAME.draw_lots(table.players, table.options, pick))
    while GAME.result(state) is None:
        if GAME.due(state):
            state = GAME.apply(state, GAME.chance(state, pick)).state
            continue
        level = LEVELS[pick(len(LEVELS))]
        view = GAME.view(state, state.seat)
        candidates = level.think(view, pick(1000), Budget(nodes=20))
        assert {one.move for one in candidates} <= set(view.legal)
        assert len({one.move for one in candidates}) == len(candidates)
        assert all(0 <= one.value <= 1 for one in candidates)
        move = GAME.parse_move(candidates[0].move)
        state = GAME.apply(state, Action(state.seat, move)).state


def test_a_level_is_a_bot() -> None:
    view = GAME.view(after(Table("blockers", 4), 10), 2)
    moves = {level(view, Random(3).randrange) for level in LEVELS[:4]}
    assert moves <= set(view.legal)


@needs_core
def test_a_larger_budget_does_not_exceed_the_limits_of_a_level() -> None:
    view = GAME.view(after(Table("blockers", 4), 10), 2)
    clay, porcelain = LEVELS[0], LEVELS[-1]
    assert sum(one.visits for one in clay.think(view, 1, Budget(seconds=0.2))) < 100
    assert sum(one.visits for one in porcelain.think(view, 1, Budget(nodes=500))) >= 500


def test_slips_are_random_legal_moves() -> None:
    view = GAME.view(after(Table("blockers", 4), 10), 2)
    always = Thinker(slips=1, nodes=8)
    chosen = {always(view, seed, Budget())[0].move for seed in range(400)}
    assert len(chosen) > 0.9 * len(view.legal)


def test_without_the_core_a_level_is_greedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "is_compiled", lambda: False)
    view = GAME.view(after(Table("blockers", 4), 10), 2)
    for level in LEVELS[3:]:
        candidates = level.think(view, 1, level.budget)
        assert {one.move for one in candidates} == set(greedy_choices(view))
        assert candidates[0].value == 0.25
