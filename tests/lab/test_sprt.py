"""The test stops when it knows, is seldom wrong, and says the same as its approximation."""

from __future__ import annotations

from collections import Counter
from itertools import repeat
from random import Random
from statistics import fmean, pvariance

import pytest

from tuilerie.lab.estimate import expected
from tuilerie.lab.sprt import LOWER, UPPER, Sprt, log_likelihood_ratio


def decide(elo: float, seed: int) -> Sprt:
    """A test of 0 against 50 Elo, on games between players that are so far apart."""
    random, chance, test = Random(f"{elo}/{seed}"), expected(elo), Sprt(0, 50)
    for _ in repeat(None, 3000):
        test.add([((random.random() < chance) + (random.random() < chance)) / 2])
        if test.accepted:
            break
    return test


def test_the_ratio_is_close_to_the_normal_approximation() -> None:
    counts: Counter[float] = Counter({0.0: 30, 0.25: 110, 0.5: 180, 0.75: 130, 1.0: 50})
    scores = list(counts.elements())
    mean, variance = fmean(scores), pvariance(scores)
    low, high = expected(0), expected(10)
    approximate = len(scores) * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert log_likelihood_ratio(counts, low, high) == pytest.approx(approximate, rel=0.05)


def test_the_ratio_changes_sign_with_the_sides() -> None:
    counts: Counter[float] = Counter({0.0: 10, 0.5: 30, 1.0: 20})
    mirrored = Counter({1 - score: count for score, count in counts.items()})
    one = log_likelihood_ratio(counts, expected(0), expected(20))
    other = log_likelihood_ratio(mirrored, expected(0), expected(-20))
    assert one == pytest.approx(other)


def test_nothing_is_known_from_nothing() -> None:
    test = Sprt(0, 50)
    assert (test.llr, test.accepted) == (0, None)


def test_it_accepts_what_is_true_and_is_seldom_wrong() -> None:
    equal = [decide(0, seed) for seed in range(60)]
    better = [decide(50, seed) for seed in range(60)]
    assert sum(test.accepted == "elo1" for test in equal) <= 7  # 3 are to be expected
    assert sum(test.accepted == "elo0" for test in better) <= 7
    assert all(test.accepted for test in (*equal, *better))


def test_it_stops_where_it_first_knew() -> None:
    test = Sprt(0, 50)
    test.add([1.0] * 1000)
    assert test.accepted == "elo1"
    assert test.deals < 100
    assert UPPER <= test.llr < UPPER + 1
    test.add([0.0] * 1000)
    assert test.accepted == "elo1"


def test_losing_all_accepts_the_lower_one() -> None:
    test = Sprt(0, 50)
    test.add([0.0] * 1000)
    assert test.accepted == "elo0"
    assert test.llr <= LOWER
