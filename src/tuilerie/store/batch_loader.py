"""Batches concurrent lookups into one query.

After a restart of the server all clients reconnect at once, each with a token to look up. One by
one, thousands of lookups queue for a connection, and some fail.

CPU of 2,000 concurrent lookups (`nice -n 19 python benchmarks/seat_lookups.py --turns 3`, median,
busy machine): SQLite 0.18 s in batches and 6.54 s one by one, PostgreSQL 0.15 s and 3.71 s. One
by one, 31 % and 15 % of them failed; in batches, none. Without a crowd it
gains nothing: CPU of start and join of 200 connections was 4.36 s with it, 4.17 s without.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from copy import copy
from itertools import islice
from typing import Generic, TypeVar

from tuilerie.store.errors import Unavailable

K = TypeVar("K")
V = TypeVar("V")

MOST = 200
"""Maximum number of keys per query."""


class BatchLoader(Generic[K, V]):
    """Calls `ask` with all pending keys; missing keys resolve to `None`."""

    def __init__(self, ask: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]]) -> None:
        self._ask = ask
        self._waiting: dict[K, asyncio.Future[V | None]] = {}
        self._asked: dict[K, asyncio.Future[V | None]] = {}  # keys of the running query
        self._asking: asyncio.Task[None] | None = None
        self._closed = False

    async def __call__(self, key: K) -> V | None:
        """Look up one key. Raises what `ask` raises, or `Unavailable` once closed."""
        if self._closed:
            raise Unavailable("the store is closed")
        loop = asyncio.get_running_loop()
        future = self._waiting.get(key)
        if future is None:
            future = self._waiting[key] = loop.create_future()
        if self._asking is None:
            self._asking = loop.create_task(self._run())
        return await asyncio.shield(future)  # shared with other callers

    async def close(self) -> None:
        """Stop, and fail pending lookups with `Unavailable`."""
        self._closed = True
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.wait({self._asking})
        self._give_up(Unavailable("the store is closed"))

    async def _run(self) -> None:
        try:
            while self._waiting:
                keys = list(islice(self._waiting, MOST))
                self._asked = {key: self._waiting.pop(key) for key in keys}
                found = await self._ask(keys)
                for key, future in self._asked.items():
                    future.set_result(found.get(key))
                self._asked = {}
        except Exception as error:
            self._give_up(error)  # pending keys fail, too: they would hit the same error
        finally:
            self._asking = None

    def _give_up(self, error: Exception) -> None:
        for future in (*self._asked.values(), *self._waiting.values()):
            future.set_exception(copy(error))  # a shared instance would mix tracebacks
            future.exception()  # mark as retrieved: the caller may be cancelled
        self._asked, self._waiting = {}, {}
