"""One WebSocket connection: a bounded send queue, its writer task, and the round-trip time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from tuilerie.games.game import Seat
from tuilerie.server.ops import metrics
from tuilerie.server.ops.limits import QUEUE_MESSAGES
from tuilerie.server.ws.uvicorn_protocol import WriteNow

if TYPE_CHECKING:
    from tuilerie.server.tables.room import Room

TOO_SLOW = 1013
GOING_AWAY = 1012
POLICY = 1008
FAULT = 1011

LONGEST_RTT_MS = 2_000
"""A ping that comes later than this after our pong was not sent in reply to it."""

RTTS_KEPT = 6
"""The round-trip time may grow, as when a phone leaves the Wi-Fi: only the last ones count."""

Send = Callable[[bytes], Awaitable[None]]
Close = Callable[[int, str], Awaitable[None]]


class Connection:
    """One connection: its player, its table, and its send queue."""

    __slots__ = (
        "_close",
        "_out",
        "_ponged",
        "_send",
        "_trips",
        "_write_now",
        "_writer",
        "address",
        "bad",
        "closed",
        "player",
        "rtt",
        "sent",
        "table",
        "viewer",
    )

    def __init__(
        self, send: Send, close: Close, address: str, write_now: WriteNow | None = None
    ) -> None:
        self._write_now = write_now  # the fast path, if there is one
        self._send = send
        self._close = close
        self._out: list[bytes] = []  # mostly empty: a deque would take ten times the memory
        self._writer: asyncio.Task[None] | None = None
        self._ponged: float | None = None
        self._trips: tuple[int, ...] = ()
        self.address = address
        self.player: str | None = None
        self.viewer: Seat | None = None
        self.table: Room | None = None
        self.sent = 0  # the number of the last event that was put into its queue
        self.rtt: int | None = None
        self.bad = 0  # malformed messages so far
        self.closed = False

    # --- out --------------------------------------------------------------------------------------

    def push(self, text: bytes) -> None:
        """Send this soon."""
        if not self._out and self._writer is None:
            asyncio.get_running_loop().call_soon(self.flush)
        self.put(text)

    def put(self, *texts: bytes) -> None:
        """Queue these for the next `flush`, for which the caller is responsible. A socket that is
        too slow is closed; its client reconnects."""
        if self.closed:
            return
        if len(self._out) >= QUEUE_MESSAGES:
            metrics.DROPPED.inc()
            self.end(TOO_SLOW, "too-slow")
            return
        self._out += texts

    def flush(self) -> None:
        """Write the queue: at once if possible, else in a task.

        Writing the few messages that a move leads to costs about as much as writing one.
        """
        if self.closed or not self._out or self._writer is not None:
            return
        if self._write_now is not None and self._write_now(self._out):
            self._out.clear()
        else:
            self._writer = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        try:
            while self._out:
                await self._send(self._out.pop(0))
        except Exception:  # the connection is broken
            self.closed = True
            self._out.clear()
        finally:
            self._writer = None

    def end(self, code: int, why: str, last: bytes | None = None) -> None:
        """Close, after one last message. The queue is dropped."""
        if self.closed:
            return
        self.closed = True
        self._out.clear()
        asyncio.get_running_loop().create_task(self._finish(code, why, last))

    async def _finish(self, code: int, why: str, last: bytes | None) -> None:
        try:
            async with asyncio.timeout(2):
                writer = self._writer
                if writer is not None and last is not None:
                    await asyncio.wait({writer}, timeout=0.5)
                if writer is not None:
                    writer.cancel()
                if last is not None:
                    await self._send(last)
                await self._close(code, why)
        except Exception:  # closed already, or too slow
            return

    # --- round-trip time --------------------------------------------------------------------------

    def pinged(self) -> None:
        """Measure the round-trip time: clients send a ping as soon as our last pong arrives.

        The shortest of the last times counts: a client that delays its pings only seems farther
        away, and the time credited for that is capped.
        """
        now = time.perf_counter()
        if self._ponged is not None:
            took = round((now - self._ponged) * 1000)
            if took < LONGEST_RTT_MS:
                self._trips = (*self._trips[1 - RTTS_KEPT :], took)
                self.rtt = min(self._trips)
        self._ponged = now
