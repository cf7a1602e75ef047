"""SQLite: durability settings, file errors, concurrent processes, the writer."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tuilerie.store import Store, open_store
from tuilerie.store.database import FILE_NAME, connect_sqlite
from tuilerie.store.errors import Damaged, NoSuchTable, StoreError, Unavailable
from tuilerie.store.log import Appended, Conflict, Status, TableMeta
from tuilerie.store.sqlite.writer import Writer

META = TableMeta("genial", 1)


@pytest_asyncio.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with await open_store(tmp_path) as opened:
        yield opened


async def test_folder_and_file_are_private(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    async with await open_store(folder):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE((folder / FILE_NAME).stat().st_mode) == 0o600


async def test_durability_settings(store: Store, tmp_path: Path) -> None:
    with closing(connect_sqlite(tmp_path / FILE_NAME)) as connection:
        asked = ("journal_mode", "synchronous", "foreign_keys")
        found = [connection.execute(f"PRAGMA {each}").fetchone()[0] for each in asked]
    assert found == ["wal", 2, 1]  # 2 is FULL


async def test_full_disk_raises_and_writes_nothing(tmp_path: Path) -> None:
    async with await open_store(tmp_path) as store:
        await store.log.create("t", [b"1"], META)
        await store.log.create("u", [], META)
    full = FullDisk(tmp_path / FILE_NAME)
    async with await open_store(tmp_path) as store:
        full.limit(store)
        facts = [os.urandom(1000) for _ in range(400)]
        answers = await asyncio.gather(
            store.log.append("t", 1, facts),
            store.log.append("u", 0, [b"1"]),
            return_exceptions=True,
        )
        assert isinstance(answers[0], Unavailable)
        assert "full" in str(answers[0])
        assert await store.log.read("t") == [(1, b"1")]
        full.free(store)
        assert await store.log.append("t", 1, facts) == Appended(2, 401)
        assert len(await store.log.read("t")) == 401


class FullDisk:
    """Limits the writer's page count, so that SQLite reports a full disk."""

    def __init__(self, path: Path) -> None:
        self.pages = path.stat().st_size // 4096 + 20

    def limit(self, store: Store) -> None:
        self._set(store, self.pages)

    def free(self, store: Store) -> None:
        self._set(store, 1_000_000)

    def _set(self, store: Store, pages: int) -> None:
        writer: Any = store.log.__dict__["_writer"]
        if writer._connection is None:
            writer._connection = connect_sqlite(store.log.__dict__["_path"])
        writer._connection.execute(f"PRAGMA max_page_count = {pages}")


async def test_locked_file_raises_and_the_store_recovers(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.log.create("t", [b"1"], META)
    store.log.__dict__["_writer"]._connection.execute("PRAGMA busy_timeout = 50")
    with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable, match="locked"):
            await store.log.append("t", 1, [b"2"])
        assert await store.log.read("t") == [(1, b"1")], "reads still work"
        other.execute("ROLLBACK")
    assert await store.log.append("t", 1, [b"2"]) == Appended(2, 2)


async def test_write_waits_for_another_process(store: Store, tmp_path: Path) -> None:
    await store.log.create("t", [b"1"], META)
    with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        waiting = asyncio.create_task(store.log.append("t", 1, [b"2"]))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        other.execute("UPDATE facts SET body = 'changed'")
        other.execute("COMMIT")
    assert await waiting == Appended(2, 2)


async def test_facts_of_another_process_are_visible(store: Store, tmp_path: Path) -> None:
    await store.log.create("t", [b"1"], META)
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as other, other:
        other.execute("INSERT INTO facts (table_id, number, at, body) VALUES (1, 2, 0, x'32')")
    assert await store.log.append("t", 1, [b"x"]) == Conflict(2)
    assert await store.log.read("t") == [(1, b"1"), (2, b"2")]


async def test_append_after_one_of_another_process_conflicts(store: Store, tmp_path: Path) -> None:
    await store.log.create("t", [b"1"], META)
    await store.log.append("t", 1, [b"2"])
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as other, other:
        other.execute("INSERT INTO facts (table_id, number, at, body) VALUES (1, 3, 0, x'33')")
    asked = [store.log.append("t", 2, [b"x", b"y"]), store.log.append("t", 3, [b"4"])]
    assert await asyncio.gather(*asked) == [Conflict(3), Appended(4, 4)]
    assert [body for _, body in await store.log.read("t")] == [b"1", b"2", b"3", b"4"]


async def test_command_is_done_once_whatever_is_cached(store: Store) -> None:
    await store.log.create("t", [b"1"], META)
    for number in range(1, 4):
        answer = await store.log.append("t", number, [b"x"], f"key-{number}")
        assert answer == Appended(number + 1, number + 1)
    assert await store.log.append("t", 4, [b"x"], "key-2") == Appended(3, 3, repeated=True)
    assert await store.log.append("t", 9, [b"x"], "key-9") == Conflict(4)
    both = [store.log.append("t", 4, [b"5", b"6"], "new") for _ in range(2)]
    assert await asyncio.gather(*both) == [Appended(5, 6), Appended(5, 6, repeated=True)]
    assert await store.log.heads(["t"]) == {"t": 6}


async def test_deleted_table_raises(store: Store, tmp_path: Path) -> None:
    await store.log.create("t", [b"1"], META)
    await store.log.append("t", 1, [b"2"])
    with closing(connect_sqlite(tmp_path / FILE_NAME)) as other:
        other.execute("DELETE FROM tables")
    with pytest.raises(NoSuchTable):
        await store.log.append("t", 2, [b"3"])


async def test_append_to_a_log_that_has_grown_since_it_was_read(tmp_path: Path) -> None:
    async with await open_store(tmp_path) as store:
        await store.log.create("t", [b"1"], META)
    async with await open_store(tmp_path) as store:
        await store.log.read("t")
        with closing(connect_sqlite(tmp_path / FILE_NAME)) as other:
            other.execute("INSERT INTO facts (table_id, number, at, body) VALUES (1, 2, 0, x'32')")
        assert await store.log.append("t", 1, [b"x"]) == Conflict(2)
        assert await store.log.append("t", 2, [b"3"]) == Appended(3, 3)


@pytest.mark.parametrize(
    "content", [b"no database at all, " * 200, b"SQLite format 3\x00" + b"x" * 5000]
)
async def test_file_that_is_not_a_database_raises(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    with pytest.raises(Damaged, match="restore a backup"):
        await open_store(tmp_path)
    assert (tmp_path / FILE_NAME).read_bytes() == content


async def test_damaged_page_raises_and_the_writer_survives(tmp_path: Path) -> None:
    async with await open_store(tmp_path) as store:
        await store.log.create("t", [os.urandom(3000) for _ in range(50)], META)
        await store.log.create("u", [b"1"], META)
    path = tmp_path / FILE_NAME
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT rootpage FROM sqlite_schema WHERE name = 'facts'"
        (page,) = connection.execute(query).fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xff" * 4096)
    async with await open_store(tmp_path) as store:
        with pytest.raises(Damaged, match="restore a backup"):
            await store.log.read("t")
        with pytest.raises(Damaged, match="restore a backup"):
            await store.log.append("u", 1, [b"2"])
        await store.log.set_summary("u", Status.OVER, None)  # undamaged pages still work
        row = await store.log.tables(limit=0)
        assert row == []


async def test_file_instead_of_folder_raises(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("x")
    with pytest.raises(StoreError, match="cannot be written"):
        await open_store(tmp_path / "data")


async def test_slow_disk_does_not_block_the_event_loop(store: Store, tmp_path: Path) -> None:
    await store.log.create("t", [b"1"], META)
    with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        waiting = asyncio.create_task(store.log.append("t", 1, [b"2"]))
        turns = 0
        while turns < 100:
            await asyncio.sleep(0)
            turns += 1
        assert not waiting.done()
        other.execute("ROLLBACK")
    await waiting


async def test_account_writes_succeed_under_load(store: Store) -> None:
    for number in range(20):
        await store.log.create(f"t{number}", [], META)
    stop = asyncio.Event()

    async def pour(table: str) -> None:
        head = 0
        while not stop.is_set():
            answer = await store.log.append(table, head, [b"x" * 100])
            assert isinstance(answer, Appended)
            head = answer.last

    pouring = [asyncio.create_task(pour(f"t{number}")) for number in range(20)]
    tokens = [await store.seats.issue_token("t1", f"p{number}") for number in range(10)]
    stop.set()
    await asyncio.gather(*pouring)
    assert [player and player.id for player in [await store.seats.resolve(t) for t in tokens]] == [
        f"p{number}" for number in range(10)
    ]


# --- the writer -----------------------------------------------------------------------------------


async def test_many_jobs_are_done_in_one_transaction() -> None:
    batches: list[int] = []
    blocked = threading.Event()

    def perform(_connection: sqlite3.Connection, jobs: Sequence[int]) -> list[int]:
        blocked.wait(10)
        batches.append(len(jobs))
        return [2 * job for job in jobs]

    writer: Writer[int] = Writer(lambda: sqlite3.connect(":memory:", isolation_level=None), perform)
    asked = [asyncio.create_task(writer.do(number)) for number in range(1001)]
    await asyncio.sleep(0.05)
    blocked.set()
    assert await asyncio.gather(*asked) == [2 * number for number in range(1001)]
    assert sum(batches) == 1001
    assert max(batches) == 500
    assert len(batches) <= 4
    await writer.close()


async def test_bug_in_one_job_does_not_fail_the_others(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE done (number INTEGER)")
    gate = threading.Event()

    def perform(connection: sqlite3.Connection, jobs: Sequence[int]) -> list[int]:
        gate.wait(10)
        for job in jobs:
            connection.execute("INSERT INTO done VALUES (?)", (job,))
            if job == 7:
                raise RuntimeError("a mistake")
        return list(jobs)

    writer: Writer[int] = Writer(lambda: connect_sqlite(path), perform)
    asked = [asyncio.create_task(writer.do(number)) for number in range(20)]
    await asyncio.sleep(0.05)
    gate.set()
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert isinstance(answers.pop(7), RuntimeError)
    assert answers == [number for number in range(20) if number != 7]
    assert await writer.do(30) == 30
    await writer.close()
    with closing(sqlite3.connect(path)) as connection:
        found = [row[0] for row in connection.execute("SELECT number FROM done ORDER BY number")]
    assert found == [*answers, 30]


async def test_failed_connection_is_retried(tmp_path: Path) -> None:
    path = tmp_path / "later.db"

    def perform(connection: sqlite3.Connection, jobs: Sequence[str]) -> list[Any]:
        return [connection.execute(job).fetchone()[0] for job in jobs]

    writer: Writer[str] = Writer(lambda: connect_sqlite(path), perform)
    with pytest.raises(Unavailable, match="cannot be opened"):
        await writer.do("SELECT 1")
    path.touch()
    assert await writer.do("SELECT 1") == 1
    await writer.close()


async def test_cache_is_cleared_only_when_the_file_is_reopened(
    tmp_path: Path,
) -> None:
    """Rebuilding the cache means searching every log, so a single error must not clear it."""
    path = tmp_path / "x.db"
    sqlite3.connect(path).close()
    forgotten: list[str] = []
    learned: list[str] = []

    class Cache:
        def learn(self, _connection: sqlite3.Connection, jobs: Sequence[str], _: object) -> None:
            learned.extend(jobs)

        def forget(self) -> None:
            forgotten.append("all")

    def perform(connection: sqlite3.Connection, jobs: Sequence[str]) -> list[Any]:
        if jobs == ("lose it",):
            connection.close()
        return [connection.execute(job).fetchone()[0] for job in jobs]

    writer: Writer[str] = Writer(lambda: connect_sqlite(path), perform, Cache())
    with pytest.raises(Exception, match="no such table"):
        await writer.do("SELECT 1 FROM nowhere")
    assert forgotten == []
    with pytest.raises(Exception, match="closed"):
        await writer.do("lose it")
    assert forgotten == ["all"]
    assert await writer.do("SELECT 1") == 1
    assert learned == ["SELECT 1"], "failed batches change nothing"
    await writer.close()
