"""What games tell: shares of wins, Elo, and how sure one can be of them.

The games of one deal belong together: what counts for an interval is how deals differ, not games.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean, pvariance

from tuilerie.lab.plan import Plan
from tuilerie.lab.results_store import GameLine

Z = 1.959964
"""How many standard errors a 95 % interval reaches to either side."""

RESAMPLES = 400
MOST_ELO = 1200.0
"""Nothing beyond this can be told apart by games."""


@dataclass(frozen=True, slots=True)
class Range:
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float


# --- deals ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Deal:
    """The games of one deal, counted together."""

    shares: Mapping[int, float]  # of the win, by entrant: they sum up to 1
    fair: Mapping[int, float]  # what a share would be by chance: seats over players
    scores: Mapping[tuple[int, int], float]  # how often the first of two is before the second


class Tally:
    """All games so far, counted deal by deal as they come in."""

    def __init__(self, plan: Plan, games: Iterable[GameLine] = ()) -> None:
        self._plan = plan
        self._open: dict[int, list[GameLine]] = defaultdict(list)
        self._whole: dict[int, Deal] = {}
        self.games = 0
        self.leading: list[Deal] = []  # whole from the first deal on, without a gap
        for game in sorted(games, key=lambda each: each.number):
            self.add(game)

    @property
    def deals(self) -> list[Deal]:
        """Those deals of which every game has been played, in their order."""
        return [self._whole[number] for number in sorted(self._whole)]

    def add(self, game: GameLine) -> None:
        """One more game."""
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
    for game in games:
        winners = game.places.count(1)
        for seat, (who, place) in enumerate(zip(game.seats, game.places, strict=True)):
            shares[who] += (place == 1) / winners / len(games)
            fair[who] += 1 / len(game.seats) / len(games)
            for other, rank in zip(game.seats[:seat], game.places[:seat], strict=True):
                score = 0.5 if place == rank else float(place < rank)
                if who < other:
                    pairs[who, other].append(score)
                elif other < who:
                    pairs[other, who].append(1 - score)
    return Deal(shares, fair, {pair: fmean(scores) for pair, scores in pairs.items()})


# --- one number -----------------------------------------------------------------------------------


def share_range(values: Sequence[float]) -> Range:
    """The mean of one value between 0 and 1 for each deal, with Wilson's interval.

    The interval is the one for as many independent games as would be as uncertain as these deals.
    Where all deals are alike, their spread is unknown: each then counts as one game.
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


def elo(score: float) -> float:
    """The difference in Elo that makes one expect this score."""
    if score <= 0 or score >= 1:
        return math.copysign(MOST_ELO, score - 0.5)
    return max(-MOST_ELO, min(MOST_ELO, 400 * math.log10(score / (1 - score))))


def expected(difference: float) -> float:
    """The score that a difference in Elo makes one expect."""
    return 1 / (1 + 10 ** (-difference / 400))


def elo_range(score: Range) -> Range:
    """The same on the scale of Elo."""
    return Range(elo(score.value), elo(score.low), elo(score.high))


# --- all entrants on one ladder -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rung:
    """An entrant on the ladder. Elo is relative to the mean of all."""

    entrant: int
    elo: Range
    above: Range | None  # how far it stands above the next one below


def ladder(deals: Sequence[Deal], entrants: int, resamples: int = RESAMPLES) -> list[Rung]:
    """All entrants, best first, by the ratings that make the games most likely (Bradley and Terry).

    Intervals are found by weighing the deals anew at random, many times (the Bayesian bootstrap).
    Each pair that met is given half a game won and half a game lost beside its own, so that one
    that never lost has a rating, and an interval, too.
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
    """The ratings in Elo, with a mean of 0, that make these results most likely."""
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
    """How many milliseconds each entrant took for a move, on average."""
    seconds, moves = [0.0] * entrants, [0] * entrants
    for game in games:
        for who, took, made in zip(game.seats, game.seconds, game.moves, strict=True):
            seconds[who] += took
            moves[who] += made
    return [1000 * took / max(1, made) for took, made in zip(seconds, moves, strict=True)]
