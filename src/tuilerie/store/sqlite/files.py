"""The database file of a data folder: who may use it, and whether it is whole."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from tuilerie.store.database import Database, SqliteFile, connect_sqlite
from tuilerie.store.errors import Damaged, StoreError, Unavailable, translate_errors

LOCK = ".lock"
"""Ending of the lock file beside the database. It stays: deleting it would be a race."""

MOST_FAULTS = 20


@contextlib.contextmanager
def exclusive(database: Database) -> Iterator[None]:
    """Hold the lock of a database file, which one server at a time may have.

    Two servers on one file would lose no move, but each would show people only its own. Servers on
    PostgreSQL notify each other over Redis. Raises `Unavailable`.
    """
    if not isinstance(database, SqliteFile):
        yield
        return
    path = database.path.with_name(database.path.name + LOCK)
    with translate_errors():
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            number = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreError(f"{database} cannot be written: {error.strerror}") from error
    try:
        _lock(number, database.path)
        yield
    finally:
        os.close(number)


def _lock(number: int, path: Path) -> None:
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        holder = os.pread(number, 20, 0).decode("ascii", "replace").strip()
        which = f" (process {holder})" if holder.isdigit() else ""
        raise Unavailable(
            f"another server{which} is using {path}: stop it first, or name another folder"
        ) from None
    os.ftruncate(number, 0)
    os.pwrite(number, f"{os.getpid()}\n".encode(), 0)


def create_file(path: Path) -> None:
    """Create an empty database in WAL mode, accessible only to the owner, unless there is a file.

    The file appears with its header. So a file of zero bytes is never a new database: it was
    truncated, and raises `Damaged`.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        part = path.with_name(f"{path.name}.{os.getpid()}.{os.urandom(4).hex()}.new")
        try:
            os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            with contextlib.closing(sqlite3.connect(part, isolation_level=None)) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
            with contextlib.suppress(FileExistsError):  # another process was first
                os.link(part, path)
        finally:
            for ending in ("", "-wal", "-shm", "-journal"):
                part.with_name(part.name + ending).unlink(missing_ok=True)
    check_not_truncated(path)


def check_not_truncated(path: Path) -> None:
    """Raise `Damaged` if a file has no content."""
    if path.exists() and path.stat().st_size == 0:
        raise Damaged(
            f"{path} is empty, so it was truncated: restore a backup, or delete it to start over"
        )


def faults(path: Path) -> list[str]:
    """Check all pages of a database file; return what is wrong, at most `MOST_FAULTS` lines.

    It takes about a second per gigabyte, and other connections may go on meanwhile.
    """
    try:
        check_not_truncated(path)
        with (
            translate_errors(),
            contextlib.closing(connect_sqlite(path, read_only=True)) as connection,
        ):
            found = connection.execute(f"PRAGMA quick_check({MOST_FAULTS})").fetchall()
    except Damaged as error:
        return [str(error)]
    return [line for (line,) in found if line != "ok"]


def free_bytes(path: Path) -> int:
    """Return the free space of the disk that holds a file or folder, or will."""
    there = next(each for each in (path, *path.absolute().parents) if each.exists())
    return shutil.disk_usage(there).free
