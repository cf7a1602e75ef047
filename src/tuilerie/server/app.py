"""Assemble the application: store, bus, bot pool, table registry, routes and OpenAPI."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Response, Router, get
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from tuilerie import __version__
from tuilerie.native import engine
from tuilerie.server.bots.pool import BotPool, NoBotPool, ProcessBotPool
from tuilerie.server.bots.redis_pool import RedisBotPool
from tuilerie.server.http import accounts, hand_over, replays, schemas, tables
from tuilerie.server.http.auth import Identity
from tuilerie.server.http.context import InjectedContext, RequestContext
from tuilerie.server.http.errors import handle_exception
from tuilerie.server.http.middleware import Middleware
from tuilerie.server.http.pages import Pages, packaged_pages, page
from tuilerie.server.ops import limits
from tuilerie.server.ops.limits import Limiter
from tuilerie.server.ops.upkeep import HEALTHY, Upkeep
from tuilerie.server.records.replayer import Replayer
from tuilerie.server.settings import Settings
from tuilerie.server.tables.bus import Bus, LocalBus, RedisBus
from tuilerie.server.tables.registry import TableRegistry
from tuilerie.server.ws import messages
from tuilerie.server.ws.endpoint import WebSocketEndpoint
from tuilerie.store import Store


@get("/version", sync_to_thread=False)
def version() -> schemas.Version:
    """The version of the program, its protocol, and the engine of its bots."""
    return schemas.Version(__version__, messages.PROTOCOL, engine())


@get("/healthz", include_in_schema=False)
async def health(context: InjectedContext) -> Response[schemas.Health]:
    """Report whether the server can do its work: whether its store answers and can be written."""
    status = await context.upkeep.health()
    body = schemas.Health(status, context.registry.bot_trouble or "ok")
    return Response(body, status_code=200 if status in HEALTHY else 503)


def make_bus(settings: Settings) -> Bus:
    """The bus between nodes: in process, or over Redis."""
    return LocalBus() if settings.redis_url is None else RedisBus(settings.redis_url)


def make_bot_pool(settings: Settings) -> BotPool:
    """The pool that computes bot moves: own processes, or workers behind Redis."""
    if settings.workers > 0:
        return ProcessBotPool(settings.workers)
    return NoBotPool() if settings.redis_url is None else RedisBotPool(settings.redis_url)


def make_registry(settings: Settings, store: Store) -> TableRegistry:
    """The registry of live tables for these settings."""
    return TableRegistry(
        store,
        make_bus(settings),
        make_bot_pool(settings),
        bot_delay_factor=settings.bot_pause,
        single_node=settings.redis_url is None and settings.database_url is None,
    )


def make_app(
    settings: Settings,
    registry: TableRegistry,
    pages: Pages | None = None,
    replayer: Replayer | None = None,
) -> Middleware:
    """The whole server as one ASGI application. The registry starts and stops with it."""
    limiter = Limiter(factor=settings.limit_factor, factors=settings.limits)
    stored_accounts, seats = registry.store.accounts, registry.store.seats
    identity = Identity(stored_accounts, seats, secure=settings.secure)
    registry.on_dismissal = identity.forget
    upkeep = Upkeep(registry.store, registry, settings.retention)
    replayer = replayer or Replayer(limiter)
    context = RequestContext(
        registry, stored_accounts, seats, identity, limiter, settings, upkeep, replayer
    )
    files = pages or packaged_pages()

    @asynccontextmanager
    async def lifespan(_app: Litestar) -> AsyncIterator[None]:
        await registry.start()
        await upkeep.start()
        await replayer.start()
        try:
            yield
        finally:
            await upkeep.stop()
            await replayer.stop()
            await registry.stop()

    handlers = [
        *tables.HANDLERS,
        *replays.HANDLERS,
        *accounts.HANDLERS,
        *hand_over.HANDLERS,
        version,
    ]
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
        exception_handlers={Exception: handle_exception},
        lifespan=[lifespan],
        openapi_config=_openapi(),
        request_max_body_size=limits.BODY_BYTES,
        logging_config=None,
    )
    endpoint = WebSocketEndpoint(registry, identity, limiter, settings.public_url)
    inner: Any = app
    return Middleware(inner, endpoint, limiter, settings, upkeep)


def _openapi() -> OpenAPIConfig:
    """The JSON only: the usual OpenAPI viewers load scripts from other hosts."""
    return OpenAPIConfig(
        title="Tuilerie",
        version=__version__,
        path="/api/openapi.json",
        render_plugins=[JsonRenderPlugin(path="/")],
    )
