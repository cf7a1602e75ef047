"""What databases complain of, told as errors of the store, without any secret in the text."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Awaitable, Callable
from typing import TypeVar

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from tuilerie.store.log import Damaged, StoreError, Unavailable, Unknown

T = TypeVar("T")

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


def sqlite_trouble(error: BaseException) -> StoreError | None:
    """What an error of SQLite means for a host; `None` if it is a mistake of the program."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        # Python does not number every error that it makes itself.
        return None
    kind, text = _SQLITE.get(code & 0xFF, (None, ""))
    return kind(text) if kind else None


def is_gone(error: BaseException) -> bool:
    """Whether the way to PostgreSQL is lost, so that it is worth while to try again."""
    if isinstance(error, asyncpg.InterfaceError):
        # The driver says so in words alone; its other complaints are mistakes of the program.
        return "closed" in str(error) or "released" in str(error)
    return isinstance(error, _GONE)


def original(error: BaseException) -> BaseException:
    """The driver's own error inside one of SQLAlchemy's."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        # SQLAlchemy's face of asyncpg keeps the true error as the cause of its own.
        return error.orig.__cause__ or error.orig
    return error


def postgres_trouble(error: BaseException) -> StoreError | None:
    """What an error of PostgreSQL means for a host; `None` if it is a mistake of the program."""
    if is_gone(error):
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


class Patience:
    """How long to wait for a database that is not there, and how to wait."""

    def __init__(self, seconds: float) -> None:
        self._until = asyncio.get_running_loop().time() + seconds
        self._pause = 0.02

    async def wait(self) -> bool:
        """Wait a little, longer each time; False when patience is at its end."""
        left = self._until - asyncio.get_running_loop().time()
        if left <= 0:
            return False
        # Chance, so that many who lost the database at once do not all come back at once.
        await asyncio.sleep(min(left, self._pause * random.uniform(0.5, 1.5)))
        self._pause = min(1.0, self._pause * 2)
        return True


async def persist(
    attempt: Callable[[bool], Awaitable[T]], seconds: float, *, writes: bool = True
) -> T:
    """Do something with PostgreSQL, again and again while the way to it is lost.

    `attempt` is told whether it may have been done before: what it does must be right then, too.
    What only reads leaves no doubt behind.
    """
    patience = Patience(seconds)
    in_doubt = False
    while True:
        try:
            return await attempt(in_doubt)
        except StoreError:
            raise
        except Exception as error:
            cause = original(error)
            told = postgres_trouble(cause)
            if told is None:
                raise
            if not is_gone(cause):
                raise told from error
            in_doubt = in_doubt or not isinstance(cause, ConnectionRefusedError)
            if not await patience.wait():
                raise unreachable(writes and in_doubt) from error


def unreachable(in_doubt: bool) -> Unavailable:
    """What is said when patience has come to its end."""
    if in_doubt:
        return Unknown("the database cannot be reached, and what was asked may be done or not")
    return Unavailable("the database cannot be reached")
