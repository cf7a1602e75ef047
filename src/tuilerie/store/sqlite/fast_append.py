"""Fast path for appends to logs whose heads are known: one statement, its own transaction.

Every call into SQLite lets other threads of Python run and must wait to run again itself. So the
usual batch (people who move at tables that we have just written to) is one call, and nothing is
queried first. A log only grows: where it ends as we left it, the next number is free, and no
commands were done but those that we know of. Where somebody else was faster, the primary key says
so, and the foreign key where a table is gone. Then nothing was written, and the batch goes through
`transaction`, where each append is judged; so does a batch with a command that we know. What we
know serves there as well (`new_at`): to search a long log for a command takes long.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from tuilerie.store.log import Appended
from tuilerie.store.rows import Append, Lookup, now_ms
from tuilerie.store.sqlite.transaction import COLUMNS, Job, Value, insertion, values_of

MOST_ROWS = 64
"""The most facts in one statement; SQLite keeps one ready for each number of them."""

MOST_TABLES = 20_000
"""How many ends are kept in mind, each with eight bytes for every command: about a kilobyte for a
long game. When there are more, the older half is forgotten."""

End = tuple[int, int, bytes]
"""Of a table: its id, its last number, and the marks of all commands up to there."""


class FastAppends:
    """Knows the ends of the logs that it has seen grow, or that were read. For one thread, the only
    one that writes here; other programs may write as well."""

    def __init__(self) -> None:
        self._ends: dict[str, End] = {}

    def meet(self, table: str, number: int, head: int, commands: Iterable[str | None]) -> None:
        """A whole log was read, which ends so and holds these commands: whoever reads a whole log
        will soon write to it. Other threads may call this; what they say is old news where we have
        written since."""
        if len(self._ends) < MOST_TABLES and table not in self._ends:
            self._ends.setdefault(table, (number, head, _marks(commands)))

    def do(self, connection: sqlite3.Connection, jobs: Sequence[Job]) -> list[Appended] | None:
        """Do a batch, or nothing of it (`None`)."""
        values, answers, ends = list[Value](), list[Appended](), dict[str, End]()
        now = now_ms()
        for job in jobs:
            if not isinstance(job, Append):
                return None
            end = ends.get(job.table) or self._ends.get(job.table)
            after = None if end is None else _grown(end, job)
            if after is None:
                return None
            values += values_of(after[0], job, now)
            answers.append(Appended(job.after + 1, after[1]))
            ends[job.table] = after
        rows = len(values) // COLUMNS
        if rows > MOST_ROWS:
            return None
        try:
            connection.execute(insertion(rows), values)
        except sqlite3.IntegrityError:
            for table in ends:  # another has written there, or it is gone
                del self._ends[table]
            return None
        self._ends |= ends
        return answers

    def new_at(self, job: Append | Lookup) -> tuple[int, int] | None:
        """See `NewAt`."""
        end = self._ends.get(job.table)
        if end is None or (job.command is not None and _mark(job.command) in end[2]):
            return None
        return end[:2]

    def learn(
        self, connection: sqlite3.Connection, jobs: Sequence[Job], outcomes: Sequence[Any]
    ) -> None:
        """A batch went the long way, and is on disk: these are the ends now."""
        if len(self._ends) >= MOST_TABLES:
            for table in list(self._ends)[: MOST_TABLES // 2]:
                del self._ends[table]
        for job, outcome in zip(jobs, outcomes, strict=True):
            if isinstance(job, Append) and isinstance(outcome, Appended) and not outcome.repeated:
                self._learn(connection, job, outcome)

    def _learn(self, connection: sqlite3.Connection, job: Append, outcome: Appended) -> None:
        end = self._ends.get(job.table)
        if end is not None and end[1] >= outcome.last:
            return  # it was among what was found for another job of the batch
        # Where another has written between what we knew and this, its commands must be found, too.
        after = (end and _grown(end, job)) or _find(connection, job.table)
        if after is not None:
            self._ends[job.table] = after

    def forget(self) -> None:
        """It is not certain any more what is written. (After a batch that failed it is, enough:
        where some of it is on disk, a log does not end as we know it.)"""
        self._ends.clear()


def _grown(end: End, job: Append) -> End | None:
    """The end after an append; `None` if it does not go there, or its command was done before."""
    number, head, marks = end
    if job.after != head:
        return None
    if job.command is not None:
        mark = _mark(job.command)
        if mark in marks:
            return None
        marks += mark
    return number, head + len(job.facts), marks


def _mark(command: str) -> bytes:
    """Eight bytes for a command, a tenth of what its text takes. Where two commands have the same,
    or one is found across two others, the batch goes the long way for nothing, and no harm is done.
    """
    return hash(command).to_bytes(8, "little", signed=True)


def _marks(commands: Iterable[str | None]) -> bytes:
    return b"".join([_mark(command) for command in commands if command is not None])


_FIND = """SELECT table_id, max(number), json_group_array(command) FROM facts
    WHERE table_id = (SELECT id FROM tables WHERE slug = ?)"""
"""All in one row, so that SQLite is called once."""


def _find(connection: sqlite3.Connection, table: str) -> End | None:
    """The end of a log, if it can be found: what is on disk is so in any case."""
    with contextlib.suppress(sqlite3.Error):
        for number, head, commands in connection.execute(_FIND, (table,)):
            return None if head is None else (number, head, _marks(json.loads(commands)))
    return None
