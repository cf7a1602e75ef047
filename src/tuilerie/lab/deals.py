"""Paired deals: the same seed gives the same deal, whichever bots play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

from tuilerie.games.game import AnyGame, Chance, Json, Pick, Seat


class PairedDeals:
    """Independent random streams for every draw and every bot.

    A seat's first hand, its second draw, its third … each have a stream of their own, so they do
    not depend on what any bot does, nor on how often another seat has drawn. The bot on a seat has
    its own stream, too.
    """

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self._times: Counter[str] = Counter()
        self._picks: dict[Seat, Pick] = {}

    def _stream(self, name: str) -> Pick:
        return Random(f"{self.seed}/{name}").randrange

    def options(self, game: AnyGame, players: int, given: Mapping[str, Json]) -> dict[str, Json]:
        """The options of a new game, with lots drawn for what is left open."""
        return game.draw_lots(players, given, self._stream("lots"))

    def deal(self, game: AnyGame, state: Json) -> Chance:
        """An outcome of the chance that is due."""
        due = game.chance(state, lambda _: 0)  # any outcome tells what is drawn, and by whom
        name = f"{due.what}/{getattr(due, 'seat', 'table')}"
        self._times[name] += 1
        return game.chance(state, self._stream(f"{name}/{self._times[name]}"))

    def of(self, seat: Seat) -> Pick:
        """The stream of the bot on this seat."""
        if seat not in self._picks:
            self._picks[seat] = self._stream(f"bot/{seat}")
        return self._picks[seat]
