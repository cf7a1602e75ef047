"""Database addresses (a SQLite file or a PostgreSQL URL), and connections to them."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import URL, Connection, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from tuilerie.store.errors import StoreError

FILE_NAME = "tuilerie.db"
"""The name of the database in a folder for data."""

BUSY_SECONDS = 15
"""How long to wait for another program that writes to the same file."""

CONNECT_SECONDS = 10
POSTGRES_SETTINGS = {
    "application_name": "tuilerie",
    # Whatever the server's own habit is: an answer means that it is on disk.
    "synchronous_commit": "on",
}


@dataclass(frozen=True, slots=True)
class SqliteFile:
    """A database of SQLite."""

    path: Path

    def __str__(self) -> str:
        return str(self.path)


@dataclass(frozen=True, slots=True)
class PostgresUrl:
    """A database of PostgreSQL. The address may hold a password: it is never shown."""

    url: str

    def __str__(self) -> str:
        parts = urlsplit(self.url)
        return f"postgresql://{parts.hostname or ''}{parts.path}"

    def __repr__(self) -> str:
        return f"Server({str(self)!r})"


Database = SqliteFile | PostgresUrl


def parse_database(database: str | Path | Database) -> Database:
    """The place that is meant: a folder for data, a file in it, `sqlite:///…`, `postgresql://…`."""
    if isinstance(database, (SqliteFile, PostgresUrl)):
        return database
    if isinstance(database, str) and "://" in database:
        scheme, _, rest = database.partition("://")
        if scheme in ("postgresql", "postgres"):
            return PostgresUrl("postgresql://" + rest)
        if scheme != "sqlite":
            raise StoreError(f"sqlite:// or postgresql:// was expected, not {scheme}://")
        # sqlite:///a/b is relative and sqlite:////a/b absolute, as everywhere.
        database = unquote(rest.removeprefix("/"))
    path = Path(database).expanduser()
    return SqliteFile(path if path.suffix in (".db", ".sqlite", ".sqlite3") else path / FILE_NAME)


def engine_for(database: Database) -> AsyncEngine:
    """SQLAlchemy's engine for a place. It connects when it is first used."""
    if isinstance(database, PostgresUrl):
        return create_async_engine(
            "postgresql+asyncpg://",
            async_creator=lambda: connect_postgres(database),
            pool_size=4,
            max_overflow=4,
            pool_pre_ping=True,
        )
    engine = create_async_engine(
        URL.create("sqlite+aiosqlite", database=str(database.path)),
        connect_args={"timeout": BUSY_SECONDS, "isolation_level": None},
        pool_size=2,
        max_overflow=2,
    )
    event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    event.listen(engine.sync_engine, "begin", _begin_sqlite)
    return engine


async def connect_postgres(database: PostgresUrl) -> Any:
    """A new connection to PostgreSQL, whose every commit is on disk."""
    return await asyncpg.connect(
        database.url,
        timeout=CONNECT_SECONDS,
        command_timeout=CONNECT_SECONDS * 3,
        server_settings=POSTGRES_SETTINGS,
    )


def connect_sqlite(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """A connection to a file for one thread, with nothing begun by itself."""
    mode = "ro" if read_only else "rw"
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        for pragma in SQLITE_PRAGMAS:
            connection.execute(pragma)
    except BaseException:
        connection.close()
        raise
    return connection


LOG_PAGES = 16_384
"""From this length of the WAL on (64 MB) whoever commits helps to empty it (see
`sqlite.checkpoint`). There is little left to do then, but only where nobody writes meanwhile does
it become empty, and begin anew."""

SQLITE_PRAGMAS = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA synchronous = FULL",
    f"PRAGMA wal_autocheckpoint = {LOG_PAGES}",
)


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in SQLITE_PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """Begin by taking the lock where something will be written.

    Taking it later could fail at once, however long we are ready to wait.
    """
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
