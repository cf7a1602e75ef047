"""The five levels of Génial!, from one for children to the strongest.

They all evaluate moves by the value of the own markers, where a step counts for more the further
behind the marker is. They differ in how much they search, never in what they know:

==========  =======================================================================================
clay        evaluates twenty random moves and plays the best of them
terracotta  evaluates ninety
glaze       evaluates all moves, without looking ahead
faience     simulates the best eight to the end, in 128 games
porcelain   simulates the best ones in as many games as its time allows, and solves endings
==========  =======================================================================================

A node is a simulated game. Each simulated game samples the tiles that the seat has not seen
(native/genial_sample.h) and is played by greedy bots (native/genial_search.h). Without the compiled
core no level looks ahead: the upper three all play like the greedy bot.
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
    """The search of a level, with its limits."""

    candidates: int  # how many of the best moves are simulated
    handful: int = 0  # how many random moves are evaluated; 0: all
    most_nodes: int | None = None  # its own limit of games, whatever the budget

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
    """A candidate; without simulated games its win share is the average."""
    if not visits:
        return Candidate(move, value=1 / view.players)
    return Candidate(move, value, margin, visits)


def _think_slowly(view: View, seed: int, handful: int) -> tuple[Candidate, ...]:
    """Without the compiled core: evaluate the own markers only."""
    pick = Random(seed).randrange
    if view.phase == SWAP or not handful:
        return (Candidate(greedy_move(view, pick), value=1 / view.players),)
    legal = view.legal
    moves = Random(seed).sample(legal, min(handful, len(legal)))
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
