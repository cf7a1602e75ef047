"""SQLite implementation of the log: a writer thread, two readers and a checkpoint thread."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from tuilerie.games.game import Json
from tuilerie.store.database import connect_sqlite
from tuilerie.store.errors import NoSuchTable, Unavailable, map_sqlite_error
from tuilerie.store.log import (
    Appended,
    Conflict,
    Status,
    TableMeta,
    TableRow,
    check_append,
    check_key,
    check_new,
    is_name,
)
from tuilerie.store.rows import HEAD, ROW, Append, Lookup, conditions, table_row
from tuilerie.store.sqlite import transaction as jobs
from tuilerie.store.sqlite.checkpoint import Checkpointer
from tuilerie.store.sqlite.ends_cache import EndsCache
from tuilerie.store.sqlite.shared_connection import SharedConnection
from tuilerie.store.sqlite.writer import Writer

READERS = 2


class SqliteLog:
    """A `Log` in a migrated SQLite file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._ends = EndsCache()
        self._shared = SharedConnection(path)
        self._writer: Writer[jobs.Job] = Writer(
            self._shared.connect,
            partial(jobs.perform, new_at=self._ends.new_at),
            self._ends,
        )
        self._checkpointer = Checkpointer(lambda: connect_sqlite(path))
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="store-reader")
        self._local = threading.local()
        self._open: list[sqlite3.Connection] = []
        self._closed = False

    # --- writing ---

    async def create(self, table: str, facts: Sequence[bytes], meta: TableMeta) -> None:
        """See `Log.create`."""
        check_new(table)
        await self._writer.do(lambda connection: jobs.create(connection, table, facts, meta))

    async def append(
        self, table: str, after: int, facts: Sequence[bytes], command: str | None = None
    ) -> Appended | Conflict:
        """See `Log.append`."""
        check_append(table, after, facts, command)
        answer: Appended | Conflict = await self._writer.do(Append(table, after, facts, command))
        return answer

    async def find_by_key(self, table: str, command: str) -> Appended | None:
        """See `Log.find_by_key`. Runs in the writer thread after all earlier appends; its cache
        often knows without a search that a key is new."""
        check_key(table, command)
        found: Appended | None = await self._writer.do(Lookup(table, command))
        return found

    async def set_summary(
        self, table: str, status: Status, summary: Mapping[str, Json] | None
    ) -> None:
        """See `Log.set_summary`."""
        if not is_name(table):
            raise NoSuchTable(table)
        await self._writer.do(
            partial(jobs.set_summary, table=table, status=status, summary=summary)
        )

    async def set_wakes(self, wakes: Mapping[str, int | None]) -> None:
        """See `Log.set_wakes`."""
        if wakes:
            await self._writer.do(partial(jobs.set_wakes, wakes=dict(wakes)))

    async def write(self, work: Callable[[Connection], Any]) -> Any:
        """Run this in the next transaction, together with moves."""
        return await self._writer.do(lambda _raw: work(self._shared.connection))

    # --- reading ---

    async def read(
        self, table: str, after: int = 0, limit: int | None = None
    ) -> list[tuple[int, bytes]]:
        """See `Log.read`."""
        if not is_name(table):
            return []
        query = """SELECT number, body, table_id, command FROM facts
            WHERE table_id = (SELECT id FROM tables WHERE slug = ?) AND number > ?
            ORDER BY number LIMIT ?"""
        rows = await self._fetch(query, (table, after, -1 if limit is None else limit))
        if rows and after == 0 and limit is None:
            self._ends.meet(table, rows[-1][2], rows[-1][0], (row[3] for row in rows))
        return [row[:2] for row in rows]

    async def heads(self, tables: Collection[str]) -> dict[str, int]:
        """See `Log.heads`."""
        names = [table for table in tables if is_name(table)]
        query = f"""SELECT slug, {HEAD} FROM tables
            WHERE slug IN (SELECT value FROM json_each(?))"""
        return dict(await self._fetch(query, (json.dumps(names),)))

    async def table(self, table: str) -> TableRow | None:
        """See `Log.table`."""
        if not is_name(table):
            return None
        rows = await self._fetch(f"SELECT {ROW} FROM tables WHERE slug = ?", (table,))
        return table_row(rows[0]) if rows else None

    async def tables(
        self,
        *,
        status: Status | None = None,
        public: bool | None = None,
        before: TableRow | None = None,
        limit: int | None = None,
    ) -> list[TableRow]:
        """See `Log.tables`."""
        where = conditions(status, public)
        values: list[Any] = []
        if before is not None:
            where.append("(created, slug) < (?, ?)")
            values += before.created, before.table
        # Without statistics SQLite would prefer the index by status, and read all private tables.
        lobby = status is Status.OPEN and public
        hint = "INDEXED BY ix_tables_lobby" if lobby else ""
        query = f"""SELECT {ROW} FROM tables {hint} WHERE {" AND ".join(where) or "true"}
            ORDER BY created DESC, slug DESC LIMIT ?"""
        rows = await self._fetch(query, (*values, -1 if limit is None else limit))
        return [table_row(row) for row in rows]

    async def due(self, at: int, limit: int) -> list[tuple[str, int]]:
        """See `Log.due`."""
        query = "SELECT slug, wake FROM tables WHERE wake <= ? ORDER BY wake LIMIT ?"
        return await self._fetch(query, (at, limit))

    # --- closing ---

    async def close(self) -> None:
        """See `Log.close`."""
        self._closed = True
        await asyncio.to_thread(self._readers.shutdown)
        while self._open:
            self._open.pop().close()
        await asyncio.to_thread(self._checkpointer.close)
        await self._writer.close()  # last: a read-only connection cannot checkpoint the WAL

    async def _fetch(self, query: str, values: Any) -> list[Any]:
        if self._closed:
            raise Unavailable("the store is closed")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, self._fetch_now, query, values)

    def _fetch_now(self, query: str, values: Any) -> list[Any]:
        """Run a query in a reader thread, each with its own connection."""
        try:
            connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
            if connection is None:
                connection = self._local.connection = connect_sqlite(self._path, read_only=True)
                self._open.append(connection)
            return connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            if known := map_sqlite_error(error):
                raise known from error
            raise
