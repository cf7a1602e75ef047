"""Bots: a view in, a move out. They never see a state. The same view and random source give the
same move. bot.py defines the interface; the simple bots of each game are in the file of its name,
its levels in the one beside it (docs/bots.md).
"""

from __future__ import annotations

from collections.abc import Mapping

from tuilerie.bots import (
    blockers,
    blockers_levels,
    genial,
    genial_levels,
    kaosmos,
    kaosmos_levels,
)
from tuilerie.bots.bot import Bot as Bot
from tuilerie.bots.bot import Level as Level

LEVELS: Mapping[str, tuple[Level, ...]] = {
    "genial": genial_levels.LEVELS,
    "kaosmos": kaosmos_levels.LEVELS,
    "blockers": blockers_levels.LEVELS,
}
"""The levels of each game that people choose from, weakest first."""


RELEASED: Mapping[str, tuple[Level, ...]] = {
    "genial": genial_levels.RELEASED,
    "kaosmos": (),
    "blockers": (),
}
"""Levels of earlier releases that have changed since: opponents in the arena, so that progress is
visible. People do not choose from them."""


def _by_name(game: str, **simple: Bot) -> Mapping[str, Bot]:
    return {**simple, **{level.name: level for level in LEVELS[game]}}


BOTS: Mapping[str, Mapping[str, Bot]] = {
    "genial": _by_name("genial", random=genial.random_move, greedy=genial.greedy_move),
    "kaosmos": _by_name("kaosmos", random=kaosmos.random_move, greedy=kaosmos.greedy_move),
    "blockers": _by_name("blockers", random=blockers.random_move, greedy=blockers.greedy_move),
}
"""All bots of each game by name: the two simple ones, then the levels, weakest first."""


def entrants(game: str) -> Mapping[str, Bot]:
    """All bots by name that may play in an arena: those of earlier releases, too."""
    return {**BOTS[game], **{level.name: level for level in RELEASED[game]}}


HINT = "hint"
"""The name by which the strongest level is asked for its best moves instead of one."""


def named(game: str, name: str) -> Bot | None:
    """The bot of this name."""
    return LEVELS[game][-1] if name == HINT else entrants(game).get(name)


def offered(game: str) -> tuple[str, ...]:
    """The names of the levels of a game, weakest first."""
    return tuple(level.name for level in LEVELS[game])


def usual(game: str) -> str:
    """The default bot of a game: the second level, which a newcomer can beat."""
    return offered(game)[1]
