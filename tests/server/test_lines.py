"""The short way in: what a socket sends is read in order, and waited for by one task."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from tuilerie.server.limits import WAITING_MESSAGES
from tuilerie.server.lines import Inbox, LineProtocol


async def test_messages_are_read_in_the_order_in_which_they_came() -> None:
    inbox = Inbox()
    for number in range(3):
        inbox.put_nowait(number)
    assert not inbox.empty()
    assert [await inbox.get() for _ in range(3)] == [0, 1, 2]
    assert inbox.empty()


async def test_who_waits_is_woken_once_for_several() -> None:
    inbox = Inbox()
    reader = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    inbox.put_nowait("first")
    inbox.put_nowait("second")
    assert await reader == "first"
    assert await inbox.get() == "second"


async def test_a_reader_that_gives_up_loses_nothing() -> None:
    """So it is when nobody says hello in time."""
    inbox = Inbox()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await inbox.get()
    inbox.put_nowait("late")
    assert await inbox.get() == "late"
    reader = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    inbox.put_nowait("just")
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader
    assert await inbox.get() == "just"


class Line(asyncio.Transport):
    """A line that remembers when it was not read from."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return ("127.0.0.1", 1) if name in ("peername", "sockname") else default

    def is_closing(self) -> bool:
        return False

    def write(self, data: Any) -> None:
        pass

    def close(self) -> None:
        self.told.append("close")

    def pause_reading(self) -> None:
        self.told.append("pause")

    def resume_reading(self) -> None:
        self.told.append("resume")


HANDSHAKE = b"""GET / HTTP/1.1\r
Host: localhost\r
Upgrade: websocket\r
Connection: Upgrade\r
Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
Sec-WebSocket-Version: 13\r
\r
"""


def frame(text: str) -> bytes:
    """A text of a client, with the mask that changes nothing."""
    return b"\x81" + bytes([0x80 | len(text)]) + bytes(4) + text.encode()


async def test_only_who_says_much_at_once_has_to_wait() -> None:
    listens, heard = asyncio.Event(), []

    async def app(_scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while True:
            heard.append((await receive())["text"])
            await listens.wait()

    config, line, state = uvicorn.Config(app), Line(), ServerState()
    protocol = LineProtocol(config, state, {})
    protocol.connection_made(line)
    protocol.data_received(HANDSHAKE)
    await asyncio.sleep(0.01)
    said = [f"{number}" for number in range(WAITING_MESSAGES + 3)]
    for text in said:
        protocol.data_received(frame(text))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        waiting = int(text)  # one is being listened to
        assert line.told == (["pause"] if waiting >= WAITING_MESSAGES else []), text
    listens.set()
    await asyncio.sleep(0.01)
    assert heard == said
    assert line.told == ["pause", "resume"]
    for task in state.tasks:
        task.cancel()


async def test_a_line_that_we_have_closed_is_read_to_its_end() -> None:
    """Else the peer's own close would never be heard, and the line be cut much later."""
    closes = asyncio.Event()

    async def app(_scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await closes.wait()
        await send({"type": "websocket.close", "code": 1012})

    config, line, state = uvicorn.Config(app), Line(), ServerState()
    protocol = LineProtocol(config, state, {})
    protocol.connection_made(line)
    protocol.data_received(HANDSHAKE)
    await asyncio.sleep(0.01)
    for number in range(WAITING_MESSAGES - 1):
        protocol.data_received(frame(f"{number}"))
    closes.set()
    await asyncio.sleep(0.01)
    for number in range(3):
        protocol.data_received(frame(f"{number}"))
    assert line.told == []
    protocol.data_received(b"\x88\x82" + bytes(4) + (1012).to_bytes(2, "big"))
    assert line.told == ["close"]
