"""What can be said at the table beside moves: help, moves, points, hint, undo, history, rules, …"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from tuilerie.bots import LEVELS
from tuilerie.bots.bot import SEEDS, Budget
from tuilerie.games.game import Refused
from tuilerie.terminal.examples import draw_rules
from tuilerie.terminal.layout import table
from tuilerie.terminal.speech import COMMANDS as NAMES
from tuilerie.terminal.speech import word_for
from tuilerie.terminal.talk import Unclear

if TYPE_CHECKING:
    from tuilerie.terminal.sitting import Sitting


HINT = Budget(nodes=1000)
"""Games rather than seconds, so that the same seat is told the same."""


def _help(at: Sitting, rest: str) -> None:
    """What can be typed: moves first, then everything else."""
    say, style = at.ears.say, at.ears.style
    game = at.game.card.name
    rows = [
        [style(word_for(name, say), "strong"), say.say(f"help.{name}")]
        for name in NAMES
        if name != "cells" or game == "genial"
    ]
    lines = [*say.say(f"help.game-{game}").splitlines(), "", *table(rows, gap=3)]
    at.console.page(lines, say.say("play.more"))


def _moves(at: Sitting, rest: str) -> None:
    lines = at.talk.moves(at.view, rest, at.ears)
    at.console.page(lines or [at.ears.say.say("play.no-moves")], at.ears.say.say("play.more"))


def _points(at: Sitting, rest: str) -> None:
    """What a move would bring, without making it."""
    if not rest:
        at.console.write(
            at.ears.say.say("play.points-of-what", word=word_for("points", at.ears.say))
        )
        return
    try:
        before, after, played = at.preview(rest)
    except (Refused, Unclear) as wrong:
        at.refuse(wrong)
        return
    at.console.write("\n".join(at.talk.points(before, after, played.events, at.ears)))


def _hint(at: Sitting, rest: str) -> None:
    """What the best bot of this game would do."""
    if at.ears.me not in at.view.actors:
        at.console.write(at.ears.say.say("play.no-moves"))
        return
    strongest = LEVELS[at.game.card.name][-1]
    budget = strongest.budget if strongest.budget.nodes else HINT
    seed = Random(f"{at.seed}/{len(at.log.replay.played)}/hint").randrange(SEEDS)
    move = strongest.think(at.view, seed, budget)[0].move
    at.console.write(at.ears.say.say("play.hint", move=at.ears.style(move, "strong")))
    _points(at, move)


def _undo(at: Sitting, rest: str) -> None:
    at.undo()


def _history(at: Sitting, rest: str) -> None:
    lines = [line for told in at.history for line in told]
    at.console.page(lines or [at.ears.say.say("play.nothing-yet")], at.ears.say.say("play.more"))


def _rules(at: Sitting, rest: str) -> None:
    say = at.ears.say
    text = draw_rules(at.game.card.name, say.code, at.console.width, at.ears.style.colour)
    at.console.page(text.splitlines(), say.say("play.more"))


def _cells(at: Sitting, rest: str) -> None:
    at.ears.cells = not at.ears.cells
    at.show()


def _table(at: Sitting, rest: str) -> None:
    at.show()


def _save(at: Sitting, rest: str) -> None:
    """Write a copy; the game itself is saved all the time."""
    say = at.ears.say
    if not rest:
        at.console.write(say.say("play.save-where", word=word_for("save", say), path=at.log.path))
        return
    path = Path(rest).expanduser()
    try:
        at.log.copy_to(path)
    except FileExistsError:
        at.console.write(say.say("play.file-there", file=path))
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        why = getattr(error, "strerror", None) or str(error)
        at.console.write(say.say("play.save-failed", file=path, why=why))
    else:
        at.console.write(say.say("play.copied", file=path))


def _quit(at: Sitting, rest: str) -> None:
    at.leave()


COMMANDS: Mapping[str, Callable[[Sitting, str], None]] = {
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
"""What each command does."""
