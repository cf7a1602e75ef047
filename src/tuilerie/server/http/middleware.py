"""Middleware: security headers, origin check, rate limit by address."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

import msgspec

from tuilerie.server.http import security
from tuilerie.server.http.errors import ApiError, status_and_body
from tuilerie.server.ops import limits
from tuilerie.server.ops.limits import Limiter, TooOften
from tuilerie.server.settings import Settings
from tuilerie.server.ws.endpoint import Receive, Send, WebSocketEndpoint

Asgi = Callable[[Any, Receive, Send], Awaitable[None]]

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Middleware:
    """The whole server as one ASGI application."""

    def __init__(
        self, app: Asgi, endpoint: WebSocketEndpoint, limiter: Limiter, settings: Settings
    ) -> None:
        self._app = app
        self._endpoint = endpoint
        self._limiter = limiter
        self._public_url = settings.public_url
        found = security.headers(secure=settings.secure)
        self._headers = [(name.lower().encode(), value.encode()) for name, value in found.items()]

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Dispatch a WebSocket to the endpoint, everything else to the application."""
        if scope["type"] == "websocket":
            if scope["path"] == "/ws":
                await self._endpoint(scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": security.POLICY_CODE})
        elif scope["type"] == "http":
            await self._request(scope, receive, self._with_headers(send))
        else:
            await self._app(scope, receive, send)

    def _with_headers(self, send: Send) -> Send:
        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *self._headers]
            await send(message)

        return with_headers

    async def _request(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        try:
            self._check(scope)
        except (TooOften, ApiError) as refused:
            await _refuse(refused, send)
            return
        await self._app(scope, receive, send)

    def _check(self, scope: Mapping[str, Any]) -> None:
        if scope["path"] != "/healthz":
            self._limiter.take("requests", security.address_of(scope), limits.REQUESTS)
        if scope["method"] in SAFE:
            return
        origin, host = security.header(scope, b"origin"), security.header(scope, b"host")
        if not security.same_origin(origin, host, self._public_url):
            raise ApiError(403, "forbidden", "other-origin")
        if security.header(scope, security.CSRF_HEADER.encode()) != "1":
            raise ApiError(403, "forbidden", "no-csrf-header")


async def _refuse(error: Exception, send: Send) -> None:
    status, body = status_and_body(error)
    headers = [(b"content-type", b"application/json")]
    if body.wait is not None:
        headers.append((b"retry-after", str(body.wait).encode()))
    content = msgspec.json.encode(body)
    headers.append((b"content-length", str(len(content)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})
