"""PostgreSQL implementation of the log: compare and append by primary key."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any, TypeVar

import asyncpg  # type: ignore[import-untyped]

from tuilerie.store.database import CONNECT_SECONDS, POSTGRES_SETTINGS, PostgresUrl
from tuilerie.store.errors import NoSuchTable, TableExists, Unavailable, is_connection_lost
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
from tuilerie.store.postgres.batch import Batches
from tuilerie.store.retry import retry
from tuilerie.store.rows import HEAD, ROW, Append, Lookup, now_ms, table_row

PATIENCE = 30.0
"""How many seconds to wait for a server that is not there."""

READERS = 6
T = TypeVar("T")


class PostgresLog:
    """A `Log` in a database that `migrate` has made. Made by `open`."""

    def __init__(self, place: PostgresUrl, pool: Any, patience: float) -> None:
        self._pool = pool
        self._patience = patience
        self._batches = Batches(place, patience)
        self._closed = False

    @classmethod
    async def open(cls, place: PostgresUrl, patience: float = PATIENCE) -> PostgresLog:
        """The log at a place. It connects when it is first used."""
        pool = await asyncpg.create_pool(
            place.url,
            min_size=0,
            max_size=READERS,
            timeout=CONNECT_SECONDS,
            command_timeout=CONNECT_SECONDS * 3,
            server_settings=POSTGRES_SETTINGS,
        )
        return cls(place, pool, patience)

    # --- writing ---

    async def create(self, table: str, facts: Sequence[bytes], meta: TableMeta) -> None:
        """See `Log.create`."""
        check_new(table)
        now = now_ms()
        options = json.dumps(dict(meta.options), ensure_ascii=False)
        row = (table, meta.game, meta.rules, options, meta.status.value, meta.public, now)
        span = [len(facts), *[None] * (len(facts) - 1)] if facts else []

        async def work(connection: Any, in_doubt: bool) -> None:
            try:
                async with connection.transaction():
                    number = await connection.fetchval(
                        "INSERT INTO tables"
                        " (slug, game, rules, options, status, public, created, updated)"
                        " VALUES ($1, $2, $3, $4, $5, $6, $7, $7) RETURNING id",
                        *row,
                    )
                    await connection.execute(
                        "INSERT INTO facts (table_id, number, at, body, span)"
                        " SELECT $1, number, $2, body, span FROM"
                        " unnest($3::bytea[], $4::int[]) WITH ORDINALITY AS f(body, span, number)",
                        *(number, now, list(facts), span),
                    )
            except asyncpg.UniqueViolationError:
                # In doubt, what stands there is ours: nobody else thinks of the same name.
                if not in_doubt:
                    raise TableExists(table) from None

        await self._do(work)

    async def append(
        self, table: str, after: int, facts: Sequence[bytes], command: str | None = None
    ) -> Appended | Conflict:
        """See `Log.append`."""
        check_append(table, after, facts, command)
        return await self._batches.add(Append(table, after, facts, command))

    async def find_by_key(self, table: str, command: str) -> Appended | None:
        """See `Log.find_by_key`."""
        check_key(table, command)
        return await self._batches.find(Lookup(table, command))

    async def set_status(self, table: str, status: Status) -> None:
        """See `Log.set_status`."""
        if not is_name(table):
            raise NoSuchTable(table)
        query = "UPDATE tables SET status = $2, updated = $3 WHERE slug = $1 RETURNING slug"
        if not await self._fetch(query, table, status.value, now_ms(), writes=True):
            raise NoSuchTable(table)

    # --- reading ---

    async def read(
        self, table: str, after: int = 0, limit: int | None = None
    ) -> list[tuple[int, bytes]]:
        """See `Log.read`."""
        if not is_name(table):
            return []
        query = """SELECT number, body FROM facts
            WHERE table_id = (SELECT id FROM tables WHERE slug = $1) AND number > $2
            ORDER BY number LIMIT $3"""
        return [(row[0], row[1]) for row in await self._fetch(query, table, after, limit)]

    async def heads(self, tables: Collection[str]) -> dict[str, int]:
        """See `Log.heads`."""
        names = [table for table in tables if is_name(table)]
        query = f"SELECT slug, {HEAD} FROM tables WHERE slug = ANY($1::text[])"
        return {row[0]: row[1] for row in await self._fetch(query, names)}

    async def table(self, table: str) -> TableRow | None:
        """See `Log.table`."""
        if not is_name(table):
            return None
        rows = await self._fetch(f"SELECT {ROW} FROM tables WHERE slug = $1", table)
        return table_row(rows[0]) if rows else None

    async def tables(
        self,
        *,
        game: str | None = None,
        status: Collection[Status] | None = None,
        public: bool | None = None,
        before: TableRow | None = None,
        limit: int | None = None,
    ) -> list[TableRow]:
        """See `Log.tables`."""
        query = f"""SELECT {ROW} FROM tables
            WHERE ($1::text IS NULL OR game = $1)
            AND ($2::text[] IS NULL OR status = ANY($2))
            AND ($3::bool IS NULL OR public = $3)
            AND ($4::bigint IS NULL OR (created, slug) < ($4, $5::text))
            ORDER BY created DESC, slug DESC LIMIT $6"""
        statuses = None if status is None else [each.value for each in status]
        created, slug = (before.created, before.table) if before else (None, None)
        rows = await self._fetch(query, game, statuses, public, created, slug, limit)
        return [table_row(row) for row in rows]

    # --- the end ---

    async def close(self) -> None:
        """See `Log.close`."""
        self._closed = True
        await self._batches.close()
        with contextlib.suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            await self._pool.close()

    async def _fetch(self, query: str, *values: Any, writes: bool = False) -> list[Any]:
        """Rows of a statement that does the same when it is done twice."""

        async def work(connection: Any, _in_doubt: bool) -> list[Any]:
            rows: list[Any] = await connection.fetch(query, *values)
            return rows

        return await self._do(work, writes=writes)

    async def _do(self, work: Callable[[Any, bool], Awaitable[T]], *, writes: bool = True) -> T:
        if self._closed:
            raise Unavailable("the store is closed")

        async def attempt(in_doubt: bool) -> T:
            async with self._pool.acquire() as connection:
                try:
                    return await work(connection, in_doubt)
                except Exception as error:
                    if is_connection_lost(error):
                        connection.terminate()  # nobody is to get it again
                    raise

        return await retry(attempt, self._patience, writes=writes)
