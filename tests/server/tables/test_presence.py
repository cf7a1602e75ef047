"""Every node knows who is connected; the players of a dead node leave."""

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
from tuilerie.server.tables.presence import NOBODY, PresenceTracker, Seen

__all__ = ["redis_server"]

BEAT, LOST = limits.PRESENCE_BEAT_SECONDS, limits.PRESENCE_LOST_SECONDS


class Wire:
    """Several nodes on a bus that can be cut."""

    def __init__(self, count: int) -> None:
        self.now = 0.0
        self.cut = False
        self.dead: set[int] = set()
        self.said = self.received = 0
        self.changed: list[tuple[int, str]] = []
        self.met: list[tuple[int, str]] = []
        self.nodes = [self._node(number) for number in range(count)]
        for node in self.nodes:  # the bus works: all know of each other
            node.heartbeat()
        self.said = self.received = 0

    def _node(self, number: int) -> PresenceTracker:
        def publish(news: Mapping[str, Any], to: str | None) -> None:
            self.said += 1
            if not self.cut:
                for other, node in enumerate(self.nodes):
                    if other not in self.dead and to in (None, node.node):
                        self.received += 1
                        node.receive(news)

        def changed(table: str) -> None:
            self.changed.append((number, table))

        def met(table: str, _node: str) -> None:
            self.met.append((number, table))

        return PresenceTracker(publish, changed, met, clock=lambda: self.now)

    def heartbeat(self, times: int = 1) -> None:
        for _ in range(times):
            self.now += BEAT
            for number, node in enumerate(self.nodes):
                if number not in self.dead:
                    node.heartbeat()


def seen(*seats: int, spectators: int = 0) -> Seen:
    return Seen(frozenset(seats), spectators)


def connect(node: PresenceTracker, table: str, who: Seen) -> None:
    node.follow(table)
    node.set_local(table, who)


def test_nodes_that_follow_a_table_learn_of_each_other_at_once() -> None:
    wire = Wire(3)
    one, two, three = wire.nodes
    connect(one, "t", seen(0))
    connect(two, "t", seen(1, spectators=2))
    connect(three, "u", seen(5, spectators=1))
    assert one.elsewhere("t") == seen(1, spectators=2)
    assert two.elsewhere("t") == seen(0)
    assert three.elsewhere("t") == NOBODY, "it does not follow it"
    assert three.elsewhere("u") == NOBODY, "nobody else does"
    three.follow("t")
    assert three.elsewhere("t") == seen(0, 1, spectators=2)
    assert set(one.followers("t")) == {two.node, three.node}
    two.set_local("t", NOBODY)
    assert three.elsewhere("t") == seen(0)
    assert (2, "t") in wire.changed


def test_a_table_that_is_unloaded_is_no_longer_followed() -> None:
    wire = Wire(2)
    one, two = wire.nodes
    connect(one, "t", seen(0))
    connect(two, "t", seen(1))
    assert list(one.shared()) == ["t"]
    two.unfollow("t")
    assert not one.shared()
    assert one.elsewhere("t") == NOBODY
    assert (0, "t") in wire.changed
    one.set_local("t", seen(0, 1))
    assert not two.shared()


def test_nodes_that_meet_at_a_table_are_announced_once() -> None:
    """A node sends its head to the other then: that one may just have missed it."""
    wire = Wire(2)
    one, two = wire.nodes
    connect(one, "t", seen(0))
    connect(two, "t", seen(1))
    wire.heartbeat(20)
    assert sorted(wire.met) == [(0, "t"), (1, "t")]


def test_heartbeats_cost_the_same_with_any_number_of_tables() -> None:
    """What is not shared, or did not change, is not published."""
    wire = Wire(2)
    for number in range(1200):
        connect(wire.nodes[0], f"t{number}", seen(0))
    connect(wire.nodes[0], "shared", seen(0))
    connect(wire.nodes[1], "shared", seen(1))
    wire.heartbeat(20)
    said, changed = wire.said, len(wire.changed)
    wire.nodes[0].set_local("shared", seen(0))
    wire.nodes[0].set_local("nobody-was-here", NOBODY)
    wire.heartbeat(20)
    assert wire.said == said + 2 * 20
    assert len(wire.changed) == changed
    wire.nodes[0].set_local("t7", seen(0, 1))
    assert wire.said == said + 2 * 20, "nobody else follows it"


def test_changes_are_published_only_to_nodes_that_follow_the_table() -> None:
    wire = Wire(10)
    connect(wire.nodes[0], "t", seen(0))
    connect(wire.nodes[1], "t", seen(1))
    received = wire.received
    wire.nodes[0].set_local("t", seen(0, 2))
    assert wire.received == received + 1


@pytest.mark.parametrize("lost", ["follow", "change"])
def test_a_lost_message_is_repeated(lost: str) -> None:
    wire = Wire(2)
    one, two = wire.nodes
    connect(one, "t", seen(0))
    if lost == "change":
        connect(two, "t", NOBODY)
    wire.cut = True
    connect(two, "t", seen(1))
    wire.cut = False
    assert one.elsewhere("t") == NOBODY
    wire.heartbeat(3)
    assert one.elsewhere("t") == seen(1)
    assert two.elsewhere("t") == seen(0)


def test_players_of_a_dead_node_are_dropped_after_a_while() -> None:
    wire = Wire(2)
    one, two = wire.nodes
    connect(one, "t", seen(0))
    connect(two, "t", seen(1))
    wire.heartbeat(3)
    wire.dead.add(1)
    wire.heartbeat(int(LOST / BEAT))
    assert one.elsewhere("t") == seen(1)
    wire.changed.clear()
    wire.heartbeat(2)
    assert one.elsewhere("t") == NOBODY
    assert not one.shared()
    assert wire.changed == [(0, "t")]


def test_a_node_that_says_goodbye_is_dropped_at_once() -> None:
    wire = Wire(2)
    one, two = wire.nodes
    for table in ("t", "u"):
        connect(one, table, seen(0))
        connect(two, table, seen(1))
    assert not one.is_alone
    two.goodbye()
    assert one.elsewhere("t") == one.elsewhere("u") == NOBODY
    assert one.is_alone


def test_nobody_is_dropped_while_the_bus_is_down() -> None:
    wire = Wire(2)
    one, two = wire.nodes
    connect(one, "t", seen(0))
    connect(two, "t", seen(1))
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


def test_what_happened_while_the_bus_was_down_is_published_when_it_is_back() -> None:
    wire = Wire(2)
    one, two = wire.nodes
    connect(one, "old", seen(0))
    connect(two, "old", seen(1))
    wire.cut = True
    connect(two, "new", seen(1))
    two.set_local("old", NOBODY)
    wire.heartbeat(50)
    connect(one, "new", seen(0))
    wire.cut = False
    wire.heartbeat(2)
    assert (one.elsewhere("new"), two.elsewhere("new")) == (seen(1), seen(0))
    assert one.elsewhere("old") == NOBODY


def test_presence_of_thousands_of_tables_takes_several_messages() -> None:
    wire = Wire(2)
    wire.cut = True
    for number in range(1200):
        connect(wire.nodes[0], f"t{number}", seen(0))
    wire.heartbeat(50)
    wire.nodes[1].follow("t1199")
    wire.cut = False
    wire.heartbeat()
    said = wire.said
    wire.heartbeat()
    assert wire.said <= said + 2 + 3 + 4
    assert wire.nodes[1].elsewhere("t1199") == seen(0)


def test_one_of_the_nodes_moves_the_bots_of_a_table_first_of_all_one_with_people() -> None:
    wire = Wire(3)
    for table in map(str, range(40)):
        for node in wire.nodes:
            connect(node, table, seen(0))
        assert [node.leads(table) for node in wire.nodes].count(True) == 1
    led = [sum(node.leads(str(table)) for table in range(40)) for node in wire.nodes]
    assert all(led), "each has its share"
    one, two, three = wire.nodes
    for table in map(str, range(40)):
        two.set_local(table, NOBODY)
        three.set_local(table, NOBODY)
        assert one.leads(table)
        assert not two.leads(table)


def test_another_node_moves_the_bots_after_a_second_of_silence() -> None:
    wire = Wire(2)
    tables = [str(number) for number in range(20)]
    for table in tables:
        for node in wire.nodes:
            connect(node, table, seen(0))
    theirs = [table for table in tables if not wire.nodes[0].leads(table)]
    assert theirs
    wire.dead.add(1)
    wire.heartbeat(2)
    assert not any(map(wire.nodes[0].leads, theirs))
    wire.heartbeat()
    assert all(map(wire.nodes[0].leads, theirs))
    assert wire.nodes[0].elsewhere("1") == seen(0), "its people may only be slow"


def test_a_node_without_others_leads_every_table() -> None:
    alone = PresenceTracker(lambda _news, _node: None, lambda _table: None, single_node=True)
    alone.follow("t")
    assert alone.leads("t")
    assert alone.is_alone


@pytest.mark.parametrize(
    "news",
    [
        {},
        {"node": 7},
        {"node": "x"},
        {"node": "x", "tables": []},
        {"node": "x", "tables": {"t": 1}},
        {"node": "x", "tables": {"t": [["a"], 1]}},
        {"node": "x", "tables": {"t": [["a"], 1, False]}},
        {"node": "x", "tables": {"t": [[0], "many", False]}},
        {"node": "x", "tables": {"t": [[0], 1]}},
        {"node": "x", "follows": "t"},
        {"node": "x", "follows": {"t": 1}},
        {"gone": True},
    ],
)
def test_invalid_presence_messages_are_ignored(news: Any) -> None:
    wire = Wire(1)
    wire.nodes[0].follow("t")
    wire.nodes[0].receive(news)
    assert wire.nodes[0].elsewhere("t") == NOBODY
    assert not wire.nodes[0].shared()


# --- on real tables -------------------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Presence is published twenty times as fast; silent nodes are lost as late as ever."""
    for module in ("presence", "registry"):
        monkeypatch.setattr(f"tuilerie.server.tables.{module}.PRESENCE_BEAT_SECONDS", BEAT / 20)
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


@pytest.mark.slow
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
        await asyncio.sleep(1)  # longer than LEAVE_SECONDS
        assert not ada.view["seats"][1]["away"]
        await bob.close()
        await ada.until("presence", seats=[True, False])
        await ada.until_fact("left")
        assert ada.view["seats"][1]["away"]


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
async def test_a_player_connected_to_another_node_has_not_left(tmp_path: Path) -> None:
    bus = LocalBus()
    async with two_nodes(tmp_path, bus, bus) as (first, _second, slug, (ada, bob)):
        browser = first.browser()
        browser.http.cookies.update(
            dict(each.split("=", 1) for each in bob.cookie.split("; ") if each)
        )
        tab = await browser.join(slug)
        assert tab.you == 1
        number = ada.number
        await tab.close()
        await asyncio.sleep(1)
        assert not [each for each in await ada.quiet() if each["t"] == "update"]
        assert ada.number >= number
        assert not ada.view["seats"][1]["away"]


@pytest.mark.usefixtures("quick")
async def test_players_of_a_dead_node_leave_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "PRESENCE_LOST_SECONDS", LOST / 20)
    bus = LocalBus()
    async with two_nodes(tmp_path, bus, bus) as (_first, second, _slug, (ada, _bob)):
        await ada.until("presence", seats=[True, True])
        second.registry._bus = LocalBus()  # it receives nothing of it any more
        second.registry.presence._publish = lambda _news, _node: None
        await ada.until("presence", seats=[True, False])
        await ada.until_fact("left")
