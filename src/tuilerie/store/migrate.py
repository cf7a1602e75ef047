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

LOCK = 0x7475696C6572  # 'tuiler': the key of our lock in PostgreSQL, the same for all nodes
PATIENCE = 30.0


async def migrate(database: str | Path | Database) -> None:
    """Make the database if there is none, and carry out all steps that it lacks.

    Either all of them or none is done. Where several programs start at once, one does it and the
    others wait. Raises `WrongSchema` if the database is of a newer program.
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
    """Raises `WrongSchema` unless the database has the schema of today."""
    where = parse_database(database)
    if isinstance(where, SqliteFile) and not where.path.exists():
        raise WrongSchema(f"there is no database: {where}")
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
    """Whether this program knows how to go on from a schema."""
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
    """Only one at a time, until the transaction ends. SQLite's own lock is taken already."""
    if connection.dialect.name == "postgresql":
        await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})


def upgrade(connection: Connection, to: str = "head") -> None:
    """Carry out the steps that are lacking, inside of the transaction that is under way."""

    from tuilerie.store import alembic_runner  # noqa: PLC0415 (slow to import, rarely needed)

    found = revision(connection)
    if found is not None and not is_known(found):
        raise newer(found)
    if found is None and inspect(connection).has_table("tables"):
        raise WrongSchema("the database holds tables that are not Tuilerie's")
    alembic_runner.carry_out(connection, to)


def revision(connection: Connection) -> str | None:
    """The name of the last step that was carried out, if any was."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def newer(found: str) -> WrongSchema:
    """What is said of a database that this program is too old for."""
    return WrongSchema(
        f"the database has schema {found}, which is newer than this program "
        f"(it knows {REVISION}); use a newer Tuilerie"
    )


def _prepare_file(path: Path) -> None:
    """Make the folder and the file, both for their owner alone, and set the file to WAL."""
    with translate_errors():
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        except OSError as error:
            raise StoreError(f"{path} cannot be written: {error.strerror}") from error
        connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        try:
            _set_wal(connection)
        finally:
            connection.close()


def _set_wal(connection: sqlite3.Connection) -> None:
    """WAL is a property of the file. SQLite does not wait for others when it changes it; we do."""
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
