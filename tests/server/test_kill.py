"""The server is killed at random moments under load: nothing acknowledged is lost.

Every client reconnects, gets every event once, and its unanswered command is done once.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import pytest

from tests.server.players import Player, Room
from tests.server.process import ServerProcess
from tests.servers import PostgresServer, postgres, postgres_url
from tuilerie.codec import to_builtins
from tuilerie.games.game import Json
from tuilerie.match.evolve import evolve
from tuilerie.match.table import Table
from tuilerie.match.view import table_event, view
from tuilerie.server.tables.actor import Transition
from tuilerie.server.tables.log_codec import read_fact
from tuilerie.store import Store, open_store
from tuilerie.store.maintenance.verify import verify

__all__ = ["postgres", "postgres_url"]

FEW = 3
"""How often the server is killed in `make test`."""

MANY = int(os.environ.get("TUILERIE_KILLS", "300"))
"""How often the server is killed in `make proof`."""

AT_ONCE = 4


async def kill_and_play(server: ServerProcess, place: str | Path, kills: int, seed: int) -> None:
    random = Random(seed)
    rooms = [Room([server.port], seed=seed * 100 + number) for number in range(4)]
    stop = asyncio.Event()
    await server.start()
    tasks = [asyncio.create_task(room.play(stop)) for room in rooms]
    try:
        for _ in range(kills):
            await progress(rooms, random.randint(1, 8), tasks)
            await asyncio.sleep(random.uniform(0, 0.05))
            server.kill()
            await server.start()
        stop.set()
        await asyncio.wait_for(asyncio.gather(*tasks), 120)
    finally:
        for task in tasks:
            task.cancel()
        code = server.stop()
        server.close()
    assert code == 0, server.said()
    players = [player for room in rooms for player in room.players]
    async with await open_store(place) as store:
        for player in players:
            await check(store, player)
        reports = [report async for report in verify(store)]
    assert not [report for report in reports if report.verdict == "differs"]
    assert sum(player.comebacks for player in players) >= kills
    moves = sum(len(player.moved) for player in players)
    assert moves >= kills
    print(f"{kills} kills, {moves} moves, {len(reports)} tables")


async def progress(
    rooms: Sequence[Room], more: int, tasks: Sequence[asyncio.Task[None]] = ()
) -> None:
    """Wait until so many more commands were acknowledged. Errors of the clients' tasks are raised
    at once.
    """

    def acknowledged() -> int:
        return sum(len(player.acknowledged) for room in rooms for player in room.players)

    goal = acknowledged() + more
    async with asyncio.timeout(240):
        while acknowledged() < goal:
            await asyncio.sleep(0.001)
            for task in tasks:
                if task.done():
                    task.result()


async def check(store: Store, player: Player) -> None:
    """Everything that this client received is in the log, unchanged."""
    changes: dict[int, Transition] = {}
    table: Table | None = None
    for _number, data in await store.log.read(player.slug):
        fact = read_fact(data)
        before, table = table, evolve(table, fact)
        if before is not None:
            changes[table.number] = Transition(table.number, fact, before, table)
    assert list(player.events) == list(range(2, player.last + 1)), "each event once, in order"
    for number, event in player.events.items():
        change = changes[number]
        assert event == as_json(table_event(change.fact, change.after, player.you)), number
    if player.view is not None:  # the view kept by changes is that of its last fact
        assert player.view == as_json(view(changes[player.last].after, player.you))
    assert table is not None
    who = table.seats[player.you or 0].player
    for command_id, number in player.acknowledged.items():
        assert number <= table.number, "what was acknowledged is there"
        found = await store.log.find_by_key(player.slug, f"{who}/{command_id}")
        if found is not None:
            assert found.last == number
        else:  # a command that changes nothing has no facts; a move has
            assert command_id not in player.moved


def as_json(value: object) -> Json:
    """A value as a client reads it."""
    return json.loads(json.dumps(to_builtins(value)))


def server_at(tmp_path: Path, *words: str) -> ServerProcess:
    """A server without worker processes, so that it restarts quickly."""
    return ServerProcess(tmp_path, "--workers", "0", *words)


@pytest.mark.slow
async def test_nothing_acknowledged_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    await kill_and_play(server_at(tmp_path), tmp_path, FEW, seed=1)


async def test_nothing_acknowledged_is_lost_when_the_server_is_killed_with_postgresql(
    tmp_path: Path, postgres_url: str
) -> None:
    server = server_at(tmp_path, "--database-url", postgres_url)
    await kill_and_play(server, postgres_url, FEW, seed=4)


@pytest.mark.proof
async def test_nothing_is_lost_in_three_hundred_kills_with_sqlite(tmp_path: Path) -> None:
    await kill_many({tmp_path / str(number): () for number in range(AT_ONCE)}, tmp_path, seed=10)


@pytest.mark.proof
async def test_nothing_is_lost_in_three_hundred_kills_with_postgresql(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    urls = [postgres.database() for _ in range(AT_ONCE)]
    try:
        await kill_many({url: ("--database-url", url) for url in urls}, tmp_path, seed=20)
    finally:
        for url in urls:
            postgres.drop(url)


async def kill_many(
    places: Mapping[str | Path, tuple[str, ...]], tmp_path: Path, seed: int
) -> None:
    """Several servers in parallel, each with its own data and clients: starting is mostly
    waiting."""
    work = []
    for number, (place, words) in enumerate(places.items()):
        server = server_at(tmp_path / str(number), *words)
        work.append(kill_and_play(server, place, MANY // len(places), seed + number))
    await asyncio.gather(*work)
