"""The five levels of Génial!, from one that a child beats to the strongest.

They all weigh moves by the worth of the own markers, where a step counts for more the further a
marker is behind. What differs is how much they look at, never what they know:

==========  =======================================================================================
clay        looks at twenty of its moves, taken at random, and lays the best of them
terracotta  looks at ninety
glaze       looks at all of them, but no further: the best for its own markers now
faience     plays the best eight on to the end, in 128 simulated games
porcelain   plays the best ones on in as many games as its time allows, and solves endings
==========  =======================================================================================

A node is a simulated game. Simulated games deal the tiles that the seat has not seen anew each time
(see native/genial_sample.h) and are played by greedy players (see native/genial_search.h).

Where the compiled core is missing, nobody looks ahead: the upper three levels are then all the
greedy bot.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tuilerie import native
from tuilerie.bots.bot import LEVEL_NAMES, Budget, Candidate, Level
from tuilerie.bots.genial import greedy_move, worth_after
from tuilerie.games.genial.state import SWAP
from tuilerie.games.genial.view import View

if native.is_compiled():
    from tuilerie.native import genial as core


OWN_TIME = Budget(seconds=0.5)


@dataclass(frozen=True, slots=True)
class Thinker:
    """Thinks about a view; how much it looks at makes its level."""

    candidates: int  # how many of the best moves are played on
    handful: int = 0  # how many moves are looked at, taken at random; 0: all
    most_nodes: int | None = None  # it never plays more games than this, whatever the budget

    def __call__(self, view: View, seed: int, budget: Budget) -> tuple[Candidate, ...]:
        """The candidates, best first."""
        if not native.is_compiled():
            return _think_slowly(view, seed, self.handful)
        if budget.seconds is None and budget.nodes is None:
            budget = OWN_TIME
        limits = [limit for limit in (self.most_nodes, budget.nodes) if limit is not None]
        nodes = min(limits, default=0)
        seconds = 0 if limits and not nodes else budget.seconds or 0
        found = core.think(
            core.write_view(view), seed, nodes, seconds, self.candidates, self.handful
        )
        return tuple(_candidate(view, *each) for each in found)


def _candidate(view: View, move: str, value: float, margin: float, visits: int) -> Candidate:
    """A move that was not played on is expected to win as often as any."""
    if not visits:
        return Candidate(move, value=1 / view.players)
    return Candidate(move, value, margin, visits)


def _think_slowly(view: View, seed: int, handful: int) -> tuple[Candidate, ...]:
    """Without the compiled core: look no further than the own markers."""
    pick = Random(seed).randrange
    if view.phase == SWAP or not handful:
        return (Candidate(greedy_move(view, pick), value=1 / view.players),)
    moves = Random(seed).sample(view.legal, min(handful, len(view.legal)))
    best = max(moves, key=lambda move: worth_after(view, move))
    return (Candidate(best, value=1 / view.players),)


LEVELS: tuple[Level, ...] = tuple(
    Level(name, think, budget)
    for name, think, budget in zip(
        LEVEL_NAMES,
        (
            Thinker(candidates=1, handful=20, most_nodes=0),
            Thinker(candidates=1, handful=90, most_nodes=0),
            Thinker(candidates=1, most_nodes=0),
            Thinker(candidates=8, most_nodes=128),
            Thinker(candidates=16),
        ),
        (*(Budget(nodes=0),) * 3, Budget(nodes=128), OWN_TIME),
        strict=True,
    )
)
"""Weakest first."""
