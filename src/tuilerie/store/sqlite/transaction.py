"""What the writer thread does in one transaction: appends in bulk, and every other job.

Every call into SQLite lets other threads of Python run and must wait to run again itself; with a
busy event loop that wait is what costs. So a whole batch of appends is judged by one query and
added by a few statements, however many there are.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from tuilerie.store.errors import NoSuchTable, StoreError, TableExists
from tuilerie.store.log import Appended, Conflict, Status, TableMeta
from tuilerie.store.rows import HEAD, Append, Lookup, now_ms

Work = Callable[[sqlite3.Connection], Any]
"""Any other thing to do. It raises a `StoreError` only before it has changed anything."""

Job = Append | Lookup | Work

NewAt = Callable[[Append | Lookup], tuple[int, int] | None]
"""The id and the last number of a log in which a command is certainly not, as long
as it ends so; `None` if no such thing is known."""


def perform(
    connection: sqlite3.Connection, jobs: Sequence[Job], new_at: NewAt = lambda job: None
) -> list[Any]:
    """Do a batch; what comes back are the answers, or the errors to raise, in order."""
    outcomes: list[Any] = [None] * len(jobs)
    appends, lookups = [], []
    for place, job in enumerate(jobs):
        if isinstance(job, Append):
            appends.append((place, job))
            continue
        if isinstance(job, Lookup):
            lookups.append((place, job))
            continue
        try:
            outcomes[place] = job(connection)
        except StoreError as error:
            outcomes[place] = error
    if appends:
        answers = _append(connection, [job for _, job in appends], new_at)
        for (place, _), answer in zip(appends, answers, strict=True):
            outcomes[place] = answer
    if lookups:  # after the appends, some of which may have been asked for before
        found = _find_keys(connection, [job for _, job in lookups], new_at)
        for (place, _), outcome in zip(lookups, found, strict=True):
            outcomes[place] = outcome
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
"""For each [table, command]: its place, the table's id and head, [number, span] of the command.

All in one row, so that SQLite is called once and not once for each. A command, where there is one,
is looked for among all facts of its table, which the primary key leads to: a game has a few
hundred, on as many pages. `LIMIT -1` keeps SQLite from taking the JSON apart anew for each."""


@dataclass(slots=True)
class _Head:
    """What is known of a table while a batch is judged."""

    id: int
    number: int
    commands: dict[str, Appended]


def _look(
    connection: sqlite3.Connection, asked: Sequence[tuple[str, str | None]], heads: dict[str, _Head]
) -> None:
    """Add to `heads` how these tables end, and which of these commands stand in their logs."""
    (found,) = connection.execute(_JUDGE, (json.dumps(asked),)).fetchone()
    for place, number, head, span in json.loads(found):
        table, command = asked[place]
        known = heads.setdefault(table, _Head(number, head, {}))
        if command is not None and span is not None:
            known.commands[command] = Appended(span[0], sum(span) - 1, repeated=True)


def _heads(
    connection: sqlite3.Connection, jobs: Sequence[Append | Lookup], new_at: NewAt
) -> dict[str, _Head]:
    """Where these tables stand. No command is looked for that is known to be new."""
    ends = [(job, new_at(job)) for job in jobs]
    heads: dict[str, _Head] = {}
    _look(connection, [(job.table, None if end else job.command) for job, end in ends], heads)
    there = [(job, end, heads[job.table]) for job, end in ends if end and job.table in heads]
    # Another program has written where a log does not end as we know it: then we know too little.
    doubtful = [(job.table, job.command) for job, end, at in there if (at.id, at.number) != end]
    if doubtful:
        _look(connection, doubtful, heads)
    return heads


def _append(connection: sqlite3.Connection, jobs: Sequence[Append], new_at: NewAt) -> list[Any]:
    heads = _heads(connection, jobs, new_at)
    now, values, answers = now_ms(), list[Value](), list[Any]()
    for job in jobs:
        at = heads.get(job.table)
        answer = NoSuchTable(job.table) if at is None else _judge(job, at)
        if at is not None and isinstance(answer, Appended) and not answer.repeated:
            values += values_of(at.id, job, now)
        answers.append(answer)
    _insert(connection, values)
    return answers


def _find_keys(connection: sqlite3.Connection, jobs: Sequence[Lookup], new_at: NewAt) -> list[Any]:
    """What was appended with these keys: `Appended`, `None`, or `NoSuchTable` to be raised."""
    heads = _heads(connection, jobs, new_at)
    return [
        heads[job.table].commands.get(job.command) if job.table in heads else NoSuchTable(job.table)
        for job in jobs
    ]


def _judge(job: Append, head: _Head) -> Appended | Conflict:
    """What is answered to an append, given those before it; notes what it changes."""
    if job.command is not None and job.command in head.commands:
        return head.commands[job.command]
    if head.number != job.after:
        return Conflict(head.number)
    answer = Appended(head.number + 1, head.number + len(job.facts))
    head.number = answer.last
    if job.command is not None:
        head.commands[job.command] = replace(answer, repeated=True)
    return answer


Value = int | bytes | str | None
COLUMNS = 6
"""How many values each fact's row has."""


def values_of(table_id: int, job: Append, now: int) -> list[Value]:
    """What an append adds: the values of its rows, one row after the other."""
    values: list[Value] = [table_id, job.after + 1, now, job.facts[0], job.command, len(job.facts)]
    for place, body in enumerate(job.facts[1:], 2):
        values += (table_id, job.after + place, now, body, None, None)
    return values


def _insert(connection: sqlite3.Connection, values: Sequence[Value]) -> None:
    """Add rows by few statements: 13 rows by one for 8, one for 4 and one for 1.

    The statements are few in kind, too, so that SQLite prepares each of them once.
    """
    done = 0
    for size in (256, 128, 64, 32, 16, 8, 4, 2, 1):
        many = size * COLUMNS
        while len(values) - done >= many:
            connection.execute(insertion(size), values[done : done + many])
            done += many


@cache
def insertion(size: int) -> str:
    """The statement that adds so many facts."""
    values = ",".join(["(?,?,?,?,?,?)"] * size)
    return f"INSERT INTO facts (table_id, number, at, body, command, span) VALUES {values}"


def create(
    connection: sqlite3.Connection, table: str, facts: Sequence[bytes], meta: TableMeta
) -> None:
    """See `Log.create`."""
    if _exists(connection, table):
        raise TableExists(table)
    now = now_ms()
    options = json.dumps(dict(meta.options), ensure_ascii=False)
    row = (table, meta.game, meta.rules, options, meta.status.value, meta.public, now, now)
    made = connection.execute(
        "INSERT INTO tables (slug, game, rules, options, status, public, created, updated)"
        " VALUES (?,?,?,?,?,?,?,?)",
        row,
    )
    if facts and made.lastrowid is not None:
        _insert(connection, values_of(made.lastrowid, Append(table, 0, facts, None), now))


def _exists(connection: sqlite3.Connection, table: str) -> bool:
    found = connection.execute("SELECT 1 FROM tables WHERE slug = ?", (table,))
    return found.fetchone() is not None


def set_status(connection: sqlite3.Connection, table: str, status: Status) -> None:
    """See `Log.set_status`."""
    query = "UPDATE tables SET status = ?, updated = ? WHERE slug = ?"
    if connection.execute(query, (status.value, now_ms(), table)).rowcount == 0:
        raise NoSuchTable(table)
