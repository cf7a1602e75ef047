"""Statistics: win shares and Elo ratings with confidence intervals.

The games of one deal are not independent, so intervals use the variance between deals.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import fmean, pvariance

from tuilerie.lab.plan import Plan
from tuilerie.lab.results_store import GameLine

Z = 1.959964
"""The 97.5 % quantile of the normal distribution, for 95 % intervals."""

RESAMPLES = 400
MOST_ELO = 1200.0
"""Elo differences are clamped to this."""


@dataclass(frozen=True, slots=True)
class Range:
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float


# --- deals ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Deal:
    """The results of one deal's games, pooled."""

    shares: Mapping[int, float]  # win share by entrant; they sum to 1
    fair: Mapping[int, float]  # expected share by chance: seats / players
    scores: Mapping[tuple[int, int], float]  # how often the first of a pair ranks above the second
    adjusted: Mapping[int, float] = field(default_factory=dict)  # win share less luck, by entrant


class ArenaTally:
    """All games so far, grouped by deal."""

    def __init__(self, plan: Plan, games: Iterable[GameLine] = ()) -> None:
        self._plan = plan
        self._open: dict[int, list[GameLine]] = defaultdict(list)
        self._whole: dict[int, Deal] = {}
        self.games = 0
        self.leading: list[Deal] = []  # the complete deals before the first incomplete one
        for game in sorted(games, key=lambda each: each.number):
            self.add(game)

    @property
    def deals(self) -> list[Deal]:
        """The complete deals, in order."""
        return [self._whole[number] for number in sorted(self._whole)]

    def add(self, game: GameLine) -> None:
        """Add a game."""
        self.games += 1
        number = (game.number - 1) // self._plan.turns
        self._open[number].append(game)
        if len(self._open[number]) == self._plan.turns:
            self._whole[number] = _count(self._open.pop(number))
        while len(self.leading) in self._whole:
            self.leading.append(self._whole[len(self.leading)])


def _count(games: Sequence[GameLine]) -> Deal:
    shares: dict[int, float] = defaultdict(float)
    fair: dict[int, float] = defaultdict(float)
    pairs: dict[tuple[int, int], list[float]] = defaultdict(list)
    adjusted: dict[int, float] = defaultdict(float)
    for game in games:
        winners = game.places.count(1)
        for seat, (who, place) in enumerate(zip(game.seats, game.places, strict=True)):
            shares[who] += (place == 1) / winners / len(games)
            fair[who] += 1 / len(game.seats) / len(games)
            if game.luck:
                adjusted[who] += ((place == 1) / winners - game.luck[seat]) / len(games)
            for other, rank in zip(game.seats[:seat], game.places[:seat], strict=True):
                score = 0.5 if place == rank else float(place < rank)
                if who < other:
                    pairs[who, other].append(score)
                elif other < who:
                    pairs[other, who].append(1 - score)
    scores = {pair: fmean(each) for pair, each in pairs.items()}
    return Deal(shares, fair, scores, adjusted)


# --- intervals ------------------------------------------------------------------------------------


def share_range(values: Sequence[float]) -> Range:
    """Return the mean of the deals' values (each 0 to 1), with a Wilson interval.

    The interval is that of the effective sample size: the number of independent games with the
    same variance. If all deals are equal, their variance is unknown and each counts as one game.
    """
    count = len(values)
    mean = fmean(values) if count else 0.5
    if not count:
        return Range(0.5, 0.0, 1.0)
    error = pvariance(values) / (count - 1) if count > 1 else 0.0
    weight = mean * (1 - mean) / error if error else float(count)
    weight = max(weight, 1.0)
    centre = (mean + Z * Z / (2 * weight)) / (1 + Z * Z / weight)
    root = math.sqrt(mean * (1 - mean) / weight + (Z / (2 * weight)) ** 2)
    half = Z * root / (1 + Z * Z / weight)
    return Range(mean, max(0.0, centre - half), min(1.0, centre + half))


def mean_range(values: Sequence[float]) -> Range:
    """Return the mean of the deals' values with a normal interval; they may be beyond 0 and 1."""
    count = len(values)
    if count < 2:
        return Range(fmean(values) if count else 0.5, 0.0, 1.0)
    mean = fmean(values)
    half = Z * math.sqrt(pvariance(values) / (count - 1))
    return Range(mean, mean - half, mean + half)


def elo(score: float) -> float:
    """Return the Elo difference for an expected score."""
    if score <= 0 or score >= 1:
        return math.copysign(MOST_ELO, score - 0.5)
    return max(-MOST_ELO, min(MOST_ELO, 400 * math.log10(score / (1 - score))))


def expected(difference: float) -> float:
    """Return the expected score for an Elo difference."""
    return 1 / (1 + 10 ** (-difference / 400))


def elo_range(score: Range) -> Range:
    """Convert a score with its interval to Elo."""
    return Range(elo(score.value), elo(score.low), elo(score.high))


# --- ladder ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rung:
    """An entrant on the ladder. Elo is relative to the mean of all."""

    entrant: int
    elo: Range
    above: Range | None  # Elo difference to the next entrant below


def ladder(deals: Sequence[Deal], entrants: int, resamples: int = RESAMPLES) -> list[Rung]:
    """Return all entrants, best first, by maximum-likelihood Bradley–Terry ratings.

    Intervals come from the Bayesian bootstrap over deals. Each pair that met gets half a win and
    half a loss as a prior, so that an unbeaten entrant has a finite rating and interval.
    """
    random = Random(1)
    best = _ratings(deals, [1.0] * len(deals), entrants, lambda: 0.5)
    order = sorted(range(entrants), key=lambda each: -best[each])
    drawn = []
    for _ in range(resamples):
        weights = [random.expovariate(1) for _ in deals]
        drawn.append(
            _ratings(deals, weights, entrants, lambda: 0.5 * random.expovariate(1), start=best)
        )
    rungs = []
    for place, who in enumerate(order):
        own = _spread(best[who], [each[who] for each in drawn])
        above = None
        if place + 1 < entrants:
            below = order[place + 1]
            steps = [each[who] - each[below] for each in drawn]
            above = _spread(best[who] - best[below], steps)
        rungs.append(Rung(who, own, above))
    return rungs


def _spread(value: float, drawn: Sequence[float]) -> Range:
    if not drawn:
        return Range(value, value, value)
    ranked = sorted(drawn)
    cut = int(0.025 * len(ranked))
    return Range(value, min(value, ranked[cut]), max(value, ranked[-1 - cut]))


def _ratings(
    deals: Sequence[Deal],
    weights: Sequence[float],
    entrants: int,
    prior: Callable[[], float],
    start: Sequence[float] | None = None,
) -> list[float]:
    wins = [[0.0] * entrants for _ in range(entrants)]
    for deal, weight in zip(deals, weights, strict=True):
        for (one, other), score in deal.scores.items():
            wins[one][other] += weight * score
            wins[other][one] += weight * (1 - score)
    for one in range(entrants):
        for other in range(one):
            if wins[one][other] or wins[other][one]:
                wins[one][other] += prior()
                wins[other][one] += prior()
    return _fit(wins, start or [0.0] * entrants)


def _fit(wins: Sequence[Sequence[float]], start: Sequence[float]) -> list[float]:
    """Fit Bradley–Terry ratings, in Elo with mean 0."""
    size = range(len(wins))
    strength = [10 ** (each / 400) for each in start]
    for _ in range(2000):
        before = list(strength)
        for one in size:
            met = [other for other in size if wins[one][other] + wins[other][one] > 0]
            won = sum(wins[one])
            games = sum(
                (wins[one][other] + wins[other][one]) / (strength[one] + strength[other])
                for other in met
            )
            strength[one] = won / games if games else 1.0
        mean = math.exp(fmean(math.log(each) for each in strength))
        strength = [each / mean for each in strength]
        if all(abs(math.log(a / b)) < 1e-5 for a, b in zip(strength, before, strict=True)):
            break
    return [400 * math.log10(each) for each in strength]


def spent(games: Iterable[GameLine], entrants: int) -> list[float]:
    """Return each entrant's mean milliseconds per move."""
    seconds, moves = [0.0] * entrants, [0] * entrants
    for game in games:
        for who, took, made in zip(game.seats, game.seconds, game.moves, strict=True):
            seconds[who] += took
            moves[who] += made
    return [1000 * took / max(1, made) for took, made in zip(seconds, moves, strict=True)]
