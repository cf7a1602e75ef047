"""A proxy to Redis that loses, delays and duplicates published messages when a test says so."""

from __future__ import annotations

import asyncio
import contextlib
from random import Random

from tests.servers import RedisServer, free_port

MESSAGE = (b"*3\r\n$7\r\nmessage\r\n", b">3\r\n$7\r\nmessage\r\n")
"""The first bytes of a pub/sub message, in both protocols of Redis."""

GONE = (OSError, asyncio.IncompleteReadError)


class BadRedis:
    """Forwards everything to Redis; may drop, delay and duplicate what Redis publishes."""

    def __init__(self, server: RedisServer, seed: int) -> None:
        self.port = free_port()
        self._server = server
        self._random = Random(seed)
        self._listener: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.is_bad = False
        self.lost = self.late = 0

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    async def start(self) -> None:
        self._listener = await asyncio.start_server(self._connected, "127.0.0.1", self.port)

    async def stop(self) -> None:
        if self._listener is not None:
            self._listener.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._server.port)
        except OSError:
            writer.close()
            return
        for work in (self._ask(reader, back), self._relay(there, writer)):
            task = asyncio.create_task(work)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _ask(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65536):
                target.write(data)
                await target.drain()
        except GONE:
            pass
        finally:
            target.close()

    async def _relay(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while True:
                frame = await read_frame(source)
                if self.is_bad and frame.startswith(MESSAGE):
                    self._spoil(frame, target)
                else:
                    target.write(frame)
                    await target.drain()
        except GONE:
            pass
        finally:
            target.close()

    def _spoil(self, frame: bytes, target: asyncio.StreamWriter) -> None:
        """Half of the messages are lost; the others come late, in any order, some twice."""
        if self._random.random() < 0.5:
            self.lost += 1
            return
        self.late += 1
        loop = asyncio.get_running_loop()
        for _ in range(self._random.choice([1, 1, 2])):
            loop.call_later(self._random.uniform(0, 0.4), write, target, frame)


def write(target: asyncio.StreamWriter, frame: bytes) -> None:
    if not target.is_closing():
        with contextlib.suppress(OSError):
            target.write(frame)


async def read_frame(source: asyncio.StreamReader) -> bytes:
    """One complete reply of Redis."""
    line = await source.readuntil(b"\r\n")
    kind = line[:1]
    if kind in b"$=!":
        length = int(line[1:])
        return line + (await source.readexactly(length + 2) if length >= 0 else b"")
    if kind in b"*>~%":
        count = int(line[1:]) * (2 if kind == b"%" else 1)
        return line + b"".join([await read_frame(source) for _ in range(count)])
    return line
