"""Runs SQLAlchemy statements in transactions, retried while the connection is lost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from sqlalchemy import Connection, Select, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from tuilerie.store.errors import (
    NoSuchAccount,
    driver_error,
    is_connection_lost,
    map_sqlite_error,
)
from tuilerie.store.retry import retry

PATIENCE = 30.0
"""Seconds to retry while the server is unreachable."""

T = TypeVar("T")

Writer = Callable[[Callable[[Connection], Any]], Awaitable[Any]]
"""Runs work in the next transaction of whoever else writes to a file."""


class Sql:
    """Statements and transactions on one database. Every method may raise `Unavailable`.

    A SQLite file admits one writer at a time, and a second one waits by sleeping, longer each time:
    so what is written here goes through the `writer` of the log, between the moves.
    """

    def __init__(
        self, engine: AsyncEngine, *, patience: float = PATIENCE, writer: Writer | None = None
    ) -> None:
        self._engine = engine
        self._patience = patience
        self._writer = writer

    async def close(self) -> None:
        """Close all connections."""
        await self._engine.dispose()

    async def one(self, query: Select[Any]) -> Any:
        """Return the first row, or `None`."""
        rows = await self.all(query.limit(1))
        return rows[0] if rows else None

    async def all(self, query: Select[Any]) -> Sequence[Any]:
        """Return all rows."""

        def work(connection: Connection) -> Sequence[Any]:
            return connection.execute(query).all()

        return await self._do(self._engine, work, writes=False)

    async def execute(self, statement: Any) -> int:
        """Execute one write statement; return the number of matched rows."""

        def work(connection: Connection) -> int:
            return connection.execute(statement).rowcount

        return await self.write(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in one transaction. It may run twice, so it must be idempotent; a `StoreError`
        it may raise only before it has changed anything."""
        return await self._do(self._engine.execution_options(writes=True), work, writes=True)

    async def _do(
        self,
        engine: AsyncEngine,
        work: Callable[[Connection], T],
        *,
        writes: bool,
    ) -> T:
        async def attempt(_in_doubt: bool) -> T:
            async with engine.begin() as connection:
                try:
                    return await connection.run_sync(work)
                except Exception as error:
                    if is_connection_lost(driver_error(error)):
                        await connection.invalidate()  # do not return it to the pool
                    raise

        try:
            if writes and self._writer is not None:
                written: T = await self._writer(work)
                return written
            return await retry(attempt, self._patience, writes=writes)
        except IntegrityError as error:
            # All other constraints are checked before.
            raise NoSuchAccount("there is no such account") from error
        except Exception as error:
            if known := map_sqlite_error(driver_error(error)):
                raise known from error
            raise


def insert_if_absent(connection: Connection, table: Table, row: dict[str, Any]) -> None:
    """Insert a row unless its key exists, so that a retry is idempotent."""
    postgres = connection.dialect.name == "postgresql"
    new = postgresql.insert(table) if postgres else sqlite.insert(table)
    connection.execute(new.values(row).on_conflict_do_nothing())
