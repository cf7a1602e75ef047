"""Paired deals: the same seed gives the same deal, whichever bots play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

from tuilerie.games.game import AnyGame, AnyState, Chance, Json, Pick, Seat


class PairedDeals:
    """Independent random streams for every draw and every bot.

    Each draw of a seat (its first hand, its second draw, …) has its own stream, so it depends
    neither on the bots' moves nor on how often other seats have drawn. Each bot has its own stream,
    too.
    """

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self._times: Counter[str] = Counter()
        self._picks: dict[Seat, Pick] = {}

    def _stream(self, name: str) -> Pick:
        return Random(f"{self.seed}/{name}").randrange

    def options(self, game: AnyGame, players: int, given: Mapping[str, Json]) -> dict[str, Json]:
        """Return the options of a new game; unset ones are drawn at random."""
        return game.draw_lots(players, given, self._stream("lots"))

    def deal(self, game: AnyGame, state: AnyState) -> Chance:
        """Return the next chance outcome."""
        due = game.chance(state, lambda _: 0)  # any outcome shows what is drawn and by which seat
        name = f"{due.what}/{getattr(due, 'seat', 'table')}"
        self._times[name] += 1
        return game.chance(state, self._stream(f"{name}/{self._times[name]}"))

    def of(self, seat: Seat) -> Pick:
        """Return the stream of the bot on this seat."""
        if seat not in self._picks:
            self._picks[seat] = self._stream(f"bot/{seat}")
        return self._picks[seat]
