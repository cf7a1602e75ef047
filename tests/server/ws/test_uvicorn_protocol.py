"""The short way in: what a socket sends is read in order, and waited for by one task."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
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

from tuilerie.server.ops.limits import WAITING_MESSAGES
from tuilerie.server.ws.uvicorn_protocol import EARLY_SECONDS, FastWebSocketProtocol, MessageQueue


async def test_messages_are_read_in_the_order_in_which_they_came() -> None:
    inbox = MessageQueue()
    for number in range(3):
        inbox.put_nowait(number)
    assert not inbox.empty()
    assert [await inbox.get() for _ in range(3)] == [0, 1, 2]
    assert inbox.empty()


async def test_who_waits_is_woken_once_for_several() -> None:
    inbox = MessageQueue()
    reader = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    inbox.put_nowait("first")
    inbox.put_nowait("second")
    assert await reader == "first"
    assert await inbox.get() == "second"


async def test_a_reader_that_gives_up_loses_nothing() -> None:
    """So it is when nobody says hello in time."""
    inbox = MessageQueue()
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
    """What a client may send: texts, some of them in parts, with pings and pongs between."""
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


async def heard_of(
    pieces: list[bytes], kind: type[WebSocketsSansIOProtocol], early: bytes = b""
) -> list[Any]:
    """What an application hears when these pieces come in after a handshake; `early`: before it
    was answered. In the end the line is lost."""
    heard: list[Any] = []

    async def app(_scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] != "websocket.disconnect":
            heard.append(message)
        heard.append(message)

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
    return heard


@settings(deadline=None)
@given(streams(), SIZES, st.booleans())
def test_texts_are_heard_however_they_are_cut(
    stream: tuple[bytes, list[str]], sizes: list[int], by_frames: bool
) -> None:
    sent, texts = stream
    pieces = cut(sent, sizes)
    if by_frames:  # each by itself, as they mostly come
        pieces = [masked(0x81, text.encode()) for text in texts]
    *heard, end = asyncio.run(heard_of(pieces, FastWebSocketProtocol))
    assert [each["text"] for each in heard] == texts
    assert end["code"] == 1005


HALF = b"\x81\xfe\3\3" + bytes(4) + bytes(124)
"""As long as a text of 126 bytes would be, if there were one with a short head; 647 are to come."""

EVIL = masked(0x81, b"evil")


@settings(deadline=None)
@given(st.lists(PIECES, min_size=1, max_size=5), SIZES, st.just(b""))
@example([masked(0x81, b"\xff")], [], b"")  # no UTF-8
@example([EVIL, masked(0x81, b"\xff"), masked(0x88, pack("!H", 1000))], [10], b"")
@example([masked(0x01, b"a"), masked(0x81, b"b")], [7], b"")  # another text within a text
@example([b"\x81\x85", EVIL], [2], b"")  # half a head, then what looks like a frame
@example([b"\x81\x05hello"], [], b"")  # not masked
@example([b"\xc1\x80" + MASK], [], b"")  # a bit that means nothing
@example([masked(0x88, pack("!H", 1000)), masked(0x81, b"too late")], [8], b"")
@example([masked(0x81, b"x" * 5_000), EVIL], [5_008], b"")
@example([HALF, bytes(647), EVIL], [132, 647], b"")
@example([HALF[:8], masked(0x8A, b""), EVIL], [8, 6], b"")
@example([b"\x81\xff" + pack("!Q", 4_000) + MASK + bytes(119), EVIL], [133], b"")
@example([EVIL, masked(0x81, b"more")], [10], b"\x81\x8e\0\0\0\0\r\n\r\n")  # half of a text
@example([EVIL, masked(0x80, b"end")], [10], b"\x01\x84\0\0\0\0\r\n\r\n")  # a text to go on
def test_what_comes_in_is_heard_as_uvicorn_hears_it(
    sent: list[bytes], sizes: list[int], early: bytes
) -> None:
    pieces = cut(b"".join(sent), sizes)
    ours = asyncio.run(heard_of(pieces, FastWebSocketProtocol, early))
    try:
        theirs = asyncio.run(heard_of(pieces, WebSocketsSansIOProtocol, early))
    except InvalidState:  # uvicorn's own breaks over bad UTF-8 with a close behind it
        assert [each["type"] for each in ours[-1:]] == ["websocket.disconnect"]
    else:
        assert ours == theirs


async def test_a_short_text_takes_the_short_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else nothing would fail, only be slow."""
    long_way: list[bytes] = []
    usual = WebSocketsSansIOProtocol.data_received

    def watched(self: WebSocketsSansIOProtocol, data: bytes) -> None:
        long_way.append(data)
        usual(self, data)

    monkeypatch.setattr(WebSocketsSansIOProtocol, "data_received", watched)
    long, pong = masked(0x81, b"x" * 300), masked(0x8A, b"")
    short = [masked(0x81, text.encode()) for text in ("", "a", "é" * 62)]
    heard = await heard_of([short[0], long, short[1], pong, short[2]], FastWebSocketProtocol)
    assert len(heard) == 5
    assert long_way == [HANDSHAKE, long, pong]


@pytest.mark.parametrize("size", [3, 300])
async def test_only_who_says_much_at_once_has_to_wait(size: int) -> None:
    listens, heard = asyncio.Event(), []

    async def app(_scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while True:
            heard.append((await receive())["text"])
            await listens.wait()

    config, line, state = uvicorn.Config(app), Line(), ServerState()
    protocol = FastWebSocketProtocol(config, state, {})
    protocol.connection_made(line)
    protocol.data_received(HANDSHAKE)
    await asyncio.sleep(0.01)
    said = [f"{number:{size}}" for number in range(WAITING_MESSAGES + 3)]
    for text in said:
        protocol.data_received(masked(0x81, text.encode()))
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
    protocol = FastWebSocketProtocol(config, state, {})
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


class Hours:
    """The clock and the timers of a loop, where time passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self._timers: list[asyncio.TimerHandle] = []

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        loop = asyncio.get_running_loop()
        timer = asyncio.TimerHandle(self.now + delay, callback, (), loop)
        self._timers.append(timer)
        return timer

    def go(self, seconds: float) -> None:
        """Let so much time pass."""
        end = self.now + seconds
        while due := [each for each in self._timers if each.when() <= end]:
            timer = min(due, key=asyncio.TimerHandle.when)
            self._timers.remove(timer)
            self.now = timer.when()
            if not timer.cancelled():
                timer._run()
        self.now = end


class Told(Line):
    """A line that remembers what was asked over it, and when."""

    def __init__(self, hours: Hours) -> None:
        super().__init__()
        self._hours = hours
        self.pings: list[tuple[float, bytes]] = []

    def write(self, data: Any) -> None:
        if data[0] == 0x89:
            self.pings.append((self._hours.now, data[2:]))


async def kept_alive() -> tuple[FastWebSocketProtocol, Told, Hours]:
    """A line whose handshake was at the beginning of time; it is asked after 20 seconds."""

    async def app(_scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass

    hours, state = Hours(), ServerState()
    line = Told(hours)
    config = uvicorn.Config(app, ws_ping_interval=20.0, ws_ping_timeout=20.0)
    protocol = FastWebSocketProtocol(config, state, {})
    protocol.connection_made(line)
    protocol.data_received(HANDSHAKE)
    await asyncio.sleep(0.01)
    protocol.stop_keepalive()
    protocol.loop = hours  # type: ignore[assignment]
    protocol.data_received(frame("hello"))
    protocol.schedule_ping()
    return protocol, line, hours


async def test_who_says_something_now_and_then_is_not_asked_whether_it_lives() -> None:
    protocol, line, hours = await kept_alive()
    for _ in range(20):
        hours.go(15)
        protocol.data_received(frame("here"))
    assert line.pings == []
    protocol.connection_lost(None)


@pytest.mark.parametrize("last_word", [0, 1, 7, 19.5, 33])
async def test_who_falls_silent_is_asked_in_time_and_let_go_of(last_word: float) -> None:
    protocol, line, hours = await kept_alive()
    for _ in range(3):
        hours.go(last_word / 3)
        protocol.data_received(frame("here"))
    silent_since = hours.now
    hours.go(20)
    ((asked, _),) = line.pings
    assert 20 - EARLY_SECONDS <= asked - silent_since <= 20
    assert line.told == []
    hours.go(20)
    assert line.told == ["close"]
    protocol.connection_lost(None)


async def test_who_is_silent_but_answers_stays() -> None:
    protocol, line, hours = await kept_alive()
    for asked in range(1, 6):
        hours.go(20)
        assert len(line.pings) == asked
        hours.go(0.1)
        protocol.data_received(masked(0x8A, line.pings[-1][1]))
    assert line.told == []
    protocol.connection_lost(None)
