"""WebSocket endpoint, protocol v2. Every message gets a reply or an error code."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

import msgspec
import structlog

from tuilerie.games.game import Refused
from tuilerie.match import messages as outgoing
from tuilerie.match.commands import AskTakeback, Make, React
from tuilerie.server.http.auth import Identity
from tuilerie.server.http.security import header, network_of, read_cookies, same_origin
from tuilerie.server.ops import limits, metrics
from tuilerie.server.ops.limits import Bucket, Limiter, TooOften
from tuilerie.server.tables import delivery
from tuilerie.server.tables.actor import Busy, now_ms
from tuilerie.server.tables.log_codec import UnknownRules
from tuilerie.server.tables.registry import TableRegistry
from tuilerie.server.tables.room import HeldView, NoSpectators, Room
from tuilerie.server.ws import messages
from tuilerie.server.ws.connection import POLICY, TOO_SLOW, Connection
from tuilerie.server.ws.uvicorn_protocol import WriteNow, fast_write
from tuilerie.store.errors import StoreError

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

log: Any = structlog.get_logger("tuilerie.websocket")

_decode = msgspec.json.Decoder(messages.ClientMessage).decode


class _Named(msgspec.Struct):
    """The id of a malformed message, if it has one."""

    id: Any = None


_decode_id = msgspec.json.Decoder(_Named).decode

_decode_ping = msgspec.json.Decoder(messages.Ping).decode

LISTEN_SECONDS = 1.0
"""While a message is answered for longer than this, pings are answered beside it."""


class WebSocketEndpoint:
    """Accepts connections and answers their messages."""

    def __init__(
        self, registry: TableRegistry, identity: Identity, limiter: Limiter, public_url: str | None
    ) -> None:
        self._registry = registry
        self._identity = identity
        self._limiter = limiter
        self._public_url = public_url
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """One connection, from accept to close."""
        await receive()
        address = network_of(scope)
        refusal = self._too_many(address)
        if not self._is_allowed(scope):
            await send({"type": "websocket.close", "code": POLICY, "reason": "not allowed"})
            return
        cookies = read_cookies(header(scope, b"cookie"))  # the headers are gone once it is accepted
        await send({"type": "websocket.accept", "subprotocol": messages.PROTOCOL})
        if refusal is not None:
            await send({"type": "websocket.send", "text": refusal.decode()})
            await send({"type": "websocket.close", "code": TOO_SLOW, "reason": "too many"})
            return
        connection = _make_connection(send, fast_write(scope), address)
        self._open[address] += 1
        self._registry.connections.add(connection)
        metrics.SOCKETS.inc()
        try:
            await self._serve(connection, cookies, receive)
        finally:
            connection.closed = True
            self._registry.connections.discard(connection)
            metrics.SOCKETS.dec()
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]
            if connection.table is not None:
                connection.table.leave(connection)

    def _is_allowed(self, scope: Mapping[str, Any]) -> bool:
        origin, host = header(scope, b"origin"), header(scope, b"host")
        known = messages.PROTOCOL in scope.get("subprotocols", ())
        return known and same_origin(origin, host, self._public_url)

    def _too_many(self, address: str) -> bytes | None:
        if self._registry.stopping:
            return delivery.encode(outgoing.Bye("restart", limits.CLOSE_WAIT_MS[1]))
        try:
            self._limiter.take(limits.SOCKETS_OPENED, address)
            self._limiter.check(limits.SOCKETS, self._open[address])
        except TooOften as limit:
            metrics.LIMITED.labels(limit.rule).inc()
            return delivery.encode(outgoing.Bye(limit.rule, limit.wait * 1000))
        return None

    async def _serve(
        self, connection: Connection, cookies: dict[str, str], receive: Receive
    ) -> None:
        bucket = self._limiter.bucket(limits.SOCKET_MESSAGES)
        hellos = self._limiter.bucket(limits.SOCKET_HELLOS)
        inbox = _Inbox(receive, connection, bucket, self._limiter.now)
        deadline: float | None = time.monotonic() + limits.HELLO_SECONDS
        while not connection.closed:
            if deadline is not None and connection.table is not None:
                deadline = None
            try:
                if deadline is None:
                    message = await inbox.next()
                else:
                    async with asyncio.timeout(max(0, deadline - time.monotonic())):
                        message = await inbox.next()
            except TimeoutError:
                connection.end(POLICY, "no-hello", delivery.encode(outgoing.Bye("no-hello")))
                return
            if message["type"] == "websocket.disconnect":
                return
            with inbox:
                await self._receive(connection, cookies, (bucket, hellos), message)

    async def _receive(
        self,
        connection: Connection,
        cookies: dict[str, str],
        buckets: tuple[Bucket, Bucket],
        message: Message,
    ) -> None:
        text = message.get("text")
        try:
            if wait := buckets[0].take(self._limiter.now()):
                raise TooOften(limits.SOCKET_MESSAGES.key, wait)
            if text is None or len(text) > limits.FRAME_BYTES:
                raise msgspec.ValidationError("expected a text of at most 4096 bytes")
            await self._dispatch(connection, cookies, buckets[1], _decode(text))
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            why = str(error) if isinstance(error, msgspec.DecodeError) else "not readable"
            problem = delivery.error("malformed", "bad-message", _id_in(text), why=why)
            self._refuse(connection, problem)
        except TooOften as limit:
            metrics.LIMITED.labels(limit.rule).inc()
            problem = delivery.error("too-often", limit.rule, _id_in(text), limit.wait)
            self._refuse(connection, problem)
        except UnknownRules as error:
            connection.push(delivery.refusal(error.refused, _id_in(text)))
        except StoreError as error:
            log.warning("store-error", why=str(error))
            connection.push(delivery.error("busy", "store-unavailable", _id_in(text), 2))
        except Exception as error:  # an internal error: no details are sent
            log.error("fault", exc_info=error)
            connection.push(delivery.error("fault", "our-fault", _id_in(text)))

    def _refuse(self, connection: Connection, problem: bytes) -> None:
        """Answer an invalid message; after too many of them, close the connection."""
        connection.bad += 1
        if connection.bad > self._limiter.scaled(limits.REFUSALS_PER_SOCKET):
            connection.end(
                POLICY, "too-many-faults", delivery.encode(outgoing.Bye("too-many-faults", 5000))
            )
        else:
            connection.push(problem)

    async def _dispatch(
        self,
        connection: Connection,
        cookies: dict[str, str],
        hellos: Bucket,
        message: messages.ClientMessage,
    ) -> None:
        if isinstance(message, messages.Ping):
            _pong(connection, message)
        elif isinstance(message, messages.Hello):
            if wait := hellos.take(self._limiter.now()):
                raise TooOften(limits.SOCKET_HELLOS.key, wait)
            self._limiter.take(limits.HELLOS, connection.address)
            await self._hello(connection, cookies, message)
        elif connection.table is None:
            connection.push(delivery.error("malformed", "say-hello-first", message.id))
        else:
            await self._do(connection, connection.table, message)

    async def _hello(
        self, connection: Connection, cookies: dict[str, str], message: messages.Hello
    ) -> None:
        room = await self._registry.fresh(message.table)
        if room is None:
            connection.push(delivery.error("not-found", "no-such-table"))
            return
        if connection.table is not None:
            connection.table.leave(connection)
        connection.player = await self._identity.player(message.table, room.table, cookies)
        try:
            await room.join(connection, HeldView(message.last, message.at, message.you))
        except NoSpectators:
            connection.push(delivery.error("forbidden", "no-spectators"))

    async def _do(self, connection: Connection, room: Room, message: messages.Do) -> None:
        player = connection.player
        if player is None:
            connection.push(delivery.error("forbidden", "no-seat", message.id))
            return
        kind, person = messages.COMMANDS[type(message.command)], f"{room.slug}/{player}"
        self._limiter.take(limits.SEAT_COMMANDS, person)
        if kind is React:
            self._limiter.take(limits.REACTIONS_SENT, person)
        elif kind is AskTakeback:
            self._limiter.take(limits.TAKEBACKS, person)
        elif kind is not Make and room.table.started_at is None:
            self._limiter.take(limits.LOBBY_COMMANDS, connection.address)
        command = messages.to_command(message.command, player, connection.rtt)
        began = time.perf_counter()
        waits = asyncio.get_running_loop().call_later(
            limits.COMMAND_SECONDS, _say_busy, connection, message.id
        )
        try:
            number = await room.actor.do(command, f"{player}/{message.id}")
        except Refused as refused:
            metrics.COMMANDS.labels(refused.code.value).inc()
            connection.push(delivery.refusal(refused, message.id))
        except Busy:
            metrics.COMMANDS.labels("busy").inc()
            connection.push(delivery.error("busy", "store-unavailable", message.id, 2))
        else:
            metrics.COMMANDS.labels("done").inc()
            metrics.DELIVERY.observe(time.perf_counter() - began)
            connection.push(delivery.encode(outgoing.Done(message.id, number)))
            room.flush()
        finally:
            waits.cancel()


class _Inbox:
    """The messages of one connection, in order. While one is answered for long, as when the store
    hangs, those behind it are read: pings are answered at once, the others wait."""

    __slots__ = ("_bucket", "_connection", "_now", "_reader", "_receive", "_timer", "_waiting")

    def __init__(
        self, receive: Receive, connection: Connection, bucket: Bucket, now: Callable[[], float]
    ) -> None:
        self._receive = receive
        self._connection = connection
        self._bucket = bucket
        self._now = now
        self._waiting: deque[Message] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._reader: asyncio.Task[None] | None = None

    async def next(self) -> Message:
        """The next message."""
        return self._waiting.popleft() if self._waiting else await self._receive()

    def __enter__(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(LISTEN_SECONDS, self._listen)

    def __exit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._reader is not None:
            self._reader.cancel()  # a message that it has not taken stays where it is
            self._reader = None

    def _listen(self) -> None:
        if len(self._waiting) < limits.WAITING_MESSAGES:
            self._reader = asyncio.get_running_loop().create_task(self._read())

    async def _read(self) -> None:
        while len(self._waiting) < limits.WAITING_MESSAGES:
            message = await self._receive()
            ping = _ping_in(message.get("text"))
            if ping is not None and not self._bucket.take(self._now()):
                _pong(self._connection, ping)
                continue
            self._waiting.append(message)
            if message["type"] == "websocket.disconnect":
                return


def _ping_in(text: str | None) -> messages.Ping | None:
    try:
        return _decode_ping(text or "")
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def _pong(connection: Connection, ping: messages.Ping) -> None:
    connection.pinged()
    connection.push(delivery.encode(outgoing.Pong(ping.n, now_ms())))


def _say_busy(connection: Connection, command_id: str) -> None:
    """Answer `busy` to a client that waits too long. The command may still be carried out; a retry
    with the same id does not carry it out twice."""
    metrics.COMMANDS.labels("busy").inc()
    connection.push(delivery.error("busy", "store-unavailable", command_id, 2))


def _make_connection(send: Send, write_now: WriteNow | None, address: str) -> Connection:
    async def write(text: bytes) -> None:
        await send({"type": "websocket.send", "text": text.decode()})

    async def close(code: int, reason: str) -> None:
        await send({"type": "websocket.close", "code": code, "reason": reason})

    return Connection(write, close, address, write_now)


def _id_in(text: str | None) -> str | None:
    """The id of a message that could not be decoded, so that its sender can match the answer."""
    try:
        found = _decode_id(text or "").id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return found if isinstance(found, str) and len(found) <= limits.ID_LENGTH else None
