"""Verify stored games: replay every log and report where the rules disagree with it.

A fix of the rules must not change past games: after a change of the rules or a move to another
machine, this checks that every game still ends as stored.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tuilerie import record
from tuilerie.games.game import Refused, ranking
from tuilerie.match import facts as f
from tuilerie.match.batch import Batch
from tuilerie.match.evolve import evolve
from tuilerie.match.table import Table
from tuilerie.match.table_record import record_of
from tuilerie.match.talk import RESIGNED
from tuilerie.store import Store
from tuilerie.store.database import Database, PostgresUrl, parse_database
from tuilerie.store.errors import Damaged
from tuilerie.store.log import TableRow
from tuilerie.store.sqlite.files import faults

PAGE = 100


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of replaying one table.

    `agrees`: it ends with the stored result. `unfinished`: it replays, without a result yet.
    `differs`: `error` says what is wrong with fact `number`.
    """

    table: str
    game: str
    rules: int
    facts: int
    verdict: Literal["agrees", "unfinished", "differs"]
    number: int | None = None
    error: str | None = None


async def verify(store: Store) -> AsyncIterator[Report]:
    """Replay every stored table, newest first."""
    last: TableRow | None = None
    while page := await store.log.tables(before=last, limit=PAGE):
        for row in page:
            try:
                facts = await store.log.read(row.table)
            except Damaged as error:
                what = (row.table, row.game, row.rules, row.head)
                yield Report(*what, "differs", None, str(error))
                continue
            yield await asyncio.to_thread(check, row, facts)
        last = page[-1]


async def page_faults(database: str | Path | Database) -> list[str]:
    """Check the pages of a SQLite file. PostgreSQL checks its own, if it has checksums."""
    where = parse_database(database)
    if isinstance(where, PostgresUrl) or not where.path.exists():
        return []
    return await asyncio.to_thread(faults, where.path)


class _Differs(Exception):
    """A disagreement between the log and the rules."""


def check(row: TableRow, facts: Sequence[tuple[int, bytes]]) -> Report:
    """Replay one table."""
    header = (row.table, row.game, row.rules, len(facts))
    table: Table | None = None
    expected = 1
    try:
        for number, body in facts:
            if number != expected:
                raise _Differs(f"fact {expected} is missing")
            table = _replay_fact(table, body, row)
            expected += 1
        expected -= 1
        _check_end(table)
    except Exception as error:  # any failure of a replay is a finding
        return Report(*header, "differs", expected, _text(error))
    finished = table is not None and table.result is not None
    return Report(*header, "agrees" if finished else "unfinished")


def _text(error: Exception) -> str:
    if isinstance(error, Refused) and error.rule == "unknown-rules":
        found, known = error.params["found"], error.params["expected"]
        return f"begun by version {found} of the rules; this Tuilerie knows {known}"
    return str(error) if isinstance(error, _Differs) else f"{type(error).__name__}: {error}"


def _replay_fact(table: Table | None, body: bytes, row: TableRow) -> Table:
    fact = f.from_json(json.loads(body))
    if table is None:
        if not isinstance(fact, f.Opened):
            raise _Differs(f"a log begins with 'opened', not {fact.kind!r}")
        if (fact.game, fact.rules) != (row.game, row.rules):
            found = f"{fact.game} rules {fact.rules}"
            raise _Differs(f"the log is of {found}, its table row of {row.game} rules {row.rules}")
    elif fact.at < table.at:
        raise _Differs("time goes back")
    elif isinstance(fact, f.Finished):
        _check_result(table, fact)
    return evolve(table, fact)


def _check_result(table: Table, stored: f.Finished) -> None:
    """Check that the stored result is the one of the rules."""
    if stored.reason == RESIGNED:
        places = ranking([not seat.resigned for seat in table.seats])
        if stored.places != places:
            raise _Differs(f"places are {list(stored.places)}, replayed {list(places)}")
        return
    batch = Batch(table, stored.at, _no_chance)
    batch.conclude()
    found = batch.applied[0].fact if batch.applied else None
    if not isinstance(found, f.Finished):
        raise _Differs("a result is stored, but by the rules the game is not over")
    for name in ("reason", "places", "scores"):
        ours, theirs = f.to_json(found)[name], f.to_json(stored)[name]
        if json.dumps(ours, sort_keys=True) != json.dumps(theirs, sort_keys=True):
            raise _Differs(f"{name}: stored {theirs}, replayed {ours}")


def _no_chance(_many: int) -> int:
    raise _Differs("a result is stored, but the rules require a chance outcome first")


def _check_end(table: Table | None) -> None:
    if table is None:
        raise _Differs("there is no fact")
    if table.is_playing and table.rules.result(table.game_state) is not None:
        raise _Differs("by the rules the game is over, but no result is stored")
    if table.started_at is not None:
        record.replay(record_of(table))  # the downloadable record must replay, too
