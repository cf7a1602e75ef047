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
"""How many seconds to wait for a server that is not there."""

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
        """The first row, or `None`."""
        rows = await self.all(query.limit(1))
        return rows[0] if rows else None

    async def all(self, query: Select[Any]) -> Sequence[Any]:
        """All rows."""

        async def work(connection: AsyncConnection) -> Sequence[Any]:
            rows: Sequence[Any] = (await connection.execute(query)).all()
            return rows

        return await self._do(self._engine, work, writes=False)

    async def execute(self, statement: Any) -> int:
        """Execute one statement that writes; how many rows it matched."""

        async def work(connection: AsyncConnection) -> int:
            rowcount: int = (await connection.execute(statement)).rowcount
            return rowcount

        return await self.write(work)

    async def write(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Do something in one transaction. It may be done twice and must then be as if once."""
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
                        await connection.invalidate()  # nobody is to get it again
                    raise

        try:
            return await retry(attempt, self._patience, writes=writes)
        except IntegrityError as error:
            # Whatever else could be missing or there twice is looked at before.
            raise NoSuchAccount("there is no such account") from error
        except Exception as error:
            if told := map_sqlite_error(driver_error(error)):
                raise told from error
            raise


async def insert_if_absent(connection: AsyncConnection, table: Table, row: dict[str, Any]) -> None:
    """Add a row, unless one with its key is there: the same thing may be done twice."""
    postgres = connection.dialect.name == "postgresql"
    new = postgresql.insert(table) if postgres else sqlite.insert(table)
    await connection.execute(new.values(row).on_conflict_do_nothing())
