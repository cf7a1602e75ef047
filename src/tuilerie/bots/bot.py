"""What every bot is: a view in, a move out, with the candidates it weighed.

A bot is called with a view and a source of chance and answers with a move in notation. A bot with a
`think` tells more: its candidate moves, best first, each with the result that it expects. The same
view, seed and node budget always give the same answer; a budget of seconds depends on the machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tuilerie.games.game import Pick

Bot = Callable[[Any, Pick], str]

SEEDS = 2**63
"""How many seeds there are to think with."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a bot may think: until the seconds or the nodes are used up, whichever is first.

    What a node is, each bot says: a simulated game, or a galaxy that was counted.
    """

    seconds: float | None = None
    nodes: int | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that a bot weighed."""

    move: str
    value: float  # the share of the win that it expects, from 0 to 1
    margin: float | None = None  # what it expects in the game's own points, over the best rival
    visits: int = 0  # how many nodes went into the estimate


Think = Callable[[Any, int, Budget], tuple[Candidate, ...]]
"""A view, a seed and a budget in; candidates out, best first, never empty where a move is due."""


@dataclass(frozen=True, slots=True)
class Level:
    """A bot that people can choose to play with. It is a `Bot`, too."""

    name: str
    think: Think
    budget: Budget

    def __call__(self, view: Any, pick: Pick) -> str:
        """The best move that it finds within its own budget."""
        return self.think(view, pick(SEEDS), self.budget)[0].move

    def within(self, budget: Budget) -> Level:
        """The same level with another budget."""
        return replace(self, budget=budget)


LEVEL_NAMES = ("clay", "terracotta", "glaze", "faience", "porcelain")
"""The five levels of each game, weakest first: what a tile goes through on its way to the table."""
