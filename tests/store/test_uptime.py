"""Heartbeats of servers, and the outages between them."""

from __future__ import annotations

from tuilerie.store import Store
from tuilerie.store.uptime import KEPT_MS, SHORTEST_MS, Uptime


class Time:
    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


async def test_outage_is_from_the_last_heartbeat_to_the_next_start(store: Store) -> None:
    time = Time()
    uptime = Uptime(store.sql, now=time)
    assert await uptime.begin(alone=True) == []
    time.now += 10_000
    await uptime.beat()
    time.now += 3_600_000
    outage = (1_010_000, 4_610_000)
    assert await uptime.begin(alone=True) == [outage]
    assert await uptime.begin(alone=True) == [outage]
    time.now += SHORTEST_MS
    assert await uptime.begin(alone=True) == [outage]
    time.now += SHORTEST_MS + 1
    assert len(await uptime.begin(alone=True)) == 2
    time.now += KEPT_MS + 1
    assert len(await uptime.begin(alone=True)) == 1


async def test_gap_between_heartbeats_of_running_servers_is_no_outage(store: Store) -> None:
    time = Time()
    uptime = Uptime(store.sql, now=time)
    await uptime.begin(alone=False)
    time.now += 20_000  # a busy server is late
    assert await uptime.begin(alone=False) == []
    time.now += 22_000
    assert await uptime.begin(alone=False) == [(1_020_000, 1_042_000)]


async def test_heartbeat_does_not_go_back_with_the_clock(store: Store) -> None:
    time = Time()
    uptime = Uptime(store.sql, now=time)
    await uptime.begin(alone=True)
    time.now -= 500_000
    await uptime.beat()
    time.now += 500_500
    assert await uptime.begin(alone=True) == []
