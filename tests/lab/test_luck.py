"""Arenas without luck: the luck of a game is zero on average, and results stay what they were."""

from __future__ import annotations

import math
from pathlib import Path
from statistics import fmean, stdev

import pytest

from tests.lab.test_arena import arena, lines, results
from tuilerie import native
from tuilerie.games import GAMES
from tuilerie.lab.estimate import mean_range
from tuilerie.lab.luck import luck_by_seat
from tuilerie.simulate import play_game

compiled = pytest.mark.skipif(not native.is_compiled(), reason="the compiled core is not built")

PAIR = ("genial", "--bots", "glaze,terracotta", "--workers", "1", "--no-records")


@compiled
@pytest.mark.slow
def test_an_arena_reports_shares_without_luck_beside_the_raw_ones(tmp_path: Path) -> None:
    shown = arena(*PAIR, "--games", "4", "--adjust", "luck", out=tmp_path)
    assert shown.exit_code == 0, shown.output
    assert "without luck" in shown.output
    games = lines(tmp_path)
    assert all(abs(sum(game["luck"])) < 1e-4 for game in games)
    assert any(game["luck"][0] for game in games)
    one, other = results(tmp_path)["entrants"]
    assert one["adjusted"]["value"] + other["adjusted"]["value"] == pytest.approx(1, abs=1e-3)
    assert "another arena" in arena(*PAIR, "--games", "4", out=tmp_path).output


@compiled
@pytest.mark.slow
def test_the_mean_luck_of_many_games_is_zero() -> None:
    """However the seats play: here one is greedy and one plays at random."""
    lucks = [
        luck_by_seat(play_game(GAMES["genial"], 2, {}, ("greedy", "random"), f"luck {seed}"))[0]
        for seed in range(20)
    ]
    assert abs(fmean(lucks)) < 4 * stdev(lucks) / math.sqrt(len(lucks))
    assert stdev(lucks) > 0.01


@pytest.mark.parametrize(
    "words",
    [
        ("kaosmos", "--bots", "greedy,random"),
        ("genial", "--bots", "greedy,random", "--option", "variant=duel"),
    ],
)
def test_tables_without_an_evaluation_are_refused(words: tuple[str, ...], tmp_path: Path) -> None:
    shown = arena(*words, "--adjust", "luck", out=tmp_path / "arena")
    assert shown.exit_code == 1
    assert "--adjust luck: only Génial!" in shown.output


def test_an_interval_of_adjusted_shares_may_go_beyond_the_whole() -> None:
    found = mean_range([1.2, 0.9, 1.1, 1.0])
    assert found.value == pytest.approx(1.05)
    assert found.low < 1.05 < found.high
    assert mean_range([0.5]).high == 1.0
    assert mean_range([]).value == 0.5
