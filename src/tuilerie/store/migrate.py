"""Migrate a database to the current schema, under a lock that other processes respect."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import time
from collections.abc import AsyncIterator
from pathlib import Path

from sqlalchemy import Connection, inspect, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from tuilerie.store.database import Database, SqliteFile, engine_for, parse_database
from tuilerie.store.errors import (
    StoreError,
    WrongSchema,
    translate_errors,
)
from tuilerie.store.retry import retry
from tuilerie.store.schema import REVISION
from tuilerie.store.sqlite.files import check_not_truncated, create_file

LOCK = 0x7475696C6572  # 'tuiler': advisory lock key, shared by all nodes
PATIENCE = 30.0


async def migrate(database: str | Path | Database) -> None:
    """Create the database if it is missing, and run all missing migrations in one transaction.

    If several processes start at once, one migrates and the others wait. Raises `WrongSchema` if
    the schema is newer than this program.
    """
    where = parse_database(database)
    if isinstance(where, SqliteFile):
        await asyncio.to_thread(_prepare_file, where.path)
    async with _engine(where) as engine:
        if await _found(engine, PATIENCE) == REVISION:
            return

        async def attempt(_in_doubt: bool) -> None:
            async with engine.execution_options(writes=True).begin() as connection:
                await lock(connection)
                await connection.run_sync(upgrade)

        with translate_errors():
            await retry(attempt, PATIENCE)


async def check_schema(database: str | Path | Database, patience: float = PATIENCE) -> None:
    """Raise `WrongSchema` unless the database has the current schema."""
    where = parse_database(database)
    if isinstance(where, SqliteFile) and not where.path.exists():
        raise WrongSchema(f"there is no database: {where}")
    if isinstance(where, SqliteFile):
        check_not_truncated(where.path)
    async with _engine(where) as engine:
        found = await _found(engine, patience)
    if found is None:
        raise WrongSchema("the database is empty; `tuilerie serve` makes it ready")
    if found != REVISION:
        if not is_known(found):
            raise newer(found)
        raise WrongSchema(
            f"the database has schema {found} and this program needs {REVISION}; "
            "`tuilerie serve` brings it up to date"
        )


async def _found(engine: AsyncEngine, patience: float) -> str | None:
    async def attempt(_in_doubt: bool) -> str | None:
        async with engine.connect() as connection:
            return await connection.run_sync(revision)

    with translate_errors():
        return await retry(attempt, patience, writes=False)


def is_known(found: str) -> bool:
    """Return whether this program can migrate from a schema."""
    from tuilerie.store import alembic_runner  # noqa: PLC0415 (slow to import, rarely needed)

    return found in alembic_runner.known()


@contextlib.asynccontextmanager
async def _engine(database: Database) -> AsyncIterator[AsyncEngine]:
    engine = engine_for(database)
    try:
        yield engine
    finally:
        await engine.dispose()


async def lock(connection: AsyncConnection) -> None:
    """Hold an advisory lock until the transaction ends. SQLite is already locked by BEGIN."""
    if connection.dialect.name == "postgresql":
        await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})


def upgrade(connection: Connection, to: str = "head") -> None:
    """Run the missing migrations in the current transaction."""

    from tuilerie.store import alembic_runner  # noqa: PLC0415 (slow to import, rarely needed)

    found = revision(connection)
    if found is not None and not is_known(found):
        raise newer(found)
    if found is None and inspect(connection).has_table("tables"):
        raise WrongSchema("the database holds tables that are not Tuilerie's")
    alembic_runner.carry_out(connection, to)


def revision(connection: Connection) -> str | None:
    """Return the current revision; `None` for an empty database."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def newer(found: str) -> WrongSchema:
    """Return the error for a schema that is newer than this program."""
    return WrongSchema(
        f"the database has schema {found}, which is newer than this program "
        f"(it knows {REVISION}); use a newer Tuilerie"
    )


def _prepare_file(path: Path) -> None:
    """Create the folder and the file, or switch an older file to WAL mode."""
    with translate_errors():
        try:
            create_file(path)
            os.close(os.open(path, os.O_RDWR))
        except OSError as error:
            raise StoreError(f"{path} cannot be written: {error.strerror}") from error
        connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        try:
            _set_wal(connection)
        finally:
            connection.close()


def _set_wal(connection: sqlite3.Connection) -> None:
    """Switch the file to WAL mode, with retries: here SQLite ignores the busy timeout."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > until:
                raise
            time.sleep(0.02)
