"""What makes the load: sockets as small as they can be, four of them around a table or an echo, and
what is measured of them. `server_load` drives them."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import statistics
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

SEATS = 4

QUIET = 0.0025
"""A rented machine is called quiet during a run where no more than this share of its processors'
time was given to others: 30 of 12,000 ms in six seconds of two processors."""


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
    ticks: int = 0
    ticks_stolen: int = 0

    def line(self, name: str, connections: int) -> str:
        """The figures in a row."""
        return (
            f"{name:9} {connections:6} {self.moves / self.seconds:8.0f} "
            f"{self.median * 1000:8.2f} {self.p99 * 1000:8.2f} "
            f"{self.cpu / max(1, self.moves) * 1e6:8.0f} {self.cpu_a_message * 1e6:8.1f} "
            f"{self.length:6} {self.memory:7.1f} {self.memory_after:7.1f} "
            f"{self.pause * 1000:7.1f} {self.pause_cpu * 1000:7.1f} "
            f"{self.own_cpu / self.seconds * 100:5.0f} {self.stolen * 100:8.2f} "
            f"{os.getloadavg()[0]:5.1f}"
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
    def stolen(self) -> float:
        """The share of the processors' time that the machine's host gave to others."""
        return self.ticks_stolen / max(1, self.ticks)

    @property
    def length(self) -> int:
        """The mean length of a message."""
        return round(self.letters / max(1, self.messages))

    @property
    def quiet(self) -> bool:
        """Did this machine have its processors to itself?"""
        return self.stolen <= QUIET

    @property
    def cpu_a_message(self) -> float:
        """Seconds of the server's CPU for each message that it delivered."""
        return self.cpu / max(1, self.messages)


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
    """How long a message is, in all rooms."""

    def hear(self, _seat: int, payload: bytes) -> None:
        """A message for one of the four."""
        self.arrived(payload)
        self.heard += 1
        if self.heard % self.times == 0:
            self.complete()

    def __init__(self, measured: Measured, times: int) -> None:
        super().__init__(measured)
        self.times = times  # so often each hears what was said
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
