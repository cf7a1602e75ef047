"""PostgreSQL implementation of the log: compare and append by primary key."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

import asyncpg  # type: ignore[import-untyped]

from tuilerie.games.game import Json
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
from tuilerie.store.rows import HEAD, ROW, Append, Lookup, conditions, now_ms, table_row, to_text

PATIENCE = 30.0
"""Seconds to retry while the server is unreachable."""

READERS = 6
T = TypeVar("T")


async def _keep_as_it_is(_connection: Any) -> None:
    return


class PostgresLog:
    """A `Log` in a migrated database. Create it with `open`."""

    def __init__(self, database: PostgresUrl, pool: Any, patience: float) -> None:
        self._pool = pool
        self._patience = patience
        self._batches = Batches(database, patience)
        self._closed = False

    @classmethod
    async def open(cls, database: PostgresUrl, patience: float = PATIENCE) -> PostgresLog:
        """Open the log, which connects on first use."""
        pool = await asyncpg.create_pool(
            database.url,
            min_size=0,
            max_size=READERS,
            timeout=CONNECT_SECONDS,
            command_timeout=CONNECT_SECONDS * 3,
            server_settings=POSTGRES_SETTINGS,
            # Statements here leave no session state behind: a reset would double the round trips.
            reset=_keep_as_it_is,
        )
        return cls(database, pool, patience)

    # --- writing ---

    async def create(self, table: str, facts: Sequence[bytes], meta: TableMeta) -> None:
        """See `Log.create`."""
        check_new(table)
        now = now_ms()
        row = (table, meta.game, meta.rules, to_text(meta.options), meta.status.value)
        more = (meta.public, now, to_text(meta.summary), meta.wake)
        span = [len(facts), *[None] * (len(facts) - 1)] if facts else []

        async def work(connection: Any, in_doubt: bool) -> None:
            try:
                async with connection.transaction():
                    number = await connection.fetchval(
                        "INSERT INTO tables"
                        " (slug, game, rules, options, status,"
                        " public, created, updated, summary, wake)"
                        " VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9) RETURNING id",
                        *(*row, *more),
                    )
                    await connection.execute(
                        "INSERT INTO facts (table_id, number, at, body, span)"
                        " SELECT $1, number, $2, body, span FROM"
                        " unnest($3::bytea[], $4::int[]) WITH ORDINALITY AS f(body, span, number)",
                        *(number, now, list(facts), span),
                    )
            except asyncpg.UniqueViolationError:
                # After an attempt in doubt, the table is ours: names are random.
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

    async def set_summary(
        self, table: str, status: Status, summary: Mapping[str, Json] | None
    ) -> None:
        """See `Log.set_summary`."""
        if not is_name(table):
            raise NoSuchTable(table)
        query = "UPDATE tables SET status = $2, summary = $3 WHERE slug = $1 RETURNING slug"
        if not await self._fetch(query, table, status.value, to_text(summary), writes=True):
            raise NoSuchTable(table)

    async def set_wakes(self, wakes: Mapping[str, int | None]) -> None:
        """See `Log.set_wakes`."""
        # Locked in one order, so that nodes never deadlock.
        query = """WITH asked AS (
                SELECT id, asked.wake FROM unnest($1::text[], $2::bigint[]) AS asked(slug, wake)
                JOIN tables USING (slug) ORDER BY id FOR NO KEY UPDATE OF tables
            ) UPDATE tables SET wake = asked.wake FROM asked WHERE tables.id = asked.id"""
        if wakes:
            await self._fetch(query, list(wakes), list(wakes.values()), writes=True)

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
        status: Status | None = None,
        public: bool | None = None,
        before: TableRow | None = None,
        limit: int | None = None,
    ) -> list[TableRow]:
        """See `Log.tables`."""
        where = conditions(status, public)
        values: list[Any] = [limit]
        if before is not None:
            where.append("(created, slug) < ($2, $3)")
            values += before.created, before.table
        query = f"""SELECT {ROW} FROM tables WHERE {" AND ".join(where) or "true"}
            ORDER BY created DESC, slug DESC LIMIT $1"""
        return [table_row(row) for row in await self._fetch(query, *values)]

    async def due(self, at: int, limit: int) -> list[tuple[str, int]]:
        """See `Log.due`."""
        query = "SELECT slug, wake FROM tables WHERE wake <= $1 ORDER BY wake LIMIT $2"
        return [(row[0], row[1]) for row in await self._fetch(query, at, limit)]

    # --- closing ---

    async def close(self) -> None:
        """See `Log.close`."""
        self._closed = True
        await self._batches.close()
        with contextlib.suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            await self._pool.close()

    async def _fetch(self, query: str, *values: Any, writes: bool = False) -> list[Any]:
        """Return the rows of an idempotent statement."""

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
                        connection.terminate()  # do not return it to the pool
                    raise

        return await retry(attempt, self._patience, writes=writes)
