"""A backup is what a database was at one moment; restored, it is that again."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import MetaData, select

from tests.servers import PostgresServer
from tuilerie.store import Store, open_store
from tuilerie.store.database import FILE_NAME, engine_for, parse_database
from tuilerie.store.errors import Damaged, StoreError, Unavailable, WrongSchema
from tuilerie.store.log import Appended, Status, TableMeta
from tuilerie.store.maintenance.backup import backup, restore
from tuilerie.store.maintenance.dump import SUFFIX


@pytest.fixture(params=["sqlite", "postgres"])
def other(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str | Path]:
    """A second place, with nothing in it at all."""
    if request.param == "sqlite":
        yield tmp_path / "other"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    url = server.empty_database()
    yield url
    server.drop(url)


async def fill(store: Store) -> None:
    """Something in every table, odd bytes included."""
    for number in range(3):
        meta = TableMeta("genial", 2, {"é": number}, public=number == 1)
        facts = [f'{{"é":{each}}}'.encode() for each in range(number * 400)]
        await store.log.create(f"t{number}", facts, meta)
    await store.log.append("t1", 400, [bytes(range(256)), b""], "kéy")
    await store.log.set_status("t2", Status.OVER)
    ana = await store.accounts.create("Ana É", "password")
    await store.accounts.open_session(ana.id)
    token = await store.seats.issue_token("t1", "pa", "Ana", ana.id)
    await store.seats.issue_recovery(token)
    await store.seats.issue_token("t2", "guest")


async def content(place: str | Path) -> dict[str, list[tuple[Any, ...]]]:
    """All that a database holds, table by table."""
    engine = engine_for(parse_database(place))
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


async def test_a_portable_backup_goes_from_any_database_to_any(
    store: Store, place: str | Path, other: str | Path, tmp_path: Path
) -> None:
    await fill(store)
    file = tmp_path / f"backup{SUFFIX}"
    await backup(store, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    await restore(file, other)
    before = await content(place)
    assert before == await content(other)
    assert min(len(rows) for rows in before.values()) > 0, "nothing was left to chance"
    async with await open_store(other) as restored:
        assert await restored.log.append("t1", 0, [b"x"], "kéy") == Appended(
            401, 402, repeated=True
        )
        await restored.log.create("new", [b"1"], TableMeta("genial", 2))
        assert await restored.log.read("new") == [(1, b"1")]
        assert await restored.accounts.check_password("ana é", "password") is not None


async def test_a_file_is_copied_as_it_is(tmp_path: Path) -> None:
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
async def test_a_backup_while_moves_pour_in_is_of_one_moment(
    store: Store, place: str | Path, tmp_path: Path, name: str
) -> None:
    if name == "copy.db" and isinstance(place, str):
        pytest.skip("PostgreSQL has portable backups only")
    tables = [f"t{number}" for number in range(8)]
    for table in tables:
        await store.log.create(table, [b"x" * 500] * 100, TableMeta("genial", 1))
    stop = asyncio.Event()
    before = await store.log.heads(tables)

    async def pour() -> None:
        """One table after the other: at every moment the first ones are at most one ahead."""
        head = 100
        while not stop.is_set():
            for table in tables:
                assert isinstance(await store.log.append(table, head, [b"y" * 500]), Appended)
            head += 1

    pouring = asyncio.create_task(pour())
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
        assert numbers[0] - numbers[-1] <= 1, "it is of one moment"
        assert numbers[0] > before["t0"], "moves were made before it"
        for table in tables:
            facts = await restored.log.read(table)
            assert [number for number, _ in facts] == list(range(1, heads[table] + 1))


async def test_nothing_is_overwritten_unless_that_is_said(
    store: Store, place: str | Path, tmp_path: Path
) -> None:
    await fill(store)
    file = tmp_path / f"backup{SUFFIX}"
    await backup(store, file)
    with pytest.raises(StoreError, match="exists already"):
        await backup(store, file)
    await store.log.append("t0", 0, [b"later"])
    before = await content(place)
    with pytest.raises(StoreError, match=r"exists already|not empty"):
        await restore(file, place)
    assert await content(place) == before
    await store.close()
    await restore(file, place, overwrite=True)
    async with await open_store(place) as restored:
        assert await restored.log.heads(["t0"]) == {"t0": 0}
        await backup(restored, file, overwrite=True)


async def test_a_database_in_use_is_not_overwritten(tmp_path: Path) -> None:
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


async def test_a_broken_database_can_be_overwritten(tmp_path: Path) -> None:
    async with await open_store(tmp_path / "data") as store:
        await fill(store)
        await backup(store, tmp_path / "copy.db")
    (tmp_path / "data" / FILE_NAME).write_bytes(b"no database" * 1000)
    await restore(tmp_path / "copy.db", tmp_path / "data", overwrite=True)
    async with await open_store(tmp_path / "data") as store:
        assert len(await store.log.tables()) == 3


@pytest.fixture
async def lines(tmp_path: Path) -> list[str]:
    """The lines of a good backup."""
    async with await open_store(tmp_path / "good") as store:
        await fill(store)
        await backup(store, tmp_path / "good.jsonl")
    return (tmp_path / "good.jsonl").read_text("utf-8").splitlines(keepends=True)


def changed(line: str, **fields: Any) -> str:
    return json.dumps(json.loads(line) | fields) + "\n"


@pytest.mark.parametrize(
    ("change", "trouble"),
    [
        (lambda lines: lines[:-1], Damaged("cut off")),
        (lambda lines: [*lines[:-1], lines[-1][:5]], Damaged("line")),
        (lambda lines: lines[:5] + lines[6:], Damaged("does not hold what it tells")),
        (lambda lines: [], Damaged("no backup")),
        (lambda lines: lines[1:], Damaged("no backup")),
        (lambda lines: ["hello\n"], Damaged("line 1")),
        (lambda lines: [changed(lines[0], schema="9999"), *lines[1:]], WrongSchema("9999")),
        (lambda lines: [changed(lines[0], version=2), *lines[1:]], WrongSchema("format 2")),
    ],
)
async def test_a_backup_that_is_not_whole_changes_nothing(
    lines: list[str], other: str | Path, tmp_path: Path, change: Any, trouble: StoreError
) -> None:
    async with await open_store(other) as store:
        await store.log.create("mine", [b"1"], TableMeta("genial", 1))
    (tmp_path / "bad.jsonl").write_text("".join(change(lines)), "utf-8")
    with pytest.raises(type(trouble), match=str(trouble)):
        await restore(tmp_path / "bad.jsonl", other, overwrite=True)
    async with await open_store(other) as store:
        assert await store.log.read("mine") == [(1, b"1")]


async def test_a_backup_of_an_older_program_becomes_a_database_of_today(
    lines: list[str], other: str | Path, tmp_path: Path
) -> None:
    end = json.loads(lines[-1])["end"]
    last = changed(lines[-1], end={**end, "ratings": 0})  # there was such a table, always empty
    old = [changed(lines[0], schema="0001"), *lines[1:-1], last]
    (tmp_path / "old.jsonl").write_text("".join(old), "utf-8")
    await restore(tmp_path / "old.jsonl", other)
    async with await open_store(other, migrate=False) as restored:
        await restored.log.read("t1")
        answer = await restored.log.append("t1", 402, [b"x"], "kéy")
        assert answer == Appended(401, 402, repeated=True)


@pytest.mark.parametrize("damage", ["text", "empty", "foreign", "newer", "page"])
async def test_a_copy_that_is_not_whole_changes_nothing(tmp_path: Path, damage: str) -> None:
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


async def test_what_cannot_be_is_said(store: Store, place: str | Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no backup"):
        await restore(tmp_path / "nothing.jsonl", place)
    with pytest.raises(StoreError, match="there is no database"):
        await backup(tmp_path / "nowhere", tmp_path / "x.db")
    with pytest.raises(StoreError, match="cannot be read or written"):
        await backup(store, tmp_path / "no" / "folder" / f"x{SUFFIX}")
    if isinstance(place, str):
        with pytest.raises(StoreError, match=r"ends in \.jsonl"):
            await backup(store, tmp_path / "x.db")
        (tmp_path / "y.db").touch()
        with pytest.raises(StoreError, match=r"ends in \.jsonl"):
            await restore(tmp_path / "y.db", place)
