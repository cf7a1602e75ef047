"""Checkpoint thread: the WAL is moved into the database file and stays bounded."""

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
    """Poll until another thread has done its work."""
    until = time.monotonic() + LONG
    while not done():
        assert time.monotonic() < until, what
        time.sleep(0.01)


@contextmanager
def running(path: Path) -> Iterator[Checkpointer]:
    """Run a checkpoint thread."""
    made = Checkpointer(lambda: connect_sqlite(path), every=0.01)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with one table and no automatic checkpoints."""
    path = tmp_path / "x.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE x (body)")
    return path


def test_checkpoint_moves_writes_into_the_database_file(path: Path) -> None:
    with closing(connect_sqlite(path)) as writer:
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        for _ in range(50):
            writer.execute("INSERT INTO x VALUES (randomblob(4000))")
        before = path.stat().st_size
        with running(path):
            wait_until(lambda: path.stat().st_size > before, "no checkpoint")
        assert writer.execute("SELECT count(*) FROM x").fetchone() == (50,)


def test_checkpointer_survives_file_errors(path: Path) -> None:
    """After any failure of a connection, a new one is opened."""
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
        wait_until(lambda: len(tries) == 3, "no retry")
    finally:
        thread.close()


async def test_wal_restarts_under_steady_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The writer must help: otherwise the WAL would never restart under load."""
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
    assert largest < number * 4000 / 2, "the WAL is smaller than the data written"


async def test_close_leaves_no_thread(tmp_path: Path) -> None:
    async with await open_store(tmp_path):
        names = {thread.name for thread in threading.enumerate()}
        assert "store-checkpoints" in names
    assert not [t for t in threading.enumerate() if t.name == "store-checkpoints"]


async def test_closed_store_is_a_single_file(tmp_path: Path) -> None:
    """The closed file can be copied. Readers close first, as they cannot checkpoint."""
    async with await open_store(tmp_path) as store:
        await store.log.create("t", [b"1"], META)
        await store.log.read("t")
    assert [path.name for path in tmp_path.glob(f"{FILE_NAME}*")] == [FILE_NAME]


class NoCheckpoints:
    """A checkpointer that does nothing."""

    def __init__(self, connect: object) -> None:
        self.connect = connect

    def close(self) -> None:
        """Do nothing."""


async def test_commits_do_not_checkpoint_a_long_wal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither for facts nor for accounts and seats."""
    monkeypatch.setattr("tuilerie.store.sqlite.log.Checkpointer", NoCheckpoints)
    async with await open_store(tmp_path) as store:
        before = (tmp_path / FILE_NAME).stat().st_size
        await store.log.create("t", [os.urandom(4000) for _ in range(1100)], META)
        await store.log.append("t", 1100, [b"x"])
        await store.seats.issue_token("t", "p", "Ana")
        assert (tmp_path / FILE_NAME).stat().st_size == before
