"""Appends to logs whose ends are known, by one statement that is a transaction of its own.

Every call into SQLite lets other threads of Python run and must wait to run again itself. So the
usual batch (people who move at tables that we have just written to) is one call, and nothing is
asked first. A log only grows: where it ends as we left it, the next number is free. Where somebody
else was faster, the primary key says so; a command that was done before is found by its unique
index, and a table that is gone by its foreign key. Then nothing was written, and the batch goes the
long way (`sqlite_jobs`), where each append is judged.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from itertools import chain
from typing import Any

from tuilerie.store.log import Appended
from tuilerie.store.rows import Append, now_ms
from tuilerie.store.sqlite_jobs import Job, Row, insertion, rows_of

MOST_ROWS = 64
"""The most facts in one statement; SQLite keeps one ready for each number of them."""

MOST_TABLES = 100_000
"""How many ends are kept in mind; when there are more, all are forgotten."""


class QuickAppends:
    """Knows the ends of the logs that it has seen grow, or that were read. For one thread, the only
    one that writes here; other programs may write as well."""

    def __init__(self) -> None:
        self._ends: dict[str, tuple[int, int]] = {}  # of each table: its id, and its last number

    def meet(self, table: str, number: int, head: int) -> None:
        """A log was read that ends so: whoever reads a whole log will soon write to it. Other
        threads may call this; what they say is old news where we have written since."""
        if len(self._ends) < MOST_TABLES:
            self._ends.setdefault(table, (number, head))

    def do(self, connection: sqlite3.Connection, jobs: Sequence[Job]) -> list[Appended] | None:
        """Do a batch, or nothing of it (`None`)."""
        rows, answers, ends = list[Row](), list[Appended](), dict[str, tuple[int, int]]()
        now = now_ms()
        for job in jobs:
            if not isinstance(job, Append):
                return None
            end = ends.get(job.table) or self._ends.get(job.table)
            if end is None or job.after != end[1]:
                return None
            rows += rows_of(end[0], job, now)
            answers.append(Appended(job.after + 1, job.after + len(job.facts)))
            ends[job.table] = end[0], answers[-1].last
        if len(rows) > MOST_ROWS:
            return None
        try:
            connection.execute(insertion(len(rows)), [*chain.from_iterable(rows)])
        except sqlite3.IntegrityError:
            for table in ends:  # another has written there, or the command was heard before
                del self._ends[table]
            return None
        self._ends |= ends
        return answers

    def learn(
        self, connection: sqlite3.Connection, jobs: Sequence[Job], outcomes: Sequence[Any]
    ) -> None:
        """A batch went the long way, and is on disk: these are the ends now."""
        if len(self._ends) >= MOST_TABLES:
            self.forget()
        for job, outcome in zip(jobs, outcomes, strict=True):
            if isinstance(job, Append) and isinstance(outcome, Appended) and not outcome.repeated:
                end = self._ends.get(job.table)
                number = _id_of(connection, job.table) if end is None else end[0]
                if number is not None:
                    self._ends[job.table] = number, outcome.last

    def forget(self) -> None:
        """It is not certain any more what is written."""
        self._ends.clear()


def _id_of(connection: sqlite3.Connection, table: str) -> int | None:
    """The number of a table, if it can be found: what is on disk is so in any case."""
    with contextlib.suppress(sqlite3.Error):
        for (found,) in connection.execute("SELECT id FROM tables WHERE slug = ?", (table,)):
            return int(found)
    return None
