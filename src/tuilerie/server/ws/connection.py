"""One WebSocket connection: a bounded send queue, its writer task, and the measured round trip."""

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

LONGEST_WAY_MS = 2_000
"""A ping that comes later than this after our pong was not sent because of it."""

TRIPS_KEPT = 6
"""The way may grow longer, as when a phone leaves the house: old times are forgotten."""

Send = Callable[[bytes], Awaitable[None]]
Close = Callable[[int, str], Awaitable[None]]


class Connection:
    """One connection: who it is, which table it watches, and what waits to be sent."""

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
        "tokens",
        "viewer",
    )

    def __init__(
        self, send: Send, close: Close, address: str, write_now: WriteNow | None = None
    ) -> None:
        self._write_now = write_now  # the short way, where there is one
        self._send = send
        self._close = close
        self._out: list[bytes] = []  # mostly empty: a deque would take ten times the memory
        self._writer: asyncio.Task[None] | None = None
        self._ponged: float | None = None
        self._trips: tuple[int, ...] = ()
        self.address = address
        self.tokens: dict[str, str] = {}  # the cookies that it came with
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
        """Send these with the next `flush`, which the caller sees to. A socket that is too slow is
        closed; its client comes back later."""
        if self.closed:
            return
        if len(self._out) >= QUEUE_MESSAGES:
            metrics.DROPPED.inc()
            self.end(TOO_SLOW, "too-slow")
            return
        self._out += texts

    def flush(self) -> None:
        """Write what has gathered: at once if possible, else bit by bit.

        To write costs much the same for one message as for the few that a move leads to.
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
        except Exception:  # whatever a broken connection raises: it is gone
            self.closed = True
            self._out.clear()
        finally:
            self._writer = None

    def end(self, code: int, why: str, last: bytes | None = None) -> None:
        """Close, after one last message. What waits in the queue is not sent any more."""
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
        except Exception:  # it is gone already, or too slow even for this
            return

    # --- the way there and back -------------------------------------------------------------------

    def pinged(self) -> None:
        """A ping has come. Where it was sent as soon as our last pong arrived, we know the way.

        The shortest of the last times counts: a client that waits before it pings only seems
        farther away, and no more than a fixed trust comes of that.
        """
        now = time.perf_counter()
        if self._ponged is not None:
            took = round((now - self._ponged) * 1000)
            if took < LONGEST_WAY_MS:
                self._trips = (*self._trips[1 - TRIPS_KEPT :], took)
                self.rtt = min(self._trips)
        self._ponged = now
