"""What was written comes into the database itself while the server runs, and the log of writes does
not grow for ever."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tuilerie.store import database, open_store
from tuilerie.store.database import FILE_NAME, connect_sqlite
from tuilerie.store.log import Status, TableMeta
from tuilerie.store.sqlite.checkpoint import Checkpointer

META = TableMeta("blockers", 1, {}, False, Status.PLAYING)
LONG = 60


def wait_until(done: Callable[[], bool], what: str) -> None:
    """Wait for something that another thread does."""
    until = time.monotonic() + LONG
    while not done():
        assert time.monotonic() < until, what
        time.sleep(0.01)


@contextmanager
def running(path: Path) -> Iterator[Checkpointer]:
    """The thread, for a test."""
    made = Checkpointer(lambda: connect_sqlite(path), every=0.01)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database of one table in which nothing is checkpointed by a commit."""
    path = tmp_path / "x.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE x (body)")
    return path


def test_what_is_written_comes_into_the_database(path: Path) -> None:
    with closing(connect_sqlite(path)) as writer:
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        for _ in range(50):
            writer.execute("INSERT INTO x VALUES (randomblob(4000))")
        before = path.stat().st_size
        with running(path):
            wait_until(lambda: path.stat().st_size > before, "nothing was moved")
        assert writer.execute("SELECT count(*) FROM x").fetchone() == (50,)


def test_trouble_with_the_file_is_survived(path: Path) -> None:
    """Whatever happens to a connection, the next one is tried."""
    tries: list[None] = []

    def connect() -> sqlite3.Connection:
        tries.append(None)
        if len(tries) == 1:
            raise sqlite3.OperationalError("unable to open database file")
        made = connect_sqlite(path)
        if len(tries) == 2:
            made.close()  # every statement fails
        return made

    thread = Checkpointer(connect, every=0.001)
    try:
        wait_until(lambda: len(tries) == 3, "it gave up")
    finally:
        thread.close()


async def test_under_steady_writing_the_log_of_writes_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The writer's own part: without it the log would never be found empty."""
    few = (*database.SQLITE_PRAGMAS, "PRAGMA wal_autocheckpoint = 100")
    monkeypatch.setattr(database, "SQLITE_PRAGMAS", few)
    async with await open_store(tmp_path) as store:
        await store.log.create("t", [b"1"], META)
        number, largest = 1, 0
        for _ in range(40):
            asked = []
            for _ in range(25):
                asked.append(store.log.append("t", number, [b"x" * 4000]))
                number += 1
            await asyncio.gather(*asked)
            largest = max(largest, (tmp_path / f"{FILE_NAME}-wal").stat().st_size)
        assert await store.log.heads(["t"]) == {"t": number}
    assert largest < number * 4000 / 2, "it holds no more than a part of what was written"


async def test_a_store_that_is_closed_leaves_no_thread(tmp_path: Path) -> None:
    async with await open_store(tmp_path):
        names = {thread.name for thread in threading.enumerate()}
        assert "store-checkpoints" in names
    assert not [t for t in threading.enumerate() if t.name == "store-checkpoints"]


async def test_a_store_that_is_closed_is_one_file(tmp_path: Path) -> None:
    """Somebody may copy it. Those who only read cannot empty the log of writes: they go first."""
    async with await open_store(tmp_path) as store:
        await store.log.create("t", [b"1"], META)
        await store.log.read("t")
    assert [path.name for path in tmp_path.glob(f"{FILE_NAME}*")] == [FILE_NAME]


class NoCheckpoints:
    """Leaves the log of writes as it is."""

    def __init__(self, connect: object) -> None:
        self.connect = connect

    def close(self) -> None:
        """There is nothing to end."""


async def test_nobody_empties_a_long_log_in_a_commit_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither who writes facts nor who writes about people."""
    monkeypatch.setattr("tuilerie.store.sqlite.log.Checkpointer", NoCheckpoints)
    async with await open_store(tmp_path) as store:
        before = (tmp_path / FILE_NAME).stat().st_size
        await store.log.create("t", [os.urandom(4000) for _ in range(1100)], META)
        await store.log.append("t", 1100, [b"x"])
        await store.seats.issue_token("t", "p", "Ana")
        assert (tmp_path / FILE_NAME).stat().st_size == before
