"""Bus between nodes: hints that a table has a newer head, and news such as presence.

The log itself is the truth. A hint may be lost, late or doubled and nothing breaks: whoever gets
one reads the log, and the heads of live tables are polled anyway. News are repeated by those who
have them.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from tuilerie.server.cancellation import cancel_and_wait
from tuilerie.server.ops import metrics

OnHead = Callable[[str, int], None]
"""Called with a table and the number of its newest fact, as another node published it."""

News = Mapping[str, Any]
"""Anything else, as JSON has it."""

OnNews = Callable[[News], None]
"""Called with the news of every node, our own included."""

HEADS = "tuilerie:heads"
NEWS = "tuilerie:news"
LONGEST_PAUSE = 5.0
LAST_WORDS_SECONDS = 0.5

log: Any = structlog.get_logger("tuilerie.bus")


class Bus(Protocol):
    """The interface of a bus."""

    async def start(self, on_head: OnHead, on_news: OnNews) -> None:
        """Begin to listen."""
        ...

    def publish_head(self, table: str, number: int) -> None:
        """Publish a new head to the other nodes, soon. Never waits and never fails."""
        ...

    def publish_news(self, news: News) -> None:
        """Publish news to all nodes, this one included, soon. Never waits and never fails."""
        ...

    async def stop(self) -> None:
        """Listen no longer."""
        ...


class LocalBus:
    """The bus of a server that has one node: there is nobody to tell.

    Several nodes in one process (in tests) may share one; each hears what the others tell.
    """

    def __init__(self) -> None:
        self._listeners: list[tuple[OnHead, OnNews]] = []

    async def start(self, on_head: OnHead, on_news: OnNews) -> None:
        """Begin to listen."""
        self._listeners.append((on_head, on_news))

    def publish_head(self, table: str, number: int) -> None:
        """Tell everybody who listens; who told it knows it already, and takes no notice."""
        if len(self._listeners) > 1:
            for on_head, _ in self._listeners:
                on_head(table, number)

    def publish_news(self, news: News) -> None:
        """Tell everybody who listens, if anybody but ourselves does."""
        if len(self._listeners) > 1:
            for _, on_news in tuple(self._listeners):
                on_news(news)

    async def stop(self) -> None:
        """Listen no longer."""
        self._listeners.clear()


class RedisBus:
    """Publish and subscribe over Redis. While Redis is lost, hints are dropped, not kept."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._out: asyncio.Queue[tuple[str, int] | News] = asyncio.Queue(10_000)
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self, on_head: OnHead, on_news: OnNews) -> None:
        """Begin to listen, and to send."""
        self._tasks = [
            asyncio.create_task(self._run_with_reconnects(self._send)),
            asyncio.create_task(
                self._run_with_reconnects(lambda redis: self._listen(redis, on_head, on_news))
            ),
        ]

    def publish_head(self, table: str, number: int) -> None:
        """Tell the other nodes, soon; if too much is waiting already, not at all."""
        self._put((table, number))

    def publish_news(self, news: News) -> None:
        """Tell all nodes, soon; if too much is waiting already, not at all."""
        self._put(news)

    def _put(self, what: tuple[str, int] | News) -> None:
        with contextlib.suppress(asyncio.QueueFull):
            self._out.put_nowait(what)

    async def stop(self) -> None:
        """End both tasks, when what was said last is sent."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._out.join(), LAST_WORDS_SECONDS)
        await cancel_and_wait(*self._tasks)

    async def _run_with_reconnects(self, work: Callable[[Any], Any]) -> None:
        """Run this for ever; reconnect with backoff whenever Redis is lost."""
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
                heads = dict(each for each in waiting if isinstance(each, tuple))
                if heads:
                    words = " ".join(f"{table}={number}" for table, number in heads.items())
                    await redis.publish(HEADS, words)
                for each in waiting:
                    if not isinstance(each, tuple):
                        await redis.publish(NEWS, json.dumps(each))
            finally:
                for _ in waiting:
                    self._out.task_done()

    async def _listen(self, redis: Any, on_head: OnHead, on_news: OnNews) -> None:
        async with redis.pubsub(ignore_subscribe_messages=True) as channel:
            await channel.subscribe(HEADS, NEWS)
            async for message in channel.listen():
                if message["channel"] == HEADS.encode():
                    for table, number in read_heads(message["data"]):
                        on_head(table, number)
                    continue
                try:
                    on_news(read_news(message["data"]))
                except (TypeError, ValueError) as error:  # nothing that a node of ours would say
                    log.warning("strange-news", why=str(error))


def read_heads(data: bytes) -> list[tuple[str, int]]:
    """The heads of a message; whatever cannot be read is nobody's head."""
    found = []
    for word in data.decode("ascii", "replace").split():
        table, _, number = word.rpartition("=")
        if table and number.isdigit():
            found.append((table, int(number)))
    return found


def read_news(data: bytes) -> News:
    """The news of a message; whatever cannot be read is none."""
    try:
        found = json.loads(data)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
