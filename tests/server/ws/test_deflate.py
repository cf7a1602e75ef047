"""permessage-deflate: long texts are compressed, without context, as any client can read them."""

from __future__ import annotations

import asyncio
import logging
import zlib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from uvicorn.server import ServerState
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from tests.server.ws.test_uvicorn_protocol import HANDSHAKE, Line, masked
from tuilerie.server import process
from tuilerie.server.ops import limits
from tuilerie.server.settings import Settings
from tuilerie.server.ws.uvicorn_protocol import DEFLATE_FROM, frames


def read_all(data: bytes) -> list[bytes]:
    """What a client of the websockets library reads."""
    extension = PerMessageDeflate(True, True, 12, 15)
    reader = StreamReader()
    reader.feed_data(data)
    reader.feed_eof()
    texts = []
    while reader.buffer:
        steps = Frame.parse(reader.read_exact, mask=False, extensions=[extension])
        try:
            while True:
                next(steps)
        except StopIteration as done:
            frame = done.value
            texts.append(bytes(frame.data) if frame.opcode is Opcode.TEXT else b"no text")
    return texts


@given(st.lists(st.text(max_size=400).map(lambda text: (text * 9).encode()), max_size=4))
def test_clients_read_compressed_texts(texts: list[bytes]) -> None:
    assert read_all(frames(texts, deflate=True)) == texts


def test_only_long_texts_are_compressed_and_only_where_agreed() -> None:
    short, long = b"x" * (DEFLATE_FROM - 1), b"x" * DEFLATE_FROM
    assert frames([short], deflate=True) == frames([short])
    assert len(frames([long], deflate=True)) < 50
    assert len(frames([long])) == DEFLATE_FROM + 4


OFFER = b"Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"


async def handshake(head: bytes, then: bytes = b"") -> tuple[bytes, list[Any]]:
    """What a server with our settings answers to a handshake and a frame, and what its application
    receives."""
    received: list[Any] = []

    async def app(_scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] != "websocket.disconnect":
            received.append(message)

    config = process._config(Settings(), app)
    config.load()
    assert not config.ws_per_message_deflate, "uvicorn's own would keep a context for each socket"
    kind: Any = config.ws_protocol_class
    written: list[bytes] = []
    state, line = ServerState(), Line()
    protocol = kind(config, state, {})
    protocol.logger = logging.getLogger("nobody")
    line.write = written.append  # type: ignore[method-assign, assignment]
    protocol.connection_made(line)
    for piece in (head, then):
        protocol.data_received(piece)
        for _ in range(3):
            await asyncio.sleep(0)
    protocol.connection_lost(None)
    await asyncio.gather(*state.tasks)
    return b"".join(written), received


def test_compression_is_agreed_without_context_and_only_if_it_is_offered() -> None:
    plain, _ = asyncio.run(handshake(HANDSHAKE))
    assert b"101 Switching" in plain
    assert b"xtensions" not in plain
    agreed, _ = asyncio.run(handshake(HANDSHAKE.replace(b"\r\n\r\n", b"\r\n" + OFFER + b"\r\n")))
    extension = agreed.partition(b"Extensions: ")[2].partition(b"\r\n")[0].split(b"; ")
    wanted = [b"permessage-deflate", b"server_no_context_takeover", b"client_no_context_takeover"]
    assert extension == [*wanted, b"server_max_window_bits=12"]


def test_a_message_that_is_too_long_once_inflated_closes_the_socket() -> None:
    head = HANDSHAKE.replace(b"\r\n\r\n", b"\r\n" + OFFER + b"\r\n")
    for size, read in ((limits.FRAME_BYTES, 1), (4_000_000, 0)):
        made = zlib.compressobj(wbits=-15)
        data = made.compress(b"x" * size) + made.flush(zlib.Z_SYNC_FLUSH)
        frame = masked(0xC1, data[:-4])
        assert len(frame) < limits.FRAME_BYTES
        written, received = asyncio.run(handshake(head, frame))
        assert [len(each["text"]) for each in received] == [size] * read
        assert (b"\x03\xf1" in written) is not bool(read), "1009: too big"
