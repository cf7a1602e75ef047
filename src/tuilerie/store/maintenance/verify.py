"""Verify stored games: replay every log and report where today's rules disagree with it.

A fix of the rules must not change a game that was played: whoever raises a version of the rules, or
moves a database to another machine, can see here that every game still ends as it did.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tuilerie import record
from tuilerie.games.game import Refused, ranking
from tuilerie.match import facts as f
from tuilerie.match.batch import Batch
from tuilerie.match.entries import record_of
from tuilerie.match.evolve import evolve
from tuilerie.match.table import Table
from tuilerie.match.talk import RESIGNED
from tuilerie.store import Store
from tuilerie.store.log import TableRow

PAGE = 100


@dataclass(frozen=True, slots=True)
class Report:
    """What came of replaying one table.

    `agrees`: it ends with the result that was stored. `unfinished`: it replays, and has no result
    yet. `differs`: something is wrong with fact `number`, as `error` tells.
    """

    table: str
    game: str
    rules: int
    facts: int
    verdict: Literal["agrees", "unfinished", "differs"]
    number: int | None = None
    error: str | None = None


async def verify(store: Store) -> AsyncIterator[Report]:
    """Replay every table that is stored, the newest first."""
    last: TableRow | None = None
    while page := await store.log.tables(before=last, limit=PAGE):
        for row in page:
            facts = await store.log.read(row.table)
            yield await asyncio.to_thread(check, row, facts)
        last = page[-1]


class _Differs(Exception):
    """What does not agree."""


def check(row: TableRow, facts: Sequence[tuple[int, bytes]]) -> Report:
    """Replay one table."""
    told = (row.table, row.game, row.rules, len(facts))
    table: Table | None = None
    expected = 1
    try:
        for number, body in facts:
            if number != expected:
                raise _Differs(f"fact {expected} is missing")
            table = _follow(table, body, row)
            expected += 1
        expected -= 1
        _check_end(table)
    except Exception as error:  # whatever goes wrong in a replay is what is looked for here
        return Report(*told, "differs", expected, _text(error))
    finished = table is not None and table.result is not None
    return Report(*told, "agrees" if finished else "unfinished")


def _text(error: Exception) -> str:
    if isinstance(error, Refused) and error.rule == "unknown-rules":
        found, known = error.params["found"], error.params["expected"]
        return f"begun by version {found} of the rules; this Tuilerie knows {known}"
    return str(error) if isinstance(error, _Differs) else f"{type(error).__name__}: {error}"


def _follow(table: Table | None, body: bytes, row: TableRow) -> Table:
    fact = f.from_json(json.loads(body))
    if table is None:
        if not isinstance(fact, f.Opened):
            raise _Differs(f"a log begins with 'opened', not {fact.kind!r}")
        if (fact.game, fact.rules) != (row.game, row.rules):
            told = f"{fact.game} by rules {fact.rules}"
            raise _Differs(f"the log tells of {told}, the list of {row.game} by rules {row.rules}")
    elif fact.at < table.at:
        raise _Differs("time goes back")
    elif isinstance(fact, f.Finished):
        _check_result(table, fact)
    return evolve(table, fact)


def _check_result(table: Table, stored: f.Finished) -> None:
    """The result in the log is the one that today's rules give."""
    if stored.reason == RESIGNED:
        places = ranking([not place.resigned for place in table.seats])
        if stored.places != places:
            raise _Differs(f"places are {list(stored.places)}, replayed {list(places)}")
        return
    batch = Batch(table, stored.at, _no_luck)
    batch.conclude()
    found = batch.stages[0].fact if batch.stages else None
    if not isinstance(found, f.Finished):
        raise _Differs("the result is stored, but by today's rules the game is not over")
    for name in ("reason", "places", "scores"):
        ours, theirs = f.to_json(found)[name], f.to_json(stored)[name]
        if json.dumps(ours, sort_keys=True) != json.dumps(theirs, sort_keys=True):
            raise _Differs(f"{name}: stored {theirs}, replayed {ours}")


def _no_luck(_many: int) -> int:
    raise _Differs("the result is stored, but by today's rules luck would have to speak")


def _check_end(table: Table | None) -> None:
    if table is None:
        raise _Differs("there is no fact")
    if table.is_playing and table.rules.result(table.game_state) is not None:
        raise _Differs("by today's rules the game is over, but no result is stored")
    if table.started_at is not None:
        record.replay(record_of(table))  # the record that people get can be replayed, too
