"""Backup and restore: consistent snapshots, portability, damage and refusals."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import MetaData, Table, insert, select

from tuilerie.store import Store, open_store, schema
from tuilerie.store.database import FILE_NAME, engine_for, parse_database
from tuilerie.store.errors import Damaged, StoreError, Unavailable, WrongSchema
from tuilerie.store.log import Appended, Status, TableMeta
from tuilerie.store.maintenance.backup import backup, restore
from tuilerie.store.maintenance.dump import SUFFIX


async def fill(store: Store) -> None:
    """Fill every table, including non-UTF-8 bytes."""
    for number in range(3):
        meta = TableMeta("genial", 2, {"é": number}, public=number == 1)
        facts = [f'{{"é":{each}}}'.encode() for each in range(number * 400)]
        await store.log.create(f"t{number}", facts, meta)
    await store.log.append("t1", 400, [bytes(range(256)), b""], "kéy")
    await store.log.set_summary("t2", Status.OVER, {"seats": ["Zoë"]})
    ana = await store.accounts.create("Ana É", "password")
    await store.accounts.open_session(ana.id)
    token = await store.seats.issue_token("t1", "pa", "Ana", ana.id)
    await store.seats.issue_recovery(token)
    await store.seats.issue_token("t2", "guest")
    for table, values in OTHERS.items():
        await store.sql.execute(insert(table).values(values))


OTHERS: dict[Table, dict[str, Any]] = {
    schema.heartbeat: {"id": 1, "at": 5},
    schema.outages: {"started": 1, "ended": 2},
    schema.bans: {"kind": "network", "subject": "10.0.0.0/8", "reason": "é", "created": 3},
    schema.audit: {"at": 1, "actor": "me", "action": "ban", "subject": "x", "detail": ""},
}


async def content(database: str | Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return the whole content of a database by table."""
    engine = engine_for(parse_database(database))
    found = MetaData()
    async with engine.connect() as connection:
        await connection.run_sync(found.reflect)
        rows = {
            table.name: [
                tuple(row)
                for row in await connection.execute(select(table).order_by(*table.primary_key))
            ]
            for table in found.sorted_tables
        }
    await engine.dispose()
    return rows


@pytest.mark.slow
async def test_portable_backup_restores_into_any_database(
    store: Store, database: str | Path, empty: str | Path, tmp_path: Path
) -> None:
    await fill(store)
    file = tmp_path / f"backup{SUFFIX}"
    await backup(store, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    await restore(file, empty)
    before = await content(database)
    assert before == await content(empty)
    assert min(len(rows) for rows in before.values()) > 0, "every table has rows"
    async with await open_store(empty) as restored:
        assert await restored.log.append("t1", 0, [b"x"], "kéy") == Appended(
            401, 402, repeated=True
        )
        await restored.log.create("new", [b"1"], TableMeta("genial", 2))
        assert await restored.log.read("new") == [(1, b"1")]
        assert await restored.accounts.check_password("ana é", "password") is not None


async def test_sqlite_file_is_copied(tmp_path: Path) -> None:
    async with await open_store(tmp_path / "data") as store:
        await fill(store)
        await backup(store, tmp_path / "copy.db")
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600
    await restore(tmp_path / "copy.db", tmp_path / "other")
    assert await content(tmp_path / "data") == await content(tmp_path / "other")
    async with await open_store(tmp_path / "other") as restored:
        assert await restored.log.append("t0", 0, [b"x"]) == Appended(1, 1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.db", "data", "other"]


@pytest.mark.parametrize("name", ["copy.db", f"copy{SUFFIX}"])
async def test_backup_under_load_is_a_consistent_snapshot(
    store: Store, database: str | Path, tmp_path: Path, name: str
) -> None:
    if name == "copy.db" and isinstance(database, str):
        pytest.skip("PostgreSQL has portable backups only")
    tables = [f"t{number}" for number in range(8)]
    for table in tables:
        await store.log.create(table, [b"x" * 500] * 100, TableMeta("genial", 1))
    stop = asyncio.Event()
    before = await store.log.heads(tables)

    async def append_all() -> None:
        """Append to all tables in order: the first is never more than one ahead of the last."""
        head = 100
        while not stop.is_set():
            for table in tables:
                assert isinstance(await store.log.append(table, head, [b"y" * 500]), Appended)
            head += 1

    pouring = asyncio.create_task(append_all())
    while await store.log.heads(tables[-1:]) == {tables[-1]: 100}:
        await asyncio.sleep(0.01)
    await backup(store, tmp_path / name)
    stop.set()
    await pouring
    await restore(tmp_path / name, tmp_path / "other")
    async with await open_store(tmp_path / "other") as restored:
        heads = await restored.log.heads(tables)
        numbers = [heads[table] for table in tables]
        assert numbers == sorted(numbers, reverse=True)
        assert numbers[0] - numbers[-1] <= 1, "the backup is a consistent snapshot"
        assert numbers[0] > before["t0"], "moves were made before the backup"
        for table in tables:
            facts = await restored.log.read(table)
            assert [number for number, _ in facts] == list(range(1, heads[table] + 1))


@pytest.mark.slow
async def test_restore_overwrites_only_on_request(
    store: Store, database: str | Path, tmp_path: Path
) -> None:
    await fill(store)
    file = tmp_path / f"backup{SUFFIX}"
    await backup(store, file)
    with pytest.raises(StoreError, match="exists already"):
        await backup(store, file)
    await store.log.append("t0", 0, [b"later"])
    before = await content(database)
    with pytest.raises(StoreError, match=r"exists already|not empty"):
        await restore(file, database)
    assert await content(database) == before
    await store.close()
    await restore(file, database, overwrite=True)
    async with await open_store(database) as restored:
        assert await restored.log.heads(["t0"]) == {"t0": 0}
        await backup(restored, file, overwrite=True)


async def test_restore_refuses_a_database_in_use(tmp_path: Path) -> None:
    async with await open_store(tmp_path / "data") as store:
        await fill(store)
        await backup(store, tmp_path / "copy.db")
        await store.log.append("t0", 0, [b"later"])
        with pytest.raises(Unavailable, match="in use: stop the server"):
            await restore(tmp_path / "copy.db", tmp_path / "data", overwrite=True)
        assert await store.log.read("t0") == [(1, b"later")]
    await restore(tmp_path / "copy.db", tmp_path / "data", overwrite=True)
    async with await open_store(tmp_path / "data") as store:
        assert await store.log.read("t0") == []


async def test_restore_overwrites_a_damaged_database(tmp_path: Path) -> None:
    async with await open_store(tmp_path / "data") as store:
        await fill(store)
        await backup(store, tmp_path / "copy.db")
    (tmp_path / "data" / FILE_NAME).write_bytes(b"no database" * 1000)
    await restore(tmp_path / "copy.db", tmp_path / "data", overwrite=True)
    async with await open_store(tmp_path / "data") as store:
        assert len(await store.log.tables()) == 3


@pytest.fixture
async def lines(tmp_path: Path) -> list[str]:
    """The lines of a valid backup."""
    async with await open_store(tmp_path / "good") as store:
        await fill(store)
        await backup(store, tmp_path / "good.jsonl")
    return (tmp_path / "good.jsonl").read_text("utf-8").splitlines(keepends=True)


def changed(line: str, **fields: Any) -> str:
    return json.dumps(json.loads(line) | fields) + "\n"


BROKEN: list[tuple[Callable[[list[str]], list[str]], StoreError]] = [
    (lambda lines: lines[:-1], Damaged("cut off")),
    (lambda lines: [*lines[:-1], lines[-1][:5]], Damaged("line")),
    (lambda lines: lines[:5] + lines[6:], Damaged("checksum does not match")),
    (lambda lines: [line.replace("Zoë", "Zoe") for line in lines], Damaged("checksum")),
    (lambda lines: [*lines[:-1], changed(lines[-1], sha256=None)], Damaged("checksum")),
    (lambda lines: [], Damaged("not a Tuilerie backup")),
    (lambda lines: lines[1:], Damaged("not a Tuilerie backup")),
    (lambda lines: ["hello\n"], Damaged("line 1")),
    (lambda lines: [changed(lines[0], schema="9999"), *lines[1:]], WrongSchema("9999")),
    (lambda lines: [changed(lines[0], version=3), *lines[1:]], WrongSchema("format 3")),
]


@pytest.mark.slow
async def test_incomplete_backup_changes_nothing(
    lines: list[str], empty: str | Path, tmp_path: Path
) -> None:
    async with await open_store(empty) as store:
        await store.log.create("mine", [b"1"], TableMeta("genial", 1))
    for change, error in BROKEN:
        (tmp_path / "bad.jsonl").write_text("".join(change(lines)), "utf-8")
        with pytest.raises(type(error), match=str(error)):
            await restore(tmp_path / "bad.jsonl", empty, overwrite=True)
        async with await open_store(empty) as store:
            assert await store.log.read("mine") == [(1, b"1")], error


async def test_backup_of_an_older_version_is_migrated(
    lines: list[str], empty: str | Path, tmp_path: Path
) -> None:
    (tmp_path / "old.jsonl").write_text("".join(as_of_version_1(lines)), "utf-8")
    await restore(tmp_path / "old.jsonl", empty)
    async with await open_store(empty, migrate=False) as restored:
        await restored.log.read("t1")
        answer = await restored.log.append("t1", 402, [b"x"], "kéy")
        assert answer == Appended(401, 402, repeated=True)


def as_of_version_1(lines: list[str]) -> Iterator[str]:
    """The same backup as the first version of the program wrote it: without what came later."""
    new = {table.name for table in OTHERS}
    yield changed(lines[0], schema="0001", version=1)
    for line in lines[1:-1]:
        table, row = json.loads(line)
        row = {name: value for name, value in row.items() if name not in ("summary", "wake")}
        if table not in new:
            yield json.dumps([table, row]) + "\n"
    counts = json.loads(lines[-1])["end"]
    kept = {name: count for name, count in counts.items() if name not in new}
    yield json.dumps({"end": {**kept, "ratings": 0}}) + "\n"  # a table that was always empty


@pytest.mark.parametrize("damage", ["text", "empty", "foreign", "newer", "page"])
async def test_damaged_copy_changes_nothing(tmp_path: Path, damage: str) -> None:
    copy = tmp_path / "copy.db"
    async with await open_store(tmp_path / "data") as store:
        await fill(store)
        await backup(store, copy)
    if damage in ("text", "empty"):
        copy.write_bytes(b"no database" * 1000 if damage == "text" else b"")
    elif damage == "page":
        content = bytearray(copy.read_bytes())
        content[8192:40960] = b"\xff" * 32768
        copy.write_bytes(content)
    else:
        statement = {
            "foreign": "DROP TABLE alembic_version",
            "newer": "UPDATE alembic_version SET version_num = '9999'",
        }[damage]
        with closing(sqlite3.connect(copy)) as connection, connection:
            connection.execute(statement)
    with pytest.raises(WrongSchema if damage == "newer" else Damaged):
        await restore(copy, tmp_path / "data", overwrite=True)
    async with await open_store(tmp_path / "data") as store:
        assert len(await store.log.tables()) == 3


async def test_invalid_requests_are_refused(
    store: Store, database: str | Path, tmp_path: Path
) -> None:
    with pytest.raises(StoreError, match="there is no backup"):
        await restore(tmp_path / "nothing.jsonl", database)
    with pytest.raises(StoreError, match="there is no database"):
        await backup(tmp_path / "nowhere", tmp_path / "x.db")
    with pytest.raises(StoreError, match="cannot be read or written"):
        await backup(store, tmp_path / "no" / "folder" / f"x{SUFFIX}")
    if isinstance(database, str):
        with pytest.raises(StoreError, match=r"ends in \.jsonl"):
            await backup(store, tmp_path / "x.db")
        (tmp_path / "y.db").touch()
        with pytest.raises(StoreError, match=r"ends in \.jsonl"):
            await restore(tmp_path / "y.db", database)
