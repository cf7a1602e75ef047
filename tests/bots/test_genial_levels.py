"""The levels of Génial!: they know only their view, return estimates, and differ."""

from __future__ import annotations

from random import Random

import pytest

from tests.hidden import PERMUTE
from tests.perft import after
from tests.tables import TABLES, Table, random_game
from tuilerie import native
from tuilerie.bots.bot import LEVEL_NAMES, Budget, Candidate, Level
from tuilerie.bots.genial_levels import LEVELS
from tuilerie.games import GAMES
from tuilerie.games.game import Action
from tuilerie.games.genial.state import State

GAME = GAMES["genial"]
GENIAL = [table for table in TABLES if table.game == "genial"]
FEW = Budget(nodes=200)

compiled = pytest.mark.skipif(not native.is_compiled(), reason="the compiled core is not built")


def middle_of(table: Table) -> State:
    state: State = after(table, 9)
    return state


def think(state: State, level: Level, seed: int = 1) -> tuple[Candidate, ...]:
    return level.think(GAME.view(state, state.seat), seed, FEW)


def test_level_names() -> None:
    assert tuple(level.name for level in LEVELS) == LEVEL_NAMES


@pytest.mark.parametrize("table", GENIAL, ids=str)
@pytest.mark.parametrize("level", LEVELS, ids=LEVEL_NAMES)
def test_a_level_answers_with_legal_moves_best_first(level: Level, table: Table) -> None:
    state = middle_of(table)
    found = think(state, level)
    legal = GAME.view(state, state.seat).legal
    assert found
    assert all(each.move in legal for each in found)
    assert all(0 <= each.value <= 1 for each in found)
    assert len({each.move for each in found}) == len(found)


@pytest.mark.parametrize("level", LEVELS, ids=LEVEL_NAMES)
def test_a_level_does_not_depend_on_hidden_tiles(level: Level) -> None:
    """The same view with other hidden tiles, the same seed: the same candidates."""
    for table in GENIAL:
        state = middle_of(table)
        other = PERMUTE["genial"](state, state.seat, Random(3))
        assert think(state, level) == think(other, level)


@compiled
def test_the_same_seed_and_nodes_give_the_same_answer() -> None:
    state = middle_of(GENIAL[1])
    strongest = LEVELS[-1]
    assert think(state, strongest, seed=5) == think(state, strongest, seed=5)
    assert think(state, strongest, seed=5) != think(state, strongest, seed=6)


@compiled
def test_a_node_budget_is_respected() -> None:
    view = GAME.view(middle_of(GENIAL[1]), 1)
    for nodes in (100, 1000):
        found = LEVELS[-1].think(view, 1, Budget(nodes=nodes))
        assert nodes / 2 < sum(each.visits for each in found) <= nodes
    assert sum(each.visits for each in LEVELS[3].think(view, 1, Budget(nodes=1000))) == 8


@compiled
def test_a_time_budget_is_used() -> None:
    view = GAME.view(middle_of(GENIAL[1]), 1)
    every_round_once = 8 + 4 + 2  # on the slowest machine
    found = LEVELS[-1].think(view, 1, Budget(seconds=0.01))
    assert sum(each.visits for each in found) >= every_round_once
    assert LEVELS[-1].think(view, 1, Budget())[0].visits > 0


@compiled
def test_swap_and_keep_are_both_evaluated() -> None:
    """Both are played on, and both get a value."""
    state = next(
        moment
        for seed in range(50)
        for moment in _states(GENIAL[1], seed)
        if moment.phase == "swap"
    )
    found = think(state, LEVELS[-1])
    assert {each.move for each in found} == {"swap", "keep"}
    assert all(each.visits >= 50 for each in found)
    assert found[0].value >= 0


def _states(table: Table, seed: int) -> list[State]:
    return [moment.after for moment in random_game(table, seed)]


@compiled
def test_the_last_tile_is_solved() -> None:
    """Where each placement ends the game, the values are the results themselves."""
    for seed in range(10):
        state = next(s for s in reversed(_states(GENIAL[1], seed)) if s.phase == "place")
        ends = {
            str(move): GAME.result(GAME.apply(state, Action(state.seat, move)).state)
            for move in GAME.legal(state, state.seat)
        }
        if None in ends.values():
            continue
        found = think(state, LEVELS[-1])
        assert {each.move for each in found} == set(ends)
        for each in found:
            result = ends[each.move]
            assert result is not None
            first = result.places[state.seat] == 1
            share = 1 / result.places.count(1) if first else 0
            assert each.value == share
        assert found[0].value == max(each.value for each in found)


def play(table: Table, seats: tuple[Level, ...], budget: Budget, seed: int) -> tuple[int, ...]:
    """The places after a game between these levels."""
    random = Random(seed)
    state = GAME.start(table.players, GAME.options(table.players, table.options))
    while (result := GAME.result(state)) is None:
        if GAME.due(state):
            state = GAME.apply(state, GAME.chance(state, random.randrange)).state
            continue
        level = seats[state.seat]
        move = level.think(GAME.view(state, state.seat), random.randrange(2**62), budget)[0].move
        state = GAME.apply(state, Action(state.seat, GAME.parse_move(move))).state
    return tuple(result.places)


@pytest.mark.slow
@compiled
@pytest.mark.parametrize("weaker", range(4))
def test_each_level_beats_the_one_below(weaker: int) -> None:
    """A few games with seats exchanged; the arena measures how much stronger it is."""
    low, high = LEVELS[weaker], LEVELS[weaker + 1]
    budget = Budget(nodes=150)
    won = 0
    for seed in range(5):
        won += play(GENIAL[1], (low, high), budget, seed)[1] == 1
        won += play(GENIAL[1], (high, low), budget, seed)[0] == 1
    assert won > 5


@pytest.mark.parametrize("level", LEVELS, ids=LEVEL_NAMES)
def test_levels_play_without_the_core(level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "is_compiled", lambda: False)
    for table in GENIAL:
        state = middle_of(table)
        found = think(state, level)
        assert found[0].move in GAME.view(state, state.seat).legal
