"""The door: what is true of every request before it reaches its handler.

Headers on every answer, the origin of every request that changes something, a limit by address.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

import msgspec

from tuilerie.server import limits, security
from tuilerie.server.gateway import Gateway, Receive, Send, address_of, header
from tuilerie.server.limits import Limiter, TooOften
from tuilerie.server.problems import Problem, told
from tuilerie.server.settings import Settings

Asgi = Callable[[Any, Receive, Send], Awaitable[None]]

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Front:
    """The whole server as one ASGI application."""

    def __init__(self, app: Asgi, gateway: Gateway, limiter: Limiter, settings: Settings) -> None:
        self._app = app
        self._gateway = gateway
        self._limiter = limiter
        self._public_url = settings.public_url
        found = security.headers(secure=settings.secure)
        self._headers = [(name.lower().encode(), value.encode()) for name, value in found.items()]

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """A socket goes to the gateway, everything else to the application."""
        if scope["type"] == "websocket":
            if scope["path"] == "/ws":
                await self._gateway(scope, receive, send)
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
        except (TooOften, Problem) as refused:
            await _refuse(refused, send)
            return
        await self._app(scope, receive, send)

    def _check(self, scope: Mapping[str, Any]) -> None:
        if scope["path"] != "/healthz":
            self._limiter.take("requests", address_of(scope), limits.REQUESTS)
        if scope["method"] in SAFE:
            return
        origin, host = header(scope, b"origin"), header(scope, b"host")
        if not security.same_origin(origin, host, self._public_url):
            raise Problem(403, "forbidden", "other-origin")
        if header(scope, security.CSRF_HEADER.encode()) != "1":
            raise Problem(403, "forbidden", "no-csrf-header")


async def _refuse(error: Exception, send: Send) -> None:
    status, body = told(error)
    headers = [(b"content-type", b"application/json")]
    if body.wait is not None:
        headers.append((b"retry-after", str(body.wait).encode()))
    content = msgspec.json.encode(body)
    headers.append((b"content-length", str(len(content)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})
