"""The two servers under load, each in its own process: ours, and the bare echo."""

from __future__ import annotations

import asyncio
import gzip
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
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from load_games import OPTIONS, SEATS, GameLog, cut, whole_game
from load_rooms import EchoRoom, GameRoom, Measured, Wire

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
    await send({"type": "websocket.accept", "subprotocol": "tuilerie.v2"})
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
"""CPU is counted until this long after the last move: SQLite checkpoints every second."""

RETRY_SECONDS = 0.02
"""When a table without a possible move is tried again: an update may be under way."""


def free_port() -> int:
    """A free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def cpu_seconds(pid: int) -> float:
    """The CPU time of a process."""
    words = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def waited_seconds(pid: int) -> float:
    """How long the main thread of a process was ready to run and waited for a core."""
    return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text("ascii").split()[1]) / 1e9


def machine_ticks() -> tuple[int, int]:
    """The CPU time of this machine so far, and how much of it was stolen by the hypervisor."""
    words = Path("/proc/stat").read_text("ascii").split(maxsplit=9)
    ticks = [int(word) for word in words[1:9]]
    return sum(ticks), ticks[7]


def memory_kb(pid: int) -> int:
    """The resident memory of a process."""
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


@dataclass(frozen=True)
class Stored:
    """A table in the store, with the cookies of its four people."""

    slug: str
    cookies: list[str]
    record: str = ""  # of the whole game, where it is over


async def store_table(
    store: Store, game: str, log: GameLog, facts: Sequence[bytes], status: Status
) -> Stored:
    """Store a log as a new table."""
    slug, meta = secrets.token_urlsafe(16), TableMeta(game, log.rules, OPTIONS[game], False, status)
    await store.log.create(slug, facts, meta)
    tokens = [await store.seats.issue_token(slug, who) for who in log.people]
    return Stored(slug, [f"tuilerie-seat-{slug}={token}" for token in tokens], log.record)


async def store_tables(
    store: Store, game: str, rooms: int, moves: float, random: Random
) -> tuple[list[Stored], Stored]:
    """Games in play, each with so many moves left, and a finished one."""
    cuts = [cut(game, moves, random) for _ in range(rooms)]
    begun = [await store_table(store, game, log, facts, Status.PLAYING) for log, facts in cuts]
    log = whole_game(game, 0)
    return begun, await store_table(store, game, log, log.facts, Status.OVER)


async def connect(room: Any, port: int, path: str, cookies: list[str], hello: str | None) -> None:
    """Four sockets for a room."""
    loop = asyncio.get_running_loop()
    for seat, cookie in enumerate(cookies):
        made = partial(Wire, path, cookie, partial(room.receive, seat))
        _, wire = await loop.create_connection(made, "127.0.0.1", port)
        await wire.open
        room.wires.append(wire)
        room.measured.deflated |= wire.deflated
        if hello is not None:
            wire.say(hello)


async def drive(rooms: list[Any], rate: float, seconds: float) -> float:
    """Moves at this rate over all rooms, each as soon as its time has come and its room is free.
    Returns how many seconds it took."""
    loop, every, playing = asyncio.get_running_loop(), len(rooms) / rate, len(rooms)
    began, over = loop.time(), loop.create_future()

    def move(room: Any, due: float) -> None:
        room.moved = partial(moved, room, due)
        if room.move():
            return
        if room.over or loop.time() > began + seconds:
            leave()
        else:
            loop.call_later(RETRY_SECONDS, move, room, due)

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
    try:
        await asyncio.wait_for(over, seconds + 60)
    finally:
        for wire in (wire for room in rooms for wire in room.wires):
            wire.check()
    return loop.time() - began


@dataclass(frozen=True)
class Side:
    """One of the two running servers, with its connections."""

    pid: int
    rooms: list[Any]
    measured: Measured
    memory_empty: int
    metrics: int  # the port of its metrics; 0: it has none

    def joined(self) -> None:
        """Start measuring: all are connected."""
        measured = self.measured
        measured.messages = measured.letters = measured.on_wire = 0
        measured.memory = self._memory()

    async def play(self, rate: float, seconds: float) -> int:
        """Play for a while and measure. Returns the mean length of messages."""
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
    process: subprocess.Popen[bytes],
    port: int,
    rooms: list[Any],
    join: Callable[[], Awaitable[None]],
    metrics: int = 0,
) -> AsyncIterator[Side]:
    """Connect all sockets to a server, and stop it afterwards."""
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


def replay_bytes(port: int, table: Stored) -> tuple[int, int]:
    """The size of a whole replay: on the wire, and unpacked."""
    root = f"http://127.0.0.1:{port}"
    head = {"Accept-Encoding": "gzip", "Cookie": table.cookies[0]}
    get = urllib.request.Request(f"{root}/api/tables/{table.slug}/replay", None, head)
    answer = urllib.request.urlopen(get)
    sent = answer.read()
    packed = answer.headers.get("Content-Encoding") == "gzip"
    text = gzip.decompress(sent) if packed else sent
    assert not json.loads(text).get("fault"), "the record breaks the rules"
    return len(sent), len(text)


@dataclass(frozen=True)
class Load:
    """The parameters of the load."""

    game: str
    connections: int
    moves: float  # a second, at all tables
    seconds: float
    env: Mapping[str, str]  # of the server's process
    prelude: str = ""  # what the server runs before it starts


@asynccontextmanager
async def tables(load: Load) -> AsyncIterator[tuple[Side, Callable[[], tuple[int, int]]]]:
    """Our server, and a function that returns the size of a replay."""
    measured, random = Measured(), Random(1)
    rooms = [GameRoom(measured, load.game, random) for _ in range(load.connections // SEATS)]
    with tempfile.TemporaryDirectory() as folder:
        async with await open_store(folder) as store:
            moves = load.moves * load.seconds / len(rooms)
            begun, ended = await store_tables(store, load.game, len(rooms), moves, random)
        port, metrics = free_port(), free_port()
        start = f"{load.prelude}\nfrom tuilerie.server.ops.commands import serve; serve()"
        words = ["-c", start, "--port", str(port), "--data", folder, "--log-level", "error"]
        words += ["--metrics-port", str(metrics), "--limit-factor", "100000", "--workers", "0"]

        async def join() -> None:
            for room, table in zip(rooms, begun, strict=True):
                hello = json.dumps({"t": "hello", "table": table.slug, "last": 0})
                await connect(room, port, "/ws", table.cookies, hello)
            while any(room.joined < SEATS for room in rooms):
                for room in rooms:
                    for wire in room.wires:
                        wire.check()
                await asyncio.sleep(0.1)

        process = subprocess.Popen([sys.executable, *words], env={**os.environ, **load.env})
        async with serving(process, port, rooms, join, metrics) as side:
            yield side, partial(replay_bytes, port, ended)


@asynccontextmanager
async def echo(connections: int, times: int) -> AsyncIterator[Side]:
    """A bare server that forwards each message to the four of a room, so many times."""
    measured = Measured()
    rooms = [EchoRoom(measured, times) for _ in range(connections // SEATS)]
    port = free_port()

    async def join() -> None:
        for number, room in enumerate(rooms):
            await connect(room, port, f"/{number}", [""] * SEATS, None)

    process = subprocess.Popen([sys.executable, "-c", ECHO, str(port), str(times)])
    async with serving(process, port, rooms, join) as side:
        yield side
