"""The configuration of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tuilerie.bots import BOTS
from tuilerie.games import GAMES
from tuilerie.games.game import Code, Json, Refused

PlayerId = str
"""The id of a person: opaque here, made by the server, never shown in a view."""


@dataclass(frozen=True, slots=True)
class PerMove:
    """Each decision of a seat has so many seconds; when they are over, a bot makes that one."""

    kind: Literal["move"] = field(default="move", init=False)
    seconds: int


@dataclass(frozen=True, slots=True)
class PerGame:
    """Each seat has so many seconds for the whole game, and gets `increment` for each decision;
    when they are over, a bot takes over for the rest."""

    kind: Literal["game"] = field(default="game", init=False)
    seconds: int
    increment: int = 0


Clock = PerMove | PerGame


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The configuration of a table. Validate it with `checked`; a log holds valid ones only."""

    players: int  # how many seats
    options: Mapping[str, Json] = field(default_factory=dict)  # of the game, as they were given
    clock: Clock | None = None
    public: bool = False  # shown in the lobby
    spectators: int | None = 0  # their delay in seconds; None: none are admitted
    takeover_after: int | None = 120  # seconds until a bot plays for a person who left; None: never
    level: str = "greedy"  # of a bot that plays for a person
    host: PlayerId | None = None  # None: the first person to take a seat


LONGEST_CLOCK = 14 * 24 * 3600
"""The upper limit of every duration of a table, in seconds: two weeks."""


def checked(game: str, config: Config) -> Config:
    """The same config, if it is valid for this game. Raises `Refused`."""
    if game not in GAMES:
        raise Refused(Code.MALFORMED, "unknown-game", found=game, expected=", ".join(GAMES))
    GAMES[game].options(config.players, config.options)
    check_level(game, config.level)
    clock = config.clock
    if clock is not None:
        _check("clock", clock.seconds, 1)
    if isinstance(clock, PerGame):
        _check("increment", clock.increment, 0)
    if config.spectators is not None:
        _check("spectators", config.spectators, 0)
    if config.takeover_after is not None:
        _check("takeover_after", config.takeover_after, 1)
    return config


def check_level(game: str, level: str) -> None:
    """Refuses a bot that does not exist."""
    if level not in BOTS[game]:
        expected = ", ".join(BOTS[game])
        raise Refused(Code.MALFORMED, "unknown-level", found=level, expected=expected)


def _check(name: str, seconds: int, least: int) -> None:
    if seconds not in range(least, LONGEST_CLOCK + 1):
        expected = f"{least}–{LONGEST_CLOCK}"
        raise Refused(Code.MALFORMED, "bad-seconds", name=name, found=seconds, expected=expected)
