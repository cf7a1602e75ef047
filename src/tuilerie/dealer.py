"""Chance from a seed: the one place where random numbers come from.

A seed makes the same game again while the program stays the same, but no record depends on it:
records hold what was drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from tuilerie.games.game import AnyGame, Chance, Json


class Dealer:
    """Decides all that luck decides in one game, from a seed."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.pick = Random(seed).randrange

    def options(self, game: AnyGame, players: int, given: Mapping[str, Json]) -> dict[str, Json]:
        """The options of a new game, with lots drawn for what is left open."""
        return game.draw_lots(players, given, self.pick)

    def deal(self, game: AnyGame, state: Json) -> Chance:
        """An outcome of the chance that is due."""
        return game.chance(state, self.pick)
