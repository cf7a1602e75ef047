"""What 100,000 tables cost a node beside its own moves: presence, hints, polls and wake-ups.

One node of a cluster is simulated with its real parts: `PresenceTracker`, `RedisBus` on a real
Redis, and `RowKeeper` and polls on a real PostgreSQL. Other nodes are messages, as they
would send them: each arrives by itself. Time is simulated: what happens in a number of seconds is
done as fast as possible, in steps of `GATHER_SECONDS`, as nodes send what they gather, and the CPU
time of the node's thread is counted. 100 % is its whole event loop.

The cluster: 100,000 tables on 20 nodes, a move at each every 5 s, somebody who comes or goes at
each once a minute, and each lasts 20 minutes and has a clock or a bot, so that it must be woken if
its node dies. "shared": the share of tables with people on two nodes; a load balancer that sends
the people of a table to one node makes it small.

    python benchmarks/many_tables.py [--tables 100000] [--nodes 20] [--seconds 10]
        [--shared 0,0.1,1]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import uvloop  # noqa: E402
from redis.asyncio import Redis  # noqa: E402
from tests.servers import PostgresServer, RedisServer, find_postgres  # noqa: E402

from tuilerie.server.ops.limits import (  # noqa: E402
    POLL_SECONDS,
    PRESENCE_BEAT_SECONDS,
    SWEEP_SECONDS,
)
from tuilerie.server.tables import registry, row_keeper  # noqa: E402
from tuilerie.server.tables.bus import GATHER_SECONDS, NEWS, RedisBus  # noqa: E402
from tuilerie.server.tables.presence import PresenceTracker, Seen  # noqa: E402
from tuilerie.server.tables.registry import TableRegistry  # noqa: E402
from tuilerie.server.tables.row_keeper import RowKeeper  # noqa: E402
from tuilerie.store import open_store  # noqa: E402
from tuilerie.store.log import TableMeta  # noqa: E402

MOVE_SECONDS, CHANGE_SECONDS, LIFE_SECONDS = 5.0, 60.0, 1200.0

CLOCK_MS = 60_000
"""A clock of a minute a move: when the table wants to be woken."""


class Costs:
    """CPU seconds by what they were spent on."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.of_settling = 0.0  # what `settle` itself takes: no node does that

    @contextmanager
    def of(self, what: str, settles: int = 0) -> Iterator[None]:
        """Count this; it calls `settle` so many times."""
        began = time.thread_time() + settles * self.of_settling
        try:
            yield
        finally:
            self.seconds[what] = self.seconds.get(what, 0.0) + time.thread_time() - began

    async def calibrate(self, node: Node) -> None:
        """Measure what `settle` takes when nothing arrives."""
        began = time.thread_time()
        for _ in range(100):
            await settle(node)
        self.of_settling = (time.thread_time() - began) / 100


class Others:
    """The other nodes: a thread that publishes what they would."""

    def __init__(self, url: str, count: int) -> None:
        self.names = [f"other-{number}" for number in range(count)]
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._url = url
        self._waiting: list[tuple[str, Any]] = []
        self._redis: Any = None

    def say(self, news: Any, node: str | None = None) -> None:
        """Publish this with the next `flush`."""
        channel = NEWS if node is None else f"tuilerie:node:{node}"
        self._waiting.append((channel, news))

    async def flush(self) -> None:
        """Publish, and wait until it is done."""
        waiting, self._waiting = self._waiting, []
        await asyncio.wrap_future(
            asyncio.run_coroutine_threadsafe(self._publish(waiting), self._loop)
        )

    async def _publish(self, waiting: list[tuple[str, Any]]) -> None:
        if self._redis is None:
            self._redis = Redis.from_url(self._url)
        for channel, news in waiting:
            text = news if isinstance(news, str) else json.dumps(news)
            await self._redis.publish(channel, text)

    def end(self) -> None:
        """End the thread."""
        if self._redis is not None:
            asyncio.run_coroutine_threadsafe(self._redis.aclose(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()


class Node:
    """One node of the cluster, and what it receives from the others."""

    def __init__(self, asked: Any, shared: float, bus: RedisBus, store: Any, url: str) -> None:
        self.now = 1000.0
        self.random = Random(1)
        self.bus, self.store = bus, store
        self.others = Others(url, asked.nodes - 1)
        own = round(asked.tables / asked.nodes * (1 + shared))  # shared ones are on two nodes
        self.tables = [f"table-{number}" for number in range(own)]
        self.shared = set(self.tables[: round(asked.tables / asked.nodes * 2 * shared)])
        self.shared_list = sorted(self.shared)
        self.presence = PresenceTracker(
            bus.publish_news, lambda _table: None, clock=lambda: self.now
        )
        self.live: dict[str, Any] = {slug: object() for slug in self.tables}
        self.rows = RowKeeper(store.log, self.live.get, self._spawn, single_node=False)
        self.heads = 0
        self.polling: Any = SimpleNamespace(presence=self.presence, _polls={})

    def _spawn(self, work: Any) -> None:
        work.close()  # `sweep` writes it

    def receive(self, news: Any) -> None:
        """What arrives on the bus."""
        self.presence.receive(news)

    def hint(self, _table: str, _number: int) -> None:
        """A hint that arrives on the bus."""
        self.heads += 1

    def some(self, tables: list[str], every: float, seconds: float) -> list[str]:
        """The tables at which something happens within this time, if it does so often."""
        count = len(tables) * seconds / every
        whole = int(count) + (self.random.random() < count % 1)
        return self.random.choices(tables, k=whole) if tables else []


async def settle(node: Node) -> None:
    """Wait until everything published has arrived here."""
    await node.others.flush()
    while not node.bus._out.empty():
        await asyncio.sleep(0)
    await asyncio.sleep(0.01)


async def fill(node: Node) -> None:
    """Follow all tables; others follow the shared ones."""
    presence = node.presence
    for slug in node.tables:
        presence._ours[slug] = Seen(frozenset((0,)))
        node.rows._stored[slug] = None
    presence.receive({"node": presence.node})
    for start in range(0, len(node.shared), 500):
        slugs = list(islice(node.shared, start, start + 500))
        other = node.others.names[start // 500 % len(node.others.names)]
        presence.receive({"node": other, "tables": {slug: [[1], 0, False] for slug in slugs}})
    await settle(node)


async def second(node: Node, costs: Costs, number: int) -> None:
    """Everything that happens in one second."""
    await nodes_talk(node, costs)
    for _ in range(round(1 / GATHER_SECONDS)):
        await tables_change(node, costs, GATHER_SECONDS)
    if number % round(POLL_SECONDS) == 0:
        with costs.of("polls"):
            slugs = TableRegistry._to_poll(node.polling)
            for start in range(0, len(slugs), 500):
                await node.store.log.heads(slugs[start : start + 500])
    with costs.of("wake-ups"):
        for slug in node.some(node.tables, MOVE_SECONDS, 1):
            node.rows.changed(slug, BEFORE, BEFORE)
        if number % round(SWEEP_SECONDS) == 0:
            await node.rows.sweep(_nothing)


async def nodes_talk(node: Node, costs: Costs) -> None:
    """Beats, and tables that are loaded and unloaded."""
    presence = node.presence
    beats = round(1 / PRESENCE_BEAT_SECONDS)
    for _ in range(beats):
        node.now += PRESENCE_BEAT_SECONDS
        with costs.of("beats", settles=1):
            presence.heartbeat()
            for other in node.others.names:
                node.others.say({"node": other})
            await settle(node)
    with costs.of("follow and leave", settles=1):
        for slug in node.some(node.tables, LIFE_SECONDS, 1):
            presence.unfollow(slug)
            presence.follow(slug)
            presence._ours[slug] = Seen(frozenset((0,)))
        # What all other nodes announce, each in a separate message.
        for number_of in range(round(len(node.tables) * len(node.others.names) / LIFE_SECONDS)):
            other = node.random.choice(node.others.names)
            node.others.say({"node": other, "follows": [f"else-{number_of}"]})
        await settle(node)


async def tables_change(node: Node, costs: Costs, seconds: float) -> None:
    """Moves, and people who come and go: what nodes gather before they send it."""
    presence, shared = node.presence, node.shared_list
    theirs: dict[str, list[str]] = {}  # what each other node sends together
    with costs.of("hints and presence", settles=1):
        for slug in node.some(shared, MOVE_SECONDS, seconds):
            if followers := presence.followers(slug):
                TableRegistry._poll_soon(node.polling, slug)
                if node.random.random() < 0.5:
                    node.bus.publish_head(slug, 7, followers)
                else:
                    theirs.setdefault(next(iter(followers)), []).append(f"{slug}=7")
        theirs = {other: [" ".join(hints)] for other, hints in theirs.items()}
        for slug in node.some(shared, CHANGE_SECONDS, seconds):
            presence.set_local(slug, Seen(frozenset((0,)), node.random.randrange(9)))
            for other in presence.followers(slug):
                told = {"node": other, "tables": {slug: [[1], node.random.randrange(9), False]}}
                theirs.setdefault(other, []).append(json.dumps(told))
        for lines in theirs.values():
            node.others.say("\n".join(lines), presence.node)
        await settle(node)


BEFORE: Any = object()


async def _nothing(_slug: str) -> None:
    return


async def measure(asked: Any, shared: float, redis_url: str, database: str) -> dict[str, float]:
    """CPU seconds a second, by what they are spent on."""
    costs = Costs()
    async with await open_store(database) as store:
        bus = RedisBus(redis_url, gather=0)  # time is simulated
        node = Node(asked, shared, bus, store, redis_url)
        await bus.start(node.presence.node, node.hint, node.receive)
        try:
            await create(store.log.create, node.tables)
            await fill(node)
            await costs.calibrate(node)
            clock = SimpleNamespace(monotonic=lambda: node.now)
            with _patched(registry, "time", clock), _simulated_clocks(node):
                for number in range(1, asked.seconds + 1):
                    await second(node, costs, number)
        finally:
            await bus.stop()
            node.others.end()
    return {what: spent / asked.seconds for what, spent in costs.seconds.items()}


async def create(new: Callable[..., Awaitable[None]], tables: list[str]) -> None:
    """Store the tables, once."""
    queue = iter(tables)

    async def work() -> None:
        for slug in queue:
            try:
                await new(slug, [b"{}"], TableMeta("blockers", 1))
            except Exception as error:
                if type(error).__name__ != "TableExists":
                    raise

    await asyncio.gather(*(work() for _ in range(6)))


@contextmanager
def _patched(module: Any, name: str, value: Any) -> Iterator[None]:
    before = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, before)


@contextmanager
def _simulated_clocks(node: Node) -> Iterator[None]:
    """Tables want to be woken a minute after their last move; time is the node's."""

    def now_ms() -> int:
        return round(node.now * 1000)

    def wanted_at(_table: Any) -> int:
        return now_ms() + CLOCK_MS

    with (
        _patched(row_keeper, "now_ms", now_ms),
        _patched(row_keeper, "wanted_at", wanted_at),
        _patched(row_keeper, "may_differ", lambda _before, _after: False),
    ):
        yield


def main() -> None:
    """Measure each share of shared tables, and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=100_000)
    parser.add_argument("--nodes", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--shared", default="0,0.1,1")
    asked = parser.parse_args()
    program, programs = shutil.which("redis-server"), find_postgres()
    if program is None or programs is None:
        raise SystemExit("PostgreSQL or Redis is not installed: run scripts/test-servers")
    redis, postgres = RedisServer(program), PostgresServer(programs)
    print(f"{asked.tables:,} tables on {asked.nodes} nodes: share of one node's event loop")
    try:
        redis.start()
        postgres.start()
        database = postgres.database()
        for shared in map(float, asked.shared.split(",")):
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:  # as a server does
                costs = runner.run(measure(asked, shared, redis.url, database))
            parts = ", ".join(f"{what} {100 * spent:.2f} %" for what, spent in costs.items())
            print(f"{100 * shared:4.0f} % shared: {100 * sum(costs.values()):5.2f} % ({parts})")
    finally:
        redis.remove()
        postgres.remove()


if __name__ == "__main__":
    main()
