"""A proxy between browser and server that can be cut.

Chromium's own "offline" lets open sockets live; so a connection is lost here for good: every socket
is cut, and nobody answers until the cable is mended.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any
from urllib.parse import urlsplit


class Wire:
    """Forwards bytes from its own port to the server, both ways."""

    def __init__(self, address: str) -> None:
        self._there = urlsplit(address)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._server: asyncio.Server | None = None
        self._ends: set[asyncio.StreamWriter] = set()
        self._port = 0
        self.mend()

    @property
    def address(self) -> str:
        """Where a browser reaches the server through this wire."""
        return f"http://127.0.0.1:{self._port}"

    def mend(self) -> None:
        """Let connections through, at the same port as before."""
        self._run(self._listen())

    def cut(self) -> None:
        """End every connection and take no new one."""
        self._run(self._hang_up())

    def close(self) -> None:
        """Cut it for good."""
        self.cut()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def _hang_up(self) -> None:
        if self._server is not None:
            self._server.close()
        for end in list(self._ends):
            end.transport.abort()
        while self._ends:  # every carrier has noticed
            await asyncio.sleep(0.01)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._ends.add(writer)
        try:
            there = await asyncio.open_connection(self._there.hostname, self._there.port)
            self._ends.add(there[1])
            await asyncio.gather(_carry(reader, there[1]), _carry(there[0], writer))
            self._ends.discard(there[1])
        finally:
            self._ends.discard(writer)


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """All bytes, until either end hangs up."""
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()
