"""The five levels of Génial!, from one for children to the strongest.

They differ in how much they see and search, never in what they know:

==========  =======================================================================================
clay        looks at twenty random moves, and plays the best for its own markers
terracotta  looks at ninety
glaze       looks at all moves, without looking ahead
faience     values what each move leads to, for both sides, by a learned evaluation, and simulates
            the best four, once to three times each
porcelain   does so with the best eight, for as long as its time allows
==========  =======================================================================================

For the own markers, a step counts for more the further behind the marker is. The learned evaluation
is a small network, trained by self-play (native/genial_train.h). A node is a simulated line of
play: the tiles that the seat has not seen are sampled (native/genial_sample.h), every seat moves by
the network, and the network values where it leads (native/genial_net_search.h).

There is a network for two, for three and for four players. Variants, and all tables if the file of
weights is missing or damaged, fall back to simulated games between greedy players
(native/genial_search.h). Without the compiled core no level looks ahead: the upper three
all play like the greedy bot.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tuilerie import native
from tuilerie.bots.bot import LEVEL_NAMES, Budget, Candidate, Level, Think
from tuilerie.bots.genial import greedy_move, worth_after
from tuilerie.games.genial.state import SWAP
from tuilerie.games.genial.view import View

if native.is_compiled():
    from tuilerie.native import genial as core


OWN_TIME = Budget(seconds=0.5)
LONG = Budget(seconds=0.03, nodes=200)
"""From here on, a second and a third own turn in each simulated line are worth their time."""


@dataclass(frozen=True, slots=True)
class Thinker:
    """A search without a network, with its limits."""

    candidates: int  # how many of the best moves are simulated
    handful: int = 0  # how many random moves are evaluated; 0: all
    most_nodes: int | None = None  # its own limit of games, whatever the budget

    def __call__(self, view: View, seed: int, budget: Budget) -> tuple[Candidate, ...]:
        """The candidates, best first."""
        if not native.is_compiled():
            return _think_slowly(view, seed, self.handful)
        nodes, seconds = _limits(budget, self.most_nodes)
        found = core.think(
            core.write_view(view), seed, nodes, seconds, self.candidates, self.handful
        )
        return tuple(_candidate(view, *each) for each in found)


@dataclass(frozen=True, slots=True)
class NetThinker:
    """A search with the network, with its limits, and the search for tables without a network."""

    otherwise: Thinker
    candidates: int = 8
    handful: int = 0
    most_nodes: int | None = None

    def __call__(self, view: View, seed: int, budget: Budget) -> tuple[Candidate, ...]:
        """The candidates, best first."""
        weights = core.weights() if native.is_compiled() else None
        standard = view.options.variant == "standard"
        if weights is None or not standard or not weights.has(view.players):
            return self.otherwise(view, seed, budget)
        nodes, seconds = _limits(budget, self.most_nodes)
        found = core.think_with_net(
            weights,
            core.write_view(view),
            seed,
            nodes,
            seconds,
            self.candidates,
            self.handful,
            rounds=3 if _is_long(nodes, seconds) else 1,
        )
        return tuple(Candidate(*each) for each in found)


def _limits(budget: Budget, most_nodes: int | None) -> tuple[int, float]:
    """The nodes and seconds of a search; 0 for no limit, both 0 for no search."""
    if budget.seconds is None and budget.nodes is None:
        budget = OWN_TIME
    limits = [limit for limit in (most_nodes, budget.nodes) if limit is not None]
    nodes = min(limits, default=0)
    return nodes, 0 if limits and not nodes else budget.seconds or 0


def _is_long(nodes: int, seconds: float) -> bool:
    """Whether this is time enough to look three own turns ahead."""
    assert LONG.nodes is not None
    assert LONG.seconds is not None
    return (not nodes or nodes >= LONG.nodes) and (not seconds or seconds >= LONG.seconds)


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


NO_SEARCH = Budget(nodes=0)

_THINKERS: tuple[Think, ...] = (
    Thinker(candidates=1, handful=20, most_nodes=0),
    Thinker(candidates=1, handful=90, most_nodes=0),
    Thinker(candidates=1, most_nodes=0),
    NetThinker(Thinker(candidates=8, most_nodes=128), candidates=4, most_nodes=8),
    NetThinker(Thinker(candidates=16)),
)
_BUDGETS = (NO_SEARCH, NO_SEARCH, NO_SEARCH, Budget(nodes=128), OWN_TIME)

LEVELS: tuple[Level, ...] = tuple(map(Level, LEVEL_NAMES, _THINKERS, _BUDGETS))
"""Weakest first."""

RELEASED: tuple[Level, ...] = (
    Level("faience-0", Thinker(candidates=8, most_nodes=128), Budget(nodes=128)),
    Level("porcelain-0", Thinker(candidates=16), OWN_TIME),
)
"""Earlier levels, as opponents in the arena: the strongest two before there was a network."""
