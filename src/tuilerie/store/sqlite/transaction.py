"""One transaction of the writer thread: appends in bulk, and all other jobs.

Every call into SQLite releases the GIL and must reacquire it, which is slow next to a busy event
loop. So a whole batch of appends takes one query and a few insert statements, whatever its size.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from tuilerie.games.game import Json
from tuilerie.store.errors import NoSuchTable, StoreError, TableExists
from tuilerie.store.log import Appended, Conflict, Status, TableMeta
from tuilerie.store.rows import HEAD, Append, Lookup, now_ms, to_text

Work = Callable[[sqlite3.Connection], Any]
"""Any other job. It may raise a `StoreError` only before it has changed anything."""

Job = Append | Lookup | Work

NewAt = Callable[[Append | Lookup], tuple[int, int] | None]
"""Returns the id and last number of a log that certainly does not hold the command, as long as the
log still ends there; `None` if unknown."""


def perform(
    connection: sqlite3.Connection, jobs: Sequence[Job], new_at: NewAt = lambda job: None
) -> list[Any]:
    """Perform a batch; return the answers, or the errors to raise, in order."""
    outcomes: list[Any] = [None] * len(jobs)
    appends, lookups = [], []
    for index, job in enumerate(jobs):
        if isinstance(job, Append):
            appends.append((index, job))
            continue
        if isinstance(job, Lookup):
            lookups.append((index, job))
            continue
        try:
            outcomes[index] = job(connection)
        except StoreError as error:
            outcomes[index] = error
    if appends:
        answers = _append(connection, [job for _, job in appends], new_at)
        for (index, _), answer in zip(appends, answers, strict=True):
            outcomes[index] = answer
    if lookups:  # after the appends, some of which were requested earlier
        found = _find_keys(connection, [job for _, job in lookups], new_at)
        for (index, _), outcome in zip(lookups, found, strict=True):
            outcomes[index] = outcome
    return outcomes


_JUDGE = f"""
    SELECT json_group_array(json_array(asked.key, tables.id, {HEAD}, (
        SELECT json_array(number, span) FROM facts
        WHERE asked.command IS NOT NULL AND table_id = tables.id AND command = asked.command
    )))
    FROM (
        SELECT key, json_extract(value, '$[0]') AS slug, json_extract(value, '$[1]') AS command
        FROM json_each(?) LIMIT -1
    ) AS asked CROSS JOIN tables ON tables.slug = asked.slug"""
"""For each [table, command]: its index, the table's id and head, [number, span] of the command.

All in one row, for a single call into SQLite. A command is searched among all facts of its table by
the primary key: a game has a few hundred. `LIMIT -1` keeps SQLite from parsing the JSON for every
row."""


@dataclass(slots=True)
class _Head:
    """The state of a table while a batch is decided."""

    id: int
    number: int
    commands: dict[str, Appended]


def _look(
    connection: sqlite3.Connection, asked: Sequence[tuple[str, str | None]], heads: dict[str, _Head]
) -> None:
    """Add to `heads` the ends of these tables and which of these commands their logs hold."""
    (found,) = connection.execute(_JUDGE, (json.dumps(asked),)).fetchone()
    for index, number, head, span in json.loads(found):
        table, command = asked[index]
        known = heads.setdefault(table, _Head(number, head, {}))
        if command is not None and span is not None:
            known.commands[command] = Appended(span[0], sum(span) - 1, repeated=True)


def _heads(
    connection: sqlite3.Connection, jobs: Sequence[Append | Lookup], new_at: NewAt
) -> dict[str, _Head]:
    """Return the heads of these tables. Commands known to be new are not searched."""
    ends = [(job, new_at(job)) for job in jobs]
    heads: dict[str, _Head] = {}
    _look(connection, [(job.table, None if end else job.command) for job, end in ends], heads)
    there = [(job, end, heads[job.table]) for job, end in ends if end and job.table in heads]
    # If a log does not end as cached, another process has written: search after all.
    doubtful = [(job.table, job.command) for job, end, at in there if (at.id, at.number) != end]
    if doubtful:
        _look(connection, doubtful, heads)
    return heads


def _append(connection: sqlite3.Connection, jobs: Sequence[Append], new_at: NewAt) -> list[Any]:
    heads = _heads(connection, jobs, new_at)
    now, values, answers = now_ms(), list[_Value](), list[Any]()
    for job in jobs:
        at = heads.get(job.table)
        answer = NoSuchTable(job.table) if at is None else _decide(job, at)
        if at is not None and isinstance(answer, Appended) and not answer.repeated:
            values += _values_of(at.id, job, now)
        answers.append(answer)
    _insert(connection, values)
    return answers


def _find_keys(connection: sqlite3.Connection, jobs: Sequence[Lookup], new_at: NewAt) -> list[Any]:
    """Return what was appended with these keys: `Appended`, `None`, or `NoSuchTable` to raise."""
    heads = _heads(connection, jobs, new_at)
    return [
        heads[job.table].commands.get(job.command) if job.table in heads else NoSuchTable(job.table)
        for job in jobs
    ]


def _decide(job: Append, head: _Head) -> Appended | Conflict:
    """Decide an append, given those before it in the batch, and update the head."""
    if job.command is not None and job.command in head.commands:
        return head.commands[job.command]
    if head.number != job.after:
        return Conflict(head.number)
    answer = Appended(head.number + 1, head.number + len(job.facts))
    head.number = answer.last
    if job.command is not None:
        head.commands[job.command] = replace(answer, repeated=True)
    return answer


_Value = int | bytes | str | None
_COLUMNS = 6
"""Values per fact row."""


def _values_of(table_id: int, job: Append, now: int) -> list[_Value]:
    """Return the values of an append's rows, flattened."""
    values: list[_Value] = [table_id, job.after + 1, now, job.facts[0], job.command, len(job.facts)]
    for index, body in enumerate(job.facts[1:], 2):
        values += (table_id, job.after + index, now, body, None, None)
    return values


def _insert(connection: sqlite3.Connection, values: Sequence[_Value]) -> None:
    """Insert rows with few statements, of sizes that are powers of two: 13 rows as 8 + 4 + 1.

    So there are few different statements, which SQLite prepares once.
    """
    done = 0
    for size in (256, 128, 64, 32, 16, 8, 4, 2, 1):
        many = size * _COLUMNS
        while len(values) - done >= many:
            connection.execute(_insertion(size), values[done : done + many])
            done += many


@cache
def _insertion(size: int) -> str:
    """Return the statement that inserts this many facts."""
    values = ",".join(["(?,?,?,?,?,?)"] * size)
    return f"INSERT INTO facts (table_id, number, at, body, command, span) VALUES {values}"


def create(
    connection: sqlite3.Connection, table: str, facts: Sequence[bytes], meta: TableMeta
) -> None:
    """See `Log.create`."""
    if _exists(connection, table):
        raise TableExists(table)
    now = now_ms()
    row = (table, meta.game, meta.rules, to_text(meta.options), meta.status.value, meta.public)
    more = (now, now, to_text(meta.summary), meta.wake)
    made = connection.execute(
        "INSERT INTO tables"
        " (slug, game, rules, options, status, public, created, updated, summary, wake)"
        " VALUES (?,?,?,?,?,?,?,?,?,?)",
        (*row, *more),
    )
    if facts and made.lastrowid is not None:
        _insert(connection, _values_of(made.lastrowid, Append(table, 0, facts, None), now))


def _exists(connection: sqlite3.Connection, table: str) -> bool:
    found = connection.execute("SELECT 1 FROM tables WHERE slug = ?", (table,))
    return found.fetchone() is not None


def set_summary(
    connection: sqlite3.Connection,
    table: str,
    status: Status,
    summary: Mapping[str, Json] | None,
) -> None:
    """See `Log.set_summary`."""
    query = "UPDATE tables SET status = ?, summary = ? WHERE slug = ?"
    if connection.execute(query, (status.value, to_text(summary), table)).rowcount == 0:
        raise NoSuchTable(table)


def set_wakes(connection: sqlite3.Connection, wakes: Mapping[str, int | None]) -> None:
    """See `Log.set_wakes`."""
    connection.execute(
        "UPDATE tables SET wake = asked.wake FROM (SELECT json_extract(value, '$[0]') AS slug,"
        " json_extract(value, '$[1]') AS wake FROM json_each(?) LIMIT -1) AS asked"
        " WHERE tables.slug = asked.slug",
        (json.dumps(list(wakes.items())),),
    )
