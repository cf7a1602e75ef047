"""SPRT: error rates, early stopping, and agreement with the normal approximation."""

from __future__ import annotations

from collections import Counter
from itertools import repeat
from random import Random
from statistics import fmean, pvariance

import pytest

from tests.amounts import few_or_many
from tuilerie.lab.estimate import expected
from tuilerie.lab.sprt import LOWER, UPPER, Sprt, log_likelihood_ratio


def decide(elo: float, seed: int) -> Sprt:
    """Run a test of 0 against 50 Elo on simulated games with this Elo difference."""
    random, chance, test = Random(f"{elo}/{seed}"), expected(elo), Sprt(0, 50)
    for _ in repeat(None, 3000):
        test.add([((random.random() < chance) + (random.random() < chance)) / 2])
        if test.accepted:
            break
    return test


def test_llr_is_close_to_the_normal_approximation() -> None:
    counts: Counter[float] = Counter({0.0: 30, 0.25: 110, 0.5: 180, 0.75: 130, 1.0: 50})
    scores = list(counts.elements())
    mean, variance = fmean(scores), pvariance(scores)
    low, high = expected(0), expected(10)
    approximate = len(scores) * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert log_likelihood_ratio(counts, low, high) == pytest.approx(approximate, rel=0.05)


def test_llr_changes_sign_with_the_sides() -> None:
    counts: Counter[float] = Counter({0.0: 10, 0.5: 30, 1.0: 20})
    mirrored = Counter({1 - score: count for score, count in counts.items()})
    one = log_likelihood_ratio(counts, expected(0), expected(20))
    other = log_likelihood_ratio(mirrored, expected(0), expected(-20))
    assert one == pytest.approx(other)


def test_llr_of_no_games_is_zero() -> None:
    test = Sprt(0, 50)
    assert (test.llr, test.accepted) == (0, None)


@pytest.mark.slow
@few_or_many("tests", 20, 60)
def test_error_rates_are_bounded(tests: int) -> None:
    most = tests // 20 + 4  # one in twenty expected
    equal = [decide(0, seed) for seed in range(tests)]
    better = [decide(50, seed) for seed in range(tests)]
    assert sum(test.accepted == "elo1" for test in equal) <= most
    assert sum(test.accepted == "elo0" for test in better) <= most
    assert all(test.accepted for test in (*equal, *better))


def test_deals_after_the_decision_are_ignored() -> None:
    test = Sprt(0, 50)
    test.add([1.0] * 1000)
    assert test.accepted == "elo1"
    assert test.deals < 100
    assert UPPER <= test.llr < UPPER + 1
    test.add([0.0] * 1000)
    assert test.accepted == "elo1"


def test_losing_all_games_accepts_elo0() -> None:
    test = Sprt(0, 50)
    test.add([0.0] * 1000)
    assert test.accepted == "elo0"
    assert test.llr <= LOWER
