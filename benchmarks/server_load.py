"""The table server under load, beside a bare uvicorn echo under the same load in the same run.

Rooms of four play Blockers! by legal moves, chosen from the views that they are sent; every move is
on disk before anybody hears of it. This process makes the load and measures; the server is another.

What is compared: a **move** is one message in. Our server judges it, writes it to SQLite, and sends
each of the four two messages (the move and the draw, the second with the whole new view) and the
player a third (that it is done): nine in all. The **echo** is the least that uvicorn can do for the
same four sockets: it sends each message on to all of them, as it came, of the mean length of ours;
with `--echo-messages 2` it does so twice. It keeps nothing, checks nothing and makes nothing.

Columns: moves per second; from a move to its last delivery (p50, p99); the server's CPU per move
and per message that it delivered, all its threads included; the mean length of a message; memory
per connection after all have joined and after the last move; the longest pause of the garbage
collector since the start, by the clock and by the CPU that it took; how busy this process was (the
load generator, 100 %: it was the bottleneck); and the load average of the machine. On a machine
that does other things as well, times by the clock are the other things': read CPU, and several
rounds of both in turn: on two processors the same run costs a quarter more or less by chance.

    python benchmarks/server_load.py [--connections 500,2000,5000] [--moves 1000] [--seconds 10]
        [--rounds 1]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
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
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import uvloop

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
        for each in room * int(sys.argv[2]):
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
        self.lost = False
        self._last = b""

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
                self._last = payload
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

    def connection_lost(self, _error: Exception | None) -> None:
        """The line is dead."""
        self.lost = True

    def check(self) -> None:
        """Nothing is measured where the server has hung up."""
        if self.lost:
            raise SystemExit(
                f"The server has hung up on a socket; it said last: {self._last[:300]!r}"
            )


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
    memory_after: float = 0
    pause: float = 0
    pause_cpu: float = 0
    own_cpu: float = 0

    def line(self, name: str, connections: int) -> str:
        """The figures in a row."""
        return (
            f"{name:9} {connections:6} {self.moves / self.seconds:8.0f} "
            f"{self.median * 1000:8.2f} {self.p99 * 1000:8.2f} "
            f"{self.cpu / max(1, self.moves) * 1e6:8.0f} {self.cpu_a_message * 1e6:8.1f} "
            f"{self.letters / max(1, self.messages):6.0f} "
            f"{self.memory:7.1f} {self.memory_after:7.1f} "
            f"{self.pause * 1000:7.1f} {self.pause_cpu * 1000:7.1f} "
            f"{self.own_cpu / self.seconds * 100:5.0f} {os.getloadavg()[0]:6.1f}"
        )

    @property
    def median(self) -> float:
        """Half of the moves were delivered within this time."""
        return statistics.median(self.times or [0.0])

    @property
    def p99(self) -> float:
        """All but one of a hundred were delivered within this time."""
        times = sorted(self.times) or [0.0]
        return times[min(len(times) - 1, int(len(times) * 0.99))]

    @property
    def cpu_a_message(self) -> float:
        """Seconds of the server's CPU for each message that it delivered."""
        return self.cpu / max(1, self.messages)


HEAD = (
    f"{'server':9} {'conns':>6} {'moves/s':>8} {'p50 ms':>8} {'p99 ms':>8} {'µs/move':>8} "
    f"{'µs/msg':>8} {'bytes':>6} {'kB/conn':>7} {'at end':>7} {'gc ms':>7} {'gc cpu':>7} "
    f"{'gen %':>5} {'load':>6}"
)


class Room(ABC):
    """Four sockets around a table."""

    def __init__(self, measured: Measured) -> None:
        self.measured = measured
        self.wires: list[Wire] = []
        self.waiting = 0
        self.since = 0.0
        self.moved: Callable[[], None] = lambda: None  # called when all four have heard of a move

    def sent(self) -> None:
        """A move is on its way."""
        self.since, self.waiting = time.perf_counter(), SEATS

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
            self.moved()

    @abstractmethod
    def move(self) -> bool:
        """Make the next move; false if there is none."""


class EchoRoom(Room):
    """Four sockets that hear what one of them says."""

    size = 1000
    times = 1

    def hear(self, _seat: int, payload: bytes) -> None:
        """A message for one of the four."""
        self.arrived(payload)
        self.heard += 1
        if self.heard % self.times == 0:
            self.complete()

    def __init__(self, measured: Measured) -> None:
        super().__init__(measured)
        self.heard = 0

    def move(self) -> bool:
        """Say something."""
        self.sent()
        self.wires[self.measured.moves % SEATS].say("x" * self.size)
        return True


LEGAL = b'"legal":['


class GameRoom(Room):
    """Four sockets at a table of Blockers!"""

    def __init__(self, measured: Measured) -> None:
        super().__init__(measured)
        self.joined = 0
        self.turn: tuple[int, bytes] | None = None  # who is to move, and the view that says so

    def hear(self, seat: int, payload: bytes) -> None:
        """A message for one of the four; the last event of a move brings the view.

        Nothing is decoded here but the moves of the seat that has any: the generator must not be
        what is measured.
        """
        self.arrived(payload)
        if b'"view":' not in payload:
            return
        if payload.startswith(b'{"t":"welcome"'):
            self.joined += 1
        else:
            self.complete()
        if LEGAL + b'"' in payload:
            self.turn = seat, payload

    def move(self) -> bool:
        """Whoever may, makes one of the moves that there are."""
        if self.turn is None:
            return False
        (seat, payload), self.turn = self.turn, None
        start = payload.index(LEGAL) + len(LEGAL) - 1
        legal = json.loads(payload[start : payload.index(b"]", start) + 1])
        self.sent()
        command = {"c": "make", "move": legal[len(legal) // 2]}
        words = {"t": "do", "id": secrets.token_hex(8), "command": command}
        self.wires[seat].say(json.dumps(words))
        return True


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
        loop.call_at(due, move, room, due)
    await asyncio.wait_for(over, seconds + 60)
    measured.seconds = loop.time() - began


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
        before, own = cpu_seconds(process.pid), time.process_time()
        await drive(rooms, measured, args.moves, args.seconds)
        measured.own_cpu = time.process_time() - own
        measured.cpu = cpu_seconds(process.pid) - before
        measured.memory_after = (memory_kb(process.pid) - empty) / (len(rooms) * SEATS)
        if args.metrics:
            measured.pause, measured.pause_cpu = longest_pauses(args.metrics)
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
            while any(room.joined < SEATS for room in rooms):
                for room in rooms:
                    for wire in room.wires:
                        wire.check()
                await asyncio.sleep(0.1)

        await run(words, port, rooms, join, measured, args)
    return measured


async def echo(connections: int, size: int, args: argparse.Namespace) -> Measured:
    """A bare server that sends what it hears to the four of a room."""
    measured = Measured()
    rooms = [EchoRoom(measured) for _ in range(connections // SEATS)]
    EchoRoom.size, EchoRoom.times = size, args.echo_messages
    port, args.metrics = free_port(), 0

    async def join() -> None:
        for number, room in enumerate(rooms):
            await connect(room, port, f"/{number}", [""] * SEATS, None)

    words = ["-c", ECHO, str(port), str(args.echo_messages)]
    await run(words, port, rooms, join, measured, args)
    return measured


async def main() -> None:
    """Run all, and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--connections", default="500,2000,5000")
    parser.add_argument("--moves", type=float, default=1000)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=1, help="of ours and the echo in turn")
    parser.add_argument("--echo-messages", type=int, default=1, help="to each socket, for a move")
    args = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    gc.disable()  # the generator must not stop to look through its thousands of sockets
    print(HEAD)
    for connections in map(int, args.connections.split(",")):
        pairs = [await compare(connections, args) for _ in range(args.rounds)]
        if args.rounds > 1:
            tell(connections, pairs)


async def compare(connections: int, args: argparse.Namespace) -> tuple[Measured, Measured]:
    """One run of ours, and one of the echo with messages of the same length."""
    ours = await game(connections, args)
    print(ours.line("tuilerie", connections), flush=True)
    bare = await echo(connections, round(ours.letters / max(1, ours.messages)), args)
    print(bare.line("echo", connections), flush=True)
    a_move = (ours.cpu / max(1, ours.moves)) / max(1e-9, bare.cpu / max(1, bare.moves))
    ratio = f"{ratio_of(ours, bare):.2f} times the echo's (goal: 1.6), per move {a_move:.2f}"
    print(f"{'':9} {connections:6} CPU per message {ratio}", flush=True)
    return ours, bare


def ratio_of(ours: Measured, bare: Measured) -> float:
    """How many times the echo's CPU a message costs."""
    return ours.cpu_a_message / max(1e-9, bare.cpu_a_message)


def tell(connections: int, pairs: list[tuple[Measured, Measured]]) -> None:
    """The middle of several rounds: what else the machine does comes and goes."""
    ratios = sorted(ratio_of(ours, bare) for ours, bare in pairs)
    slowest = sorted(ours.p99 * 1000 for ours, _ in pairs)
    cpu = sorted(ours.cpu / max(1, ours.moves) * 1e6 for ours, _ in pairs)
    print(
        f"{'median':9} {connections:6} of {len(pairs)} rounds: CPU per message "
        f"{statistics.median(ratios):.2f} times the echo's ({ratios[0]:.2f} to {ratios[-1]:.2f}), "
        f"{statistics.median(cpu):.0f} µs a move, p99 {statistics.median(slowest):.1f} ms "
        f"({slowest[0]:.1f} to {slowest[-1]:.1f})",
        flush=True,
    )


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
