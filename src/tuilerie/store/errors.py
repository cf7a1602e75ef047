"""Errors of the store, and the mapping of driver errors to them. No text holds a secret."""

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
    """Something about the store that a host can read and act upon. No text holds a secret."""


class Unavailable(StoreError):
    """It cannot be done now: disk full, locked by another program, database not reachable.

    Nothing of it was written. It may well be tried again later.
    """


class Unknown(Unavailable):
    """The connection broke and did not come back in time: it may have been written, or not.

    Asking again with the same command key, or reading the log, tells.
    """


class Damaged(StoreError):
    """The file is not a database of ours, or is broken. A backup helps."""


class WrongSchema(StoreError):
    """The database was made by a newer program, or was not brought up to date yet."""


class NoSuchTable(StoreError):
    """No table has this name."""

    def __init__(self, table: str) -> None:
        super().__init__("there is no such table")
        self.table = table


class TableExists(StoreError):
    """A table with this name was created before."""

    def __init__(self, table: str) -> None:
        super().__init__("there is such a table already")
        self.table = table


class NameTaken(StoreError):
    """Another account has this name, perhaps written with other capitals."""


class NoSuchAccount(StoreError):
    """The account is not there (any more)."""


class BadName(StoreError):
    """Nothing that can be shown as a name."""


# --- errors of the drivers ------------------------------------------------------------------------

_SQLITE: dict[int, tuple[type[StoreError], str]] = {
    sqlite3.SQLITE_FULL: (Unavailable, "the disk is full"),
    sqlite3.SQLITE_BUSY: (Unavailable, "the database is locked by another program"),
    sqlite3.SQLITE_LOCKED: (Unavailable, "the database is locked by another program"),
    sqlite3.SQLITE_READONLY: (Unavailable, "the database may not be written to"),
    sqlite3.SQLITE_PERM: (Unavailable, "the database may not be opened: no permission"),
    sqlite3.SQLITE_AUTH: (Unavailable, "the database may not be opened: no permission"),
    sqlite3.SQLITE_CANTOPEN: (Unavailable, "the database cannot be opened"),
    sqlite3.SQLITE_NOMEM: (Unavailable, "there is not enough memory"),
    sqlite3.SQLITE_IOERR: (Unavailable, "the disk does not read or write as it should"),
    sqlite3.SQLITE_CORRUPT: (Damaged, "the database is damaged; restore a backup"),
    sqlite3.SQLITE_NOTADB: (Damaged, "the file is no database, or is damaged; restore a backup"),
}

_GONE = (
    OSError,
    asyncio.TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,  # it is starting or stopping
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
    # The driver is confused by a connection that ends in the middle of a question.
    asyncpg.InternalClientError,
    PoolTimeout,
)


def map_sqlite_error(error: BaseException) -> StoreError | None:
    """What an error of SQLite means for a host; `None` if it is a mistake of the program."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        # Python does not number every error that it makes itself.
        return None
    kind, text = _SQLITE.get(code & 0xFF, (None, ""))
    return kind(text) if kind else None


def is_connection_lost(error: BaseException) -> bool:
    """Whether the way to PostgreSQL is lost, so that it is worth while to try again."""
    if isinstance(error, asyncpg.InterfaceError):
        # The driver says so in words alone; its other complaints are mistakes of the program.
        return "closed" in str(error) or "released" in str(error)
    return isinstance(error, _GONE)


def driver_error(error: BaseException) -> BaseException:
    """The driver's own error inside one of SQLAlchemy's."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        # SQLAlchemy's face of asyncpg keeps the true error as the cause of its own.
        return error.orig.__cause__ or error.orig
    return error


def map_postgres_error(error: BaseException) -> StoreError | None:
    """What an error of PostgreSQL means for a host; `None` if it is a mistake of the program."""
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
    """Errors of databases and files as those of the store."""
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
