"""uvicorn's HTTP protocol with limits on connections and on the heads of requests.

They are checked before anything is parsed that a client can make expensive: what is too long, too
slow or too many is closed without an answer, or with the shortest one.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from tuilerie.server.http.security import network
from tuilerie.server.ops import limits, metrics
from tuilerie.server.ops.limits import Bucket, Limiter, TooOften

TOO_LONG = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-length: 0\r\nconnection: close\r\n\r\n"
)


class ConnectionGate:
    """Counts the TCP connections of each network, and of all. Trusted proxies are exempt: their
    visitors are counted by their forwarded addresses."""

    def __init__(
        self,
        limiter: Limiter,
        proxies: Sequence[IPv4Network | IPv6Network] = (),
        most: int = 10_000,
    ) -> None:
        self._limiter = limiter
        self._proxies = proxies
        self._most = most
        self._open: Counter[str] = Counter()

    def enter(self, address: str) -> Callable[[], None]:
        """Count a connection; return a function to call when it is lost. Raises `TooOften`."""
        who = "proxies" if self._is_proxy(address) else network(address)
        if who != "proxies":
            self._limiter.take(limits.CONNECTIONS_OPENED, who)
            self._limiter.check(limits.CONNECTIONS, self._open[who])
        if self._open.total() >= self._most:
            raise TooOften("all-connections", 10)
        self._open[who] += 1

        def leave() -> None:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]

        return leave

    def socket_buckets(self) -> tuple[Bucket, Bucket]:
        """How many bytes and frames one WebSocket may send."""
        return (
            self._limiter.bucket(limits.SOCKET_BYTES),
            self._limiter.bucket(limits.SOCKET_FRAMES),
        )

    def _is_proxy(self, address: str) -> bool:
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in each for each in self._proxies)


class BoundedHttpProtocol(HttpToolsProtocol):
    """One HTTP connection. `gate` counts it."""

    def __init__(self, *args: Any, gate: ConnectionGate, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._gate = gate
        self._leave: Callable[[], None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._reader: asyncio.TimerHandle | None = None  # runs while the client reads slowly
        self._unread = 0  # bytes, when it was started
        self._answered: RequestResponseCycle | None = None  # the request that is answered now
        self._in_head = True  # the head of a request is awaited, or was begun
        self._head_bytes = 0
        self._beside = 0  # bytes after the head that are no body: sizes of chunks, trailers
        self._is_refused = False  # what follows is not answered

    def let_in(self, leave: Callable[[], None]) -> None:
        """It is counted already; call `leave` when it is lost."""
        self._leave = leave

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, or close it."""
        super().connection_made(transport)
        try:
            if self._leave is None:
                self._leave = self._gate.enter(self.client[0] if self.client else "unknown")
        except TooOften as limit:
            metrics.LIMITED.labels(limit.rule).inc()
            transport.abort()
            return
        self._must_end_within(limits.HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is over."""
        super().connection_lost(exc)
        self._is_gone()
        self._may_wait()
        self._stop_watching()
        if self._leave is not None:
            self._leave()
            self._leave = None

    def data_received(self, data: bytes) -> None:
        """Parse the received data in chunks."""
        at = 0
        while at < len(data) and not self.transport.is_closing():
            most = limits.READ_BYTES
            if self._in_head:
                most = min(most, limits.HEAD_BYTES - self._head_bytes)
            too_many = self.headers is not None and len(self.headers) > limits.HEADERS
            if most <= 0 or too_many or self._beside > limits.HEAD_BYTES:
                self._refuse_head()
                return
            piece = data[at : at + most]
            at += len(piece)
            if self._in_head:
                self._head_bytes += len(piece)
            else:
                self._beside += len(piece)
            super().data_received(piece)
            if self.transport.get_protocol() is not self:
                return  # it is a WebSocket now

    def _refuse_head(self) -> None:
        metrics.LIMITED.labels("head").inc()
        self.transport.write(TOO_LONG)
        self.transport.close()
        self._is_gone()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP."""
        super().send_400_response(msg)
        self._is_gone()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    def _is_gone(self) -> None:
        """Nothing can be sent any more. uvicorn tells only the last request of a connection, and
        logs a traceback when an earlier one is answered."""
        for cycle in (self._answered, self.cycle):
            if cycle is not None:
                cycle.disconnected = True
                cycle.message_event.set()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._in_head = True
        self._must_end_within(limits.HEAD_SECONDS)

    def on_headers_complete(self) -> None:
        """The head of a request is complete."""
        self._in_head, self._head_bytes, self._beside = False, 0, 0
        self._must_end_within(limits.BODY_SECONDS)
        if len(self.pipeline) >= limits.PIPELINED and not self._is_refused:
            self._is_refused = True
            metrics.LIMITED.labels("pipelined").inc()
            self._abort()
        if self._is_counted_in():
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of a body."""
        self._beside -= len(body)
        if self._is_counted_in():
            super().on_body(body)

    def on_message_complete(self) -> None:
        """A request is complete."""
        self._may_wait()
        if self._is_counted_in():
            super().on_message_complete()

    def _is_counted_in(self) -> bool:
        """Whether this request is answered. One with too many headers is refused in a moment."""
        return not self._is_refused and len(self.headers) <= limits.HEADERS

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to the WebSocket, which is counted here until it is lost."""
        self._may_wait()
        self._stop_watching()
        super().handle_websocket_upgrade()
        protocol: Any = self.transport.get_protocol()
        protocol.begin_limits(self._gate.socket_buckets(), self._leave)
        self._leave = None

    def pause_writing(self) -> None:
        """The client reads more slowly than it is answered. Its answer is kept in memory as long
        as it reads at all."""
        super().pause_writing()
        self._watch_reader()

    def resume_writing(self) -> None:
        """It has read almost everything."""
        super().resume_writing()
        self._stop_watching()

    def _watch_reader(self) -> None:
        self._unread = self.transport.get_write_buffer_size()
        self._reader = self.loop.call_later(limits.READER_SECONDS, self._check_reader)

    def _check_reader(self) -> None:
        read = self._unread - self.transport.get_write_buffer_size()
        if read < limits.READER_SECONDS * limits.READER_BYTES:
            self._too_late()
        else:
            self._watch_reader()

    def _stop_watching(self) -> None:
        if self._reader is not None:
            self._reader.cancel()
            self._reader = None

    def _must_end_within(self, seconds: float) -> None:
        """Close the connection after this time."""
        self._may_wait()
        self._timer = self.loop.call_later(seconds, self._too_late)

    def _may_wait(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_late(self) -> None:
        metrics.LIMITED.labels("too-slow").inc()
        self._abort()

    def _abort(self) -> None:
        self.transport.abort()
        self._is_gone()
