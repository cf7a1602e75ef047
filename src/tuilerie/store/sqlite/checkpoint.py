"""Checkpoint thread: moves pages from SQLite's write-ahead log (WAL) into the database file.

By itself SQLite does this inside of a commit, after every thousand pages: under load several times
a second, and each time all who have just moved wait for a second file to be on disk. Here a thread
of its own does it. The writer's commits go on meanwhile; they are as safe as before, as it is the
WAL that makes them so.
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
        """End it; waits for what is under way."""
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(self._every):
            # What is wrong with the file is told to those who write; here it is tried again.
            with contextlib.suppress(sqlite3.Error), contextlib.closing(self._connect()) as file:
                while not self._over.wait(self._every):
                    file.execute("PRAGMA wal_checkpoint(PASSIVE)")
