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
"""File name of the database in a data folder."""

BUSY_SECONDS = 15
"""SQLite busy timeout, in seconds."""

CONNECT_SECONDS = 10
POSTGRES_SETTINGS = {
    "application_name": "tuilerie",
    # Override the server's default: a commit must be durable.
    "synchronous_commit": "on",
}


@dataclass(frozen=True, slots=True)
class SqliteFile:
    """A SQLite database file."""

    path: Path

    def __str__(self) -> str:
        return str(self.path)


@dataclass(frozen=True, slots=True)
class PostgresUrl:
    """A PostgreSQL URL. It may hold a password, so it is never printed."""

    url: str

    def __str__(self) -> str:
        parts = urlsplit(self.url)
        return f"postgresql://{parts.hostname or ''}{parts.path}"

    def __repr__(self) -> str:
        return f"Server({str(self)!r})"


Database = SqliteFile | PostgresUrl


def parse_database(database: str | Path | Database) -> Database:
    """Parse an address: a data folder, a database file, `sqlite:///…` or `postgresql://…`."""
    if isinstance(database, (SqliteFile, PostgresUrl)):
        return database
    if isinstance(database, str) and "://" in database:
        scheme, _, rest = database.partition("://")
        if scheme in ("postgresql", "postgres"):
            return PostgresUrl("postgresql://" + rest)
        if scheme != "sqlite":
            raise StoreError(f"sqlite:// or postgresql:// was expected, not {scheme}://")
        # sqlite:///a/b is relative and sqlite:////a/b absolute, as in SQLAlchemy.
        database = unquote(rest.removeprefix("/"))
    path = Path(database).expanduser()
    return SqliteFile(path if path.suffix in (".db", ".sqlite", ".sqlite3") else path / FILE_NAME)


def engine_for(database: Database) -> AsyncEngine:
    """Return a SQLAlchemy engine, which connects on first use."""
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
    """Open a connection to PostgreSQL with durable commits."""
    return await asyncpg.connect(
        database.url,
        timeout=CONNECT_SECONDS,
        command_timeout=CONNECT_SECONDS * 3,
        server_settings=POSTGRES_SETTINGS,
    )


def connect_sqlite(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """Open a connection for one thread, without implicit transactions."""
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
"""WAL size in pages (64 MB) from which commits checkpoint, too, not only the checkpoint thread (see
`sqlite.checkpoint`): a WAL restarts only when a checkpoint completes without concurrent writes."""

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
    """Take the write lock at BEGIN if the transaction will write.

    Upgrading a read lock later can fail at once, whatever the busy timeout.
    """
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
