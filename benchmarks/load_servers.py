"""The two servers under load, each in a process of its own: ours, and the bare echo."""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from load_rooms import SEATS, EchoRoom, GameRoom, Measured, Wire

from tuilerie.match import commands
from tuilerie.match.config import Config
from tuilerie.match.decide import open_table, stages
from tuilerie.match.evolve import fold
from tuilerie.server.tables.actor import now_ms, pick, write_fact
from tuilerie.store import Store, open_store
from tuilerie.store.log import Status, TableMeta

ECHO = """
import sys
import uvicorn
rooms = {}
async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        while (await receive())["type"] == "lifespan.startup":
            await send({"type": "lifespan.startup.complete"})
        await send({"type": "lifespan.shutdown.complete"})
        return
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept", "subprotocol": "tuilerie.v1"})
    room = rooms.setdefault(scope["path"], [])
    room.append(send)
    while (message := await receive())["type"] == "websocket.receive":
        for each in room * int(sys.argv[2]):
            await each({"type": "websocket.send", "text": message["text"]})
    room.remove(send)
uvicorn.run(app, port=int(sys.argv[1]), loop="uvloop", http="httptools", ws="websockets-sansio",
    ws_per_message_deflate=False, ws_ping_interval=None, log_level="error")
"""


SETTLE_SECONDS = 1.2
"""So long after the last move a server's CPU is counted: SQLite's log is emptied every second."""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def cpu_seconds(pid: int) -> float:
    """How long a process has computed so far."""
    words = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def machine_ticks() -> tuple[int, int]:
    """The time of all processors of this machine so far, and how much of it its host gave to other
    machines while something here wanted to run."""
    words = Path("/proc/stat").read_text("ascii").split(maxsplit=9)
    ticks = [int(word) for word in words[1:9]]
    return sum(ticks), ticks[7]


def memory_kb(pid: int) -> int:
    """How much memory a process holds."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text("ascii"))
    assert found
    return int(found[1])


async def wait_for(port: int) -> None:
    """Wait until a server listens."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return
    raise TimeoutError


async def make_tables(store: Store, rooms: int) -> list[tuple[str, list[str]]]:
    """Games that have begun: each with its name and the cookies of its four people."""

    async def one() -> tuple[str, list[str]]:
        slug, now = secrets.token_urlsafe(16), now_ms()
        people = [secrets.token_hex(8) for _ in range(SEATS)]
        config = Config(players=SEATS, takeover_after=None, host=people[0])
        happened = list(open_table("blockers", config, now))
        table = fold(happened)
        asked: list[Any] = [commands.Sit(who, None, f"P{who[:4]}") for who in people]
        asked += [commands.SetReady(who, True) for who in people]
        for command in asked:
            for stage in stages(table, command, now, pick):
                happened.append(stage.fact)
                table = stage.table
        meta = TableMeta("blockers", table.rules_version, {}, False, Status.PLAYING)
        await store.log.create(slug, [write_fact(fact) for fact in happened], meta)
        tokens = [await store.seats.issue_token(slug, who) for who in people]
        return slug, [f"tuilerie-seat-{slug}={token}" for token in tokens]

    return [await one() for _ in range(rooms)]


async def connect(room: Any, port: int, path: str, cookies: list[str], hello: str | None) -> None:
    """Four sockets for a room."""
    loop = asyncio.get_running_loop()
    for seat, cookie in enumerate(cookies):
        made = partial(Wire, path, cookie, partial(room.hear, seat))
        _, wire = await loop.create_connection(made, "127.0.0.1", port)
        await wire.open
        room.wires.append(wire)
        if hello is not None:
            wire.say(hello)


async def drive(rooms: list[Any], rate: float, seconds: float) -> float:
    """Moves at this rate over all rooms, each as soon as its time has come and its room is free.
    Answers how many seconds it took."""
    loop, every, playing = asyncio.get_running_loop(), len(rooms) / rate, len(rooms)
    began, over = loop.time(), loop.create_future()

    def move(room: Any, due: float) -> None:
        room.moved = partial(moved, room, due)
        if not room.move():
            leave()

    def moved(room: Any, due: float) -> None:
        following = max(due + every, loop.time())
        if following < began + seconds:
            loop.call_at(following, move, room, following)
        else:
            leave()

    def leave() -> None:
        nonlocal playing
        playing -= 1
        if not playing:
            over.set_result(None)

    for index, room in enumerate(rooms):
        due = began + every * index / len(rooms)
        if due < began + seconds:
            loop.call_at(due, move, room, due)
        else:
            leave()
    await asyncio.wait_for(over, seconds + 60)
    return loop.time() - began


@dataclass(frozen=True)
class Side:
    """One of the two servers while it runs, with all who are connected to it."""

    pid: int
    rooms: list[Any]
    measured: Measured
    memory_empty: int
    metrics: int  # the port where it tells them, 0: it has none

    def joined(self) -> None:
        """All are there: what is counted begins here."""
        measured = self.measured
        measured.moves = measured.messages = measured.letters = 0
        measured.memory = self._memory()

    async def play(self, rate: float, seconds: float) -> int:
        """Moves for a while, and what they cost. Answers how long their messages were."""
        measured = self.measured
        moves, messages, letters = measured.moves, measured.messages, measured.letters
        cpu, own, (ticks, stolen) = cpu_seconds(self.pid), time.process_time(), machine_ticks()
        measured.seconds += await drive(self.rooms, rate, seconds)
        measured.own_cpu += time.process_time() - own
        ticks_now, stolen_now = machine_ticks()
        measured.ticks += ticks_now - ticks
        measured.ticks_stolen += stolen_now - stolen
        await asyncio.sleep(SETTLE_SECONDS)
        measured.cpu += cpu_seconds(self.pid) - cpu
        measured.memory_after = self._memory()
        first = (measured.moves - moves) % len(self.rooms)  # those whose turn it is go on
        self.rooms[:] = self.rooms[first:] + self.rooms[:first]
        if self.metrics:
            measured.pause, measured.pause_cpu = longest_pauses(self.metrics)
        return round((measured.letters - letters) / max(1, measured.messages - messages))

    def _memory(self) -> float:
        return (memory_kb(self.pid) - self.memory_empty) / (len(self.rooms) * SEATS)


@asynccontextmanager
async def serving(
    words: list[str],
    port: int,
    rooms: list[Any],
    join: Callable[[], Awaitable[None]],
    metrics: int = 0,
) -> AsyncIterator[Side]:
    """Start a server, and fill it."""
    process = subprocess.Popen([sys.executable, *words])
    try:
        await wait_for(port)
        await asyncio.sleep(1)
        side = Side(process.pid, rooms, rooms[0].measured, memory_kb(process.pid), metrics)
        await join()
        await asyncio.sleep(1)
        side.joined()
        yield side
    finally:
        for room in rooms:
            for wire in room.wires:
                wire.close()
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def longest_pauses(port: int) -> tuple[float, float]:
    """The longest pause of the garbage collector: by the clock, and by the CPU that it took."""
    text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
    names = ("tuilerie_gc_pause_longest_seconds", "tuilerie_gc_pause_longest_cpu_seconds")
    found = [re.search(rf"^{name} (\S+)", text, re.MULTILINE) for name in names]
    first, second = (0.0 if each is None else float(each[1]) for each in found)
    return first, second


@asynccontextmanager
async def game(connections: int) -> AsyncIterator[Side]:
    """Our server."""
    measured = Measured()
    rooms = [GameRoom(measured) for _ in range(connections // SEATS)]
    with tempfile.TemporaryDirectory() as folder:
        async with await open_store(folder) as store:
            tables = await make_tables(store, len(rooms))
        port, metrics = free_port(), free_port()
        start = "from tuilerie.server.ops.commands import serve; serve()"
        words = ["-c", start, "--port", str(port), "--data", folder, "--log-level", "error"]
        words += ["--metrics-port", str(metrics), "--limit-factor", "100000", "--workers", "0"]

        async def join() -> None:
            for room, (slug, cookies) in zip(rooms, tables, strict=True):
                hello = json.dumps({"t": "hello", "table": slug, "last": 0})
                await connect(room, port, "/ws", cookies, hello)
            while any(room.joined < SEATS for room in rooms):
                for room in rooms:
                    for wire in room.wires:
                        wire.check()
                await asyncio.sleep(0.1)

        async with serving(words, port, rooms, join, metrics) as side:
            yield side


@asynccontextmanager
async def echo(connections: int, times: int) -> AsyncIterator[Side]:
    """A bare server that sends what it hears to the four of a room, so many times."""
    measured = Measured()
    rooms = [EchoRoom(measured, times) for _ in range(connections // SEATS)]
    port = free_port()

    async def join() -> None:
        for number, room in enumerate(rooms):
            await connect(room, port, f"/{number}", [""] * SEATS, None)

    async with serving(["-c", ECHO, str(port), str(times)], port, rooms, join) as side:
        yield side
