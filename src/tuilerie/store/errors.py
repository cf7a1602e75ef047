"""Errors of the store, and the mapping of driver errors to them."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import sqlite3
from collections.abc import Iterator

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout


class StoreError(Exception):
    """An error that an operator can act on. Messages never hold secrets."""


class Unavailable(StoreError):
    """Temporary failure: disk full, locked by another program, database unreachable.

    Nothing was written. A retry may succeed.
    """


class Unknown(Unavailable):
    """The connection was lost during a write: it may have been committed or not.

    Retrying with the same command key, or reading the log, resolves the doubt.
    """


class Damaged(StoreError):
    """The file is corrupt or not a Tuilerie database; restore a backup."""


class WrongSchema(StoreError):
    """The schema is newer than this program, or not migrated yet."""


class NoSuchTable(StoreError):
    """No table has this name."""

    def __init__(self, table: str) -> None:
        super().__init__("there is no such table")
        self.table = table


class TableExists(StoreError):
    """The table exists already."""

    def __init__(self, table: str) -> None:
        super().__init__("the table exists already")
        self.table = table


class NameTaken(StoreError):
    """Another account has this name, ignoring case."""


class NoSuchAccount(StoreError):
    """The account does not exist."""


class Banned(StoreError):
    """The account is banned."""


class BadName(StoreError):
    """Not a displayable name."""


# --- errors of the drivers ------------------------------------------------------------------------

_SQLITE: dict[int, tuple[type[StoreError], str]] = {
    sqlite3.SQLITE_FULL: (Unavailable, "the disk is full"),
    sqlite3.SQLITE_BUSY: (Unavailable, "the database is locked by another program"),
    sqlite3.SQLITE_LOCKED: (Unavailable, "the database is locked by another program"),
    sqlite3.SQLITE_READONLY: (Unavailable, "the database may not be written to"),
    sqlite3.SQLITE_PERM: (Unavailable, "no permission to open the database"),
    sqlite3.SQLITE_AUTH: (Unavailable, "no permission to open the database"),
    sqlite3.SQLITE_CANTOPEN: (Unavailable, "the database cannot be opened"),
    sqlite3.SQLITE_NOMEM: (Unavailable, "there is not enough memory"),
    sqlite3.SQLITE_IOERR: (Unavailable, "disk I/O error"),
    sqlite3.SQLITE_CORRUPT: (Damaged, "the database is damaged; restore a backup"),
    sqlite3.SQLITE_NOTADB: (Damaged, "the file is not a database, or is damaged; restore a backup"),
}

_GONE = (
    OSError,
    asyncio.TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,  # the server is starting or stopping
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
    # asyncpg raises these when a connection ends during a query.
    asyncpg.InternalClientError,
    PoolTimeout,
)


def map_sqlite_error(error: BaseException) -> StoreError | None:
    """Map a SQLite error to a `StoreError`; `None` if it is a bug."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        # Errors raised by the sqlite3 module itself have no code.
        return None
    kind, text = _SQLITE.get(code & 0xFF, (None, ""))
    return kind(text) if kind else None


def is_connection_lost(error: BaseException) -> bool:
    """Return whether the connection to PostgreSQL is lost, so that a retry makes sense."""
    if isinstance(error, asyncpg.InterfaceError):
        # Only the message tells; other interface errors are bugs.
        return "closed" in str(error) or "released" in str(error)
    return isinstance(error, _GONE)


def driver_error(error: BaseException) -> BaseException:
    """Return the driver's error inside a SQLAlchemy error."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        # SQLAlchemy's asyncpg adapter keeps the original error as the cause.
        return error.orig.__cause__ or error.orig
    return error


def map_postgres_error(error: BaseException) -> StoreError | None:
    """Map a PostgreSQL error to a `StoreError`; `None` if it is a bug."""
    if is_connection_lost(error):
        return Unavailable("the database cannot be reached")
    if isinstance(error, asyncpg.InsufficientResourcesError):
        return Unavailable("the database has no room left")
    if isinstance(error, asyncpg.ReadOnlySQLTransactionError):
        return Unavailable("the database may not be written to")
    if isinstance(error, asyncpg.InvalidAuthorizationSpecificationError):
        return Unavailable("the database does not accept this user or password")
    if isinstance(error, asyncpg.InvalidCatalogNameError):
        return Unavailable("there is no such database")
    if isinstance(error, asyncpg.InsufficientPrivilegeError):
        return Unavailable("the database's user may not do this")
    if isinstance(error, (asyncpg.DataCorruptedError, asyncpg.IndexCorruptedError)):
        return Damaged("the database is damaged; restore a backup")
    return None


_ABOUT_FILES = {
    getattr(errno, name)
    for name in ("ENOSPC", "EDQUOT", "EFBIG", "EACCES", "EPERM", "EROFS", "EIO", "ENOENT", "EISDIR")
}


@contextlib.contextmanager
def translate_errors() -> Iterator[None]:
    """Translate database and file errors to `StoreError`."""
    try:
        yield
    except StoreError:
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _ABOUT_FILES:
            raise StoreError(f"a file cannot be read or written: {error.strerror}") from error
        cause = driver_error(error)
        if known := map_sqlite_error(cause) or map_postgres_error(cause):
            raise known from error
        raise
