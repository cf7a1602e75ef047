"""Ratings by openskill: a belief about each entrant's skill, carried on from game to game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from openskill.models import PlackettLuce

from tuilerie.lab.results_store import GameLine


@dataclass(frozen=True, slots=True)
class Skill:
    """What is believed of an entrant. It is almost surely better than `ordinal`."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """A careful guess: three deviations below the mean."""
        return self.mu - 3 * self.sigma


def skills(games: Iterable[GameLine], entrants: int) -> list[Skill]:
    """Ratings by Plackett and Luce after all games, in the order of their numbers."""
    model = PlackettLuce()
    beliefs = [model.rating() for _ in range(entrants)]
    for game in sorted(games, key=lambda each: each.number):
        teams = [[model.rating(beliefs[who].mu, beliefs[who].sigma)] for who in game.seats]
        rated = model.rate(teams, ranks=[float(place) for place in game.places])
        for who in set(game.seats):  # who sits twice learns from both seats
            own = [team[0] for seat, team in zip(game.seats, rated, strict=True) if seat == who]
            mu, sigma = fmean(each.mu for each in own), fmean(each.sigma for each in own)
            beliefs[who] = model.rating(mu, sigma)
    return [Skill(each.mu, each.sigma) for each in beliefs]
