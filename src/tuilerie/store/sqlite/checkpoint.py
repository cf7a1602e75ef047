"""Checkpoint thread: moves pages from SQLite's write-ahead log (WAL) into the database file.

By default SQLite checkpoints within a commit after every thousand pages: under load several times a
second, and each time all pending moves wait for a second fsync. A separate thread avoids that.
Commits continue meanwhile and stay durable, because the WAL is. It is for latency, not for CPU: the
p99 of appends at 1,000 a second was 57 ms with it and 66 ms without (`python
benchmarks/store_paths.py checkpoint-thread`, on a busy machine).
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Callable

EVERY_SECONDS = 1.0


class Checkpointer:
    """The thread, from the first connection until `close`."""

    def __init__(
        self, connect: Callable[[], sqlite3.Connection], every: float = EVERY_SECONDS
    ) -> None:
        self._connect = connect
        self._every = every
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store-checkpoints", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop the thread after a running checkpoint."""
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(self._every):
            # Writers report errors of the file; the next checkpoint tries again.
            with contextlib.suppress(sqlite3.Error), contextlib.closing(self._connect()) as file:
                while not self._over.wait(self._every):
                    file.execute("PRAGMA wal_checkpoint(PASSIVE)")
