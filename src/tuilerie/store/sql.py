"""Runs SQLAlchemy statements in transactions, retried while the connection is lost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from sqlalchemy import Select, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

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


class Sql:
    """Statements and transactions on one database. Every method may raise `Unavailable`."""

    def __init__(self, engine: AsyncEngine, *, patience: float = PATIENCE) -> None:
        self._engine = engine
        self._patience = patience

    async def close(self) -> None:
        """Close all connections."""
        await self._engine.dispose()

    async def one(self, query: Select[Any]) -> Any:
        """Return the first row, or `None`."""
        rows = await self.all(query.limit(1))
        return rows[0] if rows else None

    async def all(self, query: Select[Any]) -> Sequence[Any]:
        """Return all rows."""

        async def work(connection: AsyncConnection) -> Sequence[Any]:
            rows: Sequence[Any] = (await connection.execute(query)).all()
            return rows

        return await self._do(self._engine, work, writes=False)

    async def execute(self, statement: Any) -> int:
        """Execute one write statement; return the number of matched rows."""

        async def work(connection: AsyncConnection) -> int:
            rowcount: int = (await connection.execute(statement)).rowcount
            return rowcount

        return await self.write(work)

    async def write(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Run `work` in one transaction. It may run twice, so it must be idempotent."""
        return await self._do(self._engine.execution_options(writes=True), work, writes=True)

    async def _do(
        self,
        engine: AsyncEngine,
        work: Callable[[AsyncConnection], Awaitable[T]],
        *,
        writes: bool,
    ) -> T:
        async def attempt(_in_doubt: bool) -> T:
            async with engine.begin() as connection:
                try:
                    return await work(connection)
                except Exception as error:
                    if is_connection_lost(driver_error(error)):
                        await connection.invalidate()  # do not return it to the pool
                    raise

        try:
            return await retry(attempt, self._patience, writes=writes)
        except IntegrityError as error:
            # All other constraints are checked before.
            raise NoSuchAccount("there is no such account") from error
        except Exception as error:
            if known := map_sqlite_error(driver_error(error)):
                raise known from error
            raise


async def insert_if_absent(connection: AsyncConnection, table: Table, row: dict[str, Any]) -> None:
    """Insert a row unless its key exists, so that a retry is idempotent."""
    postgres = connection.dialect.name == "postgresql"
    new = postgresql.insert(table) if postgres else sqlite.insert(table)
    await connection.execute(new.values(row).on_conflict_do_nothing())
