"""Lets tests of a server choose what chance brings in Kaosmos."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tuilerie.games.game import Chance, Pick
from tuilerie.games.kaosmos import Kaosmos, rules
from tuilerie.games.kaosmos.notation import CardTurned
from tuilerie.games.kaosmos.state import CARD_PHASE, State

FILE = "kaos-card"
"""Beside the data of a server: names the Kaos card that is turned next."""


def steer(data: Path) -> None:
    """Turn the card that the file names, if there is one, and draw the same tiles each time."""
    file = data / FILE

    def chance(state: State, pick: Pick) -> Chance:
        if not file.is_file():
            return rules.chance(state, pick)
        card = file.read_text("utf-8")
        if state.phase == CARD_PHASE and card in rules.deck(state):
            return CardTurned("card", card)
        return rules.chance(state, Random(f"{state.round} {state.waiting}").randrange)

    Kaosmos.chance = staticmethod(chance)
