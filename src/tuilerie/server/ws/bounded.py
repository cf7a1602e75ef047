"""uvicorn's WebSocket protocol with limits on the bytes and frames that a client sends.

Messages are counted where they are answered; pings, pongs and parts of messages are answered or
kept by the protocol itself, so they are counted here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import OPEN

from tuilerie.server.ops import limits, metrics
from tuilerie.server.ops.limits import Bucket

POLICY = 1008


class BoundedWebSocketProtocol(WebSocketsSansIOProtocol):
    """One WebSocket, which is closed if its client sends too much."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._buckets: tuple[Bucket, Bucket] | None = None
        self._leave: Callable[[], None] | None = None

    def begin_limits(
        self, buckets: tuple[Bucket, Bucket], leave: Callable[[], None] | None
    ) -> None:
        """Count bytes and frames by these; call `leave` when the connection is lost."""
        self._buckets = buckets
        self._leave = leave

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is over."""
        super().connection_lost(exc)
        if self._leave is not None:
            self._leave()
            self._leave = None

    def data_received(self, data: bytes) -> None:
        """Parse the received data in chunks, within the limits."""
        for at in range(0, len(data), limits.FRAME_BYTES):
            piece = data[at : at + limits.FRAME_BYTES]
            if self.transport.is_closing() or self.is_too_much(len(piece)):
                return
            super().data_received(piece)
        if self.conn.handshake_exc is not None:  # else it would wait, unanswered, for ever
            self.transport.close()

    def handle_events(self) -> None:
        """Handle the parsed frames."""
        if not self.is_too_many(len(self.conn.events)):
            super().handle_events()

    def handle_ping(self) -> None:
        """Answer a ping, unless the client does not read: pongs would fill the send buffer."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self._close(limits.SOCKET_FRAMES.key)

    def is_too_much(self, size: int) -> bool:
        """Count so many bytes; close if they are too many."""
        return self._take(0, size, limits.SOCKET_BYTES.key)

    def is_too_many(self, frames: int) -> bool:
        """Count so many frames; close if they are too many."""
        return self._take(1, frames, limits.SOCKET_FRAMES.key)

    def _take(self, which: int, cost: float, key: str) -> bool:
        if self._buckets is None or not self._buckets[which].take(self.loop.time(), cost):
            return False
        self._close(key)
        return True

    def _close(self, key: str) -> None:
        metrics.LIMITED.labels(key).inc()
        if self.conn.state is OPEN:
            self.conn.fail(POLICY, key)
            self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()
