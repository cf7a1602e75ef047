"""Seeded chance outcomes.

The same seed gives the same game in the same version of the program. Records do not depend on
seeds: they hold the outcomes.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from tuilerie.games.game import AnyGame, AnyState, Chance, Json


class Dealer:
    """Draws all chance outcomes of one game from a seed."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.pick = Random(seed).randrange

    def options(self, game: AnyGame, players: int, given: Mapping[str, Json]) -> dict[str, Json]:
        """Return the options of a new game; unset ones are drawn at random."""
        return game.draw_lots(players, given, self.pick)

    def deal(self, game: AnyGame, state: AnyState) -> Chance:
        """Draw the next chance outcome."""
        return game.chance(state, self.pick)
