"""What can go wrong on the way to PostgreSQL."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import pytest
import pytest_asyncio

from tests.servers import PostgresServer, free_port
from tuilerie.store import Store, open_store
from tuilerie.store.errors import StoreError, TableExists, Unavailable, Unknown
from tuilerie.store.log import Appended, Conflict, Log, TableMeta

META = TableMeta("genial", 1)


class Way:
    """A way to the server that can be cut: before a question is heard, or before an answer is."""

    def __init__(self, url: str) -> None:
        self.port = free_port()
        host, _, self.database = url.partition("@")[2].partition("/")
        self._server = int(host.partition(":")[2])
        self._streams: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._listener: asyncio.Server | None = None
        self.hears_questions = True
        self.hears_answers = True

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{self.database}"

    async def open(self) -> None:
        self.hears_questions = self.hears_answers = True
        self._listener = await asyncio.start_server(self._connected, "127.0.0.1", self.port)

    async def cut(self) -> None:
        """Cut all connections, and take no new ones."""
        if self._listener is not None:
            self._listener.close()
            self._listener = None
        for stream in self._streams:
            stream.transport.abort()
        await asyncio.gather(*self._tasks)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self._server)
        self._streams |= {writer, back}
        for source, target, asks in ((reader, back, True), (there, writer, False)):
            task = asyncio.create_task(self._carry(source, target, asks))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _carry(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, asks: bool
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                if self.hears_questions if asks else self.hears_answers:
                    target.write(data)
                    await target.drain()
            # One side has gone: the other is told.
            target.close()


@pytest_asyncio.fixture
async def direct(postgres_url: str) -> AsyncIterator[Log]:
    """The log as another node sees it, on a way that is not cut."""
    async with await open_store(postgres_url) as store:
        yield store.log


@pytest_asyncio.fixture
async def way(postgres_url: str) -> AsyncIterator[Way]:
    made = Way(postgres_url)
    await made.open()
    yield made
    await made.cut()


@pytest_asyncio.fixture
async def store(way: Way) -> AsyncIterator[Store]:
    async with await open_store(way.url) as opened:
        await opened.log.create("t", [b"1"], META)
        await opened.log.append("t", 1, [b"2"])  # all is prepared and connected now
        yield opened


async def heard(direct: Log, head: int) -> None:
    """Wait until the server has done what nobody was told of."""
    while (await direct.heads(["t"]))["t"] < head:
        await asyncio.sleep(0.005)


@pytest.mark.parametrize("key", [None, "k"])
async def test_an_append_whose_answer_was_lost_is_found_in_the_log(
    store: Store, way: Way, direct: Log, key: str | None
) -> None:
    way.hears_answers = False
    asked = asyncio.create_task(store.log.append("t", 2, [b"3", b"4"], key))
    await heard(direct, 4)
    await way.cut()
    await asyncio.sleep(0.05)
    assert not asked.done()
    await direct.append("t", 4, [b"5"])
    await way.open()
    assert await asked == Appended(3, 4)
    facts = [body for _, body in await direct.read("t")]
    assert facts == [b"1", b"2", b"3", b"4", b"5"]


@pytest.mark.parametrize("key", [None, "k"])
async def test_an_append_that_was_not_heard_is_asked_for_again(
    store: Store, way: Way, direct: Log, key: str | None
) -> None:
    way.hears_questions = False
    asked = asyncio.create_task(store.log.append("t", 2, [b"3"], key))
    await asyncio.sleep(0.05)
    await way.cut()
    assert (await direct.heads(["t"]))["t"] == 2
    await way.open()
    assert await asked == Appended(3, 3)
    assert await direct.read("t", after=2) == [(3, b"3")]


@pytest.mark.parametrize("key", [None, "k"])
async def test_an_append_that_was_not_heard_may_come_too_late(
    store: Store, way: Way, direct: Log, key: str | None
) -> None:
    way.hears_questions = False
    asked = asyncio.create_task(store.log.append("t", 2, [b"3"], key))
    await asyncio.sleep(0.05)
    await direct.append("t", 2, [b"somebody else's", b"and another"])
    await way.cut()
    await way.open()
    assert await asked == Conflict(4)


async def test_a_question_that_is_still_on_its_way_counts_once(
    store: Store, direct: Log, postgres_url: str
) -> None:
    """A node that lost its connection asks again while its first question still waits there."""
    other = await asyncpg.connect(postgres_url)
    query = "SELECT id FROM tables WHERE slug = 't'"
    table = await other.fetchval(query)
    late = other.transaction()
    await late.start()
    await other.execute(
        "INSERT INTO facts (table_id, number, at, body, span) VALUES ($1, 3, 0, '3', 1)", table
    )
    asked = asyncio.create_task(store.log.append("t", 2, [b"3"]))
    await asyncio.sleep(0.1)
    assert not asked.done(), "it waits to see what becomes of the first"
    await late.commit()
    await other.close()
    assert await asked == Conflict(3)
    assert await direct.read("t", after=2) == [(3, b"3")]


async def test_a_table_whose_creation_was_not_answered_is_there(
    store: Store, way: Way, direct: Log
) -> None:
    way.hears_answers = False
    asked = asyncio.create_task(store.log.create("new", [b"1"], META))
    await asyncio.sleep(0.05)
    await way.cut()
    await way.open()
    await asked
    assert await direct.read("new") == [(1, b"1")]
    with pytest.raises(TableExists):
        await store.log.create("new", [b"1"], META)


async def test_reading_goes_on_when_the_way_is_back(store: Store, way: Way) -> None:
    await way.cut()
    asked = asyncio.gather(store.log.read("t"), store.log.heads(["t"]), store.log.tables())
    await asyncio.sleep(0.05)
    await way.open()
    facts, heads, rows = await asked
    assert facts == [(1, b"1"), (2, b"2")]
    assert heads == {"t": 2}
    assert len(rows) == 1


async def test_people_are_known_again_when_the_way_is_back(store: Store, way: Way) -> None:
    token = await store.seats.issue_token("t", "p", "Ana")
    await way.cut()
    asked = asyncio.gather(store.seats.resolve(token), store.seats.issue_token("t", "q"))
    await asyncio.sleep(0.05)
    await way.open()
    player, other = await asked
    assert player is not None
    assert (player.id, player.name) == ("p", "Ana")
    assert await store.seats.resolve(other) is not None


async def test_after_some_time_it_is_said_that_the_database_is_away(way: Way) -> None:
    async with await open_store(way.url, patience=0.2) as store:
        await store.log.create("t", [b"1"], META)
        await store.log.append("t", 1, [b"2"])
        way.hears_questions = False
        asked = asyncio.create_task(store.log.append("t", 2, [b"3"]))
        await asyncio.sleep(0.05)
        await way.cut()
        with pytest.raises(Unknown, match="may be done or not"):
            await asked
        append, read = store.log.append("t", 2, [b"3"]), store.log.read("t")
        for call in (append, read, store.seats.resolve("x")):
            with pytest.raises(Unavailable, match="cannot be reached") as refused:
                await call
            assert not isinstance(refused.value, Unknown), "it is sure that nothing was done"
        await way.open()
        assert await store.log.append("t", 2, [b"3"]) == Appended(3, 3)


async def test_nothing_is_told_of_the_password(postgres_url: str) -> None:
    address = postgres_url.replace("postgres@", "postgres:geheim@")
    wrong = address.rpartition("/")[0] + "/nowhere"
    with pytest.raises(StoreError) as refused:
        await open_store(wrong)
    assert "no such database" in str(refused.value)
    async with await open_store(address) as store:
        for text in (str(refused.value), str(store.database), repr(store.database), repr(store)):
            assert "geheim" not in text


@pytest.mark.parametrize("at_once", [False, True], ids=["restart", "crash"])
async def test_no_append_is_lost_or_done_twice_while_the_server_restarts(
    postgres: PostgresServer, postgres_url: str, at_once: bool
) -> None:
    async with await open_store(postgres_url, patience=120) as store:
        stop = asyncio.Event()
        answered: dict[str, list[bytes]] = {}

        async def play(table: str) -> None:
            await store.log.create(table, [], META)
            facts = answered.setdefault(table, [])
            while not stop.is_set():
                fact = f"{table} {len(facts)}".encode()
                answer = await store.log.append(table, len(facts), [fact])
                assert answer == Appended(len(facts) + 1, len(facts) + 1)
                facts.append(fact)

        playing = [asyncio.create_task(play(f"t{number}")) for number in range(10)]
        for _ in range(2):
            await asyncio.sleep(0.2)
            await asyncio.to_thread(postgres.stop, at_once=at_once)
            await asyncio.to_thread(postgres.start)
        before = sum(map(len, answered.values()))
        while sum(map(len, answered.values())) < before + 50:
            await asyncio.sleep(0.02)
        stop.set()
        await asyncio.gather(*playing)
        for table, facts in answered.items():
            assert [body for _, body in await store.log.read(table)] == facts


async def test_connections_that_are_ended_again_and_again_are_no_matter(postgres_url: str) -> None:
    async with await open_store(postgres_url, patience=120) as store:
        await store.log.create("t", [], META)
        token = await store.seats.issue_token("t", "p")
        stop = asyncio.Event()
        done = 0

        async def write() -> None:
            nonlocal done
            while not stop.is_set():
                assert await store.log.append("t", done, [b"x"]) == Appended(done + 1, done + 1)
                done += 1

        async def read() -> None:
            while not stop.is_set():
                assert (await store.log.heads(["t"]))["t"] >= 0

        async def ask() -> None:
            while not stop.is_set():
                assert await store.seats.resolve(token) is not None

        tasks = [asyncio.create_task(each()) for each in (write, read, read, ask, ask)]
        killer = await asyncpg.connect(postgres_url)
        for _ in range(40):
            await asyncio.sleep(0.01)
            await killer.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        await killer.close()
        stop.set()
        await asyncio.gather(*tasks)
        assert await store.log.read("t") == [(number, b"x") for number in range(1, done + 1)]
        assert done > 0


async def test_it_waits_for_a_server_that_is_about_to_start(
    postgres: PostgresServer, postgres_url: str
) -> None:
    await asyncio.to_thread(postgres.stop)
    opening = asyncio.create_task(open_store(postgres_url))
    await asyncio.sleep(0.1)
    assert not opening.done()
    await asyncio.to_thread(postgres.start)
    async with await opening as store:
        assert await store.log.tables() == []


async def test_a_mistake_in_one_append_does_not_hurt_the_others(store: Store) -> None:
    for number in range(10):
        await store.log.create(f"t{number}", [], META)
    wrong: Any = "not bytes"
    facts = [[b"x"] if number != 7 else [wrong] for number in range(10)]
    asked = [store.log.append(f"t{number}", 0, each) for number, each in enumerate(facts)]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert isinstance(answers.pop(7), Exception)
    assert answers == [Appended(1, 1)] * 9
    assert await store.log.append("t7", 0, [b"x"]) == Appended(1, 1)
