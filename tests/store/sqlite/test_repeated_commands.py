"""A command is done once in a file of SQLite, by whichever way: no index of commands guards it."""

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
from tuilerie.store.rows import Append
from tuilerie.store.sqlite import fast_append, transaction
from tuilerie.store.sqlite.fast_append import FastAppends
from tuilerie.store.sqlite.transaction import perform

META = TableMeta("genial", 1)
REPEATED = Appended(2, 3, repeated=True)
"""What is answered to the command `old` at the table of `path`."""


@pytest_asyncio.fixture
async def path(tmp_path: Path) -> Path:
    """A database with one table, which ends with fact 4: fact 2 began with the command `old`."""
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
    """All commands at all tables, and how often each is written down."""
    with closing(sqlite3.connect(path)) as opened:
        found = opened.execute(
            "SELECT count(*), command FROM facts WHERE command IS NOT NULL"
            " GROUP BY table_id, command ORDER BY command"
        )
        return found.fetchall()


def long_way(
    connection: sqlite3.Connection, quick: FastAppends, jobs: Sequence[Append]
) -> list[Any]:
    """As the writer does what `quick` cannot do."""
    assert quick.do(connection, jobs) is None
    connection.execute("BEGIN IMMEDIATE")
    outcomes = perform(connection, jobs, quick.new_at)
    connection.execute("COMMIT")
    quick.learn(connection, jobs, outcomes)
    return outcomes


def elsewhere(path: Path, number: int, command: str) -> None:
    """Another program adds a fact."""
    with closing(sqlite3.connect(path)) as other, other:
        row = (number, f"{number}".encode(), command)
        other.execute("INSERT INTO facts VALUES (1, ?, 0, ?, ?, 1)", row)


# --- what the short way knows ---------------------------------------------------------------------


async def test_after_a_restart_a_command_is_known_where_its_log_was_read(path: Path) -> None:
    async with await open_store(path) as store:
        await store.log.read("t")
        assert await store.log.append("t", 4, [b"x"], "old") == REPEATED
        assert await store.log.append("t", 4, [b"5"], "new") == Appended(5, 5)
        assert await store.log.append("t", 5, [b"x"], "old") == REPEATED
    assert commands(path) == [(1, "new"), (1, "old")]


@pytest.mark.parametrize(("after", "limit"), [(3, None), (0, 4), (0, 100)])
async def test_after_a_restart_a_command_is_known_where_its_log_was_read_in_part(
    path: Path, after: int, limit: int | None
) -> None:
    async with await open_store(path) as store:
        await store.log.read("t", after, limit)
        assert await store.log.append("t", 4, [b"x"], "old") == REPEATED
        assert await store.log.append("t", 4, [b"5"]) == Appended(5, 5)
        await store.log.read("t", after, limit)
        assert await store.log.append("t", 5, [b"x"], "old") == REPEATED
    assert commands(path) == [(1, "old")]


async def test_what_another_program_did_is_known_when_the_log_goes_on_after_it(path: Path) -> None:
    async with await open_store(path) as store:
        await store.log.read("t")
        elsewhere(path, 5, "theirs")
        assert await store.log.append("t", 4, [b"x"], "theirs") == Appended(5, 5, repeated=True)
        elsewhere(path, 6, "theirs, too")
        await store.log.read("t", after=5)
        assert await store.log.append("t", 6, [b"7"], "ours") == Appended(7, 7)
        for number, command in ((2, "old"), (5, "theirs"), (6, "theirs, too"), (7, "ours")):
            answer = await store.log.append("t", 7, [b"x"], command)
            assert isinstance(answer, Appended)
            assert (answer.first, answer.repeated) == (number, True)
    assert {count for count, _ in commands(path)} == {1}


async def test_what_another_did_between_is_never_taken_for_known(
    connection: sqlite3.Connection, path: Path
) -> None:
    """We knew the end, another wrote, and we went on after it: there is more than ours to know."""
    quick = FastAppends()
    quick.meet("t", 1, 4, ["old"])
    elsewhere(path, 5, "theirs")
    long_way(connection, quick, [Append("t", 5, [b"6"], "ours")])
    for command in ("old", "theirs", "ours"):
        assert quick.do(connection, [Append("t", 6, [b"x"], command)]) is None
    assert quick.do(connection, [Append("t", 6, [b"7"], "new")]) == [Appended(7, 7)]


async def test_a_batch_with_the_same_command_twice_does_it_once(
    connection: sqlite3.Connection, path: Path
) -> None:
    quick = FastAppends()
    quick.meet("t", 1, 4, ["old"])
    twice = [Append("t", 4, [b"5"], "new"), Append("t", 5, [b"x"], "new")]
    first, second = long_way(connection, quick, twice)
    assert (first, second) == (Appended(5, 5), Appended(5, 5, repeated=True))
    assert commands(path) == [(1, "new"), (1, "old")]
    both = [Append("t", 5, [b"6"], "a"), Append("t", 6, [b"7", b"8"], "b")]
    assert quick.do(connection, both) == [Appended(6, 6), Appended(7, 8)]
    for command in ("old", "new", "a", "b"):
        assert quick.do(connection, [Append("t", 8, [b"x"], command)]) is None


async def test_a_log_that_becomes_known_the_long_way_is_known_whole(
    connection: sqlite3.Connection,
) -> None:
    quick = FastAppends()
    batch = [Append("t", 4, [b"5"], "a"), Append("t", 5, [b"6"], "b")]
    assert long_way(connection, quick, batch) == [Appended(5, 5), Appended(6, 6)]
    for command in ("old", "a", "b"):
        assert quick.do(connection, [Append("t", 6, [b"x"], command)]) is None
    assert quick.do(connection, [Append("t", 6, [b"7"], "c")]) == [Appended(7, 7)]


async def test_what_was_forgotten_is_found_again(connection: sqlite3.Connection) -> None:
    quick = FastAppends()
    quick.meet("t", 1, 4, ["old"])
    assert quick.do(connection, [Append("t", 4, [b"5"], "a")]) == [Appended(5, 5)]
    quick.forget()
    long_way(connection, quick, [Append("t", 5, [b"6"], "b")])
    for command in ("old", "a", "b"):
        assert quick.do(connection, [Append("t", 6, [b"x"], command)]) is None


async def test_a_batch_that_was_refused_leaves_nothing_behind(
    connection: sqlite3.Connection, path: Path
) -> None:
    """Its commands were not done: they are not taken for done when they are sent again."""
    quick = FastAppends()
    quick.meet("t", 1, 4, ["old"])
    elsewhere(path, 5, "theirs")
    assert quick.do(connection, [Append("t", 4, [b"x"], "lost")]) is None
    quick.meet("t", 1, 5, ["old", "theirs"])
    assert quick.do(connection, [Append("t", 5, [b"6"], "lost")]) == [Appended(6, 6)]


async def test_commands_that_look_the_same_are_told_apart(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast_append, "hash", lambda _text: 7, raising=False)
    async with await open_store(path) as store:
        await store.log.read("t")
        assert await store.log.append("t", 4, [b"5"], "a") == Appended(5, 5)
        assert await store.log.append("t", 5, [b"6"], "b") == Appended(6, 6)
        assert await store.log.append("t", 6, [b"x"], "a") == Appended(5, 5, repeated=True)


async def test_no_command_is_looked_for_that_is_known_to_be_new(
    connection: sqlite3.Connection, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To look takes as long as a log is: a crowd, or a refusal, must not be slower for it."""
    looked_for: list[str | None] = []
    look = transaction._look

    def spy(opened: sqlite3.Connection, asked: Any, heads: Any) -> None:
        looked_for.extend(command for _, command in asked if command is not None)
        look(opened, asked, heads)

    monkeypatch.setattr(transaction, "_look", spy)
    quick = FastAppends()
    quick.meet("t", 1, 4, ["old"])
    crowd = [Append("t", number, [b"x"], f"new {number}") for number in range(4, 104)]
    assert long_way(connection, quick, crowd)[-1] == Appended(104, 104)
    assert long_way(connection, quick, [Append("t", 999, [b"x"], "refused")]) == [Conflict(104)]
    assert looked_for == []
    seen_before = [Append("t", 104, [b"x"], "old"), Append("t", 104, [b"105"], "unheard of")]
    assert long_way(connection, quick, seen_before) == [REPEATED, Appended(105, 105)]
    assert looked_for == ["old"]
    elsewhere(path, 106, "theirs")
    answers = long_way(connection, quick, [Append("t", 106, [b"x"], "theirs")])
    assert answers == [Appended(106, 106, repeated=True)]
    assert looked_for == ["old", "theirs"]


async def test_when_there_are_too_many_the_older_half_is_forgotten(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast_append, "MOST_TABLES", 4)
    quick = FastAppends()
    quick.meet("t", 1, 4, ["old"])
    for name in "abc":
        quick.meet(name, 2, 1, [])
    long_way(connection, quick, [Append("nowhere", 1, [b"x"], "x")])
    known = [name for name in "tabc" if quick.new_at(Append(name, 4, [b"x"], "new")) is not None]
    assert known == ["b", "c"]


async def test_a_log_that_cannot_be_looked_at_stays_unknown(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = FastAppends()
    monkeypatch.setattr(fast_append, "_FIND", "SELECT nothing")
    long_way(connection, quick, [Append("t", 4, [b"5"], "a")])
    assert quick.do(connection, [Append("t", 5, [b"x"], "b")]) is None


async def test_the_long_way_finds_commands_by_the_primary_key(
    connection: sqlite3.Connection,
) -> None:
    asked: list[str] = []
    connection.set_trace_callback(asked.append)
    perform(connection, [Append("t", 9, [b"x"], "old")])
    connection.set_trace_callback(None)
    plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {asked[0]}")]
    facts = [line for line in plan if "facts" in line]
    assert facts
    assert all("SEARCH facts USING" in line and "table_id=?" in line for line in facts)


# --- whoever else changes something ---------------------------------------------------------------


async def test_a_command_is_known_after_somebody_was_forgotten(path: Path) -> None:
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


async def test_two_programs_answer_as_one_would(tmp_path: Path) -> None:
    """Whatever they do, read or forget: each answer is the one of a log that is kept only once."""
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
    stores: list[Store], turn: int, table: str, random: Random, place: Path
) -> None:
    """Before a batch: read a log, in part or whole, or start anew, or nothing."""
    what = random.randrange(8)
    if what == 0:
        await stores[turn].close()
        stores[turn] = await open_store(place)
    elif what <= 2:
        await stores[turn].log.read(table)
    elif what == 3:
        await stores[turn].log.read(table, after=random.randint(1, 9))
    elif what == 4:
        stores[turn].log.__dict__["_fast_appends"].forget()
