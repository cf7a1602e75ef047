"""uvicorn's WebSocket protocol with a fast path for writes.

ASGI's `send` takes a task, a future and a state machine, which cost more than all the rest of a
delivery. If nothing is queued, messages are framed and written at once; a socket that is too slow
goes through `send`, which waits for it. This saves 15 % of the CPU of a move of Blockers!: 1,408 µs
instead of 1,692 µs (`python benchmarks/fast_paths.py write-now`, on a busy machine).

Long texts are compressed (permessage-deflate), short ones are not: a move's update has a few
hundred bytes, a round's count in Kaosmos 20 kB, or 3 kB compressed. No context is kept between
messages, so that it takes no memory of an idle socket.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from struct import pack
from typing import Any

from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory
from websockets.frames import CloseCode
from websockets.protocol import OPEN

from tuilerie.server.ws.bounded import BoundedWebSocketProtocol

EXTENSION = "tuilerie.write"
"""The ASGI extension that holds the fast path: `write(texts)`."""

WriteNow = Callable[[Iterable[bytes]], bool]
"""Write UTF-8 texts at once; returns false, having written nothing, if that is impossible."""

_TEXT = 0x81  # the last, and only, frame of a text
_SHORT, _LONG = 126, 2**16
_DEFLATED = 0x40  # RSV1: the message is compressed
_WINDOW = 12
_FLUSHED = b"\x00\x00\xff\xff"  # ends each message, and is not sent (RFC 7692)

DEFLATE_FROM = 1_400
"""Texts of at least so many bytes are compressed. Below, it saves no packet."""


def _head(size: int, flags: int = _TEXT) -> bytes:
    """The frame header of a text of this size."""
    if size < _SHORT:
        return bytes((flags, size))
    if size < _LONG:
        return pack("!BBH", flags, 126, size)
    return pack("!BBQ", flags, 127, size)


def frames(texts: Iterable[bytes], *, deflate: bool = False) -> bytes:
    """Texts as server frames: one each, not masked, compressed if long."""
    parts: list[bytes] = []
    for text in texts:
        if deflate and len(text) >= DEFLATE_FROM:
            data = deflated(text)
            parts += (_head(len(data), _TEXT | _DEFLATED), data)
        else:
            parts += (_head(len(text)), text)
    return b"".join(parts)


@lru_cache(maxsize=16)
def deflated(text: bytes) -> bytes:
    """A text as permessage-deflate sends it, without context. Spectators of a table share texts: to
    compress one of 20 kB takes about a millisecond."""
    made = zlib.compressobj(wbits=-_WINDOW, memLevel=5)
    return (made.compress(text) + made.flush(zlib.Z_SYNC_FLUSH)).removesuffix(_FLUSHED)


def fast_write(scope: Mapping[str, Any]) -> WriteNow | None:
    """The fast path of this socket, if there is one."""
    found: WriteNow | None = scope.get("extensions", {}).get(EXTENSION, {}).get("write")
    return found


class FastWebSocketProtocol(BoundedWebSocketProtocol):
    """uvicorn's WebSocket protocol with `write_now` for the application."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn.available_extensions = [
            ServerPerMessageDeflateFactory(
                server_no_context_takeover=True,
                client_no_context_takeover=True,
                server_max_window_bits=_WINDOW,
            )
        ]

    async def run_asgi(self) -> None:
        """Run the application for this socket."""
        extensions: Any = self.scope["extensions"]
        extensions[EXTENSION] = {"write": self.write_now}
        try:
            await super().run_asgi()
        finally:
            extensions.clear()  # breaks a reference cycle

    def start_keepalive(self) -> None:
        """Free the request and response of the handshake: 54 instead of 59 kB per idle connection
        (`python benchmarks/fast_paths.py handshake --connections 2000 --moves 40 --pairs 1`)."""
        super().start_keepalive()
        del self.request, self.response
        self.scope["headers"] = []

    def send_receive_event_to_app(self) -> None:
        """Pass a message on, unless it is invalid UTF-8."""
        if self._is_invalid_utf8():
            self._close_invalid_utf8()
        else:
            super().send_receive_event_to_app()

    def _is_invalid_utf8(self) -> bool:
        """Whether a text message is invalid UTF-8, on a socket that is not closing."""
        if self.curr_msg_data_type != "text" or self.close_sent:
            return False
        try:
            b"".join(self.frames).decode()
        except UnicodeDecodeError:
            return True
        return False

    def _close_invalid_utf8(self) -> None:
        """Close the socket. uvicorn would log a traceback, with which anybody could flood the log;
        and raise if the peer's close frame came along, which is answered already."""
        self.frames = []
        if self.conn.state is OPEN:
            self.conn.send_close(CloseCode.INVALID_DATA)
        self.handle_parser_exception()

    def _may_deflate(self) -> bool:
        """Whether the peer reads compressed messages, with a window as large as ours."""
        agreed: Any = self.conn.extensions
        return bool(agreed) and agreed[0].local_max_window_bits >= _WINDOW

    def write_now(self, texts: Iterable[bytes]) -> bool:
        """Write these texts together, if the socket is open and its buffer has room."""
        if not self.handshake_complete or self.close_sent or self.disconnected:
            return False
        if not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(frames(texts, deflate=self._may_deflate()))
        return True
