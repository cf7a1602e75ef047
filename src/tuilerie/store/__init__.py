"""The store: the logs of all tables, accounts and seats, in SQLite or PostgreSQL."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from tuilerie.store.accounts import Accounts
from tuilerie.store.database import Database, SqliteFile, engine_for, parse_database
from tuilerie.store.log import Log
from tuilerie.store.migrate import check_schema
from tuilerie.store.migrate import migrate as bring_up_to_date
from tuilerie.store.postgres.log import PATIENCE, PostgresLog
from tuilerie.store.seats import Seats
from tuilerie.store.sql import Sql
from tuilerie.store.sqlite.log import SqliteLog
from tuilerie.store.uptime import Uptime


@dataclass(frozen=True, slots=True)
class Store:
    """An open database. Use it as `async with await open_store(…) as store`, or call `close`."""

    database: Database
    log: Log
    sql: Sql
    accounts: Accounts
    seats: Seats
    uptime: Uptime

    async def close(self) -> None:
        """Finish pending work and release all resources. Idempotent."""
        await self.log.close()
        await self.seats.close()
        await self.sql.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


async def open_store(
    database: str | Path | Database, *, migrate: bool = True, patience: float = PATIENCE
) -> Store:
    """Open a database: a data folder, `sqlite:///…` or `postgresql://…`.

    A missing database is created and an old one migrated, unless `migrate` is false: then it must
    have the current schema. Raises `WrongSchema`, `Damaged`, `Unavailable`.
    """
    where = parse_database(database)
    if migrate:
        await bring_up_to_date(where)
    else:
        await check_schema(where, patience)
    log: Log
    if isinstance(where, SqliteFile):
        log = file = SqliteLog(where.path)
        sql = Sql(engine_for(where), patience=patience, writer=file.write)
    else:
        log = await PostgresLog.open(where, patience)
        sql = Sql(engine_for(where), patience=patience)
    return Store(where, log, sql, Accounts(sql), Seats(sql), Uptime(sql))
