"""Simulates games between bots and returns their records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from tuilerie.bots import BOTS, Bot
from tuilerie.dealer import Dealer
from tuilerie.games.game import (
    Action,
    AnyGame,
    AnyMove,
    AnyState,
    Chance,
    Entry,
    Json,
    Pick,
    Seat,
    Timeout,
)
from tuilerie.record import Header, Played, Replay

EPOCH = "1970-01-01T00:00:00Z"
"""Start time of every simulated game, fixed so that the same seed gives the same record."""

LOOK_MS = range(800, 4000)
"""How long a bot takes for one action, in simulated milliseconds."""


class ChanceSource(Protocol):
    """Source of all chance outcomes and of the bots' random numbers."""

    @property
    def seed(self) -> str:
        """The seed, for the record."""
        ...

    def options(self, game: AnyGame, players: int, given: Mapping[str, Json]) -> dict[str, Json]:
        """Return the options of a new game; unset ones are drawn at random."""
        ...

    def deal(self, game: AnyGame, state: AnyState) -> Chance:
        """Draw the next chance outcome."""
        ...

    def of(self, seat: Seat) -> Pick:
        """Return the random source of the bot on this seat."""
        ...


class OneStream(Dealer):
    """One random stream for tiles and bots."""

    def of(self, seat: Seat) -> Pick:
        """Return the shared stream."""
        del seat
        return self.pick


def play_game(
    game: AnyGame, players: int, options: Mapping[str, Json], bots: Sequence[str], seed: str
) -> Replay:
    """Play one game, determined by its seed."""
    assert len(bots) == players
    named = [(f"{name} {seat + 1}", BOTS[game.card.name][name]) for seat, name in enumerate(bots)]
    return play_with(game, options, named, OneStream(seed))


def play_with(
    game: AnyGame,
    options: Mapping[str, Json],
    seats: Sequence[tuple[str, Bot]],
    chance: ChanceSource,
) -> Replay:
    """Play one game between these bots, each with its name in the record."""
    table = _Table(game, options, seats, chance)
    while game.result(table.state) is None:
        table.step()
    return table.replay


class _Table:
    """A game between bots on a simulated clock."""

    def __init__(
        self,
        game: AnyGame,
        options: Mapping[str, Json],
        seats: Sequence[tuple[str, Bot]],
        chance: ChanceSource,
    ) -> None:
        self.game = game
        self.chance = chance
        self.bots = [bot for _, bot in seats]
        names = tuple(name for name, _ in seats)
        whole = chance.options(game, len(seats), options)
        header = Header(
            game.card.name, game.version, names, whole, chance.seed, EPOCH, game.edition
        )
        self.replay = Replay(header, game, game.start(len(seats), whole))
        self.ms = 0
        self.free_at = [0] * len(seats)  # when each bot acts next
        self.time_up: int | None = None  # when the timer runs out

    @property
    def state(self) -> AnyState:
        return self.replay.state

    def step(self) -> None:
        """Add the next entry."""
        if self.game.due(self.state):
            self._add(self.chance.deal(self.game, self.state))
            return
        seats = self.game.actors(self.state)
        seat = min(seats, key=lambda each: (self.free_at[each], each))
        self._watch_timer()
        if self.time_up is not None and self.free_at[seat] >= self.time_up:
            self.ms, self.time_up = self.time_up, None
            self._add(Timeout())
            return
        self.ms = max(self.ms, self.free_at[seat])
        view = self.game.view(self.state, seat)
        move = self.game.parse_move(self.bots[seat](view, self.chance.of(seat)))
        self._add(Action(seat, move))
        self.free_at[seat] = self.ms + self._look(seat)

    def _look(self, seat: Seat) -> int:
        return LOOK_MS[self.chance.of(seat)(len(LOOK_MS))]

    def _watch_timer(self) -> None:
        """Start the timer when a timed phase begins."""
        seconds = self.game.timer(self.state)
        if seconds is not None and self.time_up is None:
            self.time_up = self.ms + 1000 * seconds
            self.free_at = [self.ms + self._look(seat) for seat in range(len(self.bots))]

    def _add(self, entry: Entry[AnyMove]) -> None:
        state, events = self.game.apply(self.state, entry)
        if (
            self.game.timer(state) is None
        ):  # the timed phase is over; the next one restarts the timer
            self.time_up = None
        line = len(self.replay.played) + 2
        self.replay.played.append(Played(line, entry, self.ms, state, events))
