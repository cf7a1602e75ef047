"""Writer thread of a SQLite file: many jobs in one transaction (group commit).

To be sure of the disk costs the same for one job as for hundreds: while one transaction is under
way the next jobs gather. Each waits until the transaction that holds it is on disk. The event loop
is woken once for all of them.
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
"""The most jobs in one transaction."""

PACE = 0.004
"""Where jobs come in crowds, a transaction begins no sooner than so many seconds after the one
before. Each costs the same CPU for one job as for several, and takes it from the event loop."""

J = TypeVar("J")
J_contra = TypeVar("J_contra", contravariant=True)
Outcome = Any
"""What a job led to: the value that it is answered with, or the `StoreError` that it raises."""


class FastPath(Protocol[J_contra]):
    """A fast path for some batches, which needs no transaction around it."""

    def do(
        self, connection: sqlite3.Connection, jobs: Sequence[J_contra]
    ) -> Sequence[Outcome] | None:
        """The outcomes of a batch that is on disk; `None`: nothing of it was done."""
        ...

    def learn(
        self, connection: sqlite3.Connection, jobs: Sequence[J_contra], outcomes: Sequence[Outcome]
    ) -> None:
        """A batch that went the long way is on disk."""
        ...

    def forget(self) -> None:
        """The file must be opened anew: it is not certain what is in it."""
        ...


class Writer(Generic[J]):
    """Does jobs one batch after the other.

    `perform` does a batch inside of a transaction and gives an outcome for each job, in order. If
    it raises, the whole transaction is undone. Nothing that goes wrong ends the thread.
    """

    def __init__(
        self,
        connect: Callable[[], sqlite3.Connection],
        perform: Callable[[sqlite3.Connection, Sequence[J]], Sequence[Outcome]],
        fast_path: FastPath[J] | None = None,
    ) -> None:
        self._connect = connect
        self._perform = perform
        self._fast_path = fast_path
        self._connection: sqlite3.Connection | None = None
        self._jobs: SimpleQueue[tuple[J, asyncio.Future[Outcome]] | None] = SimpleQueue()
        self._closed = False
        self._committing = False  # what goes wrong now may be on disk or not
        self._crowded = False  # the last batch had several jobs
        self._next = 0.0  # when the next transaction may begin if so
        # A daemon: a program that ends without closing must not hang. What was answered is on disk.
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    async def do(self, job: J) -> Any:
        """The outcome of a job, when it is on disk."""
        if self._closed:
            raise Unavailable("the store is closed")
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._jobs.put((job, future))
        return await future

    async def close(self) -> None:
        """Finish all jobs that were asked for, then end the thread."""
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
        """Wait for a job and take all that are there; False when it is time to end."""
        batch = []
        if self._crowded:  # first, so that we are not woken for the one job that comes before
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
            told = map_sqlite_error(error)
            if told is not None:
                if self._committing and _is_about_the_disk(error):
                    told = Unknown(f"{told}; what was asked may be done or not")
                # Its own error for each who waits: one raised twice mixes their tracebacks.
                return [type(told)(*told.args) for _ in jobs]
            if len(jobs) == 1:
                return [error]
            # A mistake in one of them: the others must not suffer for it.
            return [outcome for job in jobs for outcome in self._commit([job])]

    def _write(self, connection: sqlite3.Connection, jobs: Sequence[J]) -> Sequence[Outcome]:
        fast_path = self._fast_path
        self._committing = True
        if fast_path is not None and (done := fast_path.do(connection, jobs)) is not None:
            return done
        self._committing = False
        connection.execute("BEGIN IMMEDIATE")
        outcomes = self._perform(connection, jobs)
        self._committing = True
        connection.execute("COMMIT")
        if fast_path is not None:
            fast_path.learn(connection, jobs, outcomes)
        return outcomes

    def _undo(self) -> None:
        """Back to where nothing of the batch has happened, with a connection that can be used."""
        if self._connection is None:
            return
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            self._connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1")
        except sqlite3.Error:
            self._let_go()
            if self._fast_path is not None:
                self._fast_path.forget()

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
    # Where the loop is closed nobody waits any more.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(_answer, answers)


def _answer(answers: Sequence[tuple[asyncio.Future[Outcome], Outcome]]) -> None:
    for future, outcome in answers:
        if future.done():  # whoever asked was cancelled
            continue
        if isinstance(outcome, BaseException):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)
