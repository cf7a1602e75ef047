"""Bus between nodes: hints that a table has a newer head, and news such as presence.

Hints go to the nodes that follow the table, each to its own channel; news go to one node or to all.
The log is the source of truth. A hint may be lost, late or duplicated: its receiver reads the log,
and the heads of tables that several nodes follow are polled as well.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any, NamedTuple, Protocol

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from tuilerie.server.cancellation import cancel_and_wait
from tuilerie.server.ops import metrics

OnHead = Callable[[str, int], None]
"""Called with a table and the number of its newest fact, as another node published it."""

News = Mapping[str, Any]
"""Any other message: a JSON object."""

OnNews = Callable[[News], None]
"""Called with news for this node, and with news for all nodes, its own included."""

NEWS = "tuilerie:news"
GATHER_SECONDS = 0.05
"""After sending, what follows is gathered for so long: all for one node is then one message. So the
cost of the bus is bounded however many moves there are; where they are rare, none waits."""

PUBLISH = "for n = 1, #ARGV, 2 do redis.call('PUBLISH', ARGV[n], ARGV[n + 1]) end"
"""Publishes channels and messages, in turn. A command for each would take 20 µs each to send."""

LONGEST_NUMBER = 15
"""More digits are not the number of a fact; very many would raise."""

LONGEST_PAUSE = 5.0
FLUSH_SECONDS = 0.5

log: Any = structlog.get_logger("tuilerie.bus")


def _channel(node: str) -> str:
    return f"tuilerie:node:{node}"


class Bus(Protocol):
    """The interface of a bus. To publish never blocks and never fails; messages may be lost."""

    async def start(self, node: str, on_head: OnHead, on_news: OnNews) -> None:
        """Begin to listen, as this node."""
        ...

    def publish_head(self, table: str, number: int, nodes: Iterable[str]) -> None:
        """Publish a new head to these nodes."""
        ...

    def publish_news(self, news: News, node: str | None = None) -> None:
        """Publish news to a node, or to all nodes, this one included."""
        ...

    async def stop(self) -> None:
        """Listen no longer."""
        ...


class LocalBus:
    """The bus of a single node: publishes to nobody.

    Several nodes in one process (in tests) may share one, and then get each other's messages.
    """

    def __init__(self) -> None:
        self._listeners: dict[str, tuple[OnHead, OnNews]] = {}

    async def start(self, node: str, on_head: OnHead, on_news: OnNews) -> None:
        """Begin to listen."""
        self._listeners[node] = (on_head, on_news)

    def publish_head(self, table: str, number: int, nodes: Iterable[str]) -> None:
        """Publish it to these nodes."""
        for node in nodes:
            if node in self._listeners:
                self._listeners[node][0](table, number)

    def publish_news(self, news: News, node: str | None = None) -> None:
        """Publish it to a node, or to all, if there are any but our own."""
        if len(self._listeners) > 1:
            for name, (_, on_news) in tuple(self._listeners.items()):
                if node in (None, name):
                    on_news(news)

    async def stop(self) -> None:
        """Listen no longer."""
        self._listeners.clear()


class _HeadMessage(NamedTuple):
    """A new head, for some nodes."""

    table: str
    number: int
    nodes: tuple[str, ...]


class _NewsMessage(NamedTuple):
    """News for a channel."""

    channel: str
    news: News


class RedisBus:
    """Publish and subscribe over Redis. While Redis is down, messages are dropped."""

    def __init__(self, url: str, gather: float = GATHER_SECONDS) -> None:
        self._url = url
        self._gather = gather
        self._out: asyncio.Queue[_HeadMessage | _NewsMessage] = asyncio.Queue(10_000)
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self, node: str, on_head: OnHead, on_news: OnNews) -> None:
        """Start to listen and to send."""
        self._tasks = [
            asyncio.create_task(self._run_with_reconnects(self._send)),
            asyncio.create_task(
                self._run_with_reconnects(lambda redis: self._listen(redis, node, on_head, on_news))
            ),
        ]

    def publish_head(self, table: str, number: int, nodes: Iterable[str]) -> None:
        """Queue it for these nodes; dropped if the queue is full."""
        self._put(_HeadMessage(table, number, tuple(nodes)))

    def publish_news(self, news: News, node: str | None = None) -> None:
        """Queue it for a node or all nodes; dropped if the queue is full."""
        self._put(_NewsMessage(NEWS if node is None else _channel(node), news))

    def _put(self, what: _HeadMessage | _NewsMessage) -> None:
        with contextlib.suppress(asyncio.QueueFull):
            self._out.put_nowait(what)

    async def stop(self) -> None:
        """Flush the queue, then end both tasks."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._out.join(), FLUSH_SECONDS)
        await cancel_and_wait(*self._tasks)

    async def _run_with_reconnects(self, work: Callable[[Any], Any]) -> None:
        """Run this for ever; reconnect with backoff when the connection is lost."""
        pause = 0.1
        while True:
            redis = Redis.from_url(self._url, socket_connect_timeout=2)
            try:
                await redis.ping()
                metrics.BUS_DOWN.set(0)
                pause = 0.1
                await work(redis)
            except (RedisError, OSError) as error:
                metrics.BUS_DOWN.set(1)
                log.warning("bus-lost", why=type(error).__name__, again_in=pause)
            finally:
                with contextlib.suppress(RedisError, OSError):
                    await redis.aclose()
            while not self._out.empty():
                self._out.get_nowait()
                self._out.task_done()
            await asyncio.sleep(pause)
            pause = min(LONGEST_PAUSE, pause * 2)

    async def _send(self, redis: Any) -> None:
        while True:
            waiting = [await self._out.get()]
            while not self._out.empty():
                waiting.append(self._out.get_nowait())
            try:
                await redis.eval(PUBLISH, 0, *chain.from_iterable(_messages(waiting)))
            finally:
                for _ in waiting:
                    self._out.task_done()
            await asyncio.sleep(self._gather)

    async def _listen(self, redis: Any, node: str, on_head: OnHead, on_news: OnNews) -> None:
        async with redis.pubsub(ignore_subscribe_messages=True) as channel:
            await channel.subscribe(NEWS, _channel(node))
            async for message in channel.listen():
                for line in message["data"].splitlines():
                    try:
                        _deliver(line, on_head, on_news)
                    except Exception as error:  # not from a node of ours
                        log.warning("invalid-news", why=type(error).__name__)


def _deliver(line: bytes, on_head: OnHead, on_news: OnNews) -> None:
    if line.startswith(b"{"):
        on_news(read_news(line))
        return
    for table, number in read_heads(line):
        on_head(table, number)


def _messages(waiting: Iterable[_HeadMessage | _NewsMessage]) -> list[tuple[str, str]]:
    """Channels and messages, one for each channel. Its first line holds the hints, the newest for
    each table, if there are any; each other line holds news."""
    heads: dict[str, dict[str, int]] = {}
    lines: dict[str, list[str]] = {}
    for each in waiting:
        if isinstance(each, _NewsMessage):
            lines.setdefault(each.channel, []).append(json.dumps(each.news))
            continue
        for node in each.nodes:
            heads.setdefault(_channel(node), {})[each.table] = each.number
    for channel, tables in heads.items():
        hints = " ".join(f"{table}={number}" for table, number in tables.items())
        lines.setdefault(channel, []).insert(0, hints)
    return [(channel, "\n".join(found)) for channel, found in lines.items()]


def read_heads(data: bytes) -> list[tuple[str, int]]:
    """The heads of a message; invalid ones are left out."""
    found = []
    for word in data.decode("ascii", "replace").split():
        table, _, number = word.rpartition("=")
        if table and number.isdigit() and len(number) <= LONGEST_NUMBER:
            found.append((table, int(number)))
    return found


def read_news(data: bytes) -> News:
    """The news of a message; empty if it is invalid."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
