"""Writer thread of a SQLite file: many jobs in one transaction (group commit).

An fsync costs the same for one job as for hundreds, so jobs queue up while a transaction runs. Each
job is answered once its transaction is durable. The event loop is woken once per batch. At 1,000
appends a second this saves 165 µs of CPU per append, 12 % of a move (`python
benchmarks/store_paths.py group-commit`, on a busy machine).
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Any, Generic, Protocol, TypeVar

from tuilerie.store.errors import Unavailable, Unknown, map_sqlite_error

BATCH = 500
"""Maximum number of jobs per transaction."""

PACE = 0.004
"""Minimum interval between transactions under load, in seconds. Where a commit takes little time,
hardly two appends would meet in one: this saves 74 to 144 µs of CPU per append, 5 to 10 % of a move
(`[TMPDIR=/dev/shm] python benchmarks/store_paths.py pace`)."""

J = TypeVar("J")
J_contra = TypeVar("J_contra", contravariant=True)
Outcome = Any
"""The outcome of a job: its result, or the `StoreError` to raise."""


class Cache(Protocol[J_contra]):
    """What is known of the file's content, for `perform` to use."""

    def learn(
        self, connection: sqlite3.Connection, jobs: Sequence[J_contra], outcomes: Sequence[Outcome]
    ) -> None:
        """Called after a batch was committed."""
        ...

    def forget(self) -> None:
        """Called when the file is reopened and its content is uncertain."""
        ...


class Writer(Generic[J]):
    """Performs jobs in batches.

    `perform` runs a batch inside a transaction and returns an outcome per job, in order. If it
    raises, the transaction is rolled back. No error ends the thread.
    """

    def __init__(
        self,
        connect: Callable[[], sqlite3.Connection],
        perform: Callable[[sqlite3.Connection, Sequence[J]], Sequence[Outcome]],
        cache: Cache[J] | None = None,
    ) -> None:
        self._connect = connect
        self._perform = perform
        self._cache = cache
        self._connection: sqlite3.Connection | None = None
        self._jobs: SimpleQueue[tuple[J, asyncio.Future[Outcome]] | None] = SimpleQueue()
        self._closed = False
        self._committing = False  # an error now leaves the commit in doubt
        self._crowded = False  # the last batch had several jobs
        self._next = 0.0  # earliest start of the next transaction, if crowded
        # A daemon, so that a program that exits without closing does not hang.
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    async def do(self, job: J) -> Any:
        """Perform a job; return its outcome once it is durable."""
        if self._closed:
            raise Unavailable("the store is closed")
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._jobs.put((job, future))
        return await future

    async def close(self) -> None:
        """Finish all pending jobs, then stop the thread."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
        while self._thread.is_alive():
            await asyncio.to_thread(self._thread.join)

    # --- in the thread ---

    def _run(self) -> None:
        go_on = True
        while go_on:
            batch, go_on = self._gather()
            self._crowded, self._next = len(batch) > 1, time.monotonic() + PACE
            if batch:
                jobs, futures = zip(*batch, strict=True)
                _deliver(list(zip(futures, self._commit(jobs), strict=True)))
        self._let_go()

    def _gather(self) -> tuple[list[tuple[J, asyncio.Future[Outcome]]], bool]:
        """Wait for jobs and take all that are queued; false when the thread must stop."""
        batch = []
        if self._crowded:  # sleep first, instead of waking for a single job
            time.sleep(max(0.0, self._next - time.monotonic()))
        job = self._jobs.get()
        while job is not None:
            batch.append(job)
            if len(batch) == BATCH:
                return batch, True
            try:
                job = self._jobs.get_nowait()
            except Empty:
                return batch, True
        return batch, False

    def _commit(self, jobs: Sequence[J]) -> Sequence[Outcome]:
        self._committing = False
        try:
            if self._connection is None:
                self._connection = self._connect()
            return self._write(self._connection, jobs)
        except Exception as error:
            self._undo()
            known = map_sqlite_error(error)
            if known is not None:
                if self._committing and _is_about_the_disk(error):
                    known = Unknown(f"{known}; the write may have been committed or not")
                # One error instance per caller: a shared one would mix tracebacks.
                return [type(known)(*known.args) for _ in jobs]
            if len(jobs) == 1:
                return [error]
            # A bug in one of them must not fail the others.
            return [outcome for job in jobs for outcome in self._commit([job])]

    def _write(self, connection: sqlite3.Connection, jobs: Sequence[J]) -> Sequence[Outcome]:
        connection.execute("BEGIN IMMEDIATE")
        outcomes = self._perform(connection, jobs)
        self._committing = True
        connection.execute("COMMIT")
        if self._cache is not None:
            self._cache.learn(connection, jobs, outcomes)
        return outcomes

    def _undo(self) -> None:
        """Roll back, and reopen the connection if that fails."""
        if self._connection is None:
            return
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            self._connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1")
        except sqlite3.Error:
            self._let_go()
            if self._cache is not None:
                self._cache.forget()

    def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):
                connection.close()


def _is_about_the_disk(error: BaseException) -> bool:
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF == sqlite3.SQLITE_IOERR


def _deliver(answers: Sequence[tuple[asyncio.Future[Outcome], Outcome]]) -> None:
    loop = answers[0][0].get_loop()
    # If the loop is closed, nobody awaits the results.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(_answer, answers)


def _answer(answers: Sequence[tuple[asyncio.Future[Outcome], Outcome]]) -> None:
    for future, outcome in answers:
        if future.done():  # the caller was cancelled
            continue
        if isinstance(outcome, BaseException):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)
