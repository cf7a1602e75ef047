"""One server process: store, table registry and application, on uvicorn."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal
import socket
from collections.abc import Callable, Iterator
from typing import Any

import structlog
import uvicorn

from tuilerie.native import engine, why_not_compiled
from tuilerie.server.app import make_app, make_bot_pool, make_registry
from tuilerie.server.bots.redis_pool import RedisBotWorker
from tuilerie.server.cancellation import cancel_and_wait
from tuilerie.server.ops import limits, metrics
from tuilerie.server.ops.garbage_collection import GarbageCollector
from tuilerie.server.ops.logging import configure_logging
from tuilerie.server.settings import Settings
from tuilerie.server.tables.registry import TableRegistry
from tuilerie.server.ws.uvicorn_protocol import FastWebSocketProtocol
from tuilerie.store import open_store

log: Any = structlog.get_logger("tuilerie.serve")


class Server(uvicorn.Server):
    """A server that ends in order when it is asked to, and does not pass the signal on."""

    def __init__(self, config: uvicorn.Config, registry: TableRegistry) -> None:
        super().__init__(config)
        self._registry = registry

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Tell everybody when to come back, before their connections are closed."""
        await self._registry.send_away()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ctrl+C and SIGTERM ask for the end; a second one for a quick end."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)


class CannotListen(Exception):
    """The address or port that was asked for cannot be had."""


async def serve(settings: Settings) -> None:
    """Run a server until it is told to stop. Raises `CannotListen` or `StoreError`."""
    configure_logging(settings.log_format, settings.log_level)
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(_listener(settings.host, settings.port))
        stack.callback(_serve_metrics(settings.metrics_host, settings.metrics_port))
        store = await open_store(settings.database)
        async with store:
            registry = make_registry(settings, store)
            server = Server(_config(settings, make_app(settings, registry)), registry)
            keeper = GarbageCollector()
            keeper.begin()
            task = asyncio.create_task(keeper.run())
            url = settings.public_url or _url(listener)
            log.info("serving", url=url, engine=engine())
            _warn_if_not_compiled()
            try:
                await server.serve(sockets=[listener])
            finally:
                task.cancel()
                keeper.end()


def _warn_if_not_compiled() -> None:
    if why := why_not_compiled():
        meaning = "bots think with the plain rules, and are weaker"
        log.warning("core-missing", why=why, meaning=meaning)


def _listener(host: str, port: int) -> socket.socket:
    """A socket at this address, on which nobody is heard yet. Others are told why there is none."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, proto)
    except OSError as error:
        raise CannotListen(f"{host} is no address of this machine: {error.strerror}") from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        listener.close()
        raise CannotListen(_cannot(host, port, error, "--port")) from error
    return listener


def _cannot(host: str, port: int, error: OSError, option: str) -> str:
    reason = os.strerror(error.errno or 0)
    hint = f"; name another one by {option}" if error.errno != errno.EADDRNOTAVAIL else ""
    return f"cannot listen on {host}, port {port}: {reason}{hint}"


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _serve_metrics(host: str, port: int) -> Callable[[], None]:
    """Tell metrics, if they are asked for; answers with how to end that."""
    if not port:
        return lambda: None
    try:
        teller = metrics.serve_metrics(port, host)
    except OSError as error:
        raise CannotListen(_cannot(host, port, error, "--metrics-port")) from error

    def end() -> None:
        teller.shutdown()
        teller.server_close()

    return end


def _config(settings: Settings, front: Any) -> uvicorn.Config:
    return uvicorn.Config(
        front,
        loop="uvloop",
        http="httptools",
        ws=FastWebSocketProtocol,
        ws_max_size=limits.FRAME_BYTES,
        ws_ping_interval=limits.PING_SECONDS,
        ws_ping_timeout=limits.PING_SECONDS,
        ws_per_message_deflate=False,
        lifespan="on",
        access_log=False,
        log_config=None,
        server_header=False,
        date_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=settings.proxies or None,
        timeout_graceful_shutdown=5,
        timeout_keep_alive=30,
        backlog=2048,
    )


async def work(settings: Settings) -> None:
    """Run a worker that thinks for the bots of other machines, until it is told to stop."""
    configure_logging(settings.log_format, settings.log_level)
    assert settings.redis_url is not None, "the command asks for it"
    bot_pool = make_bot_pool(settings)
    await bot_pool.start()
    log.info("working", processes=settings.workers, engine=engine())
    _warn_if_not_compiled()
    worker = RedisBotWorker(settings.redis_url, bot_pool, settings.workers)
    task = asyncio.create_task(worker.run())
    endings = []
    for each in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(
            each, lambda: endings.append(asyncio.create_task(cancel_and_wait(task)))
        )
    try:
        with contextlib.suppress(asyncio.CancelledError):
            await task
    finally:
        await bot_pool.stop()


def run(main: Any) -> None:
    """Run one of these with the faster event loop."""
    import uvloop  # noqa: PLC0415

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main)
