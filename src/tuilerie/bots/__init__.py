"""Players that are programs: a view in, a move out. None of them ever sees a state.

The same view and the same chance give the same move. What a bot is stands in bot.py; the simple
bots of each game have a file of its name, its levels one beside it (docs/bots.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from tuilerie.bots import blockers, genial, kaosmos
from tuilerie.bots.bot import Bot as Bot
from tuilerie.bots.bot import Level as Level


def _levels(game: str) -> tuple[Level, ...]:
    try:
        return tuple(import_module(f"{__name__}.{game}_levels").LEVELS)
    except ModuleNotFoundError:
        return ()


LEVELS: Mapping[str, tuple[Level, ...]] = {
    game: _levels(game) for game in ("genial", "kaosmos", "blockers")
}
"""The levels of each game that people choose from, weakest first."""


def _by_name(game: str, **simple: Bot) -> Mapping[str, Bot]:
    return {**simple, **{level.name: level for level in LEVELS[game]}}


BOTS: Mapping[str, Mapping[str, Bot]] = {
    "genial": _by_name("genial", random=genial.random_move, greedy=genial.greedy_move),
    "kaosmos": _by_name("kaosmos", random=kaosmos.random_move, greedy=kaosmos.greedy_move),
    "blockers": _by_name("blockers", random=blockers.random_move, greedy=blockers.greedy_move),
}
"""All bots of each game by their names: the two simple ones, then the levels, weakest first."""


def offered(game: str) -> tuple[str, ...]:
    """The bots that people are offered, weakest first: the levels."""
    return tuple(level.name for level in LEVELS[game]) or tuple(BOTS[game])


def usual(game: str) -> str:
    """The bot that is meant where nobody says which: one in the middle."""
    names = offered(game)
    return names[len(names) // 2]
