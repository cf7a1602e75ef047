"""Cache of the ends of logs: their last numbers and the keys of all their commands.

SQLite has no index of command keys, and searching a long log for a key is slow. A log only grows:
if it still ends where the cache says, the cached keys are complete, and a key that is not among
them is new. `transaction` reads the actual end of each log, so a write by another process is
noticed, and the keys are then searched after all.

It saves 75 µs of CPU per append to a log of 100 facts and 139 µs to one of 400, which is 5 % and 10
% of a move (`python benchmarks/store_paths.py ends-cache [--facts 400]`, on a busy machine).
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from tuilerie.store.log import Appended
from tuilerie.store.rows import Append, Lookup
from tuilerie.store.sqlite.transaction import Job

MOST_TABLES = 20_000
"""Cache size in tables; each entry has eight bytes per command, about a kilobyte for a long game.
When full, the older half is evicted."""

End = tuple[int, int, bytes]
"""The end of a log: the table's id, its last number, and the hashes of all its commands."""


class EndsCache:
    """The ends of logs that were written or read. For the writer thread, except `meet`; other
    processes may write as well."""

    def __init__(self) -> None:
        self._ends: dict[str, End] = {}

    def meet(self, table: str, number: int, head: int, commands: Iterable[str | None]) -> None:
        """Cache the end of a log that was read as a whole: its reader will soon append. Other
        threads may call this; it never replaces a newer end."""
        if len(self._ends) < MOST_TABLES and table not in self._ends:
            self._ends.setdefault(table, (number, head, _marks(commands)))

    def new_at(self, job: Append | Lookup) -> tuple[int, int] | None:
        """See `NewAt`."""
        end = self._ends.get(job.table)
        if end is None or (job.command is not None and _mark(job.command) in end[2]):
            return None
        return end[:2]

    def learn(
        self, connection: sqlite3.Connection, jobs: Sequence[Job], outcomes: Sequence[Any]
    ) -> None:
        """Update the cache after a batch was committed."""
        if len(self._ends) >= MOST_TABLES:
            for table in list(self._ends)[: MOST_TABLES // 2]:
                del self._ends[table]
        for job, outcome in zip(jobs, outcomes, strict=True):
            if isinstance(job, Append) and isinstance(outcome, Appended) and not outcome.repeated:
                self._learn(connection, job, outcome)

    def _learn(self, connection: sqlite3.Connection, job: Append, outcome: Appended) -> None:
        end = self._ends.get(job.table)
        if end is not None and end[1] >= outcome.last:
            return  # already found for another job of the batch
        # If another process has written in between, its commands must be read, too.
        after = (end and _grown(end, job)) or _find(connection, job.table)
        if after is not None:
            self._ends[job.table] = after

    def forget(self) -> None:
        """Clear the cache: the content of the file is uncertain. (Not needed after a failed batch:
        if some of it is on disk, the log no longer ends as cached.)"""
        self._ends.clear()


def _grown(end: End, job: Append) -> End | None:
    """Return the end after an append; `None` for a conflict or a repeated command."""
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
    """Return an eight-byte hash of a command, a tenth of its size. A collision, or a match across
    two hashes, only costs a needless search."""
    return hash(command).to_bytes(8, "little", signed=True)


def _marks(commands: Iterable[str | None]) -> bytes:
    return b"".join([_mark(command) for command in commands if command is not None])


_FIND = """SELECT table_id, number, command FROM facts
    WHERE table_id = (SELECT id FROM tables WHERE slug = ?) ORDER BY number"""


def _find(connection: sqlite3.Connection, table: str) -> End | None:
    """Read the end of a log from disk; `None` if that fails."""
    with contextlib.suppress(sqlite3.Error):
        if rows := connection.execute(_FIND, (table,)).fetchall():
            return *rows[-1][:2], _marks(row[2] for row in rows)
    return None
