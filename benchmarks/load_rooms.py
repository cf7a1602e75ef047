"""The load generator: minimal
sockets, four per table or echo room,
and their measurements. `server_load` drives them, `load_games` chooses the moves."""

from __future__ import annotations

import asyncio
import json
import re
import statistics
import time
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec
from load_games import RACES, SEATS, changed, move_of

QUIET = 0.0025
"""A run is quiet if at most this share of CPU
time was stolen by the hypervisor: 30 of 12,000 ms in six seconds of two processors."""


@dataclass
class Measured:
    """The measurements of one run."""

    moves: int = 0
    messages: int = 0
    letters: int = 0  # of all messages, before compression
    on_wire: int = 0  # bytes of all frames, their heads included
    frames: list[int] = field(default_factory=list)  # of each welcome or update
    texts: list[int] = field(default_factory=list)  # the same, before compression
    counts: list[int] = field(default_factory=list)  # those of frames with a count
    deflated: bool = False  # whether a connection has negotiated compression
    refused: list[bytes] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    seconds: float = 0
    cpu: float = 0
    memory: float = 0
    memory_after: float = 0
    pause: float = 0
    pause_cpu: float = 0
    own_cpu: float = 0
    ticks: int = 0
    ticks_stolen: int = 0

    @property
    def median(self) -> float:
        """The median delivery time."""
        return statistics.median(self.times or [0.0])

    @property
    def p99(self) -> float:
        """The 99th percentile of the delivery time."""
        return quantile(self.times, 0.99)

    @property
    def stolen(self) -> float:
        """The share of CPU time stolen by the hypervisor."""
        return self.ticks_stolen / max(1, self.ticks)

    @property
    def quiet(self) -> bool:
        """Whether the run was quiet."""
        return self.stolen <= QUIET

    @property
    def cpu_a_move(self) -> float:
        """CPU seconds of the server per move."""
        return self.cpu / max(1, self.moves)

    @property
    def cpu_a_message(self) -> float:
        """CPU seconds of the server per delivered message."""
        return self.cpu / max(1, self.messages)


def quantile(values: Sequence[float], share: float) -> float:
    """The quantile of some values."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0


Receive = Callable[[bytes, int], None]
"""Called with a text and the size of its frame."""


class Wire(asyncio.Protocol):
    """One WebSocket: a handshake, masked frames out, frames in."""

    def __init__(self, path: str, cookie: str, received: Receive) -> None:
        self._path, self._cookie, self._received = path, cookie, received
        self._data = bytearray()
        self.open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: Any = None
        self.lost = False
        self._last = b""
        self.deflated = False
        self._afresh = False
        self._inflate: Any = None
        self._fault = ""  # what this client could not read

    def connection_made(self, transport: Any) -> None:
        """Send the handshake."""
        self._transport = transport
        lines = [
            f"GET {self._path} HTTP/1.1",
            "Host: localhost",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Protocol: tuilerie.v2",
            "Sec-WebSocket-Extensions: permessage-deflate",  # as browsers do
            f"Cookie: {self._cookie}",
        ]
        transport.write("\r\n".join([*lines, "", ""]).encode())

    def data_received(self, data: bytes) -> None:
        """Read the received frames. One that cannot be read ends the run, and is shown."""
        try:
            self._read(data)
        except Exception as error:
            self._fault = f"; after it a frame that cannot be read: {error!r}"
            self._transport.abort()

    def _read(self, data: bytes) -> None:
        self._data += data
        if not self.open.done():
            head, found, rest = self._data.partition(b"\r\n\r\n")
            if not found:
                return
            assert b" 101 " in head.split(b"\r\n")[0], bytes(head)
            self._data, self.deflated = rest, b"permessage-deflate" in head
            self._afresh = b"server_no_context_takeover" in head
            self.open.set_result(None)
        while (frame := self._frame()) is not None:
            kind, payload, size = frame
            if kind == 1:
                self._last = payload
                self._received(payload, size)
            elif kind == 9:
                self._send(0x8A, payload)

    def _frame(self) -> tuple[int, bytes, int] | None:
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
        first, payload = data[0], bytes(data[start : start + size])
        del data[: start + size]
        return first & 15, self._inflated(payload) if first & 64 else payload, start + size

    def _inflated(self, payload: bytes) -> bytes:
        """Decompress a message; without context takeover each one is a new stream."""
        if self._inflate is None or self._afresh:
            self._inflate = zlib.decompressobj(-15)
        try:
            inflated: bytes = self._inflate.decompress(payload + b"\0\0\xff\xff")
        except zlib.error as error:
            raise ValueError(f"{error} in {len(payload)} bytes: {payload[:60].hex()} …") from error
        return inflated

    def say(self, text: str) -> None:
        """Send a text."""
        self._send(0x81, text.encode())

    def _send(self, first: int, payload: bytes) -> None:
        size = len(payload)
        head = bytes([first, 0x80 | min(size, 126)])
        if size >= 126:
            head = bytes([first, 0x80 | 126]) + size.to_bytes(2, "big")
        self._transport.write(head + b"\0\0\0\0" + payload)  # a zero mask

    def close(self) -> None:
        """Close the socket."""
        self._transport.close()

    def connection_lost(self, _error: Exception | None) -> None:
        """Note that the connection is lost."""
        self.lost = True
        if not self.open.done():
            self.open.set_exception(ConnectionError(f"no WebSocket{self._fault}"))

    def check(self) -> None:
        """Raise if the server has closed the connection."""
        if self.lost:
            raise SystemExit(
                f"A socket was closed; the last message: {self._last[:300]!r}{self._fault}"
            )


class Room(ABC):
    """Four sockets around a table."""

    def __init__(self, measured: Measured) -> None:
        self.measured = measured
        self.wires: list[Wire] = []
        self.since = 0.0
        self.over = False  # no move will ever follow
        self.moved: Callable[[], None] = lambda: None  # called when all four got a move

    def arrived(self, payload: bytes, size: int) -> None:
        """Count a message."""
        self.measured.messages += 1
        self.measured.letters += len(payload)
        self.measured.on_wire += size

    def delivered(self, timed: bool = True) -> None:
        """Note that all four got this move."""
        if timed:
            self.measured.times.append(time.perf_counter() - self.since)
        self.measured.moves += 1
        self.moved()

    @abstractmethod
    def move(self) -> bool:
        """Make the next move; false if there is none now."""


class EchoRoom(Room):
    """Four sockets that get what one of them sends."""

    size = 1000
    """How long a message is, in all rooms."""

    def __init__(self, measured: Measured, times: int) -> None:
        super().__init__(measured)
        self.times = times  # how often each message is sent back
        self.received = 0

    def receive(self, _seat: int, payload: bytes, size: int) -> None:
        """A message for one of the four."""
        self.arrived(payload, size)
        self.received += 1
        if self.received % (SEATS * self.times) == 0:
            self.delivered()

    def move(self) -> bool:
        """Send a message."""
        self.since = time.perf_counter()
        self.wires[self.measured.moves % SEATS].say("x" * self.size)
        return True


class Seat:
    """The messages of one seat. They are decoded only when a move is chosen, so that the load
    generator is not the bottleneck."""

    def __init__(self) -> None:
        self.number = 0  # of the last fact received
        self._view: Any = None
        self._unread: list[bytes] = []

    def receive(self, payload: bytes) -> None:
        """Keep an update or a welcome."""
        if b'"view":' in payload:  # a snapshot: earlier messages do not matter
            self._unread.clear()
        self._unread.append(payload)
        self.number = number_in(payload)

    def view(self) -> Any:
        """The current view as JSON."""
        for payload in self._unread:
            message = msgspec.json.decode(payload)
            if "view" in message:
                self._view = message["view"]
            elif "changes" in message:
                self._view = changed(self._view, message["changes"])
        self._unread.clear()
        return self._view


NUMBER = re.compile(rb'"number":(\d+)')


def number_in(payload: bytes) -> int:
    """The number that a message begins with, after its kind and perhaps an id."""
    found = NUMBER.search(payload, 0, 200)
    assert found, payload[:200]
    return int(found[1])


class GameRoom(Room):
    """Four sockets at a table."""

    def __init__(self, measured: Measured, game: str, random: Random) -> None:
        super().__init__(measured)
        self._game, self._random = game, random
        self._seats = [Seat() for _ in range(SEATS)]
        self.joined = 0
        self._mover = 0
        self._asked = 0  # how many moves were asked for
        self._until: int | None = None  # all must get the facts up to this number
        self._races = False  # this move may be held for a moment
        self._under_way = False

    def receive(self, seat: int, payload: bytes, size: int) -> None:
        """A message for one of the four."""
        self.arrived(payload, size)
        kind = payload[6:11]
        if kind == b"updat":
            self._news(seat, payload, size)
        elif kind == b"welco":
            self.joined += 1
            self._seats[seat].receive(payload)
        elif kind == b'done"':
            self._until = number_in(payload)
        elif kind == b"refus":
            self.measured.refused.append(payload)  # it came too late: another has the bonus tile
            self._under_way = False
            self.moved()
            return
        if self._under_way and self._until is not None and self._is_heard(self._until):
            self._under_way = False
            self.delivered(timed=not self._races)

    def _news(self, seat: int, payload: bytes, size: int) -> None:
        self._seats[seat].receive(payload)
        measured = self.measured
        measured.frames.append(size)
        measured.texts.append(len(payload))
        if b'"kind":"counted"' in payload:
            measured.counts.append(size)

    def _is_heard(self, number: int) -> bool:
        return all(seat.number >= number for seat in self._seats)

    def move(self) -> bool:
        """The next seat that may act makes a move."""
        for after in range(1, SEATS + 1):
            seat = (self._mover + after) % SEATS
            view = self._seats[seat].view()
            if view["result"] is not None:
                self.over = True
                return False
            if move := move_of(self._game, view, self._random):
                self._make(seat, move)
                return True
        return False

    def _make(self, seat: int, move: str) -> None:
        self._mover, self._until, self._under_way = seat, None, True
        self._races = move.startswith(RACES)
        self._asked += 1
        command = {"kind": "make", "move": move}
        self.since = time.perf_counter()
        self.wires[seat].say(
            json.dumps({"t": "do", "id": f"move-{self._asked:06}", "command": command})
        )
