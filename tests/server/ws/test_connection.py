"""Sending: messages are complete and in order; a socket that is too slow is closed."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterable
from weakref import WeakSet

import pytest
import uvicorn
from websockets.asyncio.client import connect

from tests.servers import free_port
from tuilerie.server.ops import limits
from tuilerie.server.ws.connection import TOO_SLOW, Connection
from tuilerie.server.ws.uvicorn_protocol import FastWebSocketProtocol, fast_write, frames


class Wire:
    """The transport behind a socket; its buffer can be full."""

    def __init__(self) -> None:
        self.room = asyncio.Event()
        self.room.set()
        self.got: list[bytes] = []
        self.writes = 0
        self.code: int | None = None

    async def send(self, text: bytes) -> None:
        await self.room.wait()
        self.got.append(text)

    async def close(self, code: int, why: str) -> None:
        self.code = code

    def write_now(self, texts: Iterable[bytes]) -> bool:
        if not self.room.is_set():
            return False
        self.writes += 1
        self.got += texts
        return True

    def socket(self, *, short: bool = True) -> Connection:
        return Connection(self.send, self.close, "10.0.0.1", self.write_now if short else None)


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.mark.parametrize("short", [True, False])
async def test_messages_keep_their_order_with_and_without_backpressure(short: bool) -> None:
    wire = Wire()
    socket = wire.socket(short=short)
    said = [b"%d" % number for number in range(30)]
    for number, text in enumerate(said):
        if number % 10 == 4:
            wire.room.clear()
        if number % 10 == 8:
            wire.room.set()
        socket.push(text)
        if number % 3 == 0:
            await settle()
    await settle()
    assert wire.got == said


async def test_messages_of_one_loop_iteration_are_written_together() -> None:
    wire = Wire()
    socket = wire.socket()
    for text in (b"a", b"b", b"c"):
        socket.push(text)
    await settle()
    assert wire.got == [b"a", b"b", b"c"]
    assert wire.writes == 1


async def test_a_socket_that_is_too_slow_is_closed() -> None:
    wire = Wire()
    socket = wire.socket()
    wire.room.clear()
    for _ in range(limits.QUEUE_MESSAGES + 2):
        socket.push(b"x")
    await settle()
    wire.room.set()
    await settle()
    assert socket.closed
    assert wire.code == TOO_SLOW
    assert len(wire.got) <= 1, "what waited is not sent: its client comes back and asks"


async def test_nothing_is_written_after_closing() -> None:
    wire = Wire()
    socket = wire.socket()
    socket.push(b"said before, and still waiting")
    socket.end(1012, "restart", b"bye")
    socket.push(b"too late")
    await settle()
    assert wire.got == [b"bye"]
    assert wire.code == 1012


SIZES = (0, 1, 125, 126, 127, 65_535, 65_536, 300_000)


def test_frame_headers_encode_the_length_by_rfc_6455() -> None:
    assert frames([b""]) == b"\x81\x00"
    assert frames([b"x" * 125])[:2] == b"\x81\x7d"
    assert frames([b"x" * 126])[:4] == b"\x81\x7e\x00\x7e"
    assert frames([b"x" * 65_535])[:4] == b"\x81\x7e\xff\xff"
    assert frames([b"x" * 65_536])[:10] == b"\x81\x7f\x00\x00\x00\x00\x00\x01\x00\x00"
    assert frames([b"one", b"two"]) == b"\x81\x03one\x81\x03two"


async def test_a_client_reads_frames_of_the_fast_path() -> None:
    """Through a real server: every length, also when the client is slow to read."""
    ways = []

    async def app(scope, receive, send):  # type: ignore[no-untyped-def]
        write = fast_write(scope)
        assert write is not None
        await receive()
        await send({"type": "websocket.accept"})

        async def write_later(text: bytes) -> None:
            await send({"type": "websocket.send", "text": text.decode()})

        async def close(code: int, why: str) -> None:
            await send({"type": "websocket.close", "code": code, "reason": why})

        def write_now(texts: Iterable[bytes]) -> bool:
            ways.append(write(texts))
            return ways[-1]

        socket = Connection(write_later, close, "", write_now)
        while (message := await receive())["type"] == "websocket.receive":
            for number in range(8):
                socket.push(b"%d" % number + b"\xc3\xa9" * (int(message["text"]) // 2))

    port = free_port()
    config = uvicorn.Config(
        app, port=port, ws=FastWebSocketProtocol, lifespan="off", log_level="error",
        ws_per_message_deflate=False,
    )  # fmt: skip
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        async with connect(
            f"ws://127.0.0.1:{port}", max_queue=1, compression=None, max_size=None
        ) as client:
            for size in (*SIZES, 3_000_000):
                await client.send(str(size))
                received = [await client.recv() for _ in range(8)]
                assert received == [f"{number}" + "é" * (size // 2) for number in range(8)]
    finally:
        server.should_exit = True
        await serving
    assert ways.count(True) >= len(SIZES) - 1


async def test_a_closed_socket_leaves_no_reference_cycle() -> None:
    alive: WeakSet[FastWebSocketProtocol] = WeakSet()

    class Watched(FastWebSocketProtocol):
        def connection_made(self, transport) -> None:  # type: ignore[no-untyped-def]
            alive.add(self)
            super().connection_made(transport)

    async def app(scope, receive, send):  # type: ignore[no-untyped-def]
        await receive()
        await send({"type": "websocket.accept"})
        await receive()

    port = free_port()
    config = uvicorn.Config(app, port=port, ws=Watched, lifespan="off", log_level="error")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    gc.disable()
    try:
        async with connect(f"ws://127.0.0.1:{port}"):
            assert len(alive) == 1
        for _ in range(2_000):
            await asyncio.sleep(0.01)
            if not alive:
                break
        assert not alive
    finally:
        gc.enable()
        server.should_exit = True
        await serving
