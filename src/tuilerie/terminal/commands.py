"""Commands at the prompt, other than moves: help, moves, points, hint, undo, history, rules, …"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from tuilerie.bots import LEVELS
from tuilerie.bots.bot import SEEDS, Budget
from tuilerie.games.game import Refused
from tuilerie.terminal.layout import table
from tuilerie.terminal.phrasing import COMMANDS as NAMES
from tuilerie.terminal.phrasing import word_for
from tuilerie.terminal.rules_text import draw_rules
from tuilerie.terminal.text_ui import UnclearInput

if TYPE_CHECKING:
    from tuilerie.terminal.game_loop import GameLoop


HINT = Budget(nodes=1000)
"""A node budget instead of a time budget keeps hints reproducible."""


def _help(at: GameLoop, rest: str) -> None:
    """Print the input syntax of moves, then all commands."""
    say, style = at.display.say, at.display.style
    game = at.game.card.name
    rows = [
        [style(word_for(name, say), "strong"), say.say(f"help.{name}")]
        for name in NAMES
        if name != "cells" or game == "genial"
    ]
    lines = [*say.say(f"help.game-{game}").splitlines(), "", *table(rows, gap=3)]
    at.console.page(lines, say.say("play.more"))


def _moves(at: GameLoop, rest: str) -> None:
    lines = at.text_ui.moves(at.view, rest, at.display)
    at.console.page(lines or [at.display.say.say("play.no-moves")], at.display.say.say("play.more"))


def _points(at: GameLoop, rest: str) -> None:
    """Explain the points of a move without making it."""
    if not rest:
        at.console.write(
            at.display.say.say("play.points-of-what", word=word_for("points", at.display.say))
        )
        return
    try:
        before, after, played = at.preview(rest)
    except (Refused, UnclearInput) as wrong:
        at.print_refusal(wrong)
        return
    at.console.write("\n".join(at.text_ui.points(before, after, played.events, at.display)))


def _hint(at: GameLoop, rest: str) -> None:
    """Suggest the move of the strongest bot."""
    if at.display.me not in at.view.actors:
        at.console.write(at.display.say.say("play.no-moves"))
        return
    strongest = LEVELS[at.game.card.name][-1]
    budget = strongest.budget if strongest.budget.nodes else HINT
    seed = Random(f"{at.seed}/{len(at.log.replay.played)}/hint").randrange(SEEDS)
    move = strongest.think(at.view, seed, budget)[0].move
    at.console.write(at.display.say.say("play.hint", move=at.display.style(move, "strong")))
    _points(at, move)


def _undo(at: GameLoop, rest: str) -> None:
    at.undo()


def _history(at: GameLoop, rest: str) -> None:
    lines = [line for entry in at.history for line in entry]
    at.console.page(
        lines or [at.display.say.say("play.nothing-yet")], at.display.say.say("play.more")
    )


def _rules(at: GameLoop, rest: str) -> None:
    say = at.display.say
    text = draw_rules(at.game.card.name, say.code, at.console.width, at.display.style.colour)
    at.console.page(text.splitlines(), say.say("play.more"))


def _cells(at: GameLoop, rest: str) -> None:
    at.display.cells = not at.display.cells
    at.show()


def _table(at: GameLoop, rest: str) -> None:
    at.show()


def _save(at: GameLoop, rest: str) -> None:
    """Write a copy; the game itself is saved after every entry."""
    say = at.display.say
    if not rest:
        at.console.write(say.say("play.save-where", word=word_for("save", say), path=at.log.path))
        return
    path = Path(rest).expanduser()
    try:
        at.log.copy_to(path)
    except FileExistsError:
        at.console.write(say.say("play.file-there", file=path))
    except (OSError, ValueError) as error:  # ValueError: NUL in the name
        why = getattr(error, "strerror", None) or str(error)
        at.console.write(say.say("play.save-failed", file=path, why=why))
    else:
        at.console.write(say.say("play.copied", file=path))


def _quit(at: GameLoop, rest: str) -> None:
    at.leave()


COMMANDS: Mapping[str, Callable[[GameLoop, str], None]] = {
    "help": _help,
    "moves": _moves,
    "points": _points,
    "hint": _hint,
    "undo": _undo,
    "history": _history,
    "rules": _rules,
    "cells": _cells,
    "table": _table,
    "save": _save,
    "quit": _quit,
}
"""The handler of each command."""
