"""One transaction of the writer thread: appends, and all other jobs."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
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


_HEAD = f"SELECT id, {HEAD} FROM tables WHERE slug = ?"

_COMMAND = "SELECT number, span FROM facts WHERE table_id = ? AND command = ?"
"""Searches all facts of a table by the primary key: a game has a few hundred."""

_INSERT = """INSERT INTO facts (table_id, number, at, body, command, span)
    VALUES (?, ?, ?, ?, ?, ?)"""


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
    for table, command in asked:
        if table not in heads:
            row = connection.execute(_HEAD, (table,)).fetchone()
            if row is None:
                continue
            heads[table] = _Head(row[0], row[1], {})
        if command is not None:
            known = heads[table]
            for number, span in connection.execute(_COMMAND, (known.id, command)):
                known.commands[command] = Appended(number, number + span - 1, repeated=True)


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
    now, rows, answers = now_ms(), list[_Row](), list[Any]()
    for job in jobs:
        at = heads.get(job.table)
        answer = NoSuchTable(job.table) if at is None else _decide(job, at)
        if at is not None and isinstance(answer, Appended) and not answer.repeated:
            rows += _rows_of(at.id, job, now)
        answers.append(answer)
    connection.executemany(_INSERT, rows)
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


_Row = tuple[int, int, int, bytes, str | None, int | None]


def _rows_of(table_id: int, job: Append, now: int) -> list[_Row]:
    """Return the rows of an append: the first one has its key and the number of facts."""
    first, *others = job.facts
    rows: list[_Row] = [(table_id, job.after + 1, now, first, job.command, len(job.facts))]
    for number, body in enumerate(others, job.after + 2):
        rows.append((table_id, number, now, body, None, None))
    return rows


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
        append = Append(table, 0, facts, None)
        connection.executemany(_INSERT, _rows_of(made.lastrowid, append, now))


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
