"""The WebSocket protocol reads what uvicorn's own reads, and survives invalid UTF-8."""

from __future__ import annotations

import asyncio
import logging
from struct import pack
from typing import Any

import pytest
import uvicorn
from hypothesis import example, given, settings
from hypothesis import strategies as st
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.exceptions import InvalidState
from websockets.utils import apply_mask

from tuilerie.server.ws.uvicorn_protocol import FastWebSocketProtocol


class Line(asyncio.Transport):
    """A transport that records when reading was paused."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[str] = []

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return ("127.0.0.1", 1) if name in ("peername", "sockname") else default

    def is_closing(self) -> bool:
        return False

    def write(self, data: Any) -> None:
        pass

    def close(self) -> None:
        self.calls.append("close")

    def pause_reading(self) -> None:
        self.calls.append("pause")

    def resume_reading(self) -> None:
        self.calls.append("resume")


HANDSHAKE = b"""GET / HTTP/1.1\r
Host: localhost\r
Upgrade: websocket\r
Connection: Upgrade\r
Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
Sec-WebSocket-Version: 13\r
\r
"""


def frame(text: str) -> bytes:
    """A client's text frame, with a zero mask."""
    return b"\x81" + bytes([0x80 | len(text)]) + bytes(4) + text.encode()


MASK = bytes([7, 77, 177, 250])


def masked(first: int, payload: bytes) -> bytes:
    """A frame of a client."""
    size = len(payload)
    head = bytes([first, 0x80 | size]) if size < 126 else pack("!BBH", first, 0x80 | 126, size)
    return head + MASK + apply_mask(payload, MASK)


def cut(sent: bytes, sizes: list[int]) -> list[bytes]:
    """The same in pieces of these sizes, and what is left."""
    pieces = []
    for size in sizes:
        pieces.append(sent[:size])
        sent = sent[size:]
    return [piece for piece in (*pieces, sent) if piece]


SIZES = st.lists(st.integers(1, 40) | st.sampled_from([126, 132, 133, 134]), max_size=12)
TEXTS = st.text(max_size=140) | st.text("abc", min_size=100, max_size=150)
KINDS = st.sampled_from([0x81, 0x81, 0x01, 0x00, 0x80, 0x82, 0x88, 0x89, 0x8A, 0xC1])
PAYLOADS = st.binary(max_size=20) | st.builds(bytes, st.sampled_from([125, 126, 127, 1_000, 4_097]))
PIECES = st.binary(min_size=1, max_size=60) | st.builds(masked, KINDS, PAYLOADS)


@st.composite
def streams(draw: st.DrawFn) -> tuple[bytes, list[str]]:
    """What a client may send: texts, some fragmented, with pings and pongs between."""
    sent, texts = b"", []
    for text in draw(st.lists(TEXTS, max_size=6)):
        parts = text.encode()
        if draw(st.booleans()):
            sent += masked(0x81, parts)
        else:
            middle = draw(st.integers(0, len(parts)))
            sent += masked(0x01, parts[:middle])
            if draw(st.booleans()):
                sent += masked(0x89, b"ping")
            sent += masked(0x80, parts[middle:])
        if draw(st.booleans()):
            sent += masked(draw(st.sampled_from([0x89, 0x8A])), draw(st.binary(max_size=10)))
        texts.append(text)
    return sent, texts


async def received_from(
    pieces: list[bytes], kind: type[WebSocketsSansIOProtocol], early: bytes = b""
) -> list[Any]:
    """What an application receives when these pieces come after a handshake; `early`: before it was
    answered. Then the connection is lost."""
    received: list[Any] = []

    async def app(_scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] != "websocket.disconnect":
            received.append(message)
        received.append(message)

    state = ServerState()
    protocol = kind(uvicorn.Config(app, ws_max_size=4_096, ws_per_message_deflate=False), state, {})
    protocol.logger = logging.getLogger("nobody")
    protocol.connection_made(Line())
    protocol.data_received(HANDSHAKE)
    for piece in (early, *pieces):
        if piece:
            protocol.data_received(piece)
        for _ in range(3):
            await asyncio.sleep(0)
    protocol.connection_lost(None)
    await asyncio.gather(*state.tasks)
    return received


@pytest.mark.slow
@settings(deadline=None)
@given(streams(), SIZES, st.booleans())
def test_texts_are_read_however_they_are_split(
    stream: tuple[bytes, list[str]], sizes: list[int], by_frames: bool
) -> None:
    sent, texts = stream
    pieces = cut(sent, sizes)
    if by_frames:  # each by itself, as they mostly come
        pieces = [masked(0x81, text.encode()) for text in texts]
    *received, end = asyncio.run(received_from(pieces, FastWebSocketProtocol))
    assert [each["text"] for each in received] == texts
    assert end["code"] == 1005


HALF = b"\x81\xfe\3\3" + bytes(4) + bytes(124)
"""As long as a text of 126 bytes would be, if there were one with a short head; 647 are to come."""

EVIL = masked(0x81, b"evil")


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(PIECES, min_size=1, max_size=5), SIZES, st.just(b""))
@example([masked(0x81, b"\xff")], [], b"")  # invalid UTF-8
@example([EVIL, masked(0x81, b"\xff"), masked(0x88, pack("!H", 1000))], [10], b"")
@example([masked(0x01, b"a"), masked(0x81, b"b")], [7], b"")  # another text within a text
@example([b"\x81\x85", EVIL], [2], b"")  # half a head, then what looks like a frame
@example([b"\x81\x05hello"], [], b"")  # not masked
@example([b"\xc1\x80" + MASK], [], b"")  # a reserved bit
@example([masked(0x88, pack("!H", 1000)), masked(0x81, b"too late")], [8], b"")
@example([masked(0x81, b"x" * 5_000), EVIL], [5_008], b"")
@example([HALF, bytes(647), EVIL], [132, 647], b"")
@example([HALF[:8], masked(0x8A, b""), EVIL], [8, 6], b"")
@example([b"\x81\xff" + pack("!Q", 4_000) + MASK + bytes(119), EVIL], [133], b"")
@example([EVIL, masked(0x81, b"more")], [10], b"\x81\x8e\0\0\0\0\r\n\r\n")  # half of a text
@example([EVIL, masked(0x80, b"end")], [10], b"\x01\x84\0\0\0\0\r\n\r\n")  # a text to go on
def test_reads_what_uvicorn_reads_and_survives_invalid_utf8(
    sent: list[bytes], sizes: list[int], early: bytes
) -> None:
    pieces = cut(b"".join(sent), sizes)
    ours = asyncio.run(received_from(pieces, FastWebSocketProtocol, early))
    try:
        theirs = asyncio.run(received_from(pieces, WebSocketsSansIOProtocol, early))
    except InvalidState:  # uvicorn's own breaks over bad UTF-8 with a close behind it
        assert [each["type"] for each in ours[-1:]] == ["websocket.disconnect"]
    else:
        assert ours == theirs
