"""openskill ratings: a skill distribution per entrant, updated game by game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from openskill.models import PlackettLuce

from tuilerie.lab.results_store import GameLine


@dataclass(frozen=True, slots=True)
class Skill:
    """The skill distribution of an entrant."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """A conservative estimate: three standard deviations below the mean."""
        return self.mu - 3 * self.sigma


def skills(games: Iterable[GameLine], entrants: int) -> list[Skill]:
    """Return Plackett–Luce ratings after all games, in order of their numbers."""
    model = PlackettLuce()
    beliefs = [model.rating() for _ in range(entrants)]
    for game in sorted(games, key=lambda each: each.number):
        teams = [[model.rating(beliefs[who].mu, beliefs[who].sigma)] for who in game.seats]
        rated = model.rate(teams, ranks=[float(place) for place in game.places])
        for who in set(game.seats):  # an entrant on two seats learns from both
            own = [team[0] for seat, team in zip(game.seats, rated, strict=True) if seat == who]
            mu, sigma = fmean(each.mu for each in own), fmean(each.sigma for each in own)
            beliefs[who] = model.rating(mu, sigma)
    return [Skill(each.mu, each.sigma) for each in beliefs]
