"""Portable dump of a whole database as JSON lines.

The first line holds the format and the schema; then each row is a line `["table", {"column":
value}]`; the last line holds the row counts and the SHA-256 of all lines before it, so that a
truncated or damaged file is detected. Bytes are text if they are valid UTF-8, else `{"base64": …}`.
Version 1 had no checksum.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
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
VERSION = 2
ROWS = 500
"""Rows per batch."""

LEFT_OUT = {"alembic_version", "snapshots"}  # snapshots: only in old databases


async def export(database: Database, target: Path) -> None:
    """Write a consistent snapshot of a database."""
    engine = engine_for(database)
    try:
        with translate_errors(), target.open("w", encoding="utf-8", newline="\n") as file:
            async with engine.connect() as connection:
                if isinstance(database, PostgresUrl):
                    # One snapshot for all reads.
                    await connection.execution_options(isolation_level="REPEATABLE READ")
                await _export(connection, file)
    finally:
        await engine.dispose()


async def _export(connection: AsyncConnection, file: TextIO) -> None:
    schema = await connection.run_sync(revision)
    if schema is None:
        raise StoreError("the database is empty")
    digest = hashlib.sha256()
    _write_lines(file, [_line({"format": FORMAT, "version": VERSION, "schema": schema})], digest)
    counts: dict[str, int] = {}
    for table in await connection.run_sync(_tables):
        counts[table.name] = 0
        rows = await connection.stream(select(table).order_by(*table.primary_key))
        async for page in rows.mappings().partitions(ROWS):
            lines = [_line([table.name, {name: _write(row[name]) for name in row}]) for row in page]
            await asyncio.to_thread(_write_lines, file, lines, digest)
            counts[table.name] += len(lines)
    file.write(_line({"end": counts, "sha256": digest.hexdigest()}))


def _write_lines(file: TextIO, lines: Sequence[str], digest: Any) -> None:
    text = "".join(lines)
    digest.update(text.encode())
    file.write(text)


async def load(source: Path, database: Database, *, overwrite: bool) -> None:
    """Load a dump into a database and migrate it, in one transaction.

    A database with data is emptied only with `overwrite`.
    """
    engine = engine_for(database)
    try:
        with translate_errors(), source.open(encoding="utf-8", newline="\n") as file:
            lines = _lines(file)
            version, schema = _read_header(next(lines, None))
            if version > 1:
                await asyncio.to_thread(_check_digest, source)
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
                raise Damaged(f"the backup's row counts do not match: {dict(counts)}")
            break
        if line[0] != name or len(page) == ROWS:
            await _insert(connection, tables.get(name), page)
            name, page = line[0], []
        page.append(_read_row(tables[name], line[1]))
        counts[name] += 1
    else:
        raise Damaged("the backup is cut off")
    if connection.dialect.name == "postgresql":
        for name in tables.keys() & {"tables", "audit"}:
            await connection.execute(text(_COUNT_ON.format(name)))


_COUNT_ON = "SELECT setval(pg_get_serial_sequence('{0}', 'id'), max(id)) FROM {0}"
"""Move the id sequence beyond the loaded ids."""


async def _insert(
    connection: AsyncConnection, table: Table | None, rows: list[dict[str, Any]]
) -> None:
    if table is not None and rows:
        await connection.execute(insert(table), rows)


def _tables(connection: Connection) -> list[Table]:
    """Reflect the tables of this database, in foreign-key order."""
    metadata = MetaData()
    metadata.reflect(connection)
    return [table for table in metadata.sorted_tables if table.name not in LEFT_OUT]


def _make_room(connection: Connection, overwrite: bool) -> None:
    """Drop Tuilerie's tables if they are empty or may be overwritten."""
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


def _read_header(line: Json) -> tuple[int, str]:
    if not isinstance(line, dict) or line.get("format") != FORMAT:
        raise Damaged("this is not a Tuilerie backup")
    if line.get("version") not in range(1, VERSION + 1):
        raise newer(f"{line.get('schema')}, format {line.get('version')}")
    if not is_known(str(line.get("schema"))):
        raise newer(str(line.get("schema")))
    return line["version"], str(line["schema"])


def _lines(file: TextIO) -> Iterator[Json]:
    try:
        for number, line in enumerate(file, 1):
            try:
                yield json.loads(line)
            except ValueError:
                raise Damaged(f"the backup is damaged or cut off in line {number}") from None
    except UnicodeDecodeError:
        raise Damaged("the backup is damaged: invalid UTF-8") from None


def _check_digest(source: Path) -> None:
    """Compare the checksum of a whole file with all before its last line."""
    digest, last = hashlib.sha256(), b""
    with source.open("rb") as file:
        for line in file:
            digest.update(last)
            last = line
    try:
        end = json.loads(last)
    except ValueError:
        return  # reported as cut off when it is read
    if isinstance(end, dict) and end.get("sha256") != digest.hexdigest():
        raise Damaged("the backup is damaged: its checksum does not match")


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
