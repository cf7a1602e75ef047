"""The plan of an arena: entrants, their seats, and deals, as numbered games.

A **deal** is played once for each rotation of its entrants around the table, with the same draws
each time. This cancels out lucky seats and lucky hands; the statistics pool the games of a deal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from tuilerie.bots import entrants as bots_of
from tuilerie.bots.bot import Budget
from tuilerie.games import GAMES
from tuilerie.games.game import Json
from tuilerie.lab.luck import why_not_adjustable


class BadPlan(Exception):
    """The request cannot be played; the message says why and what would be valid."""


# --- entrants -------------------------------------------------------------------------------------

_BUDGET = re.compile(r"(\d+(?:\.\d+)?)(ms|s|n)")


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot in an arena, with its budget if it differs from the level's own."""

    name: str  # as given: porcelain, porcelain@10ms, porcelain@2000n
    bot: str
    budget: Budget | None


def read_budget(text: str) -> Budget:
    """Parse '50ms', '1.5s' or '2000n' (nodes)."""
    found = _BUDGET.fullmatch(text.strip())
    if not found or not float(found[1]):
        raise BadPlan(f"‘{text}’ is not a budget: 50ms and 0.5s are times, 2000n are nodes.")
    number, unit = float(found[1]), found[2]
    if unit == "n":
        if not number.is_integer():
            raise BadPlan(f"‘{text}’ is not a budget: the number of nodes must be an integer.")
        return Budget(nodes=int(number))
    return Budget(seconds=number / 1000 if unit == "ms" else number)


def read_entrants(game: str, text: str, budget: Budget | None) -> tuple[Entrant, ...]:
    """Parse 'clay,porcelain@10ms,greedy'; a budget after '@' overrides the common one."""
    return tuple(_entrant(game, each.strip(), budget) for each in text.split(","))


def _entrant(game: str, text: str, budget: Budget | None) -> Entrant:
    bot, at, own = text.partition("@")
    if bot not in bots_of(game):
        known = ", ".join(bots_of(game))
        raise BadPlan(f"There is no bot ‘{bot}’ for {GAMES[game].card.title} There are: {known}.")
    return Entrant(text, bot, read_budget(own) if at else budget)


# --- the plan -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Job:
    """One game to play, with everything that a worker needs."""

    number: int  # from 1
    deal: int  # from 0
    game: str
    options: Mapping[str, Json]
    seats: tuple[Entrant, ...]
    seed: str  # the same for all games of a deal
    adjust: bool = False  # whether to measure the luck of each seat


@dataclass(frozen=True)
class Plan:
    """Everything that determines the games, except how many are played and on which machines."""

    game: str
    players: int
    entrants: tuple[Entrant, ...]  # without repetition
    lineups: tuple[tuple[int, ...], ...]  # the entrants of one game, by index
    options: Mapping[str, Json]
    seed: str
    adjust: bool = False  # whether to remove luck from the results

    @cached_property
    def turns(self) -> int:
        """How many games one deal takes: one per rotation."""
        first = self.lineups[0]
        return next(
            shift
            for shift in range(1, self.players + 1)
            if first[shift:] + first[:shift] == first or shift == self.players
        )

    def deals(self, games: int) -> int:
        """Return the number of deals for at least this many games."""
        return -(-games // self.turns)

    def seats(self, number: int) -> tuple[int, ...]:
        """Return the entrant of each seat in a game, by index."""
        deal, turn = divmod(number - 1, self.turns)
        lineup = self.lineups[deal % len(self.lineups)]
        return lineup[turn:] + lineup[:turn]

    def job(self, number: int) -> Job:
        """Return a game by its number."""
        deal = (number - 1) // self.turns
        seats = tuple(self.entrants[each] for each in self.seats(number))
        seed = f"{self.seed}/{deal}"
        return Job(number, deal, self.game, self.options, seats, seed, self.adjust)

    def jobs(self, deals: int) -> Iterator[Job]:
        """Iterate over all games of the first deals."""
        return map(self.job, range(1, deals * self.turns + 1))

    def to_json(self) -> dict[str, Any]:
        """Return the plan as JSON, to compare it with a stored one."""
        card = GAMES[self.game].card
        return {
            "game": self.game,
            "rules": card.rules,
            "players": self.players,
            "lineups": [[self.entrants[each].name for each in line] for line in self.lineups],
            "budgets": {each.name: _budget_json(each.budget) for each in self.entrants},
            "options": dict(self.options),
            "seed": self.seed,
            "adjust": "luck" if self.adjust else None,
        }


def _budget_json(budget: Budget | None) -> str:
    if budget is None:
        return "its own"
    return f"{budget.nodes}n" if budget.nodes is not None else f"{budget.seconds:g}s"


def make_plan(  # noqa: PLR0913 (the parts of a plan)
    game: str,
    named: Sequence[Entrant],
    players: int | None,
    options: Mapping[str, Json],
    seed: str,
    *,
    neighbours: bool = False,
    adjust: bool = False,
) -> Plan:
    """Make a plan: which entrants play each other.

    With as many entrants as seats, they all play together. With fewer, the last one fills the
    remaining seats. With more, every combination plays, or only neighbours in the list.
    """
    card = GAMES[game].card
    players = max(2, card.players[0]) if players is None else players
    if players < 2 or players not in card.players:
        most = card.players[-1]
        raise BadPlan(f"An arena of {card.title} has 2 to {most} players, not {players}.")
    if len(named) < 2:
        raise BadPlan("An arena needs at least two bots: --bots greedy,random")
    entrants = tuple(dict.fromkeys(named))
    if len({each.name for each in entrants}) < 2:
        raise BadPlan(
            "An arena needs two different bots; porcelain@10ms and porcelain are different."
        )
    lineups = _lineups(named, entrants, players, neighbours)
    checked = GAMES[game].options(players, options)
    kept = {name: checked[name] for name in options}
    if adjust and (why := why_not_adjustable(game, players, checked)):
        raise BadPlan(f"--adjust luck: {why}.")
    return Plan(game, players, entrants, lineups, kept, seed, adjust)


def _lineups(
    named: Sequence[Entrant], entrants: Sequence[Entrant], players: int, neighbours: bool
) -> tuple[tuple[int, ...], ...]:
    if len(named) <= players:
        if neighbours:
            raise BadPlan(f"--neighbours needs more bots than the {players} seats.")
        seats = [*named, *[named[-1]] * (players - len(named))]
        return (tuple(entrants.index(each) for each in seats),)
    if len(entrants) < len(named):
        raise BadPlan(f"With more bots than the {players} seats, name each bot only once.")
    if neighbours:
        tables = range(len(entrants) - players + 1)
        return tuple(tuple(range(first, first + players)) for first in tables)
    return tuple(combinations(range(len(entrants)), players))
