"""The server's end of a WebSocket: uvicorn's own, with a short way in, and a short way out for what
is ready to go.

Through `send` a message takes a task, a future and a state machine, which cost more than the rest
of its way. Where nothing waits before them, messages are frames that can be written at once; a
socket that is too slow to take them goes the long way, where it is waited for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from struct import Struct
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tuilerie.server.limits import WAITING_MESSAGES

EXTENSION = "tuilerie.write"
"""Where the application finds the short way, if the server has one: `write(texts)`."""

WriteNow = Callable[[Iterable[bytes]], bool]
"""Write texts in UTF-8 at once; false if it cannot be done, and then nothing was written."""

_TEXT = 0x81  # the last, and only, frame of a text
_SHORT, _LONG = 126, 2**16
_head, _long_head = Struct("!BBH").pack, Struct("!BBQ").pack


def frames(texts: Iterable[bytes]) -> bytes:
    """Texts of a server, each as one frame: not masked, not compressed."""
    parts: list[bytes] = []
    for text in texts:
        size = len(text)
        if size < _SHORT:
            parts += (bytes((_TEXT, size)), text)
        elif size < _LONG:
            parts += (_head(_TEXT, 126, size), text)
        else:
            parts += (_long_head(_TEXT, 127, size), text)
    return b"".join(parts)


def short_way(scope: Mapping[str, Any]) -> WriteNow | None:
    """The short way of this socket, if there is one."""
    found: WriteNow | None = scope.get("extensions", {}).get(EXTENSION, {}).get("write")
    return found


class Inbox:
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


class LineProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, which offers `write_now` to the application."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queue: Any = Inbox()

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

    def send_receive_event_to_app(self) -> None:
        """Hand a message on. uvicorn reads no further until it was taken in, which costs several
        calls to the system each time; here only who says much at once has to wait."""
        has_to_wait, self.read_paused = self.read_paused, True  # then nothing is paused below
        super().send_receive_event_to_app()
        self.read_paused = has_to_wait
        if self.close_sent:
            return  # nobody takes anything in any more, and the peer's last word must be read
        if not has_to_wait and len(self.queue) >= WAITING_MESSAGES:
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
