"""Several nodes, one log: any node serves any socket, and no fault between them loses an event."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from random import Random

import pytest

from tests.server.bad_redis import BadRedis
from tests.server.house import Line, house, table_of_two, whose_turn
from tests.server.players import Room
from tests.server.process import ServerProcess
from tests.server.test_kill import check, progress
from tests.servers import (
    PostgresServer,
    RedisServer,
    postgres,
    postgres_url,
    redis_server,
    redis_url,
)
from tuilerie.server.tables import registry
from tuilerie.server.tables.bus import LocalBus, read_heads
from tuilerie.store import open_store
from tuilerie.store.maintenance.verify import verify

__all__ = ["postgres", "postgres_url", "redis_server", "redis_url"]


class BadBus(LocalBus):
    """Loses half of the messages; the rest come late, some twice."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._random = Random(seed)
        self.lost = 0

    def publish_head(self, table: str, number: int, nodes: Iterable[str]) -> None:
        if self._random.random() < 0.5:
            self.lost += 1
            return
        loop = asyncio.get_running_loop()
        for node in nodes:
            for _ in range(self._random.choice([1, 1, 2])):
                received = self._listeners[node][0]
                loop.call_later(self._random.uniform(0, 0.05), received, table, number)

    async def stop(self) -> None:
        return


@pytest.mark.slow
async def test_no_event_is_lost_when_the_bus_drops_half_of_its_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "POLL_SECONDS", 0.1)
    bus, random = BadBus(1), Random(2)
    async with house(tmp_path, bus=bus) as one, house(tmp_path, bus=bus) as two:
        ada, bob = one.browser(), two.browser()
        slug = await ada.create("blockers", 2)
        await bob.sit(slug)
        lines = [await ada.join(slug), await bob.join(slug), await two.browser().join(slug)]
        assert (await lines[1].do("ready", ready=True))["t"] == "done"
        await _until(lines[0], lambda: lines[0].view["seats"][1]["ready"])
        assert (await lines[0].do("begin"))["t"] == "done"
        while lines[0].view["result"] is None:
            for line in lines[:2]:
                await _hear(line)
                play = line.view["play"]
                if play and play["legal"]:
                    await line.do("make", move=random.choice(play["legal"]))
        for line in lines[1:]:
            await line.until_number(lines[0].number)  # a gap would be an assertion there
        assert lines[1].view["result"] == lines[0].view["result"]
        assert lines[2].view["result"] == lines[0].view["result"]
    assert bus.lost > 10


async def _hear(line: Line) -> None:
    await line.quiet()
    await asyncio.sleep(0.01)


async def _until(line: Line, true: Callable[[], bool]) -> None:
    while not true():
        await line.recv()


async def test_two_nodes_can_append_at_the_same_time(tmp_path: Path) -> None:
    """One append wins; the other command is decided again after catching up."""
    bus = LocalBus()
    async with house(tmp_path, bus=bus) as one, house(tmp_path, bus=bus) as two:
        ada, bob = one.browser(), two.browser()
        slug = await ada.create("genial", 2)
        await bob.sit(slug)
        lines = [await ada.join(slug), await bob.join(slug)]
        for _ in range(10):
            answers = await asyncio.gather(
                lines[0].do("ready", ready=False),
                lines[1].do("ready", ready=True),
                lines[0].do("ready", ready=True) if _ == 20 else asyncio.sleep(0),
            )
            assert answers[0]["t"] == answers[1]["t"] == "done"
            assert (await lines[1].do("ready", ready=False))["t"] == "done"
        last = max(line.number for line in lines)
        for line in lines:
            await line.until_number(last)


class DumbBus(LocalBus):
    """Publishes nothing."""

    def publish_head(self, table: str, number: int, nodes: Iterable[str]) -> None:
        return


async def test_a_node_catches_up_before_it_authenticates_a_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "POLL_SECONDS", 1000)
    bus = DumbBus()
    async with house(tmp_path, bus=bus) as one, house(tmp_path, bus=bus) as two:
        ada, bob = one.browser(), one.browser()
        slug = await ada.create("blockers", 2)
        there = two.browser()
        assert (await there.get(f"/tables/{slug}")).json()["number"] == 2  # it is loaded there now
        await bob.sit(slug)
        first = await bob.join(slug)
        await first.do("react", reaction="hello")
        there.http.cookies = bob.http.cookies
        line = await there.join(slug)
        assert (line.you, line.number) == (1, first.number)


async def test_a_client_resumes_on_a_node_that_missed_all_bus_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The update holds what happened on the other node."""
    monkeypatch.setattr(registry, "POLL_SECONDS", 1000)
    bus = DumbBus()
    async with house(tmp_path, bus=bus) as one, house(tmp_path, bus=bus) as two:
        slug, (_, bob), (first, second) = await table_of_two(one)
        there = two.browser()
        there.http.cookies = bob.http.cookies
        held = await there.join(slug)
        await held.close()
        for _ in range(9):  # more than a table keeps in memory
            line = whose_turn((first, second))
            done = await line.do("make", move=line.view["play"]["legal"][0])
            for each in (first, second):
                await each.until_number(done["number"])
        again = await there.join(slug, held)
        assert again.welcome is None
        assert again.number == first.number
        assert again.view == second.view
        assert len(again.events) == first.number - held.number


Trouble = Callable[[], Awaitable[None]]


async def play_through(
    troubles: list[Trouble], nodes: list[ServerProcess], rooms: int
) -> list[Room]:
    """Play games on both nodes through one fault after another, to the end."""
    ports = [node.port for node in nodes]
    playing = [Room(ports, seed=number) for number in range(rooms)]
    stop = asyncio.Event()
    tasks = [asyncio.create_task(room.play(stop, to_the_end=True)) for room in playing]
    try:
        for trouble in troubles:
            await progress(playing, 2 * rooms, tasks)
            await trouble()
        await progress(playing, 2 * rooms, tasks)
        stop.set()
        await asyncio.wait_for(asyncio.gather(*tasks), 480)
    finally:
        for task in tasks:
            task.cancel()
    return playing


async def survive(
    tmp_path: Path,
    database: PostgresServer,
    url: str,
    redis: RedisServer,
    rooms: int,
) -> None:
    way = BadRedis(redis, seed=rooms)
    words = ("--database-url", url, "--redis-url", way.url, "--workers", "1")
    nodes = [ServerProcess(tmp_path / str(number), *words) for number in (1, 2)]

    async def kill_a_node(node: ServerProcess) -> None:
        node.kill()
        await asyncio.sleep(0.5)
        await node.start()

    async def lose_redis() -> None:
        await asyncio.to_thread(redis.stop)
        await asyncio.sleep(2)
        await asyncio.to_thread(redis.start)

    async def restart_the_database() -> None:
        await asyncio.to_thread(database.stop, at_once=True)
        await asyncio.to_thread(database.start)

    async def spoil_the_bus() -> None:
        way.is_bad = True
        await asyncio.sleep(4)
        way.is_bad = False

    troubles: list[Trouble] = [
        lambda: kill_a_node(nodes[0]),
        lose_redis,
        restart_the_database,
        spoil_the_bus,
        lambda: kill_a_node(nodes[1]),
    ]
    try:
        await way.start()
        for node in nodes:
            await node.start()
        playing = await play_through(troubles, nodes, rooms)
    finally:
        for node in nodes:
            node.close()
        await way.stop()
    players = [player for room in playing for player in room.players]
    async with await open_store(url) as store:
        for player in players:
            await check(store, player)
        reports = [report async for report in verify(store)]
    assert {report.verdict for report in reports} == {"agrees"}
    assert all(room.finished == len(room.players) / 2 > 0 for room in playing)
    assert way.lost > 0
    assert way.late > 0
    told = f"{len(reports)} games, {sum(player.comebacks for player in players)} comebacks"
    print(f"{told}, {way.lost} messages lost, {way.late} late")


@pytest.mark.slow
async def test_two_nodes_survive_each_fault_in_turn(
    tmp_path: Path, postgres: PostgresServer, postgres_url: str, redis_server: RedisServer
) -> None:
    await survive(tmp_path, postgres, postgres_url, redis_server, rooms=2)


@pytest.mark.proof
async def test_fifty_games_survive_each_fault_in_turn(
    tmp_path: Path, postgres: PostgresServer, postgres_url: str, redis_server: RedisServer
) -> None:
    await survive(tmp_path, postgres, postgres_url, redis_server, rooms=50)


def test_invalid_heads_are_ignored() -> None:
    assert read_heads(b"abc=7 x y=z =3 abc=-1 d=8") == [("abc", 7), ("d", 8)]
