"""The application: routes, OpenAPI, and how all parts of a server hang together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Response, Router, get
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from tuilerie import __version__
from tuilerie.native import engine
from tuilerie.server import accounts, bodies, limits, messages, replays, rest
from tuilerie.server.bus import Bus, LocalBus, RedisBus
from tuilerie.server.context import Context, Given
from tuilerie.server.front import Front
from tuilerie.server.gateway import Gateway
from tuilerie.server.hub import Hub
from tuilerie.server.identity import Identity
from tuilerie.server.jobs import Jobs, NoJobs, PoolJobs
from tuilerie.server.limits import Limiter
from tuilerie.server.pages import Pages, page
from tuilerie.server.problems import answer
from tuilerie.server.settings import Settings
from tuilerie.server.streams import StreamJobs
from tuilerie.store.log import Log, StoreError
from tuilerie.store.people import People

HEALTH_SECONDS = 3.0
"""How long the store may take to answer."""


@get("/version", sync_to_thread=False)
def version() -> bodies.Version:
    """Which program this is, which protocol it speaks, and what its bots think with."""
    return bodies.Version(__version__, messages.PROTOCOL, engine())


@get("/healthz", include_in_schema=False)
async def health(context: Given) -> Response[bodies.Health]:
    """Whether the server can do its work: it answers, and its store does."""
    try:
        async with asyncio.timeout(HEALTH_SECONDS):
            await context.hub.store.heads([])
    except (StoreError, TimeoutError):
        return Response(bodies.Health("no-store"), status_code=503)
    return Response(bodies.Health("ok"))


def make_bus(settings: Settings) -> Bus:
    """The bus that the settings ask for."""
    return LocalBus() if settings.redis_url is None else RedisBus(settings.redis_url)


def make_jobs(settings: Settings) -> Jobs:
    """Those who think for bots: own processes, or workers behind Redis."""
    if settings.workers > 0:
        return PoolJobs(settings.workers)
    return NoJobs() if settings.redis_url is None else StreamJobs(settings.redis_url)


def make_hub(settings: Settings, store: Log, people: People) -> Hub:
    """The live tables, as the settings ask for them."""
    return Hub(
        store,
        people,
        make_bus(settings),
        make_jobs(settings),
        hurry=settings.bot_pause,
        alone=settings.redis_url is None and settings.database_url is None,
    )


def make_app(settings: Settings, hub: Hub, pages: Pages | None = None) -> Front:
    """The whole server as one ASGI application. The hub starts and stops with it."""
    limiter = Limiter(factor=settings.limit_factor)
    identity = Identity(hub.people, secure=settings.secure)
    hub.on_dismissal = identity.forget
    context = Context(hub, identity, limiter, settings)
    files = pages or Pages()

    @asynccontextmanager
    async def lifespan(_app: Litestar) -> AsyncIterator[None]:
        await hub.start()
        try:
            yield
        finally:
            await hub.stop()

    handlers = [*rest.HANDLERS, *replays.HANDLERS, *accounts.HANDLERS, version]
    app = Litestar(
        route_handlers=[
            Router("/api", route_handlers=handlers),
            health,
            page,
        ],
        dependencies={
            "context": Provide(lambda: context, sync_to_thread=False),
            "pages": Provide(lambda: files, sync_to_thread=False),
        },
        exception_handlers={Exception: answer},
        lifespan=[lifespan],
        openapi_config=_openapi(),
        request_max_body_size=limits.BODY_BYTES,
        logging_config=None,
    )
    gateway = Gateway(hub, identity, limiter, settings.public_url)
    inner: Any = app
    return Front(inner, gateway, limiter, settings)


def _openapi() -> OpenAPIConfig:
    """Only the JSON itself: pages that show it would load scripts from elsewhere."""
    return OpenAPIConfig(
        title="Tuilerie",
        version=__version__,
        path="/api/openapi.json",
        render_plugins=[JsonRenderPlugin(path="/")],
    )
