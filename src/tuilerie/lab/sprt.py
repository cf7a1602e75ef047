"""When enough is known: a sequential test over deals.

The generalised sequential probability ratio test, as Fishtest uses it for chess engines: two
hypotheses on the difference in Elo, elo0 and elo1, and how much likelier the results make the
second. The results of one deal are one observation (for two players: a pair of games with five
possible outcomes), so that paired deals are judged by their own, smaller variance.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

from tuilerie.lab.estimate import expected

ALPHA = BETA = 0.05
LOWER, UPPER = math.log(BETA / (1 - ALPHA)), math.log((1 - BETA) / ALPHA)


class Sprt:
    """The test between two differences in Elo. It knows once it has accepted one of them."""

    def __init__(self, elo0: float, elo1: float) -> None:
        self.elo0, self.elo1 = elo0, elo1
        self.deals = 0
        self.llr = 0.0
        self.accepted: str | None = None  # 'elo0' or 'elo1'
        self._counts: Counter[float] = Counter()

    def add(self, scores: Iterable[float]) -> None:
        """More deals, in their order. What comes after the decision is not looked at."""
        for score in scores:
            if self.accepted:
                return
            self.deals += 1
            self._counts[round(score, 6)] += 1
            self.llr = log_likelihood_ratio(self._counts, expected(self.elo0), expected(self.elo1))
            if not LOWER < self.llr < UPPER:
                self.accepted = "elo1" if self.llr > 0 else "elo0"


def log_likelihood_ratio(counts: Counter[float], mean0: float, mean1: float) -> float:
    """How much likelier these scores are if their mean is the second, in logarithms.

    Both hypotheses are met by the likeliest distribution that has their mean. Scores that did not
    occur are given a trace, so that such a distribution exists.
    """
    seen = {score: float(counts.get(score, 0)) or 1e-3 for score in {0.0, 0.5, 1.0, *counts}}
    total = sum(seen.values())
    share = {score: count / total for score, count in seen.items()}
    first, second = _likeliest(share, mean0), _likeliest(share, mean1)
    return total * sum(
        part * math.log(second[score] / first[score]) for score, part in share.items()
    )


def _likeliest(share: dict[float, float], mean: float) -> dict[float, float]:
    """Of all distributions with this mean, the one under which these shares are likeliest.

    It is share / (1 + x (score − mean)) for the one x that makes it a distribution.
    """
    low = -1 / (max(share) - mean)
    high = 1 / (mean - min(share))
    for _ in range(100):
        x = (low + high) / 2
        slope = sum(
            part * (score - mean) / (1 + x * (score - mean)) for score, part in share.items()
        )
        low, high = (x, high) if slope > 0 else (low, x)
    return {score: part / (1 + x * (score - mean)) for score, part in share.items()}
