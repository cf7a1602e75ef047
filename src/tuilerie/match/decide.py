"""Decide what follows from a command at this table, now.

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
from tuilerie.match.batch import Applied, Batch
from tuilerie.match.config import Config, checked
from tuilerie.match.facts import Fact, Interrupted, Opened
from tuilerie.match.table import Table
from tuilerie.match.ticks import catch_up, next_tick


def open_table(game: str, config: Config, now: int) -> tuple[Fact, ...]:
    """The first facts of a new table. Raises `Refused` if the configuration is invalid."""
    config = checked(game, config)
    return (Opened(now, game, GAMES[game].card.rules, config),)


def decide(table: Table, command: c.Command, now: int, pick: Pick) -> tuple[Applied, ...]:
    """The facts to append, each with the table after it; empty if the command changes nothing.
    Raises `Refused`. Facts that were due before the command come first."""
    batch = Batch(table, now, pick)
    if not isinstance(command, c.GiveBack):  # what came due during an outage did not
        catch_up(batch)
    _DECIDE[type(command)](batch, command)
    batch.conclude()
    return tuple(batch.applied)


def _give_back(batch: Batch, command: c.GiveBack) -> None:
    table = batch.table
    ends = [min(end, batch.at) - max(start, table.at) for start, end in command.outages]
    ms = sum(max(0, each) for each in ends)
    if ms > 0 and next_tick(table) is not None:
        batch.add(Interrupted(batch.at, ms))


def _tick(batch: Batch, command: c.Tick) -> None:
    """Nothing more: catching up is done before every command."""


_DECIDE: Mapping[type[Any], Callable[[Batch, Any], None]] = {
    c.Sit: lobby.sit,
    c.Stand: lobby.stand,
    c.AddBot: lobby.add_bot,
    c.RemoveBot: lobby.remove_bot,
    c.Remove: lobby.remove,
    c.Close: lobby.close,
    c.SetReady: lobby.set_ready,
    c.Begin: lobby.begin,
    c.Leave: lobby.leave,
    c.Return: lobby.come_back,
    c.Make: moves.make,
    c.BotMoved: moves.bot_moved,
    c.EndTurn: moves.end_turn,
    c.Undo: moves.undo,
    c.SeeCount: moves.see_count,
    c.Hint: moves.hint,
    c.Resign: talk.resign,
    c.AskTakeback: talk.ask_takeback,
    c.AnswerTakeback: talk.answer_takeback,
    c.AskRematch: talk.ask_rematch,
    c.Rematch: talk.rematched,
    c.React: talk.react,
    c.GiveBack: _give_back,
    c.Tick: _tick,
}
