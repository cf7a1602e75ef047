"""The WebSocket: protocol v1, message by message. Whatever comes in gets a coded answer."""

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
from tuilerie.server import limits, messages, metrics, wire
from tuilerie.server.hub import Hub
from tuilerie.server.identity import Identity, read_cookies
from tuilerie.server.limits import Bucket, Limiter, TooOften
from tuilerie.server.lines import WriteNow, short_way
from tuilerie.server.live import LiveTable, NoSpectators
from tuilerie.server.security import same_origin
from tuilerie.server.session import Busy, UnknownRules, now_ms
from tuilerie.server.sockets import POLICY, TOO_SLOW, Socket
from tuilerie.store.log import StoreError

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

log: Any = structlog.get_logger("tuilerie.gateway")

_decode = msgspec.json.Decoder(messages.ClientMessage).decode


class _Named(msgspec.Struct):
    """The id of a message that is wrong otherwise, if it has one."""

    id: Any = None


_decode_id = msgspec.json.Decoder(_Named).decode


def header(scope: Mapping[str, Any], name: bytes) -> str | None:
    """The first header of this name."""
    for key, value in scope["headers"]:
        if key == name:
            return str(value.decode("latin-1"))
    return None


def address_of(scope: Mapping[str, Any]) -> str:
    """Who is there: the address that limits are counted by. An IPv6 network counts as one."""
    host = (scope.get("client") or ("unknown", 0))[0]
    return ":".join(host.split(":")[:4]) if ":" in host else str(host)


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


class Gateway:
    """Lets sockets in, and speaks with them."""

    def __init__(
        self, hub: Hub, identity: Identity, limiter: Limiter, public_url: str | None
    ) -> None:
        self._hub = hub
        self._identity = identity
        self._limiter = limiter
        self._public_url = public_url
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """One socket, from its first word to its last."""
        await receive()
        if not self._may_enter(scope):
            await send({"type": "websocket.close", "code": POLICY, "reason": "not allowed"})
            return
        address, cookies = address_of(scope), read_cookies(header(scope, b"cookie"))
        await send({"type": "websocket.accept", "subprotocol": messages.PROTOCOL})
        refusal = self._too_many(address)
        if refusal is not None:
            await send({"type": "websocket.send", "text": refusal.decode()})
            await send({"type": "websocket.close", "code": TOO_SLOW, "reason": "too many"})
            return
        socket = _socket(send, short_way(scope), address)
        self._open[address] += 1
        self._hub.sockets.add(socket)
        metrics.SOCKETS.inc()
        try:
            await self._speak(socket, cookies, receive)
        finally:
            socket.closed = True
            self._hub.sockets.discard(socket)
            metrics.SOCKETS.dec()
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]
            if socket.table is not None:
                socket.table.leave(socket)

    def _may_enter(self, scope: Mapping[str, Any]) -> bool:
        origin, host = header(scope, b"origin"), header(scope, b"host")
        known = messages.PROTOCOL in scope.get("subprotocols", ())
        return known and same_origin(origin, host, self._public_url)

    def _too_many(self, address: str) -> bytes | None:
        if self._hub.stopping:
            return wire.write(messages.Bye("restart", limits.CLOSE_WAIT_MS[1]))
        try:
            self._limiter.take("sockets-opened", address, limits.SOCKETS_OPENED)
            if self._open[address] >= self._limiter.scaled(limits.SOCKETS_PER_ADDRESS):
                raise TooOften("sockets-per-address", 10)
        except TooOften as limit:
            metrics.LIMITED.add(limit.rule)
            return wire.write(messages.Bye(limit.rule, limit.wait * 1000))
        return None

    async def _speak(self, socket: Socket, cookies: dict[str, str], receive: Receive) -> None:
        bucket = self._limiter.bucket(limits.SOCKET_MESSAGES)
        deadline: float | None = time.monotonic() + limits.HELLO_SECONDS
        while not socket.closed:
            if deadline is not None and socket.table is not None:
                deadline = None
            try:
                if deadline is None:
                    message = await receive()
                else:
                    async with asyncio.timeout(max(0, deadline - time.monotonic())):
                        message = await receive()
            except TimeoutError:
                socket.end(POLICY, "no-hello", wire.write(messages.Bye("no-hello")))
                return
            if message["type"] == "websocket.disconnect":
                return
            await self._hear(socket, cookies, bucket, message)

    async def _hear(
        self, socket: Socket, cookies: dict[str, str], bucket: Bucket, message: Message
    ) -> None:
        text = message.get("text")
        try:
            if wait := bucket.take(time.monotonic()):
                raise TooOften("socket-messages", wait)
            if text is None or len(text) > limits.FRAME_BYTES:
                raise msgspec.ValidationError("expected a text of at most 4096 bytes")
            await self._obey(socket, cookies, _decode(text))
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            why = str(error) if isinstance(error, msgspec.DecodeError) else "not to be read"
            problem = wire.problem("malformed", "bad-message", _id_in(text), why=why)
            self._refuse(socket, problem)
        except TooOften as limit:
            metrics.LIMITED.add(limit.rule)
            problem = wire.problem("too-often", limit.rule, _id_in(text), limit.wait)
            self._refuse(socket, problem)
        except UnknownRules as error:
            socket.push(wire.refusal(error.refused, _id_in(text)))
        except StoreError as error:
            log.warning("store-trouble", why=str(error))
            socket.push(wire.problem("busy", "store-unavailable", _id_in(text), 2))
        except Exception as error:  # a fault of ours; who asked is told so, and no more
            log.error("fault", exc_info=error)
            socket.push(wire.problem("fault", "our-fault", _id_in(text)))

    def _refuse(self, socket: Socket, problem: bytes) -> None:
        """Answer a message that should not have been sent; after too many of them, close."""
        socket.bad += 1
        if socket.bad > self._limiter.scaled(limits.REFUSALS_PER_SOCKET):
            socket.end(POLICY, "too-many-faults", wire.write(messages.Bye("too-many-faults", 5000)))
        else:
            socket.push(problem)

    async def _obey(
        self, socket: Socket, cookies: dict[str, str], message: messages.ClientMessage
    ) -> None:
        if isinstance(message, messages.Ping):
            socket.pinged()
            socket.push(wire.write(messages.Pong(message.n, now_ms())))
        elif isinstance(message, messages.Hello):
            await self._hello(socket, cookies, message)
        elif socket.table is None:
            socket.push(wire.problem("malformed", "say-hello-first", message.id))
        else:
            await self._do(socket, socket.table, message)

    async def _hello(
        self, socket: Socket, cookies: dict[str, str], message: messages.Hello
    ) -> None:
        live = await self._hub.fresh(message.table)
        if live is None:
            socket.push(wire.problem("not-found", "no-such-table"))
            return
        if socket.table is not None:
            socket.table.leave(socket)
        socket.player = await self._identity.player(message.table, live.table, cookies)
        try:
            await live.join(socket, message.last)
        except NoSpectators:
            socket.push(wire.problem("forbidden", "no-spectators"))

    async def _do(self, socket: Socket, live: LiveTable, message: messages.Do) -> None:
        player = socket.player
        if player is None:
            socket.push(wire.problem("forbidden", "no-seat", message.id))
            return
        self._limiter.take("seat-commands", f"{live.slug}/{player}", limits.SEAT_COMMANDS)
        if isinstance(message.command, messages.React):
            self._limiter.take("reactions", f"{live.slug}/{player}", limits.REACTIONS)
        command = to_command(message.command, player, socket.rtt)
        began = time.perf_counter()
        try:
            number = await live.session.do(command, f"{player}/{message.id}")
        except Refused as refused:
            metrics.COMMANDS.add(refused.code.value)
            socket.push(wire.refusal(refused, message.id))
        except Busy:
            metrics.COMMANDS.add("busy")
            socket.push(wire.problem("busy", "store-unavailable", message.id, 2))
        else:
            metrics.COMMANDS.add("done")
            metrics.DELIVERY.observe(time.perf_counter() - began)
            socket.push(wire.write(messages.Done(message.id, number)))
            live.flush()


def _socket(send: Send, write_now: WriteNow | None, address: str) -> Socket:
    async def write(text: bytes) -> None:
        await send({"type": "websocket.send", "text": text.decode()})

    async def close(code: int, reason: str) -> None:
        await send({"type": "websocket.close", "code": code, "reason": reason})

    return Socket(write, close, address, write_now)


def _id_in(text: str | None) -> str | None:
    """The id of a message that could not be read otherwise, so that its sender knows it by it."""
    try:
        found = _decode_id(text or "").id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return found if isinstance(found, str) and len(found) <= limits.ID_LENGTH else None
