"""A whole server in the test process: the real application and store, without a network."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx

from tests.changes import apply_changes
from tests.servers import prepare_folder
from tuilerie.games.game import Json
from tuilerie.server.app import make_app
from tuilerie.server.bots.pool import BotPool, NoBotPool
from tuilerie.server.http.middleware import Middleware
from tuilerie.server.ops.limits import Limiter
from tuilerie.server.records.replayer import Replayer, _answers
from tuilerie.server.records.worker import Answer, answer
from tuilerie.server.settings import Settings
from tuilerie.server.tables.bus import Bus, LocalBus
from tuilerie.server.tables.registry import TableRegistry
from tuilerie.server.ws.messages import PROTOCOL
from tuilerie.store import open_store

HOST = "games.test"
WAIT = float(os.environ.get("TUILERIE_WAIT", "120"))
"""How long a test waits for a message before it fails: a busy machine is slow."""


class ReplayerHere(Replayer):
    """Replays in this process: starting another one takes a second."""

    async def start(self) -> None:
        """There is no process."""

    async def _ask(self, data: bytes) -> Answer:
        return _answers.decode(answer(data))


class House:
    """A running server, to which test browsers connect."""

    def __init__(self, front: Middleware, registry: TableRegistry) -> None:
        self.front = front
        self.registry = registry

    def browser(self, **headers: str) -> Browser:
        return Browser(self.front, headers)


@asynccontextmanager
async def house(
    place: str | Path,
    *,
    bot_pool: BotPool | None = None,
    bus: Bus | None = None,
    bot_delay_factor: float = 0.0,
    refill: bool = True,
    replayer: Replayer | None = None,
    **settings: Any,
) -> AsyncIterator[House]:
    """A running server on this data folder or database."""
    if isinstance(place, Path):
        prepare_folder(place)
    async with await open_store(place) as store:
        single_node = bus is None
        registry = TableRegistry(
            store,
            bus or LocalBus(),
            bot_pool or NoBotPool(),
            bot_delay_factor=bot_delay_factor,
            single_node=single_node,
        )
        given = {"limit_factor": 1000.0, "hosts": HOST, **settings}
        replayer = replayer or ReplayerHere(Limiter())
        front = make_app(Settings(data=Path(str(place)), **given), registry, replayer=replayer)
        if not refill:  # limits do not depend on how fast a test runs
            front.limiter._clock = lambda: 0.0
        async with _running(front):
            yield House(front, registry)


@asynccontextmanager
async def _running(front: Middleware) -> AsyncIterator[None]:
    """Run the lifespan of an ASGI application."""
    to_app: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    from_app: asyncio.Queue[Mapping[str, Any]] = asyncio.Queue()
    scope: dict[str, Any] = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
    send: Any = from_app.put
    task = asyncio.create_task(front(scope, to_app.get, send))
    await to_app.put({"type": "lifespan.startup"})
    started = await asyncio.wait_for(from_app.get(), WAIT)
    assert started["type"] == "lifespan.startup.complete", started
    try:
        yield
    finally:
        await to_app.put({"type": "lifespan.shutdown"})
        await asyncio.wait_for(from_app.get(), WAIT)
        await task


class Browser:
    """A browser: it keeps cookies, sends the header that our own pages send, and opens sockets."""

    def __init__(self, front: Middleware, headers: Mapping[str, str]) -> None:
        self._front = front
        app: Any = front
        self.http = httpx.AsyncClient(
            transport=httpx.ASGITransport(app, client=("10.0.0.1", 1000)),
            base_url=f"http://{HOST}",
            headers={"X-Tuilerie": "1", "Origin": f"http://{HOST}", **headers},
        )

    async def post(self, path: str, body: Json = None) -> httpx.Response:
        return await self.http.post("/api" + path, json=body)

    async def get(self, path: str) -> httpx.Response:
        return await self.http.get("/api" + path)

    async def create(self, game: str = "blockers", players: int = 2, **body: Json) -> str:
        """Create a table; returns its id."""
        answer = await self.post(
            "/tables", {"game": game, "players": players, "name": "Ada"} | body
        )
        assert answer.status_code == 201, answer.text
        slug: str = answer.json()["table"]
        return slug

    async def sit(self, slug: str, name: str = "Bob", seat: int | None = None) -> int:
        answer = await self.post(f"/tables/{slug}/seat", {"name": name, "seat": seat})
        assert answer.status_code == 201, answer.text
        taken: int = answer.json()["seat"]
        return taken

    def line(self, **headers: str) -> Line:
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        given = {"host": HOST, "origin": f"http://{HOST}", "cookie": cookies, **headers}
        return Line(self._front, given)

    async def join(self, slug: str, held: Line | None = None) -> Line:
        """A socket after hello and its answer; `held`: an earlier socket whose view the client
        still holds."""
        line = self.line()
        if held is not None:
            line.view, line.number = held.view, held.number
        await line.open()
        await line.hello(slug)
        return line


class Closed(Exception):
    """The server has closed the socket."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Line:
    """A client's socket to a server in the same process."""

    def __init__(
        self, front: Middleware, headers: Mapping[str, str], protocol: str = PROTOCOL
    ) -> None:
        self._front = front
        self._in: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._out: asyncio.Queue[Mapping[str, Any]] = asyncio.Queue()
        self._headers = [(name.encode(), value.encode()) for name, value in headers.items()]
        self.cookie = headers.get("cookie", "")
        self._protocol = protocol
        self._task: asyncio.Task[None] | None = None
        self.received: list[str] = []  # every received frame
        self.events: list[Json] = []  # of all messages
        self.welcome: Json = None
        self.view: Json = None  # as a client keeps it: a snapshot and the changes since
        self.number = 0
        self.keeps_view = True  # False: a client that says hello with made-up numbers
        self.closed: int | None = None

    async def open(self) -> None:
        scope = {
            "type": "websocket",
            "path": "/ws",
            "headers": self._headers,
            "subprotocols": [self._protocol],
            "client": ("10.0.0.1", 1000),
        }
        self._task = asyncio.create_task(self._front(scope, self._in.get, self._sent))
        await self._in.put({"type": "websocket.connect"})
        answer = await asyncio.wait_for(self._out.get(), WAIT)
        if answer["type"] == "websocket.close":
            self.closed = answer["code"]
            raise Closed(answer["code"])

    async def _sent(self, message: Any) -> None:
        self._out.put_nowait(message)
        if message["type"] == "websocket.accept":
            self._headers.clear()  # as the real protocol lets go of them
        if message["type"] == "websocket.close":
            self._in.put_nowait({"type": "websocket.disconnect", "code": message["code"]})

    @property
    def you(self) -> int | None:
        """The viewer's seat."""
        seat: int | None = self.view["you"]
        return seat

    async def hello(self, slug: str) -> Json:
        """Subscribe to a table; the answer: a welcome, or an update of the view that is held."""
        you = None if self.view is None else self.you
        self.send({"t": "hello", "table": slug, "last": self.number, "you": you})
        while (received := await self.recv())["t"] not in ("welcome", "update"):
            pass
        return received

    def send(self, message: Json) -> None:
        self.send_text(json.dumps(message))

    def send_text(self, text: str) -> None:
        self._in.put_nowait({"type": "websocket.receive", "text": text})

    def send_bytes(self, data: bytes) -> None:
        self._in.put_nowait({"type": "websocket.receive", "bytes": data})

    async def recv(self) -> Json:
        """The next message; the view is updated."""
        message = await asyncio.wait_for(self._out.get(), WAIT)
        if message["type"] == "websocket.close":
            self.closed = message["code"]
            raise Closed(message["code"])
        self.received.append(message["text"])
        received = json.loads(message["text"])
        self._note(received)
        return received

    def _note(self, received: Json) -> None:
        if not self.keeps_view:
            return
        if received["t"] == "welcome":
            self.welcome, self.view, self.number = received, received["view"], received["number"]
            assert received["you"] == self.you
            numbers = [event["number"] for event in received["events"]]
            assert numbers == list(range(self.number + 1 - len(numbers), self.number + 1))
        elif received["t"] == "update":
            numbers = [event["number"] for event in received["events"]]
            expected = list(range(self.number + 1, received["number"] + 1))
            assert numbers == expected, "no event is missing, and none comes twice"
            self.number = received["number"]
            self.view = apply_changes(self.view, received["changes"])
        if received["t"] in ("welcome", "update"):
            self.events += received["events"]
            assert self.view["number"] == self.number

    async def until(self, t: str, /, **fields: Json) -> Json:
        """The next message of this kind with these fields, after all before it were processed."""
        while True:
            received = await self.recv()
            if received["t"] == t and all(received.get(name) == fields[name] for name in fields):
                return received

    async def until_fact(self, kind: str) -> Json:
        """The event of the next fact of this kind, in an update."""
        while True:
            received = await self.until("update")
            for event in received["events"]:
                if event["fact"]["kind"] == kind:
                    return event

    async def end(self) -> int:
        """Read until the server closes the socket; returns the close code."""
        try:
            while True:
                await self.recv()
        except Closed as closed:
            return closed.code

    async def until_number(self, number: int) -> None:
        """Read until this event."""
        while self.number < number:
            await self.recv()

    async def do(self, kind: str, command_id: str | None = None, **fields: Json) -> Json:
        """Send a command and return the answer."""
        asked = command_id or uuid4().hex
        self.send({"t": "do", "id": asked, "command": {"kind": kind, **fields}})
        while True:
            received = await self.recv()
            if received.get("id") == asked:
                return received

    async def quiet(self) -> list[Json]:
        """Read all messages up to the answer to a ping sent now."""
        self.send({"t": "ping", "n": 77})
        received = []
        while True:
            received.append(await self.recv())
            if received[-1]["t"] == "pong" and received[-1]["n"] == 77:
                return received[:-1]

    async def close(self) -> None:
        await self._in.put({"type": "websocket.disconnect", "code": 1000})
        if self._task is not None:
            await asyncio.wait_for(self._task, WAIT)


async def table_of_two(server: House, game: str = "blockers", **body: Json) -> tuple[Any, ...]:
    """A started game of two people: the table's id, their browsers and their sockets."""
    ada, bob = server.browser(), server.browser()
    slug = await ada.create(game, 2, **body)
    await bob.sit(slug)
    first, second = await ada.join(slug), await bob.join(slug)
    assert (await second.do("ready", ready=True))["t"] == "done"
    begun = await first.do("begin")
    assert begun["t"] == "done", begun
    await second.until_number(begun["number"])
    return slug, (ada, bob), (first, second)


def whose_turn(lines: tuple[Line, ...]) -> Line:
    """The socket of the seat that may act now."""
    return next(line for line in lines if line.view["play"]["legal"])
