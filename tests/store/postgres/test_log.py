"""PostgreSQL: lost connections, restarts, and errors of the server."""

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


class Proxy:
    """A TCP proxy to the server that can drop requests or responses."""

    def __init__(self, url: str) -> None:
        self.port = free_port()
        host, _, self.database = url.partition("@")[2].partition("/")
        self._server = int(host.partition(":")[2])
        self._streams: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._listener: asyncio.Server | None = None
        self.hears_questions = True
        self.hears_answers = True
        self.unheard = asyncio.Event()  # something was dropped

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{self.database}"

    async def open(self) -> None:
        self.hears_questions = self.hears_answers = True
        self._listener = await asyncio.start_server(self._connected, "127.0.0.1", self.port)

    async def cut(self) -> None:
        """Close all connections and refuse new ones."""
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
                else:
                    self.unheard.set()
            # Propagate a closed side to the other one.
            target.close()


@pytest_asyncio.fixture
async def direct(postgres_url: str) -> AsyncIterator[Log]:
    """The log on a direct connection, as seen by another node."""
    async with await open_store(postgres_url) as store:
        yield store.log


@pytest_asyncio.fixture
async def proxy(postgres_url: str) -> AsyncIterator[Proxy]:
    made = Proxy(postgres_url)
    await made.open()
    yield made
    await made.cut()


@pytest_asyncio.fixture
async def store(proxy: Proxy) -> AsyncIterator[Store]:
    async with await open_store(proxy.url) as opened:
        await opened.log.create("t", [b"1"], META)
        await opened.log.append("t", 1, [b"2"])  # everything is connected and prepared now
        yield opened


async def wait_until_committed(direct: Log, head: int) -> None:
    """Wait until the server has committed the append whose answer was lost."""
    while (await direct.heads(["t"]))["t"] < head:
        await asyncio.sleep(0.005)


@pytest.mark.parametrize("key", [None, "k"])
async def test_append_with_a_lost_answer_is_recognised_as_done(
    store: Store, proxy: Proxy, direct: Log, key: str | None
) -> None:
    proxy.hears_answers = False
    asked = asyncio.create_task(store.log.append("t", 2, [b"3", b"4"], key))
    await wait_until_committed(direct, 4)
    await proxy.cut()
    await asyncio.sleep(0.05)
    assert not asked.done()
    await direct.append("t", 4, [b"5"])
    await proxy.open()
    assert await asked == Appended(3, 4)
    facts = [body for _, body in await direct.read("t")]
    assert facts == [b"1", b"2", b"3", b"4", b"5"]


@pytest.mark.parametrize("key", [None, "k"])
async def test_append_with_a_lost_request_is_retried(
    store: Store, proxy: Proxy, direct: Log, key: str | None
) -> None:
    proxy.hears_questions = False
    asked = asyncio.create_task(store.log.append("t", 2, [b"3"], key))
    await proxy.unheard.wait()
    await proxy.cut()
    assert (await direct.heads(["t"]))["t"] == 2
    await proxy.open()
    assert await asked == Appended(3, 3)
    assert await direct.read("t", after=2) == [(3, b"3")]


@pytest.mark.parametrize("key", [None, "k"])
async def test_retried_append_may_lose_to_another_writer(
    store: Store, proxy: Proxy, direct: Log, key: str | None
) -> None:
    proxy.hears_questions = False
    asked = asyncio.create_task(store.log.append("t", 2, [b"3"], key))
    await proxy.unheard.wait()
    await direct.append("t", 2, [b"somebody else's", b"and another"])
    await proxy.cut()
    await proxy.open()
    assert await asked == Conflict(4)


async def test_retry_during_a_pending_request_counts_once(
    store: Store, direct: Log, postgres_url: str
) -> None:
    """A node retries while its first request still waits for a lock on the server."""
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
    assert not asked.done(), "it waits for the outcome of the first"
    await late.commit()
    await other.close()
    assert await asked == Conflict(3)
    assert await direct.read("t", after=2) == [(3, b"3")]


async def test_table_with_a_lost_creation_answer_exists(
    store: Store, proxy: Proxy, direct: Log
) -> None:
    proxy.hears_answers = False
    asked = asyncio.create_task(store.log.create("new", [b"1"], META))
    await asyncio.sleep(0.05)
    await proxy.cut()
    await proxy.open()
    await asked
    assert await direct.read("new") == [(1, b"1")]
    with pytest.raises(TableExists):
        await store.log.create("new", [b"1"], META)


async def test_reads_resume_after_reconnect(store: Store, proxy: Proxy) -> None:
    await proxy.cut()
    asked = asyncio.gather(store.log.read("t"), store.log.heads(["t"]), store.log.tables())
    await asyncio.sleep(0.05)
    await proxy.open()
    facts, heads, rows = await asked
    assert facts == [(1, b"1"), (2, b"2")]
    assert heads == {"t": 2}
    assert len(rows) == 1


async def test_account_queries_resume_after_reconnect(store: Store, proxy: Proxy) -> None:
    token = await store.seats.issue_token("t", "p", "Ana")
    await proxy.cut()
    asked = asyncio.gather(store.seats.resolve(token), store.seats.issue_token("t", "q"))
    await asyncio.sleep(0.05)
    await proxy.open()
    player, other = await asked
    assert player is not None
    assert (player.id, player.name) == ("p", "Ana")
    assert await store.seats.resolve(other) is not None


@pytest.mark.slow
async def test_unreachable_database_raises_after_the_timeout(proxy: Proxy) -> None:
    async with await open_store(proxy.url, patience=0.2) as store:
        await store.log.create("t", [b"1"], META)
        await store.log.append("t", 1, [b"2"])
        proxy.hears_questions = False
        asked = asyncio.create_task(store.log.append("t", 2, [b"3"]))
        await proxy.unheard.wait()  # it is under way
        await proxy.cut()
        with pytest.raises(Unknown, match="may have been committed or not"):
            await asked
        append, read = store.log.append("t", 2, [b"3"]), store.log.read("t")
        for call in (append, read, store.seats.resolve("x")):
            with pytest.raises(Unavailable, match="cannot be reached") as refused:
                await call
            assert not isinstance(refused.value, Unknown), "nothing was written for certain"
        await proxy.open()
        assert await store.log.append("t", 2, [b"3"]) == Appended(3, 3)


async def test_errors_never_contain_the_password(postgres_url: str) -> None:
    address = postgres_url.replace("postgres@", "postgres:geheim@")
    wrong = address.rpartition("/")[0] + "/nowhere"
    with pytest.raises(StoreError) as refused:
        await open_store(wrong)
    assert "no such database" in str(refused.value)
    async with await open_store(address) as store:
        for text in (str(refused.value), str(store.database), repr(store.database), repr(store)):
            assert "geheim" not in text


@pytest.mark.slow
@pytest.mark.parametrize("at_once", [False, True], ids=["restart", "crash"])
async def test_appends_are_exactly_once_across_server_restarts(
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


@pytest.mark.slow
async def test_repeatedly_terminated_connections_are_survived(postgres_url: str) -> None:
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


async def test_open_waits_for_a_starting_server(
    postgres: PostgresServer, postgres_url: str
) -> None:
    await asyncio.to_thread(postgres.stop)
    opening = asyncio.create_task(open_store(postgres_url))
    await asyncio.sleep(0.1)
    assert not opening.done()
    await asyncio.to_thread(postgres.start)
    async with await opening as store:
        assert await store.log.tables() == []


async def test_bug_in_one_append_does_not_fail_the_batch(store: Store) -> None:
    for number in range(10):
        await store.log.create(f"t{number}", [], META)
    wrong: Any = "not bytes"
    facts = [[b"x"] if number != 7 else [wrong] for number in range(10)]
    asked = [store.log.append(f"t{number}", 0, each) for number, each in enumerate(facts)]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert isinstance(answers.pop(7), Exception)
    assert answers == [Appended(1, 1)] * 9
    assert await store.log.append("t7", 0, [b"x"]) == Appended(1, 1)


async def test_a_read_takes_one_round_trip(postgres_url: str) -> None:
    """Connections of the pool are not reset after each use."""
    async with await open_store(postgres_url) as store:
        log: Any = store.log
        async with log._pool.acquire() as connection:
            await connection.execute("SET application_name = 'kept'")
        await store.log.heads(["t"])
        async with log._pool.acquire() as connection:
            assert await connection.fetchval("SHOW application_name") == "kept"
