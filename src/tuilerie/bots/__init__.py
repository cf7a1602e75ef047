"""Players that are programs: a view in, a move out. None of them ever sees a state.

A bot is a function of a view and a source of chance, and answers with a move in notation. The same
view and the same chance give the same move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tuilerie.bots import blockers, genial, kaosmos
from tuilerie.games.game import Pick

Bot = Callable[[Any, Pick], str]

BOTS: Mapping[str, Mapping[str, Bot]] = {
    "genial": {"random": genial.random_move, "greedy": genial.greedy_move},
    "kaosmos": {"random": kaosmos.random_move, "greedy": kaosmos.greedy_move},
    "blockers": {"random": blockers.random_move, "greedy": blockers.greedy_move},
}
"""The bots of each game, weakest first."""
