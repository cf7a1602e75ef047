"""Connections and the heads of requests have limits, checked before anything is parsed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from ipaddress import ip_network
from types import SimpleNamespace
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from tuilerie.server.http.uvicorn_protocol import TOO_LONG, BoundedHttpProtocol, ConnectionGate
from tuilerie.server.ops import limits
from tuilerie.server.ops.limits import Limiter, TooOften
from tuilerie.server.ws.bounded import BoundedWebSocketProtocol


class Wire(asyncio.Transport):
    """A transport that keeps what is written, from an address."""

    def __init__(self, address: str = "192.0.2.1") -> None:
        super().__init__({"peername": (address, 4000), "sockname": ("127.0.0.1", 80)})
        self.written = b""
        self.closed = False
        self.unread = 0
        self._protocol: Any = None

    def write(self, data: Any) -> None:
        if self.closed:
            raise RuntimeError("the handler is closed")  # as uvloop does
        self.written += data

    def close(self) -> None:
        self.closed = True

    abort = close

    def is_closing(self) -> bool:
        return self.closed

    def get_write_buffer_size(self) -> int:
        return self.unread

    def set_protocol(self, protocol: Any) -> None:
        self._protocol = protocol

    def get_protocol(self) -> Any:
        return self._protocol

    def pause_reading(self) -> None:
        """Reading is not simulated."""

    def resume_reading(self) -> None:
        """Reading is not simulated."""


def make_gate(**how: Any) -> ConnectionGate:
    return ConnectionGate(Limiter(clock=lambda: 0.0), **how)


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answers 204 to everything, and accepts every WebSocket."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass
        return
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def connected(gate: ConnectionGate, address: str = "192.0.2.1", app: Any = app) -> tuple[Any, Wire]:
    config = Config(
        app, ws=BoundedWebSocketProtocol, log_config=None, lifespan="off", timeout_keep_alive=60
    )
    protocol = BoundedHttpProtocol(config, ServerState(), {}, gate=gate)
    wire = Wire(address)
    wire.set_protocol(protocol)
    protocol.connection_made(wire)
    return protocol, wire


async def settle() -> None:
    """Let the application do all that it can do now."""
    for _ in range(50):
        await asyncio.sleep(0)


async def sent(data: bytes, pieces: int = 4_000) -> Wire:
    """What a connection answers to these bytes, sent in pieces."""
    protocol, wire = connected(make_gate())
    for at in range(0, len(data), pieces):
        if not wire.closed:
            protocol.data_received(data[at : at + pieces])
    await settle()
    protocol.connection_lost(None)
    return wire


def request(*headers: bytes) -> bytes:
    return b"\r\n".join((b"GET / HTTP/1.1", b"Host: x", *headers, b"", b""))


async def test_a_request_with_a_usual_head_is_answered() -> None:
    long = b"Cookie: " + b"a" * 20_000
    assert b" 204 " in (await sent(request(long))).written
    assert b" 204 " in (await sent(request(long), pieces=1_000_000)).written


@pytest.mark.parametrize("pieces", [100, 4_000, 10_000_000])
async def test_a_head_that_is_too_long_is_refused(pieces: int) -> None:
    wire = await sent(request(b"X: " + b"a" * limits.HEAD_BYTES), pieces)
    assert (wire.written, wire.closed) == (TOO_LONG, True)


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bytes the parser of uvicorn gets, piece by piece."""
    pieces: list[int] = []
    parse = HttpToolsProtocol.data_received

    def count(self: Any, data: bytes) -> None:
        pieces.append(len(data))
        parse(self, data)

    monkeypatch.setattr(HttpToolsProtocol, "data_received", count)
    return pieces


async def test_an_endless_head_is_not_parsed_beyond_the_limit(parsed: list[int]) -> None:
    wire = await sent(b"GET / HTTP/1.1\r\nX: " + b"a" * 40_000_000, 1_000_000)
    assert wire.closed
    assert sum(parsed) <= limits.HEAD_BYTES


async def test_too_many_headers_are_refused() -> None:
    many = [b"X%d: y" % number for number in range(limits.HEADERS)]
    assert b" 204 " in (await sent(request(*many[:-1]))).written
    wire = await sent(request(*many, b"Z: z"))
    assert b" 204 " not in wire.written
    assert wire.closed


async def test_a_long_body_does_not_count_as_a_head() -> None:
    body = b"x" * 200_000
    head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n"
    for pieces in (4_000, 10_000_000):
        wire = await sent(head + body + request(), pieces)
        assert wire.written.count(b" 204 ") == 2


CHUNKED = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
BESIDE = {
    "trailer": (b"0\r\nX: ", b"a"),
    "extension": (b"1;", b"a"),
    "size": (b"", b"0"),
    "small chunks": (b"", b"1\r\na\r\n"),
    "empty lines": (b"0\r\n\r\n", b"\r\n"),
}


@pytest.mark.parametrize("what", BESIDE)
async def test_what_comes_beside_a_body_is_bounded(what: str, parsed: list[int]) -> None:
    """A parser keeps a trailer, and copies it with each piece: 30 MB took 23 s."""
    begin, more = BESIDE[what]
    wire = await sent(CHUNKED + begin + more * (400_000 // len(more)), 100_000)
    assert wire.closed
    assert sum(parsed) < 2 * limits.HEAD_BYTES


async def test_a_long_body_in_chunks_of_usual_size_is_read() -> None:
    chunks = (b"1000\r\n" + b"x" * 4096 + b"\r\n") * 200 + b"0\r\nX: y\r\n\r\n"
    wire = await sent((CHUNKED + chunks) * 2 + request())
    assert wire.written.count(b" 204 ") == 3


@pytest.mark.parametrize("pieces", [64, 10_000_000])
async def test_few_requests_may_wait_on_a_connection(
    pieces: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands fit into one read: each would be set up before the first is answered."""
    begun = 0
    plain = HttpToolsProtocol.on_headers_complete

    def count(self: Any) -> None:
        nonlocal begun
        begun += 1
        plain(self)

    monkeypatch.setattr(HttpToolsProtocol, "on_headers_complete", count)
    assert (await sent(request() * (limits.PIPELINED + 1), pieces)).written.count(b" 204 ") == 9
    begun = 0
    wire = await sent(request() * 9_000, pieces)
    assert wire.closed
    assert begun <= limits.PIPELINED + 1


def lose(protocol: Any, _wire: Wire) -> None:
    protocol.connection_lost(None)


ENDS: dict[str, Callable[[Any, Wire], None]] = {
    "the client leaves": lose,
    "a head is too long": lambda protocol, _: protocol.data_received(b"a" * limits.HEAD_BYTES * 2),
    "invalid bytes follow": lambda protocol, _: protocol.data_received(b"\0\r\n\r\n"),
    "too many requests follow": lambda protocol, _: protocol.data_received(request() * 20),
    "it takes too long": lambda protocol, _: protocol._too_late(),
}


@pytest.mark.parametrize("end", ENDS)
async def test_a_request_whose_client_has_left_leaves_no_traceback(
    end: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Also if another request waits behind it."""
    go, answered = asyncio.Event(), 0

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        nonlocal answered
        await go.wait()
        await app(scope, receive, send)
        answered += 1

    protocol, wire = connected(make_gate(), app=slow)
    protocol.data_received(request() + request())
    await settle()
    ENDS[end](protocol, wire)
    wire.closed = True
    if end != "the client leaves":
        protocol.connection_lost(None)
    go.set()
    await settle()
    assert answered == 1, "the second is not begun"
    assert [record.levelname for record in caplog.records if record.levelname == "ERROR"] == []


class Clock:
    """Timers that fire on request."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.timers: list[tuple[float, Callable[[], None], list[bool]]] = []

    def call_later(self, delay: float, callback: Callable[[], None], *_: Any) -> Any:
        on = [True]
        self.timers.append((delay, callback, on))

        class Handle:
            def cancel(self) -> None:
                on[0] = False

        return Handle()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loop, name)

    def fire(self, seconds: float) -> None:
        for delay, callback, on in self.timers:
            if on[0] and delay <= seconds:
                callback()


def with_clock(gate: ConnectionGate) -> tuple[Any, Wire, Clock]:
    protocol, wire = connected(gate)
    protocol._may_wait()
    protocol.loop = clock = Clock(protocol.loop)
    protocol._must_end_within(limits.HEAD_SECONDS)
    return protocol, wire, clock


async def test_a_head_that_does_not_come_closes_the_connection() -> None:
    for begun in (b"", b"GET / HTTP/1.1\r\nHost: x\r\n", request() + b"GET /"):
        protocol, wire, clock = with_clock(make_gate())
        if begun:
            protocol.data_received(begun)
        await settle()
        clock.fire(limits.HEAD_SECONDS - 0.1)
        assert not wire.closed
        clock.fire(limits.HEAD_SECONDS)
        assert wire.closed


async def test_a_body_that_does_not_come_closes_the_connection() -> None:
    protocol, wire, clock = with_clock(make_gate())
    protocol.data_received(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc")
    clock.fire(limits.BODY_SECONDS - 0.1)
    assert not wire.closed
    clock.fire(limits.BODY_SECONDS)
    assert wire.closed


async def test_a_whole_request_may_take_its_time_to_be_answered() -> None:
    protocol, wire, clock = with_clock(make_gate())
    protocol.data_received(request())
    clock.fire(1_000)
    assert not wire.closed


# --- connections by network -----------------------------------------------------------------------


def enter_many(gate: ConnectionGate, *addresses: str) -> int:
    """How many connections are let in, one after the other."""
    entered = 0
    for address in addresses:
        try:
            gate.enter(address)
        except TooOften:
            continue
        entered += 1
    return entered


def test_connections_are_limited_by_network() -> None:
    gate, most = make_gate(), limits.CONNECTIONS.count
    assert enter_many(gate, *["192.0.2.1"] * (most + 50)) == most
    assert enter_many(gate, "192.0.2.2") == 1, "others still get in"


def test_an_ipv6_network_counts_as_one() -> None:
    gate, most = make_gate(), limits.CONNECTIONS.count
    hosts = [f"2001:db8:0:1::{host:x}" for host in range(1, most + 50)]
    assert enter_many(gate, *hosts) == most
    assert enter_many(gate, "2001:db8:0:2::1") == 1


def test_new_connections_are_limited_by_rate() -> None:
    gate = make_gate()
    for _ in range(int(limits.CONNECTIONS_OPENED.burst)):
        gate.enter("192.0.2.1")()  # and leave
    with pytest.raises(TooOften) as refused:
        gate.enter("192.0.2.1")
    assert refused.value.rule == "connections-opened"


def test_trusted_proxies_are_not_limited_but_all_connections_are() -> None:
    gate = make_gate(proxies=[ip_network("10.1.0.0/16")], most=500)
    assert enter_many(gate, *["10.1.2.3"] * 600) == 500
    assert enter_many(gate, "192.0.2.1") == 0


async def test_a_connection_is_counted_until_it_is_lost() -> None:
    gate = make_gate()
    first, _ = connected(gate)
    many = [connected(gate) for _ in range(limits.CONNECTIONS.count - 1)]
    _, refused = connected(gate)
    assert refused.closed
    assert not many[-1][1].closed
    first.connection_lost(None)
    _, wire = connected(gate)
    assert not wire.closed


# --- WebSockets -----------------------------------------------------------------------------------

UPGRADE = request(
    b"Upgrade: websocket",
    b"Connection: Upgrade",
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    b"Sec-WebSocket-Version: 13",
)


@pytest.mark.parametrize(
    "headers",
    [b"X: " + b"a" * 20_000, b"Content-Length: 5", b"Transfer-Encoding: chunked"],
    ids=["too-long", "body", "chunks"],
)
async def test_a_handshake_that_cannot_be_parsed_closes_the_connection(headers: bytes) -> None:
    """It was neither answered nor closed, and no time limit held any more."""
    protocol, wire = connected(make_gate())
    protocol.data_received(UPGRADE.removesuffix(b"\r\n") + headers + b"\r\n\r\n")
    await settle()
    assert wire.closed
    assert b" 101 " not in wire.written


PING, PONG, PART = b"\x89\x80\0\0\0\0", b"\x8a\x80\0\0\0\0", b"\x00\x80\0\0\0\0"
BEGIN = b"\x01\x80\0\0\0\0"
CLOSED = b"\x88"
"""The first byte of a close frame."""


async def websocket(gate: ConnectionGate | None = None) -> tuple[Any, Wire]:
    protocol, wire = connected(gate or make_gate())
    protocol.data_received(UPGRADE)
    await settle()
    socket: Any = wire.get_protocol()
    assert b" 101 " in wire.written
    wire.written = b""
    return socket, wire


@pytest.mark.parametrize("frame", [PING, PONG, PART], ids=["ping", "pong", "continuation"])
@pytest.mark.parametrize("at_once", [1, 50, 100_000])
async def test_a_flood_of_small_frames_closes_its_socket(frame: bytes, at_once: int) -> None:
    socket, wire = await websocket()
    socket.loop = Clock(socket.loop)  # its time stands still
    socket.loop.time = lambda: 0.0
    socket.begin_limits(make_gate().socket_buckets(), None)
    if frame is PART:
        socket.data_received(BEGIN)
    frames = 0
    while frames < 1_000_000 and not wire.closed:
        socket.data_received(frame * at_once)
        frames += at_once
    assert wire.closed
    assert frames <= limits.SOCKET_FRAMES.burst + at_once
    socket.connection_lost(None)


async def test_a_flood_of_bytes_closes_its_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    socket, wire = await websocket()
    parsed = 0
    plain = WebSocketsSansIOProtocol.data_received

    def count(self: Any, data: bytes) -> None:
        nonlocal parsed
        parsed += len(data)
        plain(self, data)

    monkeypatch.setattr(WebSocketsSansIOProtocol, "data_received", count)
    socket.loop = Clock(socket.loop)
    socket.loop.time = lambda: 0.0
    socket.begin_limits(make_gate().socket_buckets(), None)
    text = b"\x81\xfe\x0f\xa0\0\0\0\0" + b"x" * 4_000
    sent = 0
    while sent < 10_000_000 and not wire.closed:
        socket.data_received(text)
        sent += len(text)
    assert wire.closed
    assert sent <= limits.SOCKET_BYTES.burst + len(text)
    assert parsed <= limits.SOCKET_BYTES.burst, "they are counted before they are parsed"
    assert wire.written[:1] == CLOSED
    socket.connection_lost(None)


async def test_a_socket_that_pings_and_does_not_read_is_closed() -> None:
    socket, wire = await websocket()
    socket.pause_writing()
    socket.data_received(PING)
    assert wire.closed
    socket.connection_lost(None)


async def test_a_websocket_is_counted_until_it_is_lost() -> None:
    gate = make_gate(most=1)
    socket, _ = await websocket(gate)
    assert connected(gate)[1].closed
    socket.connection_lost(None)
    assert not connected(gate)[1].closed


async def test_an_answer_that_is_not_read_closes_the_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It would stay in memory as long as its client likes."""
    monkeypatch.setattr(limits, "READER_SECONDS", 10.0)
    protocol, wire = connected(make_gate())
    timers: list[Any] = []
    monkeypatch.setattr(protocol, "loop", Timers(timers))
    wire.unread = 1_000_000
    protocol.pause_writing()
    for read in (10_240, 700_000):
        wire.unread -= read
        timers.pop().run()
        assert not wire.closed
    protocol.resume_writing()
    assert timers.pop().cancelled
    protocol.pause_writing()
    wire.unread -= 10_239
    timers.pop().run()
    assert wire.closed
    protocol.connection_lost(None)


class Timers:
    """An event loop that keeps its timers."""

    def __init__(self, timers: list[Any]) -> None:
        self._timers = timers

    def call_later(self, seconds: float, run: Callable[[], None]) -> Any:
        assert seconds == limits.READER_SECONDS
        timer = SimpleNamespace(run=run, cancelled=False)
        timer.cancel = lambda: setattr(timer, "cancelled", True)
        self._timers.append(timer)
        return timer
