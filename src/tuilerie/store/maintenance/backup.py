"""Backup and restore.

A SQLite database is copied as a file, even while in use. Any database can be dumped to a portable
file (`….jsonl`, see `dump`) and restored into any other, for example to move from SQLite to
PostgreSQL.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from tuilerie.store import Store
from tuilerie.store.database import (
    Database,
    PostgresUrl,
    SqliteFile,
    connect_sqlite,
    parse_database,
)
from tuilerie.store.errors import (
    Damaged,
    StoreError,
    Unavailable,
    map_sqlite_error,
    translate_errors,
)
from tuilerie.store.maintenance.dump import SUFFIX, export, load
from tuilerie.store.migrate import is_known, newer


async def backup(
    source: Store | str | Path | Database, target: Path, *, overwrite: bool = False
) -> None:
    """Write a consistent snapshot of a database to a file, even while it is in use.

    A target that ends in `.jsonl` is a portable dump, the only kind for PostgreSQL. The file
    appears once it is complete, readable only by its owner: it holds secrets.
    """
    database = source.database if isinstance(source, Store) else parse_database(source)
    if target.exists() and not overwrite:
        raise StoreError(f"{target} exists already")
    if isinstance(database, SqliteFile) and not database.path.exists():
        raise StoreError(f"there is no database: {database}")
    if target.suffix == SUFFIX:
        with translate_errors(), _whole(target) as part:
            await export(database, part)
    elif isinstance(database, PostgresUrl):
        raise StoreError(f"a backup of PostgreSQL ends in {SUFFIX}: {target}")
    else:
        await asyncio.to_thread(_copy, database.path, target)


async def restore(
    source: Path, database: str | Path | Database, *, overwrite: bool = False
) -> None:
    """Replace a database by a backup. No server may be running on it.

    Existing data is overwritten only with `overwrite`. Restoring is atomic. Raises `Damaged` if the
    backup is incomplete, `WrongSchema` if it is of a newer program; an older one is migrated at the
    next start.
    """
    where = parse_database(database)
    if not source.is_file():
        raise StoreError(f"there is no backup: {source}")
    portable = source.suffix == SUFFIX
    if isinstance(where, PostgresUrl):
        if not portable:
            raise StoreError(f"only a backup that ends in {SUFFIX} can be restored to PostgreSQL")
        await load(source, where, overwrite=overwrite)
        return
    if where.path.exists() and not overwrite:
        raise StoreError(f"{where} exists already")
    where.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not portable:
        await asyncio.to_thread(_check_backup, source)
    await asyncio.to_thread(_check_unused, where.path)
    if portable:
        with translate_errors(), _whole(where.path) as part:
            await load(source, SqliteFile(part), overwrite=False)
    else:
        await asyncio.to_thread(_copy, source, where.path)


@contextlib.contextmanager
def _whole(target: Path) -> Iterator[Path]:
    """Yield a temporary file that replaces the target on success."""
    part = target.with_name(target.name + ".part")
    _remove(part)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    try:
        yield part
        _sync(part)
        os.replace(part, target)
        _sync(target.parent)
    finally:
        _remove(part)


def _remove(path: Path) -> None:
    for each in _files(path):
        each.unlink(missing_ok=True)


def _files(path: Path) -> list[Path]:
    """Return the database file and SQLite's WAL and shared-memory files."""
    return [path, *(path.with_name(path.name + ending) for ending in ("-wal", "-shm", "-journal"))]


def _sync(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _copy(source: Path, target: Path) -> None:
    """Copy a consistent snapshot of a database without blocking writers."""
    with translate_errors(), _whole(target) as part, contextlib.ExitStack() as stack:
        old = stack.enter_context(contextlib.closing(connect_sqlite(source, read_only=True)))
        new = stack.enter_context(contextlib.closing(sqlite3.connect(part, isolation_level=None)))
        # In one step: otherwise every concurrent write would restart the copy.
        old.backup(new)
        new.execute("PRAGMA journal_mode = DELETE")  # a single file, without a WAL
        _check_whole(new)


def _check_whole(connection: sqlite3.Connection) -> None:
    (answer,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if answer != "ok":
        raise Damaged(f"the database is damaged: {answer}")


def _check_backup(path: Path) -> None:
    with translate_errors(), contextlib.closing(connect_sqlite(path, read_only=True)) as connection:
        _check_whole(connection)
        try:
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        except sqlite3.OperationalError:
            row = None
    if row is None:
        raise Damaged(f"{path} is not a Tuilerie backup")
    if not is_known(row[0]):
        raise newer(row[0])


def _check_unused(path: Path) -> None:
    """Refuse a database that another program has open, and remove SQLite's side files."""
    if not path.exists():
        return
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as alone:
            alone.execute("PRAGMA locking_mode = EXCLUSIVE")
            alone.execute("BEGIN IMMEDIATE")
            alone.execute("COMMIT")
            alone.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as error:
        known = map_sqlite_error(error)
        if isinstance(known, Damaged):
            pass  # a damaged database cannot be in use, and may be replaced
        elif known is not None:
            raise Unavailable(f"{path} is in use: stop the server first") from error
        else:
            raise
    for each in _files(path)[1:]:
        each.unlink(missing_ok=True)
