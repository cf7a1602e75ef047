"""What an arena plays: entrants, their seats, and deals, as numbered games.

A **deal** is played once for each way to rotate its entrants around the table, with the same luck
each time. So nobody wins by a lucky seat or a lucky hand alone, and the games of one deal are
counted together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from tuilerie.bots import BOTS
from tuilerie.bots.bot import Budget
from tuilerie.games import GAMES
from tuilerie.games.game import Json


class BadPlan(Exception):
    """Something was asked that cannot be played; the message says what, and what would be right."""


# --- entrants -------------------------------------------------------------------------------------

_BUDGET = re.compile(r"(\d+(?:\.\d+)?)(ms|s|n)")


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot as it takes part: with the budget that it plays with, if it is not its own."""

    name: str  # as it was given: porcelain, porcelain@10ms, porcelain@2000n
    bot: str
    budget: Budget | None


def read_budget(text: str) -> Budget:
    """'50ms', '1.5s' or '2000n' (nodes)."""
    found = _BUDGET.fullmatch(text.strip())
    if not found or not float(found[1]):
        raise BadPlan(f"‘{text}’ is no budget: 50ms and 0.5s are times, 2000n are nodes.")
    number, unit = float(found[1]), found[2]
    if unit == "n":
        if not number.is_integer():
            raise BadPlan(f"‘{text}’ is no budget: nodes are whole.")
        return Budget(nodes=int(number))
    return Budget(seconds=number / 1000 if unit == "ms" else number)


def read_entrants(game: str, text: str, budget: Budget | None) -> tuple[Entrant, ...]:
    """'clay,porcelain@10ms,greedy': a budget of its own goes before the one for all."""
    return tuple(_entrant(game, each.strip(), budget) for each in text.split(","))


def _entrant(game: str, text: str, budget: Budget | None) -> Entrant:
    bot, at, own = text.partition("@")
    if bot not in BOTS[game]:
        known = ", ".join(BOTS[game])
        raise BadPlan(f"There is no bot ‘{bot}’ for {GAMES[game].card.title} There are: {known}.")
    return Entrant(text, bot, read_budget(own) if at else budget)


# --- the plan -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Job:
    """One game to be played, with all that a worker must know."""

    number: int  # from 1
    deal: int  # from 0
    game: str
    options: Mapping[str, Json]
    seats: tuple[Entrant, ...]
    seed: str  # the same for all games of a deal


@dataclass(frozen=True)
class Plan:
    """All that decides how the games go. How many are played, and where, does not."""

    game: str
    players: int
    entrants: tuple[Entrant, ...]  # each once
    lineups: tuple[tuple[int, ...], ...]  # who sits at one table, by number of entrant
    options: Mapping[str, Json]
    seed: str

    @cached_property
    def turns(self) -> int:
        """How many games one deal takes: until everybody has sat everywhere."""
        first = self.lineups[0]
        return next(
            shift
            for shift in range(1, self.players + 1)
            if first[shift:] + first[:shift] == first or shift == self.players
        )

    def deals(self, games: int) -> int:
        """How many whole deals hold at least so many games."""
        return -(-games // self.turns)

    def seats(self, number: int) -> tuple[int, ...]:
        """Who sits where in a game, by number of entrant."""
        deal, turn = divmod(number - 1, self.turns)
        lineup = self.lineups[deal % len(self.lineups)]
        return lineup[turn:] + lineup[:turn]

    def job(self, number: int) -> Job:
        """A game by its number."""
        deal = (number - 1) // self.turns
        seats = tuple(self.entrants[each] for each in self.seats(number))
        return Job(number, deal, self.game, self.options, seats, f"{self.seed}/{deal}")

    def jobs(self, deals: int) -> Iterator[Job]:
        """All games of the first deals."""
        return map(self.job, range(1, deals * self.turns + 1))

    def plain(self) -> dict[str, Any]:
        """The plan as JSON, to be compared with that of another day."""
        card = GAMES[self.game].card
        return {
            "game": self.game,
            "rules": card.rules,
            "players": self.players,
            "lineups": [[self.entrants[each].name for each in line] for line in self.lineups],
            "budgets": {each.name: _plain_budget(each.budget) for each in self.entrants},
            "options": dict(self.options),
            "seed": self.seed,
        }


def _plain_budget(budget: Budget | None) -> str:
    if budget is None:
        return "its own"
    return f"{budget.nodes}n" if budget.nodes is not None else f"{budget.seconds:g}s"


def make_plan(  # noqa: PLR0913 (all that a plan is made of)
    game: str,
    named: Sequence[Entrant],
    players: int | None,
    options: Mapping[str, Json],
    seed: str,
    *,
    neighbours: bool = False,
) -> Plan:
    """Who meets whom.

    As many entrants as players: they sit together. Fewer: the last one fills the seats that are
    left. More: every set of as many as can sit at a table meets in turn, or only neighbours, those
    who were named one after the other.
    """
    card = GAMES[game].card
    players = max(2, card.players[0]) if players is None else players
    if players < 2 or players not in card.players:
        most = card.players[-1]
        raise BadPlan(f"An arena of {card.title} has 2 to {most} players, not {players}.")
    if len(named) < 2:
        raise BadPlan("An arena needs two bots or more: --bots greedy,random")
    entrants = tuple(dict.fromkeys(named))
    if len({each.name for each in entrants}) < 2:
        raise BadPlan(
            "An arena needs two different bots; porcelain@10ms is another than porcelain."
        )
    lineups = _lineups(named, entrants, players, neighbours)
    checked = GAMES[game].options(players, options)
    kept = {name: checked[name] for name in options}
    return Plan(game, players, entrants, lineups, kept, seed)


def _lineups(
    named: Sequence[Entrant], entrants: Sequence[Entrant], players: int, neighbours: bool
) -> tuple[tuple[int, ...], ...]:
    if len(named) <= players:
        if neighbours:
            raise BadPlan(f"Neighbours meet where more bots are named than the {players} seats.")
        seats = [*named, *[named[-1]] * (players - len(named))]
        return (tuple(entrants.index(each) for each in seats),)
    if len(entrants) < len(named):
        raise BadPlan(f"More bots than the {players} seats meet in turn: name each once.")
    if neighbours:
        tables = range(len(entrants) - players + 1)
        return tuple(tuple(range(first, first + players)) for first in tables)
    return tuple(combinations(range(len(entrants)), players))
