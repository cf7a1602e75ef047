"""Golden playthroughs: one game of each kind, step by step, in text files for review.

`python -m tests.playthroughs` (or `make golden`) regenerates them; a test compares them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tests.tables import Table, random_game
from tuilerie.codec import to_builtins
from tuilerie.games.game import Json
from tuilerie.record import entry_line

FOLDER = Path(__file__).parent

PLAYTHROUGHS: tuple[Table, ...] = (
    Table("genial", 2),
    Table("genial", 1),
    Table("genial", 3, {"adjacent": True}),
    Table("genial", 4, {"variant": "teams"}),
    Table("genial", 2, {"variant": "duel"}),
    Table("blockers", 2),
    Table("blockers", 3, {"scoring": "uptown"}),
    Table("blockers", 5),
    Table("kaosmos", 2),
    Table("kaosmos", 3, {"draft": False}),
    Table("kaosmos", 2, {"kaos": False, "seconds": None}),
)

WHOLE_VIEW_EVERY = 40


def path_of(table: Table) -> Path:
    """Return the path of a table's playthrough."""
    name = str(table).replace("=", "_").lower()
    return FOLDER / f"{name}.txt"


def playthrough_lines(table: Table) -> Iterator[str]:
    """Yield the lines of a playthrough: each entry, its events, and the legal moves."""
    game = table.rules
    yield f"# {table}: a game of bots that choose at random, all but seat 0 greedy"
    bots = ("random",) + ("greedy",) * (table.players - 1)
    for at, moment in enumerate(random_game(table, seed=3, bots=bots)):
        if at == 0:
            yield "options " + _line(moment.before.options.to_json())
        yield ""
        yield f"{at + 1}. {entry_line(game, moment.entry)}"
        for event in moment.events:
            yield "  " + _line(event)
        for seat in game.actors(moment.after):
            moves = [str(move) for move in game.legal(moment.after, seat)]
            shown = "; ".join(moves[:: max(1, len(moves) // 4)])
            yield f"  seat {seat} has {len(moves)} moves: {shown}"
        if at % WHOLE_VIEW_EVERY == 0:
            for viewer in (0, None):
                yield f"  view {viewer}: " + _line(_without_moves(game.view(moment.after, viewer)))


def _without_moves(view: Json) -> Json:
    return {
        name: value
        for name, value in to_builtins(view).items()
        if name not in ("legal", "moves", "near", "points")
    }


def _line(value: Json) -> str:
    return json.dumps(to_builtins(value), ensure_ascii=False)
