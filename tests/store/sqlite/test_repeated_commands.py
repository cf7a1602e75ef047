"""SQLite: each command is done once on every code path, without a unique index."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
import pytest_asyncio

from tests.store.memory_log import MemoryLog
from tuilerie.store import Store, open_store
from tuilerie.store.database import FILE_NAME, connect_sqlite
from tuilerie.store.log import Appended, Conflict, Log, TableMeta
from tuilerie.store.rows import Append, Lookup
from tuilerie.store.sqlite import ends_cache, transaction
from tuilerie.store.sqlite.ends_cache import EndsCache
from tuilerie.store.sqlite.transaction import perform

META = TableMeta("genial", 1)
REPEATED = Appended(2, 3, repeated=True)
"""The answer to the command `old` at the table of `path`."""


@pytest_asyncio.fixture
async def path(tmp_path: Path) -> Path:
    """A database with one table of 4 facts, where fact 2 has the command `old`."""
    async with await open_store(tmp_path) as store:
        await store.log.create("t", [b"1"], META)
        await store.log.append("t", 1, [b"2", b"3"], "old")
        await store.log.append("t", 3, [b"4"])
    return tmp_path / FILE_NAME


@pytest.fixture
def connection(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(connect_sqlite(path)) as opened:
        yield opened


def commands(path: Path) -> list[tuple[int, str]]:
    """Return all commands of all tables, with their counts."""
    with closing(sqlite3.connect(path)) as opened:
        found = opened.execute(
            "SELECT count(*), command FROM facts WHERE command IS NOT NULL"
            " GROUP BY table_id, command ORDER BY command"
        )
        return found.fetchall()


def commit(connection: sqlite3.Connection, cache: EndsCache, jobs: Sequence[Append]) -> list[Any]:
    """Commit a batch as the writer does."""
    connection.execute("BEGIN IMMEDIATE")
    outcomes = perform(connection, jobs, cache.new_at)
    connection.execute("COMMIT")
    cache.learn(connection, jobs, outcomes)
    return outcomes


def known(cache: EndsCache, *commands: str) -> list[tuple[int, int] | None]:
    """Return for each command at `t` where the log ends if it is new there, else `None`."""
    return [cache.new_at(Lookup("t", command)) for command in commands]


def append_from_another_process(path: Path, number: int, command: str) -> None:
    """Append a fact as another process."""
    with closing(sqlite3.connect(path)) as other, other:
        row = (number, f"{number}".encode(), command)
        other.execute("INSERT INTO facts VALUES (1, ?, 0, ?, ?, 1)", row)


# --- the cache of ends ----------------------------------------------------------------------------


async def test_command_is_known_after_restart_once_its_log_is_read(path: Path) -> None:
    async with await open_store(path) as store:
        await store.log.read("t")
        assert await store.log.append("t", 4, [b"x"], "old") == REPEATED
        assert await store.log.append("t", 4, [b"5"], "new") == Appended(5, 5)
        assert await store.log.append("t", 5, [b"x"], "old") == REPEATED
    assert commands(path) == [(1, "new"), (1, "old")]


@pytest.mark.parametrize(("after", "limit"), [(3, None), (0, 4), (0, 100)])
async def test_command_is_known_after_restart_when_its_log_is_read_partially(
    path: Path, after: int, limit: int | None
) -> None:
    async with await open_store(path) as store:
        await store.log.read("t", after, limit)
        assert await store.log.append("t", 4, [b"x"], "old") == REPEATED
        assert await store.log.append("t", 4, [b"5"]) == Appended(5, 5)
        await store.log.read("t", after, limit)
        assert await store.log.append("t", 5, [b"x"], "old") == REPEATED
    assert commands(path) == [(1, "old")]


async def test_command_of_another_process_is_known_after_an_append(path: Path) -> None:
    async with await open_store(path) as store:
        await store.log.read("t")
        append_from_another_process(path, 5, "theirs")
        assert await store.log.append("t", 4, [b"x"], "theirs") == Appended(5, 5, repeated=True)
        append_from_another_process(path, 6, "theirs, too")
        await store.log.read("t", after=5)
        assert await store.log.append("t", 6, [b"7"], "ours") == Appended(7, 7)
        for number, command in ((2, "old"), (5, "theirs"), (6, "theirs, too"), (7, "ours")):
            answer = await store.log.append("t", 7, [b"x"], command)
            assert isinstance(answer, Appended)
            assert (answer.first, answer.repeated) == (number, True)
    assert {count for count, _ in commands(path)} == {1}


async def test_commands_of_another_process_in_between_are_found(
    connection: sqlite3.Connection, path: Path
) -> None:
    """Another process appended between two of our appends: its commands must be found, too."""
    cache = EndsCache()
    cache.meet("t", 1, 4, ["old"])
    append_from_another_process(path, 5, "theirs")
    commit(connection, cache, [Append("t", 5, [b"6"], "ours")])
    assert known(cache, "old", "theirs", "ours", "new") == [None, None, None, (1, 6)]


async def test_batch_with_a_duplicate_command_does_it_once(
    connection: sqlite3.Connection, path: Path
) -> None:
    cache = EndsCache()
    cache.meet("t", 1, 4, ["old"])
    twice = [Append("t", 4, [b"5"], "new"), Append("t", 5, [b"x"], "new")]
    first, second = commit(connection, cache, twice)
    assert (first, second) == (Appended(5, 5), Appended(5, 5, repeated=True))
    assert commands(path) == [(1, "new"), (1, "old")]
    both = [Append("t", 5, [b"6"], "a"), Append("t", 6, [b"7", b"8"], "b")]
    assert commit(connection, cache, both) == [Appended(6, 6), Appended(7, 8)]
    assert known(cache, "old", "new", "a", "b", "c") == [None, None, None, None, (1, 8)]


async def test_append_caches_all_commands_of_a_log(connection: sqlite3.Connection) -> None:
    cache = EndsCache()
    batch = [Append("t", 4, [b"5"], "a"), Append("t", 5, [b"6"], "b")]
    assert commit(connection, cache, batch) == [Appended(5, 5), Appended(6, 6)]
    assert known(cache, "old", "a", "b", "c") == [None, None, None, (1, 6)]


async def test_evicted_commands_are_found_again(connection: sqlite3.Connection) -> None:
    cache = EndsCache()
    cache.meet("t", 1, 4, ["old"])
    assert commit(connection, cache, [Append("t", 4, [b"5"], "a")]) == [Appended(5, 5)]
    cache.forget()
    assert known(cache, "new") == [None]
    commit(connection, cache, [Append("t", 5, [b"6"], "b")])
    assert known(cache, "old", "a", "b", "c") == [None, None, None, (1, 6)]


async def test_refused_append_leaves_no_trace_in_the_cache(
    connection: sqlite3.Connection, path: Path
) -> None:
    """A refused command is not done, and can be sent again."""
    cache = EndsCache()
    cache.meet("t", 1, 4, ["old"])
    append_from_another_process(path, 5, "theirs")
    assert commit(connection, cache, [Append("t", 4, [b"x"], "lost")]) == [Conflict(5)]
    assert commit(connection, cache, [Append("t", 5, [b"6"], "lost")]) == [Appended(6, 6)]
    assert known(cache, "theirs", "lost", "new") == [None, None, (1, 6)]


async def test_slow_reader_does_not_replace_a_newer_end(connection: sqlite3.Connection) -> None:
    cache = EndsCache()
    cache.meet("t", 1, 4, ["old"])
    cache.meet("t", 1, 1, [])
    assert commit(connection, cache, [Append("t", 4, [b"5"], "a")]) == [Appended(5, 5)]
    cache.meet("t", 1, 4, ["old"])
    assert known(cache, "old", "a", "b") == [None, None, (1, 5)]


async def test_commands_with_equal_hashes_are_distinguished(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ends_cache, "hash", lambda _text: 7, raising=False)
    async with await open_store(path) as store:
        await store.log.read("t")
        assert await store.log.append("t", 4, [b"5"], "a") == Appended(5, 5)
        assert await store.log.append("t", 5, [b"6"], "b") == Appended(6, 6)
        assert await store.log.append("t", 6, [b"x"], "a") == Appended(5, 5, repeated=True)


async def test_new_commands_are_not_searched(
    connection: sqlite3.Connection, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search is linear in the log: large batches and conflicts must avoid it."""
    looked_for: list[str | None] = []
    look = transaction._look

    def spy(opened: sqlite3.Connection, asked: Any, heads: Any) -> None:
        looked_for.extend(command for _, command in asked if command is not None)
        look(opened, asked, heads)

    monkeypatch.setattr(transaction, "_look", spy)
    cache = EndsCache()
    cache.meet("t", 1, 4, ["old"])
    crowd = [Append("t", number, [b"x"], f"new {number}") for number in range(4, 104)]
    assert commit(connection, cache, crowd)[-1] == Appended(104, 104)
    assert commit(connection, cache, [Append("t", 999, [b"x"], "refused")]) == [Conflict(104)]
    assert looked_for == []
    seen_before = [Append("t", 104, [b"x"], "old"), Append("t", 104, [b"105"], "unheard of")]
    assert commit(connection, cache, seen_before) == [REPEATED, Appended(105, 105)]
    assert looked_for == ["old"]
    append_from_another_process(path, 106, "theirs")
    answers = commit(connection, cache, [Append("t", 106, [b"x"], "theirs")])
    assert answers == [Appended(106, 106, repeated=True)]
    assert looked_for == ["old", "theirs"]


async def test_full_cache_evicts_the_older_half(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ends_cache, "MOST_TABLES", 4)
    cache = EndsCache()
    cache.meet("t", 1, 4, ["old"])
    for name in "abc":
        cache.meet(name, 2, 1, [])
    commit(connection, cache, [Append("nowhere", 1, [b"x"], "x")])
    cached = [name for name in "tabc" if cache.new_at(Append(name, 4, [b"x"], "new")) is not None]
    assert cached == ["b", "c"]


async def test_unreadable_log_is_not_cached(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = EndsCache()
    monkeypatch.setattr(ends_cache, "_FIND", "SELECT nothing")
    assert commit(connection, cache, [Append("t", 4, [b"5"], "a")]) == [Appended(5, 5)]
    assert known(cache, "b") == [None]


async def test_transaction_finds_commands_by_the_primary_key(
    connection: sqlite3.Connection,
) -> None:
    asked: list[str] = []
    connection.set_trace_callback(asked.append)
    perform(connection, [Append("t", 9, [b"x"], "old")])
    connection.set_trace_callback(None)
    queries = [text for text in asked if text.startswith("SELECT")]
    plans = [connection.execute(f"EXPLAIN QUERY PLAN {text}").fetchall() for text in queries]
    facts = [row[3] for plan in plans for row in plan if "facts" in row[3]]
    assert len(facts) == 2  # the head, and the command
    assert all("SEARCH facts USING" in line and "table_id=?" in line for line in facts)


# --- other writers --------------------------------------------------------------------------------


async def test_command_is_known_after_an_account_is_erased(path: Path) -> None:
    async with await open_store(path) as store:
        seated = {"kind": "seated", "seat": 0, "player": "pa", "name": "Ana"}
        await store.log.create("u", [json.dumps(seated).encode()], META)
        ana = await store.accounts.create("Ana", "password")
        await store.seats.issue_token("u", "pa", "Ana", ana.id)
        assert await store.log.append("u", 1, [b"2"], "k") == Appended(2, 2)
        assert await store.accounts.delete(ana.id)
        assert await store.log.append("u", 2, [b"x"], "k") == Appended(2, 2, repeated=True)
        facts = await store.log.read("u")
        assert b"Ana" not in facts[0][1]
        assert await store.log.append("u", 2, [b"x"], "k") == Appended(2, 2, repeated=True)
        assert await store.log.append("u", 2, [b"3"], "l") == Appended(3, 3)


async def test_two_processes_answer_like_the_reference_model(tmp_path: Path) -> None:
    """With any interleaving, each answer equals that of the reference model."""
    random, model = Random(3), MemoryLog()
    stores = [await open_store(tmp_path), await open_store(tmp_path)]
    tables = [f"t{number}" for number in range(3)]
    for table in tables:
        await stores[0].log.create(table, [b"0"], META)
        await model.create(table, [b"0"], META)
    for _ in range(150):
        turn = random.randrange(2)
        await _something_else(stores, turn, random.choice(tables), random, tmp_path)
        heads = await model.heads(tables)
        batch = []
        for _ in range(random.choice((1, 1, 2, 4))):
            table = random.choice(tables)
            after = heads[table] + random.choice((0, 0, 0, 0, -1, 1))
            facts = [b"x"] * random.randint(1, 2)
            command = random.choice((None, f"k{random.randrange(60)}", f"k{random.randrange(60)}"))
            batch.append((table, max(0, after), facts, command))
            heads[table] += len(facts) * random.choice((0, 1))
        log: Log = stores[turn].log
        expected = [await model.append(*each) for each in batch]
        assert await asyncio.gather(*(log.append(*each) for each in batch)) == expected
    for table in tables:
        assert await stores[0].log.read(table) == await model.read(table)
    for store in stores:
        await store.close()
    assert {count for count, _ in commands(tmp_path / FILE_NAME)} == {1}


async def _something_else(
    stores: list[Store], turn: int, table: str, random: Random, database: Path
) -> None:
    """Before a batch, randomly read a log (a part or all), reopen the store, or do nothing."""
    what = random.randrange(8)
    if what == 0:
        await stores[turn].close()
        stores[turn] = await open_store(database)
    elif what <= 2:
        await stores[turn].log.read(table)
    elif what == 3:
        await stores[turn].log.read(table, after=random.randint(1, 9))
    elif what == 4:
        stores[turn].log.__dict__["_ends"].forget()
