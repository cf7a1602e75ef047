"""A server process: store, hub and application, on uvicorn; and what keeps its memory in order."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import structlog
import uvicorn

from tuilerie.native import engine, why_not_compiled
from tuilerie.server import limits, logs, metrics
from tuilerie.server.app import make_app, make_hub, make_jobs
from tuilerie.server.ending import end
from tuilerie.server.hub import Hub
from tuilerie.server.lines import LineProtocol
from tuilerie.server.settings import Settings
from tuilerie.server.streams import StreamWorker
from tuilerie.store import open_store

log: Any = structlog.get_logger("tuilerie.serve")

GROWTH_BYTES = 256 * 2**20
"""All rubbish, not only what is young, is collected when the memory has grown by so much."""

HOUSEKEEPING_SECONDS = 0.025
"""So often what is new is looked through for rubbish, or put aside. Python's own count of new
objects is not enough: it goes down when old ones are let go of, so that there can be many more than
it says."""

LOOKS = 40
"""Moves leave no rubbish that needs a collector; people who come in do. Where a look found none,
what is new is put aside unseen, which costs nothing; every so many times it is looked at."""

YOUNG_OBJECTS = 4_000
"""Within that time it is collected when the count comes to this: a crowd of people who come in
makes that many at once. There may be three times as many as the count says; to look at them takes
about a millisecond, and several on a machine that has other things to do."""

NEVER = 2**31 - 1

SWITCH_SECONDS = 0.001
"""How long the event loop may go on while the thread that writes to the disk waits for its turn."""


def memory_bytes() -> int:
    """How much memory this process holds now."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024


class Housekeeper:
    """By itself the garbage collector looks only at what is young; at all when it is told to.

    Left to itself it stops a server with thousands of sockets for most of a second.
    """

    def __init__(self) -> None:
        self._watch = metrics.GcWatch()
        self._base = 0
        self._looks = 0  # how often we shall put aside what is new before we look at it
        self._usual = gc.get_threshold()

    def begin(self) -> None:
        """Freeze what is there, and take over."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(YOUNG_OBJECTS, NEVER, NEVER)
        self._watch.start()
        self._base = memory_bytes()
        sys.setswitchinterval(SWITCH_SECONDS)

    def end(self) -> None:
        """Hand over to the collector again."""
        self._watch.stop()
        gc.set_threshold(*self._usual)
        gc.unfreeze()

    async def run(self) -> None:
        """Look from time to time."""
        while True:
            due = time.perf_counter() + HOUSEKEEPING_SECONDS
            await asyncio.sleep(HOUSEKEEPING_SECONDS)
            metrics.LOOP_LAG.observe(max(0.0, time.perf_counter() - due))
            self.look()

    def look(self) -> bool:
        """Collect what is new, which is quick; everything only if the memory has grown a lot."""
        if self._looks:
            self._looks -= 1
        elif gc.collect(0) == 0:
            self._looks = LOOKS
        gc.freeze()
        if memory_bytes() - self._base < GROWTH_BYTES:
            return False
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._base = memory_bytes()
        return True


class Server(uvicorn.Server):
    """A server that ends in order when it is asked to, and does not pass the signal on."""

    def __init__(self, config: uvicorn.Config, hub: Hub) -> None:
        super().__init__(config)
        self._hub = hub

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Tell everybody when to come back, before their connections are closed."""
        await self._hub.send_away()
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
    logs.set_up(settings.log_format, settings.log_level)
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(_listener(settings.host, settings.port))
        stack.callback(_tell_metrics(settings.metrics_host, settings.metrics_port))
        store = await open_store(settings.place)
        async with store:
            hub = make_hub(settings, store.log, store.people)
            server = Server(_config(settings, make_app(settings, hub)), hub)
            keeper = Housekeeper()
            keeper.begin()
            task = asyncio.create_task(keeper.run())
            url = settings.public_url or _url(listener)
            log.info("serving", url=url, engine=engine())
            _tell_engine()
            try:
                await server.serve(sockets=[listener])
            finally:
                task.cancel()
                keeper.end()


def _tell_engine() -> None:
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
    told = os.strerror(error.errno or 0)
    hint = f"; name another one by {option}" if error.errno != errno.EADDRNOTAVAIL else ""
    return f"cannot listen on {host}, port {port}: {told}{hint}"


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _tell_metrics(host: str, port: int) -> Callable[[], None]:
    """Tell metrics, if they are asked for; answers with how to end that."""
    if not port:
        return lambda: None
    try:
        teller = metrics.tell_on(port, host)
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
        ws=LineProtocol,
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
    logs.set_up(settings.log_format, settings.log_level)
    assert settings.redis_url is not None, "the command asks for it"
    jobs = make_jobs(settings)
    await jobs.start()
    log.info("working", processes=settings.workers, engine=engine())
    _tell_engine()
    worker = StreamWorker(settings.redis_url, jobs, settings.workers)
    task = asyncio.create_task(worker.run())
    endings = []
    for each in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(
            each, lambda: endings.append(asyncio.create_task(end(task)))
        )
    try:
        with contextlib.suppress(asyncio.CancelledError):
            await task
    finally:
        await jobs.stop()


def run(main: Any) -> None:
    """Run one of these with the faster event loop."""
    import uvloop  # noqa: PLC0415

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main)
