"""Games played by bots alone, as records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tuilerie.bots import BOTS, Bot
from tuilerie.dealer import Dealer
from tuilerie.games.game import Action, AnyGame, Clock, Entry, Json
from tuilerie.record import Header, Played, Replay

EPOCH = "1970-01-01T00:00:00Z"
"""When every simulated game begins, by its own clock: the same seed makes the same record."""

LOOK_MS = range(800, 4000)
"""How long a bot takes for one action, on the clock of the simulated table."""


def play_game(
    game: AnyGame, players: int, options: Mapping[str, Json], bots: Sequence[str], seed: str
) -> Replay:
    """One whole game, decided by its seed alone."""
    table = _Table(game, players, options, bots, seed)
    while game.result(table.state) is None:
        table.go_on()
    return table.replay


class _Table:
    """A table with bots at it and a clock of its own."""

    def __init__(
        self,
        game: AnyGame,
        players: int,
        options: Mapping[str, Json],
        bots: Sequence[str],
        seed: str,
    ) -> None:
        self.game = game
        self.dealer = Dealer(seed)
        self.bots: list[Bot] = [BOTS[game.card.name][name] for name in bots]
        names = tuple(f"{name} {seat + 1}" for seat, name in enumerate(bots))
        whole = self.dealer.options(game, players, options)
        header = Header(game.card.name, game.card.rules, names, whole, seed, EPOCH, game.edition)
        self.replay = Replay(header, game, game.start(players, whole))
        self.ms = 0
        self.free_at = [0] * players  # when each bot has made up its mind
        self.time_up: int | None = None  # when the glass runs out

    @property
    def state(self) -> Json:
        return self.replay.state

    def go_on(self) -> None:
        """Add the next entry."""
        if self.game.due(self.state):
            self._add(self.dealer.deal(self.game, self.state))
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
        move = self.game.parse_move(self.bots[seat](view, self.dealer.pick))
        self._add(Action(seat, move))
        self.free_at[seat] = self.ms + LOOK_MS[self.dealer.pick(len(LOOK_MS))]

    def _watch_glass(self) -> None:
        """Turn the glass when a timed phase begins."""
        seconds = self.game.glass(self.state)
        if seconds is not None and self.time_up is None:
            self.time_up = self.ms + 1000 * seconds
            self.free_at = [self.ms + LOOK_MS[self.dealer.pick(len(LOOK_MS))] for _ in self.free_at]

    def _add(self, entry: Entry[Json]) -> None:
        state, events = self.game.apply(self.state, entry)
        if (
            self.game.glass(state) is None
        ):  # the timed phase is over: the next has a glass of its own
            self.time_up = None
        line = len(self.replay.played) + 2
        self.replay.played.append(Played(line, entry, self.ms, state, events))
