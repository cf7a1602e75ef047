"""uvicorn's WebSocket protocol with fast paths for short reads and for writes.

Through `send` a message takes a task, a future and a state machine, which cost more than the rest
of its way. Where nothing is queued, messages are framed and written at once; a socket that is too
slow to take them goes through `send`, which waits for it.

What clients send is short and comes as a single frame. Such a frame is read here; everything else
(handshakes, pings, long or broken messages, several at once) by uvicorn's state machine.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from struct import pack
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode
from websockets.protocol import OPEN

try:
    from websockets.speedups import apply_mask
except ImportError:  # where there is no compiled one for this machine
    from websockets.utils import apply_mask

from tuilerie.server.ops.limits import WAITING_MESSAGES

EXTENSION = "tuilerie.write"
"""Where the application finds the short way, if the server has one: `write(texts)`."""

WriteNow = Callable[[Iterable[bytes]], bool]
"""Write texts in UTF-8 at once; false if it cannot be done, and then nothing was written."""

EARLY_SECONDS = 1.0
"""A ping may go out so much too early: clocks and timers are not exact."""

_TEXT = 0x81  # the last, and only, frame of a text
_FINAL, _MASKED = 0x80, 0x80
_SHORT, _LONG = 126, 2**16
_HEAD_AND_MASK = 6  # of a short frame of a client


def _head(size: int) -> bytes:
    """What a text of this size begins with."""
    if size < _SHORT:
        return bytes((_TEXT, size))
    if size < _LONG:
        return pack("!BBH", _TEXT, 126, size)
    return pack("!BBQ", _TEXT, 127, size)


_HEADS = [_head(size) for size in range(4_096)]
"""Made once for the sizes that are usual: to make one takes as long as to write a short text."""


def frames(texts: Iterable[bytes]) -> bytes:
    """Texts of a server, each as one frame: not masked, not compressed."""
    parts: list[bytes] = []
    for text in texts:
        size = len(text)
        parts.append(_HEADS[size] if size < len(_HEADS) else _head(size))
        parts.append(text)
    return b"".join(parts)


def ends_whole(data: bytes) -> bool:
    """Whether what begins with a frame ends with one, and none of them is part of a longer text."""
    at = 0
    while at + _HEAD_AND_MASK <= len(data) and data[at] & _FINAL:
        size = data[at + 1] & ~_MASKED
        if size == _SHORT:
            size = 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        elif size > _SHORT:
            return False  # nothing that we let in is so long
        at += _HEAD_AND_MASK + size
    return at == len(data)


def fast_write(scope: Mapping[str, Any]) -> WriteNow | None:
    """The short way of this socket, if there is one."""
    found: WriteNow | None = scope.get("extensions", {}).get(EXTENSION, {}).get("write")
    return found


class MessageQueue:
    """What has come in and was not read yet. One task reads, so this needs less than a queue of
    asyncio's, which costs more than all else on the way in."""

    __slots__ = ("_messages", "_reader")

    def __init__(self) -> None:
        self._messages: list[Any] = []  # hardly ever more than one: people wait for answers
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, message: Any) -> None:
        """Something has come."""
        self._messages.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    def __len__(self) -> int:
        """How many were not read yet."""
        return len(self._messages)

    def empty(self) -> bool:
        """Whether all was read."""
        return not self._messages

    async def get(self) -> Any:
        """The next message, when there is one."""
        while not self._messages:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self._messages.pop(0)


class FastWebSocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, which reads short texts itself, and offers `write_now` to the
    application."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queue: Any = MessageQueue()
        # Is it certain that what comes next begins a frame, which continues no other? Once it is
        # not, as after a frame that came in two pieces, this socket goes the long way for good.
        self._at_frame = False
        self._heard_at = 0.0  # when something last came, by the loop's clock

    async def run_asgi(self) -> None:
        """Run the application for this socket."""
        extensions: Any = self.scope["extensions"]
        extensions[EXTENSION] = {"write": self.write_now}
        try:
            await super().run_asgi()
        finally:
            extensions.clear()  # it leads back to us: only a collector could free such a ring

    def start_keepalive(self) -> None:
        """The handshake is over. Nobody reads the request again: let go of it, and of its answer,
        which are a good part of the memory of a socket that waits."""
        super().start_keepalive()
        del self.request, self.response
        self.scope["headers"] = []

    def send_keepalive_ping(self) -> None:
        """Ask whether the other end still lives, unless it has said something lately: at a table
        people do, and their browsers anyway. A ping and its pong cost as much as a move's way in
        and out."""
        quiet = self.loop.time() - self._heard_at
        left = (self.ping_interval or 0) - self.last_ping_rtt - quiet
        if left > EARLY_SECONDS:
            self.ping_timer = self.loop.call_later(left, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()

    def data_received(self, data: bytes) -> None:
        """Something has come in."""
        self._heard_at = self.loop.time()
        if (text := self._short_text(data)) is None:
            if self.handshake_initiated:
                self._at_frame = self._at_frame and ends_whole(data)
            else:
                self._at_frame = data.endswith(b"\r\n\r\n")  # the request, whole
            super().data_received(data)
        else:
            self.queue.put_nowait({"type": "websocket.receive", "text": text})
            self._wait_if_many()

    def _short_text(self, data: bytes) -> str | None:
        """The text that this is, if it is one short frame and nothing else."""
        if not self._at_frame or data[0] != _TEXT or self.conn.state is not OPEN:
            return None
        size = len(data) - _HEAD_AND_MASK
        if not 0 <= size < _SHORT or data[1] != _MASKED | size:
            return None
        try:
            return str(apply_mask(data[6:], data[2:6]), "utf-8")
        except UnicodeDecodeError:
            return None

    def send_receive_event_to_app(self) -> None:
        """Hand a message on. uvicorn reads no further until it was taken in, which costs several
        calls to the system each time; here only who says much at once has to wait."""
        if self._is_no_text():
            self._close_over_no_text()
            return
        has_to_wait, self.read_paused = self.read_paused, True  # then nothing is paused below
        super().send_receive_event_to_app()
        self.read_paused = has_to_wait
        if self.close_sent:
            return  # nobody takes anything in any more, and the peer's last word must be read
        self._wait_if_many()

    def _is_no_text(self) -> bool:
        """Whether what has come as a text is none, and somebody would still take it in."""
        if self.curr_msg_data_type != "text" or self.close_sent:
            return False
        try:
            b"".join(self.frames).decode()
        except UnicodeDecodeError:
            return True
        return False

    def _close_over_no_text(self) -> None:
        """Let the socket end. uvicorn would write a traceback into the log, for whoever likes to
        fill it; and raise where the peer's own close came along, which is answered already."""
        self.frames = []
        if self.conn.state is OPEN:
            self.conn.send_close(CloseCode.INVALID_DATA)
        self.handle_parser_exception()

    def _wait_if_many(self) -> None:
        if not self.read_paused and len(self.queue) >= WAITING_MESSAGES:
            self.read_paused = True
            self.transport.pause_reading()

    def write_now(self, texts: Iterable[bytes]) -> bool:
        """Write these texts together, if the socket is open and has room."""
        if not self.handshake_complete or self.close_sent or self.disconnected:
            return False
        if not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(frames(texts))
        return True
