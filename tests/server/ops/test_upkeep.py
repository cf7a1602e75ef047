"""The health check tells the truth about the disk, and new tables stop before it is full."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import select

from tests.server.house import WAIT, House, house, table_of_two, whose_turn
from tuilerie.server import process
from tuilerie.server.ops import upkeep
from tuilerie.server.ops.limits import DISK_FULL_BYTES, DISK_LOW_BYTES
from tuilerie.server.settings import Settings
from tuilerie.server.tables.actor import now_ms
from tuilerie.store.administration import Administration
from tuilerie.store.database import parse_database
from tuilerie.store.errors import Unavailable
from tuilerie.store.maintenance import purge
from tuilerie.store.schema import heartbeat
from tuilerie.store.sqlite.files import exclusive

DEFAULTS = dict(purge.purge.__kwdefaults__ or {})


async def health(server: House) -> tuple[int, str]:
    answer = await server.browser().http.get("/healthz")
    return answer.status_code, answer.json()["status"]


@pytest.fixture(autouse=True)
def never_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "FRESH_SECONDS", 0)


async def test_health_check_probes_writing(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        assert await health(server) == (200, "ok")
        before = await beats(server)
        assert await health(server) == (200, "ok")
        assert await beats(server) > before


async def beats(server: House) -> int:
    row = await server.registry.store.sql.one(select(heartbeat.c.at))
    at: int = row.at
    return at


async def test_heartbeats_go_on_until_the_server_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the time in which it ran would count as downtime, and be given to clocks."""
    monkeypatch.setattr(upkeep, "AUDIT_SECONDS", 0.01)
    monkeypatch.setattr(upkeep, "BEAT_SECONDS", 0.0)
    async with house(tmp_path) as server:
        for _ in range(3):
            before = await beats(server)
            async with asyncio.timeout(WAIT):
                while await beats(server) <= before:
                    await asyncio.sleep(0.01)
        monkeypatch.setattr(upkeep, "BEAT_SECONDS", 3_600.0)
        await asyncio.sleep(0.1)
        stops = now_ms()
        await server.front.upkeep.stop()
        assert await beats(server) >= stops


async def test_old_tables_are_purged_and_the_hosts_commands_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without anybody's doing, while the server runs; a table in memory stays."""
    monkeypatch.setattr(upkeep, "AUDIT_SECONDS", 0.01)
    monkeypatch.setattr(upkeep, "FIRST_PURGE_SECONDS", 0.5)
    old = now_ms() + 400 * purge.DAY
    monkeypatch.setattr(purge.purge, "__kwdefaults__", {**DEFAULTS, "now": lambda: old})
    async with house(tmp_path) as server:
        ada = server.browser()
        here, gone = await ada.create("genial", 2), await ada.create("genial", 2)
        room = await server.registry.table(gone)
        assert room is not None
        server.registry._unload_room(room)
        log = server.registry.store.log
        async with asyncio.timeout(WAIT):
            while await log.table(gone):
                await asyncio.sleep(0.01)
        assert await log.table(here)
        await Administration(server.registry.store.sql, server.registry.store.accounts).close_table(
            here
        )
        async with asyncio.timeout(WAIT):
            while server.registry.is_in_memory(here):
                await asyncio.sleep(0.01)


async def test_new_tables_are_refused_before_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path) as server:
        _, (ada, _), lines = await table_of_two(server)
        monkeypatch.setattr(upkeep, "free_bytes", lambda path: DISK_LOW_BYTES - 1)
        assert await health(server) == (200, "disk-low")
        refused = await ada.post("/tables", {"game": "genial", "players": 1, "name": "Ada"})
        assert (refused.status_code, refused.json()["rule"]) == (503, "disk-low")
        line = whose_turn(lines)  # games in play go on
        assert (await line.do("make", move=line.view["play"]["legal"][0]))["t"] == "done"
        monkeypatch.setattr(upkeep, "free_bytes", lambda path: DISK_FULL_BYTES - 1)
        assert await health(server) == (503, "disk-full")
        monkeypatch.setattr(upkeep, "free_bytes", lambda path: DISK_LOW_BYTES)
        assert await health(server) == (200, "ok")
        assert await ada.create("genial", 1)


async def test_health_check_fails_if_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path) as server:

        async def full() -> None:
            raise Unavailable("the disk is full")

        monkeypatch.setattr(type(server.registry.store.uptime), "beat", lambda self: full())
        assert await health(server) == (503, "no-store")


async def test_health_check_is_not_repeated_for_every_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "FRESH_SECONDS", 60)
    async with house(tmp_path) as server:
        await health(server)
        before = await beats(server)
        for _ in range(20):
            assert await health(server) == (200, "ok")
        assert await beats(server) == before


async def test_second_server_on_a_folder_does_not_start(tmp_path: Path) -> None:
    with (
        exclusive(parse_database(tmp_path)),
        pytest.raises(Unavailable, match="another server"),
    ):
        async with asyncio.timeout(WAIT):
            await process.serve(Settings(data=tmp_path, port=0, workers=0))
