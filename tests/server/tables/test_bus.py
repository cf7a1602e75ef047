"""The bus over Redis: hints share messages, and nothing that arrives ends the listening."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest
from redis.asyncio import Redis

from tests.server.house import WAIT
from tests.servers import RedisServer, redis_server
from tuilerie.server.tables.bus import NEWS, RedisBus

__all__ = ["redis_server"]


class Node:
    """A node on the bus, and what it has received."""

    def __init__(self, url: str, name: str, gather: float = 0.05) -> None:
        self.name = name
        self.bus = RedisBus(url, gather)
        self.heads: list[tuple[str, int]] = []
        self.news: list[Any] = []

    async def start(self) -> None:
        await self.bus.start(
            self.name, lambda table, number: self.heads.append((table, number)), self._receive
        )

    def _receive(self, news: Any) -> None:
        if "raises" in news:
            raise {"type": TypeError, "key": KeyError}[news["raises"]]
        self.news.append(news)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What is sent to Redis: for each time, the channels."""
    sent: list[list[str]] = []
    plain = Redis.eval

    def evaluate(self: Any, script: str, keys: int, *words: str) -> Any:
        sent.append(list(words[::2]))
        return plain(self, script, keys, *words)

    monkeypatch.setattr(Redis, "eval", evaluate)
    return sent


async def until(done: Any) -> None:
    async with asyncio.timeout(WAIT):
        while not done():
            await asyncio.sleep(0.005)


async def meet(*nodes: Node) -> None:
    """Start them, and wait until each hears all."""
    for node in nodes:
        await node.start()
    for node in nodes:
        async with asyncio.timeout(WAIT):
            while {"node": node.name} not in node.news:
                node.bus.publish_news({"node": node.name})
                await asyncio.sleep(0.1)
    for node in nodes:
        node.news.clear()


async def test_hints_for_a_node_share_messages_and_the_first_waits_for_none(
    redis_server: RedisServer, counted: list[list[str]]
) -> None:
    one, two = Node(redis_server.url, "one", gather=0.5), Node(redis_server.url, "two")
    await meet(one, two)
    await asyncio.sleep(0.6)
    counted.clear()
    began = time.perf_counter()
    one.bus.publish_head("t", 1, ["two"])
    await until(lambda: two.heads)
    first = time.perf_counter() - began
    for number in range(2, 200):
        one.bus.publish_head("t", number, ["two", "three"])
        one.bus.publish_head(f"u{number % 5}", number, ["two"])
        await asyncio.sleep(0)
    one.bus.publish_news({"said": "to two\n"}, "two")
    one.bus.publish_news({"said": "again"}, "two")
    await until(lambda: ("t", 199) in two.heads)
    assert first < time.perf_counter() - began, "the others were gathered"
    assert two.news == [{"said": "to two\n"}, {"said": "again"}]
    assert len(two.heads) == 1 + 1 + 5, "the newest for each table"
    assert [sorted(each) for each in counted] == [
        ["tuilerie:node:two"],
        ["tuilerie:node:three", "tuilerie:node:two"],
    ]
    await one.bus.stop()
    await two.bus.stop()


async def test_what_no_node_of_ours_sends_does_not_end_the_listening(
    redis_server: RedisServer,
) -> None:
    one = Node(redis_server.url, "one")
    await meet(one)
    redis: Any = Redis.from_url(redis_server.url)
    hints = (b"t=x =1 t=-1", b"t=" + b"9" * 5_000)  # Python refuses to read so many digits
    news = (b'{"raises":"type"}', b'{"raises":"key"}', b'{"a":' * 5_000)
    for text in (b"{", b"\xff", b"[]", b"{}", *hints, *news):
        await redis.publish(NEWS, text)
    await redis.publish("tuilerie:node:one", json.dumps({"node": "x", "last": True}))
    await redis.publish("tuilerie:node:one", "t=7")
    await until(lambda: one.heads)
    assert one.heads == [("t", 7)]
    assert one.news == [{}] * 3 + [{"node": "x", "last": True}]
    await one.bus.stop()
    await redis.aclose()
