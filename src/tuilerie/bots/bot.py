"""The interface of a bot: a view in, a move out, with the candidates it evaluated.

A bot is called with a view and a random source and returns a move in notation. A bot with `think`
also returns its candidate moves, best first, each with the expected result. The same view, seed and
node budget always give the same answer; with a budget of seconds it depends on the machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tuilerie.games.game import Pick

Bot = Callable[[Any, Pick], str]

SEEDS = 2**63
"""The number of seeds."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a bot may think: until the seconds or the nodes are used up, whichever comes first.
    Each bot defines its node: a simulated game, or a counted galaxy.
    """

    seconds: float | None = None
    nodes: int | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that a bot evaluated."""

    move: str
    value: float  # expected share of the win, from 0 to 1
    margin: float | None = None  # expected lead over the best rival, in points
    visits: int = 0  # how many nodes went into the estimate


Think = Callable[[Any, int, Budget], tuple[Candidate, ...]]
"""From a view, a seed and a budget to candidates, best first; never empty if a move is due."""


@dataclass(frozen=True, slots=True)
class Level:
    """A bot that people can choose as an opponent. It is a `Bot`, too."""

    name: str
    think: Think
    budget: Budget

    def __call__(self, view: Any, pick: Pick) -> str:
        """The best move that it finds within its own budget."""
        return self.think(view, pick(SEEDS), self.budget)[0].move

    def within(self, budget: Budget) -> Level:
        """The same level with another budget."""
        return replace(self, budget=budget)

    def hurried(self, seconds: float) -> Level:
        """The same level with at most so long to think, and never more than its own budget."""
        own = self.budget
        least = seconds if own.seconds is None else min(seconds, own.seconds)
        return self.within(Budget(least, own.nodes))


LEVEL_NAMES = ("clay", "terracotta", "glaze", "faience", "porcelain")
"""The names of the five levels, weakest first: stages of making a tile, from clay to porcelain."""
