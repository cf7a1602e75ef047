"""Games played by bots alone, as records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from tuilerie.bots import BOTS, Bot
from tuilerie.dealer import Dealer
from tuilerie.games.game import Action, AnyGame, Chance, Clock, Entry, Json, Pick, Seat
from tuilerie.record import Header, Played, Replay

EPOCH = "1970-01-01T00:00:00Z"
"""When every simulated game begins, by its own clock: the same seed makes the same record."""

LOOK_MS = range(800, 4000)
"""How long a bot takes for one action, on the clock of the simulated table."""


class Luck(Protocol):
    """All that is left to luck when bots play."""

    @property
    def seed(self) -> str:
        """What it comes from, for the record."""
        ...

    def options(self, game: AnyGame, players: int, given: Mapping[str, Json]) -> dict[str, Json]:
        """The options of a new game, with lots drawn for what is left open."""
        ...

    def deal(self, game: AnyGame, state: Json) -> Chance:
        """An outcome of the chance that is due."""
        ...

    def of(self, seat: Seat) -> Pick:
        """What the bot on this seat draws from, and how long it takes."""
        ...


class OneStream(Dealer):
    """Tiles and bots from the same numbers, in the order in which they are needed."""

    def of(self, seat: Seat) -> Pick:
        """The one stream."""
        del seat
        return self.pick


def play_game(
    game: AnyGame, players: int, options: Mapping[str, Json], bots: Sequence[str], seed: str
) -> Replay:
    """One whole game, decided by its seed alone."""
    assert len(bots) == players
    named = [(f"{name} {seat + 1}", BOTS[game.card.name][name]) for seat, name in enumerate(bots)]
    return play_with(game, options, named, OneStream(seed))


def play_with(
    game: AnyGame, options: Mapping[str, Json], seats: Sequence[tuple[str, Bot]], luck: Luck
) -> Replay:
    """One whole game of these bots, each with the name that the record gives it."""
    table = _Table(game, options, seats, luck)
    while game.result(table.state) is None:
        table.go_on()
    return table.replay


class _Table:
    """A table with bots at it and a clock of its own."""

    def __init__(
        self,
        game: AnyGame,
        options: Mapping[str, Json],
        seats: Sequence[tuple[str, Bot]],
        luck: Luck,
    ) -> None:
        self.game = game
        self.luck = luck
        self.bots = [bot for _, bot in seats]
        names = tuple(name for name, _ in seats)
        whole = luck.options(game, len(seats), options)
        header = Header(game.card.name, game.version, names, whole, luck.seed, EPOCH, game.edition)
        self.replay = Replay(header, game, game.start(len(seats), whole))
        self.ms = 0
        self.free_at = [0] * len(seats)  # when each bot has made up its mind
        self.time_up: int | None = None  # when the glass runs out

    @property
    def state(self) -> Json:
        return self.replay.state

    def go_on(self) -> None:
        """Add the next entry."""
        if self.game.due(self.state):
            self._add(self.luck.deal(self.game, self.state))
            return
        seats = self.game.actors(self.state)
        seat = min(seats, key=lambda each: (self.free_at[each], each))
        self._watch_glass()
        if self.time_up is not None and self.free_at[seat] >= self.time_up:
            self.ms, self.time_up = self.time_up, None
            self._add(Clock())
            return
        self.ms = max(self.ms, self.free_at[seat])
        view = self.game.view(self.state, seat)
        move = self.game.parse_move(self.bots[seat](view, self.luck.of(seat)))
        self._add(Action(seat, move))
        self.free_at[seat] = self.ms + self._look(seat)

    def _look(self, seat: Seat) -> int:
        return LOOK_MS[self.luck.of(seat)(len(LOOK_MS))]

    def _watch_glass(self) -> None:
        """Turn the glass when a timed phase begins."""
        seconds = self.game.glass(self.state)
        if seconds is not None and self.time_up is None:
            self.time_up = self.ms + 1000 * seconds
            self.free_at = [self.ms + self._look(seat) for seat in range(len(self.bots))]

    def _add(self, entry: Entry[Json]) -> None:
        state, events = self.game.apply(self.state, entry)
        if (
            self.game.glass(state) is None
        ):  # the timed phase is over: the next has a glass of its own
            self.time_up = None
        line = len(self.replay.played) + 2
        self.replay.played.append(Played(line, entry, self.ms, state, events))
