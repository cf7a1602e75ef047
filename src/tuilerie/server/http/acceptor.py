"""Accepts connections: a few in each turn of the event loop, counted before anything is made.

Left to itself, an event loop accepts all that wait, and makes a transport and a protocol for each,
also for those that are refused: a thousand at once held up every move for a tenth of a second.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Any

from tuilerie.server.http.uvicorn_protocol import BoundedHttpProtocol, ConnectionGate
from tuilerie.server.ops import limits, metrics
from tuilerie.server.ops.limits import TooOften

PAUSE_SECONDS = 0.5
"""How long nothing is accepted after an error, as when the system has no more files."""


class Acceptor:
    """Accepts the connections of one listening socket."""

    def __init__(
        self,
        listener: socket.socket,
        gate: ConnectionGate,
        make: Callable[[], BoundedHttpProtocol],
    ) -> None:
        self._listener = listener
        self._gate = gate
        self._make = make
        self._loop = asyncio.get_running_loop()
        self._pause: asyncio.TimerHandle | None = None
        self._connecting: set[asyncio.Task[Any]] = set()

    def start(self) -> None:
        """Accept from now on."""
        self._loop.add_reader(self._listener.fileno(), self._accept_some)

    def stop(self) -> None:
        """Accept no more."""
        if self._pause is not None:
            self._pause.cancel()
        self._loop.remove_reader(self._listener.fileno())

    def _accept_some(self) -> None:
        for _ in range(limits.ACCEPTS):
            try:
                connection, address = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError:
                self.stop()
                self._pause = self._loop.call_later(PAUSE_SECONDS, self.start)
                return
            try:
                leave = self._gate.enter(str(address[0]))
            except TooOften as limit:
                metrics.LIMITED.labels(limit.rule).inc()
                connection.close()
                continue
            task = self._loop.create_task(self._connect(connection, leave))
            self._connecting.add(task)
            task.add_done_callback(self._connecting.discard)

    async def _connect(self, connection: socket.socket, leave: Callable[[], None]) -> None:
        protocol = self._make()
        protocol.let_in(leave)
        try:
            connection.setblocking(False)
            await self._loop.connect_accepted_socket(lambda: protocol, connection)
        except OSError:  # it is gone already
            connection.close()
            leave()
