"""The five levels of Kaosmos.

All of them build by simulated annealing and differ in how many galaxies they count: that is a node
here. The better ones also consider the whole match, bet on bonus tiles by the odds, and choose
tiles in the draft by sampled galaxies.

A bot makes one move at a time and has no memory. It plans its whole galaxy at the first tile; later
it solves again for the remaining tiles, with the placed ones fixed. The seed for this is derived
from the tiles, so it finds the same plan again.

Without the compiled core the first level plays like the random bot and the others like the greedy
one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import exp, log
from random import Random

from tuilerie import native
from tuilerie.bots import kaosmos as simple
from tuilerie.bots.bot import LEVEL_NAMES, Budget, Candidate, Level, Think
from tuilerie.games.game import Seat
from tuilerie.games.kaosmos.board import READING, free_beside, groups
from tuilerie.games.kaosmos.card import COLOURS, ROUNDS, STAR
from tuilerie.games.kaosmos.notation import Done, Grab, Keep, Lift, Put, Transfer, Turn, parse_move
from tuilerie.games.kaosmos.score import Galaxy, Markers, clamp, count, kaos_gains
from tuilerie.games.kaosmos.state import BUILDING, DRAFT, INTERFERENCE, TRANSFER
from tuilerie.games.kaosmos.tiles import TileId
from tuilerie.games.kaosmos.view import View

if native.is_compiled():
    from tuilerie.native import kaosmos as fast

RANDOM, GREEDY, SAMPLED = "random", "greedy", "sampled"
NO_BETS, GREEDILY, ODDS = "none", "greedy", "odds"


@dataclass(frozen=True, slots=True)
class Settings:
    """The parameters of a level."""

    keeps: str  # in the draft: random tiles, the greedy choice, or by sampling
    bets: str  # on bonus tiles: never, greedily, or by the odds
    match: bool  # considers the match, not only points
    nodes: int  # galaxies counted for a tile to lay

    def within(self, budget: Budget) -> Budget:
        """The part of a budget that it uses: never more than its own nodes; the strongest uses
        all."""
        if self is SETTINGS[-1] and budget != Budget():
            return budget
        return Budget(budget.seconds, min(budget.nodes or self.nodes, self.nodes))


SETTINGS = (
    Settings(RANDOM, NO_BETS, match=False, nodes=100),
    Settings(GREEDY, NO_BETS, match=False, nodes=100),
    Settings(GREEDY, GREEDILY, match=True, nodes=300),
    Settings(GREEDY, ODDS, match=True, nodes=1_500),
    Settings(SAMPLED, ODDS, match=True, nodes=60_000),
)

CANDIDATES = 24
"""How many choices of the draft are sampled: the most promising ones."""

FUTURE_BUILD = 400
"""How many galaxies are counted in each sample."""

DRAFT_SHARE = 6
"""A choice in the draft may take as long as placing so many tiles."""

ODDS_SAMPLES, ODDS_BUILD = 40, 250
"""For a bet: how many of the others' galaxies are sampled, and with how many nodes."""


def levels() -> tuple[Level, ...]:
    """The levels, weakest first."""
    return tuple(
        Level(name, _thinker(settings), Budget(nodes=settings.nodes))
        for name, settings in zip(LEVEL_NAMES, SETTINGS, strict=True)
    )


def _thinker(settings: Settings) -> Think:
    def think(view: View, seed: int, budget: Budget) -> tuple[Candidate, ...]:
        if not native.is_compiled():
            fallback = simple.random_move if settings is SETTINGS[0] else simple.greedy_move
            return (Candidate(fallback(view, Random(seed).randrange), 1 / view.players),)
        return Search(settings, view, seed, settings.within(budget)).candidates()

    return think


class Search:
    """The search for one move."""

    def __init__(self, settings: Settings, view: View, seed: int, budget: Budget) -> None:
        assert view.viewer is not None, "a spectator does not move"
        self.settings, self.view, self.seed, self.budget = settings, view, seed, budget
        self.seat: Seat = view.viewer
        self.temperature = fast.temperature_of(view.round) if settings.match else 0.0

    def candidates(self) -> tuple[Candidate, ...]:
        """The candidate moves, best first."""
        phase = self.view.phase
        if phase == DRAFT:
            return self._keeps()
        if phase == BUILDING:
            return self._build()
        return self._turns() if phase == INTERFERENCE else self._transfers()

    # --- the draft

    def _keeps(self) -> tuple[Candidate, ...]:
        view = self.view
        if self.settings.keeps == RANDOM:
            return (self._candidate(view.legal[self.seed % len(view.legal)], self._now()),)
        greedy = (self._candidate(simple.greedy_move(view, lambda number: 0), self._now()),)
        if self.settings.keeps == GREEDY:
            return greedy
        nodes = (self.budget.nodes or 0) * DRAFT_SHARE
        seconds = self.budget.seconds or 0.0
        found = fast.weigh_keeps(
            view, self.temperature, nodes, seconds, self.seed, CANDIDATES, FUTURE_BUILD
        )
        tried = [(tiles, worth, visits) for tiles, worth, visits in found if visits]
        candidates = tuple(
            self._candidate(str(Keep(tuple(sorted(tiles)))), worth, visits)
            for tiles, worth, visits in tried
        )
        return candidates or greedy  # no time for a single trial

    # --- the galaxy

    def _build(self) -> tuple[Candidate, ...]:
        strays = self._strays()
        if strays:  # left disconnected by another player's card: take them back first
            return (self._candidate(str(Lift(strays[0])), self._now()),)
        if self.view.is_complete(self.seat):
            return self._finish()
        plan, worth, nodes = self._plan()
        laid = self.view.galaxies[self.seat]
        missing = [slot for slot in sorted(plan, key=READING.__getitem__) if slot not in laid]
        if self.view.rules.shape.joined:  # next to placed tiles, or it would be disconnected
            near = set(free_beside(laid))
            missing = [slot for slot in missing if slot in near]
        puts = [str(Put(plan[slot][0], slot, plan[slot][1])) for slot in missing]
        return tuple(self._candidate(put, worth, nodes) for put in puts)

    def _plan(self) -> tuple[Galaxy, float, int]:
        """The complete galaxy that it plans."""
        view, laid = self.view, self.view.galaxies[self.seat]
        aside = view.aside[self.seat]
        lying = [tile for tile, _ in laid.values()]
        tiles = sorted((*(view.supply or ()), *lying, *((aside,) if aside else ())))
        goal = fast.Goal(fast.totals_of(view.markers[self.seat]), self.temperature, self._bonus())
        # The rest gets easier with every tile, so fewer nodes are needed.
        share = (len(tiles) - len(laid)) / len(tiles)
        nodes, seconds = self.budget.nodes, self.budget.seconds
        found = fast.solve(
            tiles,
            card=view.card,
            laid=laid,
            goal=goal,
            box=view.box,
            nodes=max(4, int(nodes * share)) if nodes else 0,
            seconds=seconds * share if seconds else 0.0,
            prove=False,
            seed=_seed_of(tiles, view.card, view.round),
        )
        return found.galaxy, found.value, found.nodes

    def _strays(self) -> list[TileId]:
        galaxy = self.view.galaxies[self.seat]
        if not self.view.rules.shape.joined or not galaxy:
            return []
        return [galaxy[slot][0] for group in groups(galaxy)[1:] for slot in group]

    # --- the bonus tiles

    def _odds(self) -> Mapping[str, Sequence[float]]:
        """The probability that a zone of each size wins its bonus tile."""
        seed = _seed_of(sorted(self.view.supply or ()), self.view.card, self.view.round)
        return fast.odds(self.view, ODDS_SAMPLES, ODDS_BUILD, seed)

    def _stake(self, colour: str) -> tuple[float, float]:
        """The value of a bonus tile if it is won, and if it is lost."""
        view, markers = self.view, self.view.markers[self.seat]
        gains = []
        for points in (view.rules.bonus_won, view.rules.bonus_lost):
            # The markers will have advanced by about a galaxy's points by then.
            now = {**markers, **{name: clamp(markers[name] + USUAL_GAIN) for name in COLOURS}}
            then = {**now, colour: clamp(now[colour] + points)}
            gains.append(_worth(then, self.temperature) - _worth(now, self.temperature))
        return gains[0], gains[1]

    def _bonus(self) -> tuple[float, ...]:
        """By colour and size of its largest zone, the value that a bet adds while building."""
        view = self.view
        if self.settings.bets != ODDS or not self._others_build():
            return ()
        odds = self._odds()
        table: list[float] = []
        for colour in COLOURS:
            won, lost = self._stake(colour)
            free = view.bonuses[colour] is None
            chances = odds[colour] if free else (0.0,) * fast.LARGEST
            table += [max(0.0, chance * won + (1 - chance) * lost) for chance in chances]
        return tuple(table)

    def _others_build(self) -> bool:
        return any(bonus is None for bonus in self.view.bonuses.values())

    def _finish(self) -> tuple[Candidate, ...]:
        view = self.view
        if self.settings.bets == NO_BETS:
            return (self._candidate(str(Done()), self._now()),)
        own = count(view.galaxies[self.seat], view.rules, view.box.tiles).largest
        wanted = []
        if self.settings.bets == GREEDILY:
            move = simple.finish(view)
            return (self._candidate(move, self._now()),)
        odds = self._odds()
        for colour in COLOURS:
            chance = odds[colour][min(own[colour], fast.LARGEST - 1)]
            won, lost = self._stake(colour)
            if view.bonuses[colour] is None and chance * won + (1 - chance) * lost > 0:
                wanted.append(colour)
        best = str(Grab(tuple(wanted))) if wanted else str(Done())
        moves = dict.fromkeys((best, str(Done())))
        return tuple(self._candidate(move, self._now()) for move in moves)

    # --- choices from cards

    def _turns(self) -> tuple[Candidate, ...]:
        """Rotate the tile of the next player that costs them most."""
        view = self.view
        owner = view.next_to(self.seat)
        galaxy = view.galaxies[owner]
        found = {}
        for slot in sorted(galaxy, key=READING.__getitem__):
            tile, turns = galaxy[slot]
            turned = {**galaxy, slot: (tile, (turns + view.rules.interference) % 4)}
            found[slot] = self._after(owner, turned)
        best = sorted(found, key=lambda slot: found[slot])
        return tuple(self._candidate(str(Turn(slot)), self._now()) for slot in best)

    def _transfers(self) -> tuple[Candidate, ...]:
        markers = self.view.markers[self.seat]
        found = {}
        for text in self.view.legal:
            move = parse_move(text)
            assert isinstance(move, Transfer)
            then = {**markers, move.source: markers[move.source] - move.points}
            then[move.target] = clamp(then[move.target] + move.points)
            found[text] = _worth(then, max(self.temperature, 0.5))
        best = sorted(found, key=lambda text: -found[text])
        return tuple(self._candidate(text, found[text]) for text in best)

    # --- evaluation

    def _after(self, seat: Seat, galaxy: Galaxy) -> float:
        """The value of a seat's markers after this galaxy."""
        view = self.view
        counted = count(galaxy, view.rules, view.box.tiles)
        points = dict(counted.points)
        for gain in kaos_gains(counted, view.rules):
            points[gain.marker] += gain.points
        markers = view.markers[seat]
        return _worth(
            {name: clamp(markers[name] + points[name]) for name in markers}, self.temperature
        )

    def _now(self) -> float:
        """The value of its own markers with the current galaxy."""
        galaxy = self.view.galaxies[self.seat]
        if self.view.phase == TRANSFER or not galaxy:
            return _worth(self.view.markers[self.seat], self.temperature) + USUAL_GAIN
        return self._after(self.seat, galaxy)

    def _candidate(self, move: str, worth: float, visits: int = 0) -> Candidate:
        """A move with its expected win share: from the lead over the others, weighted less the more
        rounds are left."""
        others = [
            _worth(markers, self.temperature) + USUAL_GAIN
            for seat, markers in enumerate(self.view.markers)
            if seat != self.seat
        ]
        scale = 3 + 2 * (ROUNDS - self.view.round)
        shares = [exp((other - worth) / scale) for other in others]
        return Candidate(move, 1 / (1 + sum(shares)), worth - max(others), visits)


USUAL_GAIN = 5
"""Roughly the points per round on each marker."""


def _worth(markers: Markers, temperature: float) -> float:
    """The value of markers, as `Goal` in native/kaosmos_goal.h computes it."""
    if temperature <= 0:
        return float(sum(markers.values()))
    low = min(markers[colour] for colour in COLOURS)
    mean = sum(exp((low - markers[colour]) / temperature) for colour in COLOURS) / len(COLOURS)
    return markers[STAR] + low - temperature * log(mean)


def _seed_of(tiles: Sequence[TileId], card: str | None, round_number: int) -> int:
    """A seed derived from the tiles, the card and the round."""
    text = " ".join((*tiles, card or "-", str(round_number)))
    return int.from_bytes(sha256(text.encode()).digest()[:7], "big")


LEVELS: tuple[Level, ...] = levels()
"""The levels of Kaosmos, weakest first."""
