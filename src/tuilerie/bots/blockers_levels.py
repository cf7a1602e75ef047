"""The five levels of Blockers!, weakest first.

All of them search in the same way: each move is evaluated by simulated games, with the hidden racks
sampled and all seats played by a simple policy. The weaker ones simulate fewer games and sometimes
play a random move. None of them knows more than its view.

Without the compiled core a level plays like the greedy bot, with its own rate of random moves: the
strongest levels are then nearly equal, and weaker than they should be.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tuilerie import native
from tuilerie.bots.blockers import greedy_choices
from tuilerie.bots.bot import LEVEL_NAMES, Budget, Candidate, Level
from tuilerie.games.blockers.view import View


@dataclass(frozen=True, slots=True)
class Thinker:
    """The parameters of a level. A node is a simulated game."""

    slips: float = 0  # probability of a random move
    candidates: int = 64  # how many moves it simulates, the best of a static evaluation
    nodes: int | None = None  # its own limit of nodes, whatever the budget
    exact: int = 0  # solves the last round if that takes at most so many positions

    def __call__(self, view: View, seed: int, budget: Budget) -> tuple[Candidate, ...]:
        """The candidates for the seat to act, best first."""
        random = Random(seed)
        found = self._weigh(view, random.getrandbits(63), budget)
        return _slip(view, found, random) if random.random() < self.slips else found

    def _weigh(self, view: View, seed: int, budget: Budget) -> tuple[Candidate, ...]:
        if not native.is_compiled():
            return _by_greed(view, seed)
        from tuilerie.native.blockers import think  # noqa: PLC0415 (only where it is compiled)

        weighed = think(
            view,
            seed,
            nodes=min(budget.nodes or self.nodes or 0, self.nodes or budget.nodes or 0),
            seconds=budget.seconds or 0,
            candidates=self.candidates,
            exact=self.exact,
        )
        return tuple(Candidate(one.move, one.share, one.margin, one.games) for one in weighed)


def _slip(view: View, found: tuple[Candidate, ...], random: Random) -> tuple[Candidate, ...]:
    """A random legal move comes first, with its estimate if it has one."""
    move = random.choice(view.legal)
    worst = min(candidate.value for candidate in found)
    first = next((one for one in found if one.move == move), Candidate(move, worst))
    return (first, *(one for one in found if one.move != move))


def _by_greed(view: View, seed: int) -> tuple[Candidate, ...]:
    """The greedy bot's choices, without an estimate: each seat has the same win share."""
    ties = list(greedy_choices(view))
    Random(seed).shuffle(ties)
    return tuple(Candidate(move, 1 / len(view.racks)) for move in ties)


def _level(name: str, thinker: Thinker, seconds: float | None = None) -> Level:
    return Level(name, thinker, Budget(seconds, thinker.nodes))


CLAY, TERRACOTTA, GLAZE, FAIENCE, PORCELAIN = LEVEL_NAMES

LEVELS: tuple[Level, ...] = (
    _level(CLAY, Thinker(slips=0.5, candidates=8, nodes=16)),
    _level(TERRACOTTA, Thinker(slips=0.3, candidates=8, nodes=16)),
    _level(GLAZE, Thinker(slips=0.13, candidates=8, nodes=16)),
    _level(FAIENCE, Thinker(slips=0.04, nodes=128)),
    _level(PORCELAIN, Thinker(exact=200_000), seconds=0.5),
)
"""Clay plays every other move at random, terracotta three of ten, glaze one of eight; otherwise
they evaluate eight moves. Faience simulates all moves once or twice and seldom plays at random.
Porcelain simulates thousands of games in half a second and solves the last round."""
