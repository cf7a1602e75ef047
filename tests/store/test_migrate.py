"""Migrations: from every schema version, atomic, and safe under concurrent starts."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
import pytest_asyncio
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, MetaData, create_mock_engine, inspect, select, text
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.schema import CreateIndex

from tuilerie.store import alembic_runner, open_store
from tuilerie.store import migrate as migrating
from tuilerie.store.database import (
    FILE_NAME,
    PostgresUrl,
    SqliteFile,
    engine_for,
    parse_database,
)
from tuilerie.store.errors import NameTaken, StoreError, WrongSchema
from tuilerie.store.log import Appended, TableMeta
from tuilerie.store.migrate import check_schema, migrate, upgrade
from tuilerie.store.schema import REVISION, accounts, metadata
from tuilerie.store.tokens import name_key


@pytest_asyncio.fixture
async def engine(empty: str | Path) -> AsyncIterator[AsyncEngine]:
    made = engine_for(parse_database(empty))
    yield made
    await made.dispose()


def differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(connection, opts={"compare_server_default": True})
    return list(compare_metadata(context, schema_of(connection.engine)))


def schema_of(engine: Engine) -> MetaData:
    """The schema of this kind of database: Alembic ignores dialect conditions of indexes."""
    made: list[object] = []
    asking = create_mock_engine(engine.url, lambda statement, *_: made.append(statement))
    metadata.create_all(asking, checkfirst=False)
    names = {each.element.name for each in made if isinstance(each, CreateIndex)}
    schema = MetaData(naming_convention=metadata.naming_convention)
    for table in metadata.sorted_tables:
        copy = table.to_metadata(schema)
        copy.indexes = {index for index in copy.indexes if index.name in names}
    return schema


async def test_migrations_produce_the_schema(empty: str | Path, engine: AsyncEngine) -> None:
    await migrate(empty)
    async with engine.connect() as connection:
        assert await connection.run_sync(differences) == []


async def test_only_postgresql_has_the_index_of_commands(
    empty: str | Path, engine: AsyncEngine
) -> None:
    await migrate(empty)
    async with engine.connect() as connection:
        found = await connection.run_sync(lambda each: inspect(each).get_indexes("facts"))
    names = [index["name"] for index in found]
    assert names == ([] if isinstance(empty, Path) else ["uq_facts_command"])


async def test_last_migration_is_the_required_revision() -> None:
    scripts = ScriptDirectory.from_config(alembic_runner._config())
    assert scripts.get_heads() == [REVISION]
    assert alembic_runner.known() >= {"0001", REVISION}


async def test_migrations_run_once(empty: str | Path) -> None:
    async with await open_store(empty) as store:
        await store.log.create("t", [b"1"], TableMeta("genial", 1))
    await migrate(empty)
    async with await open_store(empty) as store:
        assert await store.log.read("t") == [(1, b"1")]


async def test_migration_keeps_the_data(
    empty: str | Path, engine: AsyncEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with await open_store(empty) as store:
        await store.log.create("t", [b"1"], TableMeta("genial", 1))
        account = await store.accounts.create("Ana", "password")
    later(tmp_path, monkeypatch, "op.add_column('tables', sa.Column('colour', sa.Text))")
    with pytest.raises(WrongSchema, match=f"has schema {REVISION} and this program needs later"):
        await open_store(empty, migrate=False)
    await migrate(empty)
    await check_schema(empty)
    async with engine.connect() as connection:
        found = (await connection.execute(text("SELECT slug, colour FROM tables"))).all()
        assert [tuple(row) for row in found] == [("t", None)]
    async with await open_store(empty) as store:
        assert await store.log.read("t") == [(1, b"1")]
        assert await store.accounts.find(account.id) == account


async def test_first_schema_migrates_to_the_current_one(
    empty: str | Path, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its content is kept, and repeated commands are still recognised."""
    with monkeypatch.context() as patched:
        patched.setattr(migrating, "REVISION", "0001")
        patched.setattr(migrating, "upgrade", partial(upgrade, to="0001"))
        await migrate(empty)
    async with engine.execution_options(writes=True).begin() as connection:
        await connection.execute(text(OLD_TABLE))
        bodies = {"one": b"1", "two": b"2", "three": b"3"}
        await connection.execute(text(OLD_FACTS), bodies)
        await connection.execute(text(OLD_ACCOUNTS))
    with pytest.raises(WrongSchema, match=f"has schema 0001 and this program needs {REVISION}"):
        await open_store(empty, migrate=False)
    async with await open_store(empty) as store:
        assert await store.log.append("t", 3, [b"x"], "k") == Appended(2, 3, repeated=True)
        assert await store.log.read("t") == [(1, b"1"), (2, b"2"), (3, b"3")]
        assert await store.log.append("t", 3, [b"x"], "k") == Appended(2, 3, repeated=True)
        assert await store.log.append("t", 3, [b"4"], "l") == Appended(4, 4)
        assert await store.log.due(1, 10) == [("p", 0)], "the server looks at games in play once"
        assert [row.summary for row in await store.log.tables()] == [None, None]
        for name, first in (("ahha", "old"), ("paco", "latin"), ("paco 2", "false")):
            with pytest.raises(NameTaken):
                await store.accounts.create(name, "a password")
            found = await store.sql.one(select(accounts.c.id).filter_by(name_key=name_key(name)))
            assert found is not None
            assert found[0] == first
    async with engine.connect() as connection:
        assert await connection.run_sync(differences) == []


OLD_TABLE = """INSERT INTO tables (id, slug, game, rules, options, status, public, created, updated)
    VALUES (1, 't', 'genial', 1, '{}', 'open', false, 1, 1),
        (2, 'p', 'genial', 1, '{}', 'playing', false, 1, 1)"""
OLD_ACCOUNTS = """INSERT INTO accounts (id, name, name_key, password_hash, created)
    VALUES ('old', 'Анна', 'анна', '', 1), ('latin', 'paco', 'paco', '', 3),
        ('false', 'расо', 'расо', '', 2)"""
OLD_FACTS = """INSERT INTO facts (table_id, number, at, body, command, span)
    VALUES (1, 1, 1, :one, NULL, 1), (1, 2, 1, :two, 'k', 2), (1, 3, 1, :three, NULL, NULL)"""


async def test_failed_migration_is_rolled_back(
    empty: str | Path, engine: AsyncEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await migrate(empty)
    with monkeypatch.context() as patched:
        work = "op.add_column('tables', sa.Column('colour', sa.Text)); raise RuntimeError('no')"
        later(tmp_path, patched, work)
        with pytest.raises(RuntimeError, match="no"):
            await migrate(empty)
    alembic_runner.known.cache_clear()
    async with engine.connect() as connection:
        assert await connection.run_sync(differences) == []
    await check_schema(empty)


def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: str) -> None:
    """Add one more migration, as a later version of the program would."""
    folder = tmp_path / "later"
    (folder / "versions").mkdir(parents=True)
    for name in ("env.py", "script.py.mako"):
        (folder / name).write_text((alembic_runner.SCRIPTS / name).read_text("utf-8"), "utf-8")
    for step in (alembic_runner.SCRIPTS / "versions").glob("v*.py"):
        (folder / "versions" / step.name).write_text(step.read_text("utf-8"), "utf-8")
    text = f"""
import sqlalchemy as sa
from alembic import op
revision, down_revision = "later", "{REVISION}"
def upgrade():
    {work}
"""
    (folder / "versions" / "vlater.py").write_text(text, "utf-8")
    monkeypatch.setattr(alembic_runner, "SCRIPTS", folder)
    monkeypatch.setattr(migrating, "REVISION", "later")
    alembic_runner.known.cache_clear()


@pytest.fixture(autouse=True)
def forget_later_steps() -> Iterator[None]:
    yield
    alembic_runner.known.cache_clear()


async def test_newer_schema_is_refused(empty: str | Path, engine: AsyncEngine) -> None:
    await migrate(empty)
    async with engine.execution_options(writes=True).begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for open_it in (open_store(empty), open_store(empty, migrate=False)):
        with pytest.raises(WrongSchema, match="9999, which is newer than this program"):
            await open_it


async def test_foreign_database_is_refused(empty: str | Path, engine: AsyncEngine) -> None:
    where = parse_database(empty)
    if isinstance(where, SqliteFile):
        where.path.parent.mkdir()
    async with engine.execution_options(writes=True).begin() as connection:
        await connection.execute(text("CREATE TABLE tables (legs INTEGER)"))
    with pytest.raises(WrongSchema, match="not Tuilerie's"):
        await open_store(empty)


async def test_missing_or_empty_database_is_refused_without_migration(empty: str | Path) -> None:
    with pytest.raises(WrongSchema, match=r"there is no database|the database is empty"):
        await open_store(empty, migrate=False)


@pytest.mark.slow
async def test_concurrent_processes_migrate_once(empty: str | Path) -> None:
    script = "import asyncio, sys; from tuilerie.store import open_store;" + (
        "sys.stdin.readline(); store = asyncio.run(open_store(sys.argv[1])); print(type(store))"
    )
    words = [sys.executable, "-c", script, str(empty)]
    pipe = subprocess.PIPE
    programs = [
        subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, text=True) for _ in range(2)
    ]
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("go\n")
        program.stdin.flush()
    said = [await asyncio.to_thread(program.communicate, timeout=60) for program in programs]
    assert [program.returncode for program in programs] == [0, 0], said
    await check_schema(empty)


async def test_concurrent_stores_in_one_process_migrate_once(empty: str | Path) -> None:
    await asyncio.gather(*(migrate(empty) for _ in range(6)))
    await check_schema(empty)


# --- addresses ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("data", SqliteFile(Path("data") / FILE_NAME)),
        (Path("data"), SqliteFile(Path("data") / FILE_NAME)),
        ("data/x.db", SqliteFile(Path("data/x.db"))),
        ("sqlite:///data", SqliteFile(Path("data") / FILE_NAME)),
        ("sqlite:///a%20b/x.db", SqliteFile(Path("a b/x.db"))),
        ("sqlite:////a/x.sqlite3", SqliteFile(Path("/a/x.sqlite3"))),
        ("postgresql://u@h/d", PostgresUrl("postgresql://u@h/d")),
        ("postgres://u@h/d", PostgresUrl("postgresql://u@h/d")),
        (SqliteFile(Path("odd")), SqliteFile(Path("odd"))),
    ],
)
async def test_database_addresses_are_parsed(
    given: str | Path | SqliteFile, meant: SqliteFile | PostgresUrl
) -> None:
    assert parse_database(given) == meant


async def test_unknown_scheme_is_refused() -> None:
    with pytest.raises(StoreError, match="not mysql://"):
        parse_database("mysql://user:geheim@host/database")


async def test_open_file_can_be_opened_again(tmp_path: Path) -> None:
    await migrate(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as other:
        assert other.execute("SELECT count(*) FROM tables").fetchone() == (0,)
        async with await open_store(tmp_path) as store:
            await store.log.create("t", [b"1"], TableMeta("genial", 1))
        assert other.execute("SELECT count(*) FROM tables").fetchone() == (1,)
