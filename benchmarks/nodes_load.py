"""Two nodes on PostgreSQL and Redis: moves of one node and of two, and what other nodes cost.

Rooms of four play Blockers! (see `server_load`), as fast as they can or at a fixed rate; every move
is durable before it is sent.

First table: most moves a second. "one": one node; "two": two nodes, each table on one of them;
"split": two nodes, the four of each table on both. CPU ms a move is the nodes' own, all together;
"database": that of PostgreSQL and Redis. On a busy machine read the CPU: a node is one thread, so
as long as there are cores, two nodes carry as many times more moves as a move costs no more CPU.

Second table: CPU of one node for a move, while the other node has no table, and thousands of live
tables with a socket each, some of them in play.

    python benchmarks/nodes_load.py [--rooms 200] [--seconds 10] [--elsewhere 5000] [--rate 100]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from load_games import SEATS
from load_rooms import GameRoom, Measured, Wire
from load_servers import Stored, cpu_seconds, drive, free_port, store_tables, wait_for

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.servers import PostgresServer, RedisServer, find_postgres  # noqa: E402

from tuilerie.store import open_store  # noqa: E402

GAME = "blockers"
AS_FAST_AS_THEY_CAN = 1e6
PLAYING_ELSEWHERE = 50


def children(pid: int | None) -> list[int]:
    """A process and its children."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    return [int(pid or 0), *map(int, found)]


class Cluster:
    """PostgreSQL, Redis, and nodes on them."""

    def __init__(self, postgres: PostgresServer, redis: RedisServer) -> None:
        self._postgres, self._redis = postgres, redis
        self.url = postgres.database()
        self.nodes: list[subprocess.Popen[bytes]] = []
        self.ports: list[int] = []

    async def start(self, count: int) -> None:
        """Start so many nodes."""
        for _ in range(count):
            port = free_port()
            start = "from tuilerie.server.ops.commands import serve; serve()"
            words = ["-c", start, "--port", str(port), "--log-level", "error", "--workers", "0"]
            words += ["--database-url", self.url, "--redis-url", self._redis.url]
            words += ["--limit-factor", "100000"]
            self.nodes.append(subprocess.Popen([sys.executable, *words]))
            self.ports.append(port)
            await wait_for(port)
        await asyncio.sleep(1)

    def cpu(self, node: int) -> float:
        """CPU seconds of a node."""
        return cpu_seconds(self.nodes[node].pid)

    def cpu_of_nodes(self) -> float:
        """CPU seconds of all nodes."""
        return sum(self.cpu(node) for node in range(len(self.nodes)))

    def cpu_of_database(self) -> float:
        """CPU seconds of PostgreSQL and Redis; of connections that are still open."""
        pids = [*children(self._postgres.pid), *children(self._redis.pid)]
        return sum(map(cpu_seconds, pids))

    def end(self) -> None:
        """Stop the nodes."""
        for node in self.nodes:
            node.send_signal(signal.SIGTERM)
        for node in self.nodes:
            node.wait(60)


@asynccontextmanager
async def cluster(nodes: int) -> AsyncIterator[Cluster]:
    """A fresh cluster."""
    program, programs = shutil.which("redis-server"), find_postgres()
    if program is None or programs is None:
        raise SystemExit("PostgreSQL or Redis is not installed: run scripts/test-servers")
    redis, postgres = RedisServer(program), PostgresServer(programs)
    try:
        redis.start()
        postgres.start()
        made = Cluster(postgres, redis)
        await made.start(nodes)
        try:
            yield made
        finally:
            made.end()
    finally:
        redis.remove()
        postgres.remove()


async def join(room: Any, ports: Sequence[int], table: Stored) -> None:
    """A socket for each seat, on these ports in turn."""
    loop = asyncio.get_running_loop()
    hello = json.dumps({"t": "hello", "table": table.slug, "last": 0})
    for seat, cookie in enumerate(table.cookies):
        made = partial(Wire, "/ws", cookie, partial(room.receive, seat))
        _, wire = await loop.create_connection(made, "127.0.0.1", ports[seat % len(ports)])
        await wire.open
        room.wires.append(wire)
        wire.say(hello)


async def all_joined(rooms: Sequence[Any], seats: int = SEATS) -> None:
    """Wait for the welcomes."""
    while any(room.joined < seats for room in rooms):
        for wire in (wire for room in rooms for wire in room.wires):
            wire.check()
        await asyncio.sleep(0.05)


async def make_rooms(
    url: str, count: int, moves: float, seed: int
) -> tuple[list[GameRoom], list[Stored]]:
    """Tables in play, and rooms for them."""
    random = Random(seed)
    async with await open_store(url) as store:
        begun, _ = await store_tables(store, GAME, count, moves, random)
    measured = Measured()
    return [GameRoom(measured, GAME, random) for _ in begun], begun


async def most_moves(how: str, asked: Any) -> tuple[float, float, float]:
    """Moves a second, CPU seconds a move of the nodes, and of the databases."""
    async with cluster(1 if how == "one" else 2) as made:
        rooms, begun = await make_rooms(made.url, asked.rooms, 40, 1)
        for number, (room, table) in enumerate(zip(rooms, begun, strict=True)):
            ports = made.ports if how == "split" else [made.ports[number % len(made.ports)]]
            await join(room, ports, table)
        await all_joined(rooms)
        await asyncio.sleep(2)
        nodes, databases = made.cpu_of_nodes(), made.cpu_of_database()
        seconds = await drive(list(rooms), AS_FAST_AS_THEY_CAN, asked.seconds)
        moves = max(1, rooms[0].measured.moves)
        nodes, databases = made.cpu_of_nodes() - nodes, made.cpu_of_database() - databases
        for wire in (wire for room in rooms for wire in room.wires):
            wire.close()
    return moves / seconds, nodes / moves, databases / moves


async def with_others(elsewhere: int, asked: Any) -> tuple[float, int]:
    """CPU seconds a move of a node, and its moves, while another node has so many tables."""
    async with cluster(2) as made:
        rooms, begun = await make_rooms(made.url, 50, asked.rate * asked.seconds / 50, 1)
        for room, table in zip(rooms, begun, strict=True):
            await join(room, made.ports[:1], table)
        await all_joined(rooms)
        other: list[GameRoom] = []
        if elsewhere:
            playing = min(PLAYING_ELSEWHERE, elsewhere)
            other, tables = await make_rooms(made.url, elsewhere, 40, 2)
            for number, (room, table) in enumerate(zip(other, tables, strict=True)):
                seats = table.cookies if number < playing else table.cookies[:1]
                await join(room, made.ports[1:], Stored(table.slug, seats))
            await all_joined(other[:playing])
            await all_joined(other[playing:], 1)
            other = other[:playing]
        await asyncio.sleep(6)  # a sweep, and the repeats of what was announced
        cpu = made.cpu(0)
        work = [drive(list(rooms), asked.rate, asked.seconds)]
        work += [drive(list(other), asked.rate, asked.seconds)] if other else []
        await asyncio.gather(*work)
        cpu = made.cpu(0) - cpu
        moves = max(1, rooms[0].measured.moves)
    return cpu / moves, moves


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rooms", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--elsewhere", type=int, default=5000)
    parser.add_argument("--rate", type=float, default=100)
    parser.add_argument("--only", choices=["most", "others"])
    asked = parser.parse_args()
    if asked.only != "others":
        print("nodes  moves a second  CPU ms a move: nodes, database")
        rates = {}
        for how in ("one", "two", "split"):
            rates[how], nodes, databases = asyncio.run(most_moves(how, asked))
            print(f"{how:5}  {rates[how]:14.0f}  {1000 * nodes:20.2f}, {1000 * databases:.2f}")
        print(f"two nodes: {rates['two'] / rates['one']:.2f} × the moves of one\n", flush=True)
    if asked.only != "most":
        print("tables on the other node  CPU ms a move  moves")
        for elsewhere in (0, asked.elsewhere):
            cpu, moves = asyncio.run(with_others(elsewhere, asked))
            print(f"{elsewhere:24,}  {1000 * cpu:13.3f}  {moves:5}", flush=True)


if __name__ == "__main__":
    main()
