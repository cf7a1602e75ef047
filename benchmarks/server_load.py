"""The table server under load, beside a bare uvicorn echo under the same load in the same run.

Rooms of four play Blockers!; every move is on disk before anybody hears of it. This process makes
the load and measures; the server is another one. For each number of connections it prints moves per
second, the time from a move to its last delivery, the server's CPU per move and per message, and
its memory per connection. The echo sends messages of the same length to the same four sockets.

    python benchmarks/server_load.py [--connections 500,2000,5000] [--moves 1000] [--seconds 10]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import resource
import secrets
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tuilerie.match import commands
from tuilerie.match.config import Config
from tuilerie.match.decide import open_table, stages
from tuilerie.match.evolve import fold
from tuilerie.server.session import now_ms, pick, write_fact
from tuilerie.store import Store, open_store
from tuilerie.store.log import Status, TableMeta

SEATS = 4

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
        for each in room:
            await each({"type": "websocket.send", "text": message["text"]})
    room.remove(send)
uvicorn.run(app, port=int(sys.argv[1]), loop="uvloop", http="httptools", ws="websockets-sansio",
    ws_per_message_deflate=False, log_level="error")
"""


# --- a socket, as small as it can be --------------------------------------------------------------


class Wire(asyncio.Protocol):
    """One WebSocket: a handshake, masked frames out, frames in."""

    def __init__(self, path: str, cookie: str, heard: Callable[[bytes], None]) -> None:
        self._path, self._cookie, self._heard = path, cookie, heard
        self._data = bytearray()
        self.open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: Any = None

    def connection_made(self, transport: Any) -> None:
        """Ask for a WebSocket."""
        self._transport = transport
        lines = [
            f"GET {self._path} HTTP/1.1",
            "Host: localhost",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Protocol: tuilerie.v1",
            f"Cookie: {self._cookie}",
        ]
        transport.write("\r\n".join([*lines, "", ""]).encode())

    def data_received(self, data: bytes) -> None:
        """Take in what came, frame by frame."""
        self._data += data
        if not self.open.done():
            head, found, rest = self._data.partition(b"\r\n\r\n")
            if not found:
                return
            assert b" 101 " in head.split(b"\r\n")[0], bytes(head)
            self._data = rest
            self.open.set_result(None)
        while (frame := self._frame()) is not None:
            kind, payload = frame
            if kind == 1:
                self._heard(payload)
            elif kind == 9:
                self._send(0x8A, payload)

    def _frame(self) -> tuple[int, bytes] | None:
        data = self._data
        if len(data) < 2:
            return None
        size, start = data[1], 2
        if size >= 126:
            start = 4 if size == 126 else 10
            if len(data) < start:
                return None
            size = int.from_bytes(data[2:start], "big")
        if len(data) < start + size:
            return None
        kind, payload = data[0] & 15, bytes(data[start : start + size])
        del data[: start + size]
        return kind, payload

    def say(self, text: str) -> None:
        """Send a text."""
        self._send(0x81, text.encode())

    def _send(self, first: int, payload: bytes) -> None:
        size = len(payload)
        head = bytes([first, 0x80 | min(size, 126)])
        if size >= 126:
            head = bytes([first, 0x80 | 126]) + size.to_bytes(2, "big")
        self._transport.write(head + b"\0\0\0\0" + payload)  # the mask that changes nothing

    def close(self) -> None:
        """Hang up."""
        self._transport.close()


# --- what is measured -----------------------------------------------------------------------------


@dataclass
class Measured:
    """All that came of one run."""

    moves: int = 0
    messages: int = 0
    letters: int = 0
    times: list[float] = field(default_factory=list)
    seconds: float = 0
    cpu: float = 0
    memory: float = 0
    pause: float = 0

    def line(self, name: str, connections: int) -> str:
        """The figures in a row."""
        times = sorted(self.times) or [0.0]
        p99 = times[min(len(times) - 1, int(len(times) * 0.99))]
        return (
            f"{name:9} {connections:6} {self.moves / self.seconds:8.0f} "
            f"{statistics.median(times) * 1000:8.2f} {p99 * 1000:8.2f} "
            f"{self.cpu / max(1, self.moves) * 1e6:9.0f} "
            f"{self.cpu / max(1, self.messages) * 1e6:9.1f} "
            f"{self.letters / max(1, self.messages):7.0f} {self.memory:8.1f} {self.pause:8.1f}"
        )


HEAD = (
    f"{'server':9} {'conns':>6} {'moves/s':>8} {'p50 ms':>8} {'p99 ms':>8} {'µs/move':>9} "
    f"{'µs/msg':>9} {'bytes':>7} {'kB/conn':>8} {'gc ms':>8}"
)


class Room:
    """Four sockets around a table."""

    def __init__(self, measured: Measured) -> None:
        self.measured = measured
        self.wires: list[Wire] = []
        self.waiting = 0
        self.since = 0.0
        self.done = asyncio.Event()

    def sent(self) -> None:
        """A move is on its way."""
        self.since, self.waiting = time.perf_counter(), SEATS
        self.done.clear()

    def arrived(self, payload: bytes) -> None:
        """A message has come."""
        self.measured.messages += 1
        self.measured.letters += len(payload)

    def complete(self) -> None:
        """One socket has heard all of this move."""
        self.waiting -= 1
        if self.waiting == 0:
            self.measured.times.append(time.perf_counter() - self.since)
            self.measured.moves += 1
            self.done.set()

    async def move(self) -> bool:
        """Make the next move; false if there is none."""
        raise NotImplementedError


class EchoRoom(Room):
    """Four sockets that hear what one of them says."""

    size = 1000

    def hear(self, _seat: int, payload: bytes) -> None:
        """A message for one of the four."""
        self.arrived(payload)
        self.complete()

    async def move(self) -> bool:
        """Say something."""
        self.sent()
        self.wires[self.measured.moves % SEATS].say("x" * self.size)
        return True


class GameRoom(Room):
    """Four sockets at a table of Blockers!"""

    def __init__(self, measured: Measured) -> None:
        super().__init__(measured)
        self.views: list[Any] = [None] * SEATS
        self.ready = asyncio.Event()

    def hear(self, seat: int, payload: bytes) -> None:
        """A message for one of the four; the last of a move brings the view."""
        self.arrived(payload)
        if b'"view"' not in payload[: len(payload)] or b'"t":"event"' not in payload[:16]:
            if b'"t":"welcome"' in payload[:16]:
                self.views[seat] = json.loads(payload)["view"]
            return
        self.views[seat] = payload
        self.complete()

    async def move(self) -> bool:
        """Whoever may, makes one of the moves that there are."""
        for seat, view in enumerate(self.views):
            if isinstance(view, bytes):
                self.views[seat] = json.loads(view)["view"]
        for seat, view in enumerate(self.views):
            legal = view["play"]["legal"]
            if legal:
                self.sent()
                command = {"c": "make", "move": legal[len(legal) // 2]}
                words = {"t": "do", "id": secrets.token_hex(8), "command": command}
                self.wires[seat].say(json.dumps(words))
                return True
        return False


# --- the two servers ------------------------------------------------------------------------------


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
        tokens = [await store.people.issue_seat_token(slug, who) for who in people]
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


async def drive(rooms: list[Any], measured: Measured, rate: float, seconds: float) -> None:
    """Moves at this rate over all rooms, each as soon as its time has come and its room is free."""
    measured.moves = measured.messages = measured.letters = 0
    measured.times.clear()
    began = time.perf_counter()

    async def play(room: Any, first: float, every: float) -> None:
        due = began + first
        while due < began + seconds:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if not await room.move():
                return
            await asyncio.wait_for(room.done.wait(), 60)
            due = max(due + every, time.perf_counter())

    every = len(rooms) / rate
    await asyncio.gather(
        *(play(room, every * index / len(rooms), every) for index, room in enumerate(rooms))
    )
    measured.seconds = time.perf_counter() - began


async def run(  # noqa: PLR0913, PLR0917
    words: list[str],
    port: int,
    rooms: list[Any],
    join: Callable[[], Awaitable[None]],
    measured: Measured,
    args: argparse.Namespace,
) -> None:
    """Start a server, fill it, drive it, and measure it."""
    process = subprocess.Popen([sys.executable, *words])
    try:
        await wait_for(port)
        await asyncio.sleep(1)
        empty = memory_kb(process.pid)
        await join()
        await asyncio.sleep(1)
        measured.memory = (memory_kb(process.pid) - empty) / (len(rooms) * SEATS)
        before = cpu_seconds(process.pid)
        await drive(rooms, measured, args.moves, args.seconds)
        measured.cpu = cpu_seconds(process.pid) - before
        if args.metrics:
            measured.pause = longest_pause(args.metrics)
    finally:
        for room in rooms:
            for wire in room.wires:
                wire.close()
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def longest_pause(port: int) -> float:
    """The least bound, in ms, below which all pauses of the garbage collector were."""
    text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
    found = re.findall(r'tuilerie_gc_pause_seconds_bucket\{le="([^"]+)"\} ([\d.]+)', text)
    total = float(found[-1][1]) if found else 0.0
    return next((float(bound) * 1000 for bound, count in found if float(count) == total), 0.0)


async def game(connections: int, args: argparse.Namespace) -> Measured:
    """Our server."""
    measured = Measured()
    rooms = [GameRoom(measured) for _ in range(connections // SEATS)]
    with tempfile.TemporaryDirectory() as folder:
        async with await open_store(folder) as store:
            tables = await make_tables(store, len(rooms))
        port, args.metrics = free_port(), free_port()
        start = "from tuilerie.server.commands import serve; serve()"
        words = ["-c", start, "--port", str(port), "--data", folder, "--log-level", "error"]
        words += ["--metrics-port", str(args.metrics), "--limit-factor", "100000", "--workers", "0"]

        async def join() -> None:
            for room, (slug, cookies) in zip(rooms, tables, strict=True):
                hello = json.dumps({"t": "hello", "table": slug, "last": 0})
                await connect(room, port, "/ws", cookies, hello)
            while any(view is None for room in rooms for view in room.views):
                await asyncio.sleep(0.1)

        await run(words, port, rooms, join, measured, args)
    return measured


async def echo(connections: int, size: int, args: argparse.Namespace) -> Measured:
    """A bare server that sends what it hears to the four of a room."""
    measured = Measured()
    rooms = [EchoRoom(measured) for _ in range(connections // SEATS)]
    EchoRoom.size = size
    port, args.metrics = free_port(), 0

    async def join() -> None:
        for number, room in enumerate(rooms):
            await connect(room, port, f"/{number}", [""] * SEATS, None)

    await run(["-c", ECHO, str(port)], port, rooms, join, measured, args)
    return measured


async def main() -> None:
    """Run all, and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--connections", default="500,2000,5000")
    parser.add_argument("--moves", type=float, default=1000)
    parser.add_argument("--seconds", type=float, default=10)
    args = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print(HEAD)
    for connections in map(int, args.connections.split(",")):
        ours = await game(connections, args)
        print(ours.line("tuilerie", connections), flush=True)
        size = round(ours.letters / max(1, ours.messages))
        bare = await echo(connections, size, args)
        print(bare.line("echo", connections), flush=True)
        ratio = (ours.cpu / max(1, ours.messages)) / (bare.cpu / max(1, bare.messages))
        print(f"{'':9} {connections:6} CPU per message: {ratio:.2f} times the echo's", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
