"""Connections are accepted a few at a time, and counted before anything is set up for them."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from tuilerie.server.http import acceptor as acceptor_module
from tuilerie.server.http.acceptor import Acceptor
from tuilerie.server.http.uvicorn_protocol import ConnectionGate
from tuilerie.server.ops import limits
from tuilerie.server.ops.limits import Limiter, Rate


class Protocol(asyncio.Protocol):
    """Counts itself."""

    made = 0

    def __init__(self) -> None:
        Protocol.made += 1

    def let_in(self, leave: Any) -> None:
        self.leave = leave

    def connection_lost(self, exc: Exception | None) -> None:
        self.leave()


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    Protocol.made = 0
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listener:
        listener.setblocking(False)
        yield listener


def make_acceptor(listener: Any) -> Acceptor:
    protocol: Any = Protocol
    return Acceptor(listener, ConnectionGate(Limiter(clock=lambda: 0.0)), protocol)


def connect(listener: socket.socket, times: int) -> list[socket.socket]:
    return [socket.create_connection(listener.getsockname()) for _ in range(times)]


async def test_few_connections_are_accepted_at_once(listener: socket.socket) -> None:
    clients = connect(listener, limits.ACCEPTS + 3)
    acceptor = make_acceptor(listener)
    acceptor._accept_some()
    assert len(acceptor._connecting) == limits.ACCEPTS
    acceptor._accept_some()
    assert len(acceptor._connecting) == limits.ACCEPTS + 3
    await asyncio.gather(*acceptor._connecting)
    assert Protocol.made == len(clients)
    for client in clients:
        client.close()


async def test_a_refused_connection_costs_nothing_but_its_acceptance(
    listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CONNECTIONS_OPENED", Rate("connections-opened", 2, 1))
    clients = connect(listener, 5)
    acceptor = make_acceptor(listener)
    acceptor._accept_some()
    assert len(acceptor._connecting) == 2
    await asyncio.gather(*acceptor._connecting)
    assert Protocol.made == 2
    for client in clients[2:]:
        assert client.recv(1) == b"", "it is closed"
    for client in clients:
        client.close()


async def test_accepting_goes_on_after_an_error(
    listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acceptor_module, "PAUSE_SECONDS", 0)
    failed, entered = asyncio.Event(), asyncio.Event()

    class Failing:
        """A listener that has no more files, once."""

        def accept(self) -> Any:
            if not failed.is_set():
                failed.set()
                raise OSError(errno.EMFILE, "too many open files")
            accepted = listener.accept()
            entered.set()
            return accepted

        def fileno(self) -> int:
            return listener.fileno()

    (client,) = connect(listener, 1)
    acceptor = make_acceptor(Failing())
    acceptor.start()
    async with asyncio.timeout(60):
        await failed.wait()
        await entered.wait()
    acceptor.stop()
    await asyncio.gather(*acceptor._connecting)
    client.close()
