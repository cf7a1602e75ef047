"""Accounts are written in the transactions of the moves: neither harms the other."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select

from tuilerie.store import Store, open_store
from tuilerie.store.database import FILE_NAME
from tuilerie.store.errors import NoSuchAccount, StoreError, Unavailable
from tuilerie.store.log import Appended, TableMeta
from tuilerie.store.schema import bans, players
from tuilerie.store.sqlite.log import SqliteLog

META = TableMeta("genial", 1)


def ban(subject: str) -> Any:
    return insert(bans).values(kind="network", subject=subject, reason="", created=1)


async def together(store: Store, *work: Awaitable[Any]) -> list[Any]:
    """Do all of this in one transaction."""
    log = store.log
    assert isinstance(log, SqliteLog)
    gate = threading.Event()
    blocked = asyncio.create_task(log._writer.do(lambda _connection: gate.wait(60)))
    await asyncio.sleep(0.02)
    tasks = [asyncio.ensure_future(each) for each in work]
    await asyncio.sleep(0.02)
    gate.set()
    await blocked
    return await asyncio.gather(*tasks, return_exceptions=True)


async def banned(store: Store) -> set[str]:
    return {row.subject for row in await store.sql.all(select(bans.c.subject))}


async def test_a_failed_write_undoes_itself_and_nothing_else(tmp_path: Path) -> None:
    async with await open_store(tmp_path) as store:
        await store.log.create("t", [b"1"], META)

        def half(connection: Connection) -> None:
            connection.execute(ban("half"))
            nobody = {"slug": "t", "id": "p", "name": "A", "account": "nobody", "created": 1}
            connection.execute(insert(players).values(nobody))

        def mistaken(connection: Connection) -> None:
            connection.execute(ban("mistaken"))
            raise ZeroDivisionError

        def refused(_connection: Connection) -> None:
            raise StoreError("no")

        found = await together(
            store,
            store.sql.execute(ban("first")),
            store.log.append("t", 1, [b"2"]),
            store.sql.write(half),
            store.sql.write(mistaken),
            store.sql.write(refused),
            store.log.append("t", 2, [b"3"]),
            store.sql.execute(ban("last")),
        )
        kinds = [type(each) for each in found]
        assert kinds == [int, Appended, NoSuchAccount, ZeroDivisionError, StoreError, Appended, int]
        assert await banned(store) == {"first", "last"}
        assert [body for _, body in await store.log.read("t")] == [b"1", b"2", b"3"]


async def test_a_full_disk_fails_all_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite itself undoes the whole transaction then."""
    async with await open_store(tmp_path) as store:
        log = store.log
        assert isinstance(log, SqliteLog)
        await log.create("t", [b"1"], META)
        pages = await log._writer.do(
            lambda raw: (
                raw.execute("PRAGMA page_count").fetchone()[0],
                raw.execute("PRAGMA max_page_count = 1"),  # no more than there are
            )[0]
        )
        long = "x" * 4096 * 4
        found = await together(
            store,
            log.append("t", 1, [b"2"]),
            store.sql.execute(ban(long)),
            log.append("t", 2, [b"3" * 4096 * 4]),
        )
        # Each alone: a small fact may still find room in its page.
        assert isinstance(found[1], Unavailable), found
        assert isinstance(found[2], Unavailable), found
        await log._writer.do(lambda raw: raw.execute(f"PRAGMA max_page_count = {pages + 1000}"))
        done = isinstance(found[0], Appended)
        assert [number for number, _ in await log.read("t")] == ([1, 2] if done else [1])
        assert await banned(store) == set()
        assert await store.sql.execute(ban("after")) == 1
        assert await log.append("t", 1 + done, [b"after"]) == Appended(2 + done, 2 + done)


async def test_a_lost_connection_is_made_again_for_both(tmp_path: Path) -> None:
    async with await open_store(tmp_path) as store:
        log = store.log
        assert isinstance(log, SqliteLog)
        await log.create("t", [b"1"], META)
        found = await together(
            store,
            log._writer.do(lambda raw: raw.close()),
            store.sql.execute(ban("meanwhile")),
            log.append("t", 1, [b"2"]),
        )
        lost = [isinstance(each, Exception) for each in found]
        assert lost[0], "it closed the connection that it ran on"
        assert await store.sql.execute(ban("after")) == 1
        head = (await log.heads(["t"]))["t"]
        assert await log.append("t", head, [b"after"]) == Appended(head + 1, head + 1)
        assert "after" in await banned(store)
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
