"""WebSocket endpoint, protocol v1. Every message gets a reply or an error code."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

import msgspec
import structlog

from tuilerie.games.game import Refused
from tuilerie.match import commands
from tuilerie.server.http.auth import Identity, read_cookies
from tuilerie.server.http.security import address_of, header, same_origin
from tuilerie.server.ops import limits, metrics
from tuilerie.server.ops.limits import Bucket, Limiter, TooOften
from tuilerie.server.tables import delivery
from tuilerie.server.tables.actor import Busy, UnknownRules, now_ms
from tuilerie.server.tables.registry import TableRegistry
from tuilerie.server.tables.room import NoSpectators, Room
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
    """The id of a message that is wrong otherwise, if it has one."""

    id: Any = None


_decode_id = msgspec.json.Decoder(_Named).decode


def to_command(asked: messages.AnyCommand, player: str, rtt: int | None) -> commands.Command:
    """What a person asks, as the table understands it."""
    match asked:
        case messages.Make():  # by far the most frequent
            return commands.Make(player, asked.move, asked.pressed, rtt)
        case messages.Sit():
            return commands.Sit(player, asked.seat, asked.name)
        case messages.Stand():
            return commands.Stand(player)
        case messages.AddBot():
            return commands.AddBot(player, asked.seat, asked.level)
        case messages.RemoveBot():
            return commands.RemoveBot(player, asked.seat)
        case messages.Ready():
            return commands.SetReady(player, asked.ready)
        case messages.Begin():
            return commands.Begin(player)
        case messages.Resign():
            return commands.Resign(player)
        case messages.AskTakeback():
            return commands.AskTakeback(player)
        case messages.AnswerTakeback():
            return commands.AnswerTakeback(player, asked.yes)
        case messages.AskRematch():
            return commands.AskRematch(player)
        case messages.React():
            return commands.React(player, asked.reaction)


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
        if not self._is_allowed(scope):
            await send({"type": "websocket.close", "code": POLICY, "reason": "not allowed"})
            return
        address, cookies = address_of(scope), read_cookies(header(scope, b"cookie"))
        await send({"type": "websocket.accept", "subprotocol": messages.PROTOCOL})
        refusal = self._too_many(address)
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
            return delivery.encode(messages.Bye("restart", limits.CLOSE_WAIT_MS[1]))
        try:
            self._limiter.take("sockets-opened", address, limits.SOCKETS_OPENED)
            if self._open[address] >= self._limiter.scaled(limits.SOCKETS_PER_ADDRESS):
                raise TooOften("sockets-per-address", 10)
        except TooOften as limit:
            metrics.LIMITED.add(limit.rule)
            return delivery.encode(messages.Bye(limit.rule, limit.wait * 1000))
        return None

    async def _serve(
        self, connection: Connection, cookies: dict[str, str], receive: Receive
    ) -> None:
        bucket = self._limiter.bucket(limits.SOCKET_MESSAGES)
        deadline: float | None = time.monotonic() + limits.HELLO_SECONDS
        while not connection.closed:
            if deadline is not None and connection.table is not None:
                deadline = None
            try:
                if deadline is None:
                    message = await receive()
                else:
                    async with asyncio.timeout(max(0, deadline - time.monotonic())):
                        message = await receive()
            except TimeoutError:
                connection.end(POLICY, "no-hello", delivery.encode(messages.Bye("no-hello")))
                return
            if message["type"] == "websocket.disconnect":
                return
            await self._receive(connection, cookies, bucket, message)

    async def _receive(
        self, connection: Connection, cookies: dict[str, str], bucket: Bucket, message: Message
    ) -> None:
        text = message.get("text")
        try:
            if wait := bucket.take(time.monotonic()):
                raise TooOften("socket-messages", wait)
            if text is None or len(text) > limits.FRAME_BYTES:
                raise msgspec.ValidationError("expected a text of at most 4096 bytes")
            await self._dispatch(connection, cookies, _decode(text))
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            why = str(error) if isinstance(error, msgspec.DecodeError) else "not to be read"
            problem = delivery.error("malformed", "bad-message", _id_in(text), why=why)
            self._refuse(connection, problem)
        except TooOften as limit:
            metrics.LIMITED.add(limit.rule)
            problem = delivery.error("too-often", limit.rule, _id_in(text), limit.wait)
            self._refuse(connection, problem)
        except UnknownRules as error:
            connection.push(delivery.refusal(error.refused, _id_in(text)))
        except StoreError as error:
            log.warning("store-trouble", why=str(error))
            connection.push(delivery.error("busy", "store-unavailable", _id_in(text), 2))
        except Exception as error:  # a fault of ours; who asked is told so, and no more
            log.error("fault", exc_info=error)
            connection.push(delivery.error("fault", "our-fault", _id_in(text)))

    def _refuse(self, connection: Connection, problem: bytes) -> None:
        """Answer a message that should not have been sent; after too many of them, close."""
        connection.bad += 1
        if connection.bad > self._limiter.scaled(limits.REFUSALS_PER_SOCKET):
            connection.end(
                POLICY, "too-many-faults", delivery.encode(messages.Bye("too-many-faults", 5000))
            )
        else:
            connection.push(problem)

    async def _dispatch(
        self, connection: Connection, cookies: dict[str, str], message: messages.ClientMessage
    ) -> None:
        if isinstance(message, messages.Ping):
            connection.pinged()
            connection.push(delivery.encode(messages.Pong(message.n, now_ms())))
        elif isinstance(message, messages.Hello):
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
            await room.join(connection, message.last)
        except NoSpectators:
            connection.push(delivery.error("forbidden", "no-spectators"))

    async def _do(self, connection: Connection, room: Room, message: messages.Do) -> None:
        player = connection.player
        if player is None:
            connection.push(delivery.error("forbidden", "no-seat", message.id))
            return
        self._limiter.take("seat-commands", f"{room.slug}/{player}", limits.SEAT_COMMANDS)
        if isinstance(message.command, messages.React):
            self._limiter.take("reactions", f"{room.slug}/{player}", limits.REACTIONS)
        command = to_command(message.command, player, connection.rtt)
        began = time.perf_counter()
        try:
            number = await room.actor.do(command, f"{player}/{message.id}")
        except Refused as refused:
            metrics.COMMANDS.add(refused.code.value)
            connection.push(delivery.refusal(refused, message.id))
        except Busy:
            metrics.COMMANDS.add("busy")
            connection.push(delivery.error("busy", "store-unavailable", message.id, 2))
        else:
            metrics.COMMANDS.add("done")
            metrics.DELIVERY.observe(time.perf_counter() - began)
            connection.push(delivery.encode(messages.Done(message.id, number)))
            room.flush()


def _make_connection(send: Send, write_now: WriteNow | None, address: str) -> Connection:
    async def write(text: bytes) -> None:
        await send({"type": "websocket.send", "text": text.decode()})

    async def close(code: int, reason: str) -> None:
        await send({"type": "websocket.close", "code": code, "reason": reason})

    return Connection(write, close, address, write_now)


def _id_in(text: str | None) -> str | None:
    """The id of a message that could not be read otherwise, so that its sender knows it by it."""
    try:
        found = _decode_id(text or "").id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return found if isinstance(found, str) and len(found) <= limits.ID_LENGTH else None
