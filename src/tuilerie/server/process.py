"""One server process: store, table registry and application, on uvicorn."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import structlog
import uvicorn

from tuilerie.native import engine, why_no_network, why_not_compiled
from tuilerie.server.app import make_app, make_registry
from tuilerie.server.bots.pool import ProcessBotPool
from tuilerie.server.bots.redis_pool import RedisBotWorker
from tuilerie.server.cancellation import cancel_and_wait
from tuilerie.server.http.acceptor import Acceptor
from tuilerie.server.http.security import parse_proxies
from tuilerie.server.http.uvicorn_protocol import BoundedHttpProtocol, ConnectionGate
from tuilerie.server.ops import limits, metrics
from tuilerie.server.ops.garbage_collection import GarbageCollector
from tuilerie.server.ops.limits import Limiter
from tuilerie.server.ops.logging import configure_logging
from tuilerie.server.settings import Settings
from tuilerie.server.tables.registry import TableRegistry
from tuilerie.server.ws.uvicorn_protocol import FastWebSocketProtocol
from tuilerie.store import open_store
from tuilerie.store.database import parse_database
from tuilerie.store.sqlite.files import exclusive

log: Any = structlog.get_logger("tuilerie.serve")

MOST_FILES = 65_536
"""How many open files we ask the system for, if it has set a lower limit."""

SWITCH_SECONDS = 0.0005
"""How long the event loop and a thread (which writes to SQLite, or follows a long log) keep each
other waiting for the interpreter. Python's own 5 ms would be felt in every move."""

OWN_FILES = 200
"""Files other than connections of visitors."""


class Server(uvicorn.Server):
    """A uvicorn server with graceful shutdown; it does not re-raise the signals it captured."""

    def __init__(
        self, config: uvicorn.Config, registry: TableRegistry, gate: ConnectionGate
    ) -> None:
        super().__init__(config)
        self._registry = registry
        self._gate = gate
        self._stop = asyncio.Event()
        self._acceptors: list[Acceptor] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application, and accept connections on these sockets."""
        await super().startup([])
        for listener in sockets or []:
            listener.setblocking(False)
            listener.listen(self.config.backlog)
            self._acceptors.append(Acceptor(listener, self._gate, self._protocol))
            self._acceptors[-1].start()

    def _protocol(self) -> BoundedHttpProtocol:
        return BoundedHttpProtocol(
            self.config, self.server_state, self.lifespan.state, gate=self._gate
        )

    async def main_loop(self) -> None:
        """Wait for a signal. uvicorn's own loop polls ten times a second."""
        await self.on_tick(0)
        await self._stop.wait()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; at a second signal, without waiting for connections."""
        super().handle_exit(sig, frame)
        self._stop.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Send each client the time to reconnect, before its connection is closed."""
        for acceptor in self._acceptors:
            acceptor.stop()
        await self._registry.send_away()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at Ctrl+C or SIGTERM; at a second one, without waiting for connections."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)


class CannotListen(Exception):
    """The requested address or port cannot be bound."""


async def serve(settings: Settings) -> None:
    """Run a server until a signal stops it. Raises `CannotListen` or `StoreError`."""
    configure_logging(settings.log_format, settings.log_level)
    sys.setswitchinterval(SWITCH_SECONDS)
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(_listener(settings.host, settings.port))
        stack.callback(_serve_metrics(settings.metrics_host, settings.metrics_port))
        stack.enter_context(exclusive(parse_database(settings.database)))
        store = await open_store(settings.database)
        async with store:
            registry = make_registry(settings, store)
            app = make_app(settings, registry)
            gate = _gate(settings, app.limiter)
            server = Server(_config(settings, app), registry, gate)
            collector = GarbageCollector()
            collector.begin()
            task = asyncio.create_task(collector.run())
            url = settings.public_url or _url(listener)
            log.info("serving", url=url, engine=engine())
            _warn_if_not_compiled()
            try:
                await server.serve(sockets=[listener])
            finally:
                task.cancel()
                collector.end()


def _warn_if_not_compiled() -> None:
    if why := why_not_compiled():
        meaning = "bots search with the Python rules, and are weaker"
        log.warning("core-missing", why=why, meaning=meaning)
    elif why := why_no_network():
        meaning = "the two strongest levels of Génial! search without it, and are weaker"
        log.warning("network-missing", why=why, meaning=meaning)


def _listener(host: str, port: int) -> socket.socket:
    """A socket bound to this address, not listening yet. Raises `CannotListen`."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, proto)
    except OSError as error:
        raise CannotListen(f"{host} is not an address of this machine: {error.strerror}") from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        listener.close()
        raise CannotListen(_cannot(host, port, error, "--port")) from error
    return listener


def _cannot(host: str, port: int, error: OSError, option: str) -> str:
    reason = os.strerror(error.errno or 0)
    hint = f"; choose another one with {option}" if error.errno != errno.EADDRNOTAVAIL else ""
    return f"cannot listen on {host}, port {port}: {reason}{hint}"


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _serve_metrics(host: str, port: int) -> Callable[[], None]:
    """Serve metrics, if a port is set. Returns a function that stops it."""
    if not port:
        return lambda: None
    try:
        server = metrics.serve_metrics(port, host)
    except OSError as error:
        raise CannotListen(_cannot(host, port, error, "--metrics-port")) from error

    def stop() -> None:
        server.shutdown()
        server.server_close()

    return stop


def _gate(settings: Settings, limiter: Limiter) -> ConnectionGate:
    """Counts connections. There may be as many as the system lets us have, less a few for the
    store and the bots."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    files = MOST_FILES if soft == resource.RLIM_INFINITY else soft
    return ConnectionGate(
        limiter, parse_proxies(settings.proxies), max(files - OWN_FILES, files // 2)
    )


def _config(settings: Settings, app: Any) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        loop="uvloop",
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
    """Run a worker that computes bot moves for other machines, until a signal stops it."""
    configure_logging(settings.log_format, settings.log_level)
    assert settings.redis_url is not None, "the command requires it"
    bot_pool = ProcessBotPool(settings.workers)
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
    """Run `serve` or `work` on uvloop."""
    import uvloop  # noqa: PLC0415

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main)
