"""Players that are programs: a view in, a move out. None of them ever sees a state.

The same view and the same chance give the same move. What a bot is stands in bot.py; the bots of
each game have a file of its name.
"""

from __future__ import annotations

from collections.abc import Mapping

from tuilerie.bots import blockers, genial, kaosmos
from tuilerie.bots.bot import Bot as Bot

BOTS: Mapping[str, Mapping[str, Bot]] = {
    "genial": {"random": genial.random_move, "greedy": genial.greedy_move},
    "kaosmos": {"random": kaosmos.random_move, "greedy": kaosmos.greedy_move},
    "blockers": {"random": blockers.random_move, "greedy": blockers.greedy_move},
}
"""The bots of each game, weakest first."""
