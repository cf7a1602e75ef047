"""Portable dump of a whole database as JSON lines, for any database of ours to load.

The first line tells the format and the schema; then comes a line `["table", {"column": value}]` for
each row; the last line tells how many there were, so that a file that was cut off is known. Bytes
stand as text where they are text, else as `{"base64": …}`.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from sqlalchemy import Connection, LargeBinary, MetaData, Table, func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from tuilerie.games.game import Json
from tuilerie.store.database import Database, PostgresUrl, engine_for
from tuilerie.store.errors import Damaged, StoreError, translate_errors
from tuilerie.store.migrate import is_known, lock, newer, revision, upgrade

SUFFIX = ".jsonl"
FORMAT = "tuilerie-backup"
VERSION = 1
ROWS = 500
"""How many rows are read or written at once."""

LEFT_OUT = {"alembic_version", "snapshots"}  # the latter in databases of older programs


async def export(database: Database, target: Path) -> None:
    """Write all that is in a database at one moment."""
    engine = engine_for(database)
    try:
        with translate_errors(), target.open("w", encoding="utf-8", newline="\n") as file:
            async with engine.connect() as connection:
                if isinstance(database, PostgresUrl):
                    # All that is read is as it was when the first thing was read.
                    await connection.execution_options(isolation_level="REPEATABLE READ")
                await _export(connection, file)
    finally:
        await engine.dispose()


async def _export(connection: AsyncConnection, file: TextIO) -> None:
    schema = await connection.run_sync(revision)
    if schema is None:
        raise StoreError("the database is empty")
    file.write(_line({"format": FORMAT, "version": VERSION, "schema": schema}))
    counts: dict[str, int] = {}
    for table in await connection.run_sync(_tables):
        counts[table.name] = 0
        rows = await connection.stream(select(table).order_by(*table.primary_key))
        async for page in rows.mappings().partitions(ROWS):
            lines = [_line([table.name, {name: _write(row[name]) for name in row}]) for row in page]
            await asyncio.to_thread(file.writelines, lines)
            counts[table.name] += len(lines)
    file.write(_line({"end": counts}))


async def load(source: Path, database: Database, *, overwrite: bool) -> None:
    """Fill a database with what was exported, and bring it up to date; all or nothing.

    A database that holds something already is only emptied if `overwrite` says so.
    """
    engine = engine_for(database)
    try:
        with translate_errors(), source.open(encoding="utf-8") as file:
            lines = _lines(file)
            schema = _read_header(next(lines, None))
            async with engine.execution_options(writes=True).begin() as connection:
                await lock(connection)
                await connection.run_sync(_make_room, overwrite)
                await connection.run_sync(upgrade, schema)
                await _load(connection, lines)
                await connection.run_sync(upgrade, "head")
    finally:
        await engine.dispose()


async def _load(connection: AsyncConnection, lines: Iterator[Json]) -> None:
    tables = {table.name: table for table in await connection.run_sync(_tables)}
    counts: Counter[str] = Counter(dict.fromkeys(tables, 0))
    page: list[dict[str, Any]] = []
    name = ""
    for line in lines:
        if isinstance(line, dict):
            await _insert(connection, tables.get(name), page)
            if line.get("end") != dict(counts):
                raise Damaged(f"the backup does not hold what it tells at its end: {dict(counts)}")
            break
        if line[0] != name or len(page) == ROWS:
            await _insert(connection, tables.get(name), page)
            name, page = line[0], []
        page.append(_read_row(tables[name], line[1]))
        counts[name] += 1
    else:
        raise Damaged("the backup is cut off")
    if connection.dialect.name == "postgresql":
        await connection.execute(text(_COUNT_ON))


_COUNT_ON = """SELECT setval(pg_get_serial_sequence('tables', 'id'), max(id)) FROM tables"""
"""The next new table gets a number that no table has."""


async def _insert(
    connection: AsyncConnection, table: Table | None, rows: list[dict[str, Any]]
) -> None:
    if table is not None and rows:
        await connection.execute(insert(table), rows)


def _tables(connection: Connection) -> list[Table]:
    """The tables of this database, whatever its schema; those that others name come first."""
    metadata = MetaData()
    metadata.reflect(connection)
    return [table for table in metadata.sorted_tables if table.name not in LEFT_OUT]


def _make_room(connection: Connection, overwrite: bool) -> None:
    """Drop tables of ours, if they are empty or may be overwritten."""
    metadata = MetaData()
    metadata.reflect(connection)
    if not metadata.tables:
        return
    if revision(connection) is None:
        raise StoreError("the database holds tables that are not Tuilerie's")
    for table in _tables(connection):
        if not overwrite and connection.scalar(select(func.count()).select_from(table)):
            raise StoreError("the database is not empty")
    metadata.drop_all(connection)


def _read_header(line: Json) -> str:
    if not isinstance(line, dict) or line.get("format") != FORMAT:
        raise Damaged("this is no backup of Tuilerie")
    if line.get("version") != VERSION:
        raise newer(f"{line.get('schema')}, format {line.get('version')}")
    if not is_known(str(line.get("schema"))):
        raise newer(str(line.get("schema")))
    return str(line["schema"])


def _lines(file: TextIO) -> Iterator[Json]:
    for number, line in enumerate(file, 1):
        try:
            yield json.loads(line)
        except ValueError:
            raise Damaged(f"the backup is damaged or cut off in line {number}") from None


def _line(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def _write(value: Any) -> Json:
    if not isinstance(value, bytes):
        return value
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(value).decode("ascii")}


def _read_row(table: Table, row: dict[str, Json]) -> dict[str, Any]:
    return {name: _read(table, name, value) for name, value in row.items()}


def _read(table: Table, name: str, value: Json) -> Any:
    if isinstance(value, dict):
        return base64.b64decode(value["base64"])
    if isinstance(value, str) and isinstance(table.c[name].type, LargeBinary):
        return value.encode("utf-8")
    return value
