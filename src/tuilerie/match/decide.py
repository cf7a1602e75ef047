"""Commands judged: what follows from a command at this table, now.

The rules by which commands are refused are listed in `lobby`, `moves` and `talk`, those for a new
table (malformed: unknown-game, unknown-level, bad-seconds; found, expected) are in `config`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tuilerie.games import GAMES
from tuilerie.games.game import Pick
from tuilerie.match import commands as c
from tuilerie.match import lobby, moves, talk
from tuilerie.match.batch import Batch, Stage
from tuilerie.match.config import Config, checked
from tuilerie.match.facts import Fact, Opened
from tuilerie.match.table import Table
from tuilerie.match.ticks import catch_up


def open_table(game: str, config: Config, now: int) -> tuple[Fact, ...]:
    """The first facts of a new table. Raises `Refused` if the game cannot be played so."""
    config = checked(game, config)
    return (Opened(now, game, GAMES[game].card.rules, config),)


def decide(table: Table, command: c.Command, now: int, pick: Pick) -> tuple[Fact, ...]:
    """The facts to append. None at all: it is as the command asks already (done, not refused).
    Raises `Refused`; then nothing happens.

    What had come due before is decided first, and stands at the beginning.
    """
    return tuple(stage.fact for stage in stages(table, command, now, pick))


def stages(table: Table, command: c.Command, now: int, pick: Pick) -> tuple[Stage, ...]:
    """The same as `decide`, each fact with the table after it, so that nothing is worked out twice
    by those who append and then tell."""
    batch = Batch(table, now, pick)
    catch_up(batch)
    _DECIDE[type(command)](batch, command)
    batch.conclude()
    return tuple(batch.stages)


def _tick(batch: Batch, command: c.Tick) -> None:
    """Catching up was all."""


_DECIDE: Mapping[type[Any], Callable[[Batch, Any], None]] = {
    c.Sit: lobby.sit,
    c.Stand: lobby.stand,
    c.AddBot: lobby.add_bot,
    c.RemoveBot: lobby.remove_bot,
    c.SetReady: lobby.set_ready,
    c.Begin: lobby.begin,
    c.Leave: lobby.leave,
    c.Return: lobby.come_back,
    c.Make: moves.make,
    c.BotMoved: moves.bot_moved,
    c.Resign: talk.resign,
    c.AskTakeback: talk.ask_takeback,
    c.AnswerTakeback: talk.answer_takeback,
    c.AskRematch: talk.ask_rematch,
    c.Rematch: talk.rematched,
    c.React: talk.react,
    c.Tick: _tick,
}
