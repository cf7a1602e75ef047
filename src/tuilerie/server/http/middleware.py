"""Middleware: limits by network, host and origin checks, security headers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

import msgspec

from tuilerie.server.http import security
from tuilerie.server.http.errors import ApiError, ClientGone, status_and_body
from tuilerie.server.http.pacer import RequestPacer
from tuilerie.server.ops import limits
from tuilerie.server.ops.limits import Limiter, TooOften
from tuilerie.server.ops.upkeep import Upkeep
from tuilerie.server.settings import Settings
from tuilerie.server.ws.endpoint import Receive, Send, WebSocketEndpoint

Asgi = Callable[[Any, Receive, Send], Awaitable[None]]

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Middleware:
    """The whole server as one ASGI application."""

    def __init__(
        self,
        app: Asgi,
        endpoint: WebSocketEndpoint,
        limiter: Limiter,
        settings: Settings,
        upkeep: Upkeep,
    ) -> None:
        self.upkeep = upkeep
        self._app = app
        self._endpoint = endpoint
        self.limiter = limiter
        self._pacer = RequestPacer(limiter)
        self._public_url = settings.public_url
        self._hosts = security.Hosts(settings.public_url, settings.host_names)
        found = security.headers(secure=settings.secure)
        self._headers = [(name.lower().encode(), value.encode()) for name, value in found.items()]

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Dispatch a WebSocket to the endpoint, everything else to the application."""
        if scope["type"] == "websocket":
            known = security.header(scope, b"host") in self._hosts
            if scope["path"] == "/ws" and known and not self._is_banned(scope):
                await self._endpoint(scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": security.POLICY_CODE})
        elif scope["type"] == "http":
            with_headers = self._with_headers(send, scope["path"])
            await self._request(scope, receive, with_headers)
        else:
            await self._app(scope, receive, send)

    def _with_headers(self, send: Send, path: str) -> Send:
        """Add our headers to the response. Responses of the API are private and must not be
        cached."""

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                own = (b"content-security-policy", security.policy(path).encode())
                message["headers"] = [*message.get("headers", ()), own, *self._headers]
                if path.startswith("/api/"):
                    message["headers"].append((b"cache-control", b"no-store"))
            await send(message)

        return with_headers

    async def _request(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        try:
            cost = self._check(scope)
            if cost:
                await self._pacer.enter(security.network_of(scope), cost)
        except (TooOften, ApiError) as refused:
            await _refuse(refused, send)
            return
        await self._app(scope, _whole(receive), send)

    def _is_banned(self, scope: Mapping[str, Any]) -> bool:
        return self.upkeep.bans.covers(str((scope.get("client") or ("", 0))[0]))

    def _check(self, scope: Mapping[str, Any]) -> float:
        """What this request costs. Raises `TooOften` or `ApiError`."""
        if self._is_banned(scope):
            raise ApiError(403, "forbidden", "banned")
        method, path, network = scope["method"], scope["path"], security.network_of(scope)
        if path == "/healthz":  # probes use any host name
            self.limiter.take(limits.HEALTH_CHECKS, network)
            return 0
        cost = limits.request_cost(method, path)
        self.limiter.take(limits.REQUESTS, network, cost)
        if security.header(scope, b"host") not in self._hosts:
            raise ApiError(421, "forbidden", "unknown-host")
        if len(security.header(scope, b"cookie") or "") > limits.COOKIE_BYTES:
            raise ApiError(431, "malformed", "too-long")
        if method in SAFE:
            return cost
        origin, host = security.header(scope, b"origin"), security.header(scope, b"host")
        if not security.same_origin(origin, host, self._public_url):
            raise ApiError(403, "forbidden", "other-origin")
        if security.header(scope, security.CSRF_HEADER.encode()) != "1":
            raise ApiError(403, "forbidden", "no-csrf-header")
        return cost


def _whole(receive: Receive) -> Receive:
    """Raises `ClientGone` instead of the message that the framework takes for a fault of ours."""

    async def receive_or_raise() -> MutableMapping[str, Any]:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        return message

    return receive_or_raise


async def _refuse(error: Exception, send: Send) -> None:
    status, body = status_and_body(error)
    # The connection ends: new ones are counted before anything is read.
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    if body.wait is not None:
        headers.append((b"retry-after", str(body.wait).encode()))
    content = msgspec.json.encode(body)
    headers.append((b"content-length", str(len(content)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})
