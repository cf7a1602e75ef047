"""Generalised sequential probability ratio test (GSPRT) over deals.

As Fishtest does for chess engines, it compares two hypotheses on the Elo difference, elo0 and elo1,
by their log-likelihood ratio. One deal is one observation (for two players: a pair of games with
five possible outcomes), so the test benefits from the smaller variance of paired deals.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

from tuilerie.lab.estimate import expected

ALPHA = BETA = 0.05
LOWER, UPPER = math.log(BETA / (1 - ALPHA)), math.log((1 - BETA) / ALPHA)


class Sprt:
    """A test between two Elo differences; `accepted` is set once it is decided."""

    def __init__(self, elo0: float, elo1: float) -> None:
        self.elo0, self.elo1 = elo0, elo1
        self.deals = 0
        self.llr = 0.0
        self.accepted: str | None = None  # 'elo0' or 'elo1'
        self._counts: Counter[float] = Counter()

    def add(self, scores: Iterable[float]) -> None:
        """Add deals in order. Deals after the decision are ignored."""
        for score in scores:
            if self.accepted:
                return
            self.deals += 1
            self._counts[round(score, 6)] += 1
            self.llr = log_likelihood_ratio(self._counts, expected(self.elo0), expected(self.elo1))
            if not LOWER < self.llr < UPPER:
                self.accepted = "elo1" if self.llr > 0 else "elo0"


def log_likelihood_ratio(counts: Counter[float], mean0: float, mean1: float) -> float:
    """Return the log-likelihood ratio of mean1 to mean0 for these scores.

    Each hypothesis is represented by the maximum-likelihood distribution with its mean. Scores that
    did not occur get a small count, so that such a distribution exists.
    """
    seen = {score: float(counts.get(score, 0)) or 1e-3 for score in {0.0, 0.5, 1.0, *counts}}
    total = sum(seen.values())
    share = {score: count / total for score, count in seen.items()}
    first, second = _likeliest(share, mean0), _likeliest(share, mean1)
    return total * sum(
        part * math.log(second[score] / first[score]) for score, part in share.items()
    )


def _likeliest(share: dict[float, float], mean: float) -> dict[float, float]:
    """Return the maximum-likelihood distribution with this mean.

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
