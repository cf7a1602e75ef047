"""Who is connected is known on every node, and a node that dies takes its people with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.server.house import House, Line, house, table_of_two
from tests.servers import RedisServer, redis_server
from tuilerie.server.ops import limits
from tuilerie.server.tables import presence
from tuilerie.server.tables.bus import Bus, LocalBus, RedisBus
from tuilerie.server.tables.presence import NOBODY, Presence, Seen

__all__ = ["redis_server"]

BEAT, LOST = limits.PRESENCE_BEAT_SECONDS, limits.PRESENCE_LOST_SECONDS


class Wire:
    """Several nodes, and whether they hear each other and themselves."""

    def __init__(self, count: int) -> None:
        self.now = 0.0
        self.cut = False
        self.dead: set[int] = set()
        self.said = 0
        self.changed: list[tuple[int, str]] = []
        self.nodes = [self._node(number) for number in range(count)]

    def _node(self, number: int) -> Presence:
        def tell(news: Mapping[str, Any]) -> None:
            self.said += 1
            if not self.cut:
                for other, node in enumerate(self.nodes):
                    if other not in self.dead:
                        node.receive(news)

        def changed(table: str) -> None:
            self.changed.append((number, table))

        return Presence(tell, changed, clock=lambda: self.now)

    def heartbeat(self, times: int = 1) -> None:
        for _ in range(times):
            self.now += BEAT
            for number, node in enumerate(self.nodes):
                if number not in self.dead:
                    node.heartbeat()


def seen(*seats: int, spectators: int = 0) -> Seen:
    return Seen(frozenset(seats), spectators)


def test_nodes_know_of_each_other_at_once_and_do_not_count_themselves() -> None:
    wire = Wire(3)
    one, two, three = wire.nodes
    one.set_local("t", seen(0))
    two.set_local("t", seen(1, spectators=2))
    three.set_local("u", seen(5, spectators=1))
    assert one.elsewhere("t") == seen(1, spectators=2)
    assert two.elsewhere("t") == seen(0)
    assert three.elsewhere("t") == seen(0, 1, spectators=2)
    assert three.elsewhere("u") == NOBODY
    two.set_local("t", NOBODY)
    assert three.elsewhere("t") == seen(0)
    assert (2, "t") in wire.changed


def test_what_is_as_it_was_is_not_told_again() -> None:
    wire = Wire(2)
    wire.nodes[0].set_local("t", seen(0))
    wire.nodes[1].set_local("t", seen(1))
    said, changed = wire.said, len(wire.changed)
    wire.nodes[0].set_local("t", seen(0))
    wire.nodes[0].set_local("nobody-was-here", NOBODY)
    assert wire.said == said
    wire.heartbeat(20)
    assert len(wire.changed) == changed


def test_a_node_that_comes_late_is_told_by_those_who_are_there() -> None:
    wire = Wire(2)
    wire.dead.add(1)
    wire.nodes[0].set_local("t", seen(0))
    wire.dead.clear()
    wire.nodes[1].set_local("t", seen(1))
    assert wire.nodes[1].elsewhere("t") == seen(0)


def test_the_people_of_a_dead_node_are_gone_after_a_while() -> None:
    wire = Wire(2)
    one, two = wire.nodes
    one.set_local("t", seen(0))
    two.set_local("t", seen(1))
    wire.heartbeat(3)
    wire.dead.add(1)
    wire.heartbeat(int(LOST / BEAT))
    assert one.elsewhere("t") == seen(1)
    wire.changed.clear()
    wire.heartbeat(2)
    assert one.elsewhere("t") == NOBODY
    assert wire.changed == [(0, "t")]


def test_a_node_that_says_goodbye_is_gone_at_once() -> None:
    wire = Wire(2)
    wire.nodes[1].set_local("t", seen(1))
    wire.nodes[1].set_local("u", seen(0))
    wire.nodes[1].goodbye()
    assert wire.nodes[0].elsewhere("t") == wire.nodes[0].elsewhere("u") == NOBODY


def test_nobody_is_forgotten_while_the_bus_is_lost() -> None:
    wire = Wire(2)
    one, two = wire.nodes
    one.set_local("t", seen(0))
    two.set_local("t", seen(1))
    wire.heartbeat()
    assert one.is_sure
    wire.cut = True
    wire.heartbeat(50)
    assert not one.is_sure
    assert one.elsewhere("t") == seen(1)
    wire.cut = False
    wire.heartbeat(20)
    assert one.is_sure
    assert one.elsewhere("t") == seen(1)


def test_thousands_of_tables_are_told_in_several_messages() -> None:
    wire = Wire(2)
    for number in range(1200):
        wire.nodes[0].set_local(f"t{number}", seen(0))
    wire.dead.add(0)
    wire.nodes[1]._theirs.clear()
    wire.dead.clear()
    said = wire.said
    wire.heartbeat()
    assert wire.said == said + 3 + 1
    assert wire.nodes[1].elsewhere("t1199") == seen(0)


@pytest.mark.parametrize(
    "news",
    [
        {},
        {"node": 7},
        {"node": "x"},
        {"node": "x", "tables": []},
        {"node": "x", "tables": {"t": 1}},
        {"node": "x", "tables": {"t": [["a"], 1]}},
        {"node": "x", "tables": {"t": [[0], "many"]}},
        {"gone": True},
    ],
)
def test_what_no_node_would_say_is_left_out(news: Any) -> None:
    wire = Wire(1)
    wire.nodes[0].receive(news)
    assert wire.nodes[0].elsewhere("t") == NOBODY


# --- on real tables -------------------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything about presence, twenty times as fast."""
    for module in ("presence", "registry"):
        monkeypatch.setattr(f"tuilerie.server.tables.{module}.PRESENCE_BEAT_SECONDS", BEAT / 20)
    monkeypatch.setattr(presence, "PRESENCE_LOST_SECONDS", LOST / 20)
    monkeypatch.setattr("tuilerie.server.tables.room.PRESENCE_SECONDS", 0.01)
    monkeypatch.setattr("tuilerie.server.tables.room.LEAVE_SECONDS", 0.5)


@asynccontextmanager
async def two_nodes(
    place: Path, one: Bus, two: Bus
) -> AsyncIterator[tuple[House, House, str, tuple[Line, Line]]]:
    """A started game with one player on each node."""
    async with house(place, bus=one) as first, house(place, bus=two) as second:
        slug, browsers, lines = await table_of_two(first)
        ada, bob = lines
        await bob.close()
        there = second.browser()
        there.http.cookies = browsers[1].http.cookies
        yield first, second, slug, (ada, await there.join(slug))


@pytest.mark.usefixtures("quick")
async def test_players_on_different_nodes_see_each_other(
    tmp_path: Path, redis_server: RedisServer
) -> None:
    one, two = RedisBus(redis_server.url), RedisBus(redis_server.url)
    async with two_nodes(tmp_path, one, two) as (_first, second, slug, (ada, bob)):
        for line in (ada, bob):
            await line.until("presence", seats=[True, True], spectators=0)
        eve = await second.browser().join(slug)
        await ada.until("presence", spectators=1)
        await eve.close()
        await ada.until("presence", spectators=0)
        await asyncio.sleep(1)  # longer than who has left is waited for
        assert not ada.view["seats"][1]["away"]
        await bob.close()
        await ada.until("presence", seats=[True, False])
        await ada.until("event", kind="left")
        assert ada.view["seats"][1]["away"]


@pytest.mark.usefixtures("quick")
async def test_who_has_another_tab_on_another_node_has_not_left(tmp_path: Path) -> None:
    bus = LocalBus()
    async with two_nodes(tmp_path, bus, bus) as (first, _second, slug, (ada, bob)):
        browser = first.browser()
        browser.http.cookies.update(
            dict(each.split("=", 1) for each in bob.cookie.split("; ") if each)
        )
        tab = await browser.join(slug)
        assert tab.welcome["you"] == 1
        number = ada.number
        await tab.close()
        await asyncio.sleep(1)
        assert not [each for each in await ada.quiet() if each["t"] == "event"]
        assert ada.number >= number
        assert not ada.view["seats"][1]["away"]


@pytest.mark.usefixtures("quick")
async def test_the_people_of_a_node_that_dies_have_left(tmp_path: Path) -> None:
    bus = LocalBus()
    async with two_nodes(tmp_path, bus, bus) as (_first, second, _slug, (ada, _bob)):
        await ada.until("presence", seats=[True, True])
        second.registry._bus = LocalBus()  # nothing is heard of it any more
        second.registry.presence._publish = lambda _news: None
        bus._listeners.append((lambda _table, _number: None, lambda _news: None))
        await ada.until("presence", seats=[True, False])
        await ada.until("event", kind="left")
