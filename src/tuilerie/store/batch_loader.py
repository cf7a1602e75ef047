"""Batches concurrent lookups into one query.

After a restart of the server all its clients come back at once, and each has a token to be looked
up. One by one, thousands would wait for a connection, and some of them too long.
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
"""The most questions in one query."""


class BatchLoader(Generic[K, V]):
    """Asks `ask` for all keys that wait; what it does not find is `None`."""

    def __init__(self, ask: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]]) -> None:
        self._ask = ask
        self._waiting: dict[K, asyncio.Future[V | None]] = {}
        self._asked: dict[K, asyncio.Future[V | None]] = {}  # in the query that is under way
        self._asking: asyncio.Task[None] | None = None
        self._closed = False

    async def __call__(self, key: K) -> V | None:
        """The answer for one key. Raises what `ask` raises, or `Unavailable` after the end."""
        if self._closed:
            raise Unavailable("the store is closed")
        loop = asyncio.get_running_loop()
        future = self._waiting.get(key)
        if future is None:
            future = self._waiting[key] = loop.create_future()
        if self._asking is None:
            self._asking = loop.create_task(self._run())
        return await asyncio.shield(future)  # others may wait for it, too

    async def close(self) -> None:
        """Ask nothing any more; who waits is told so."""
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
            self._give_up(error)  # to the others, too: they would wait as long for the same
        finally:
            self._asking = None

    def _give_up(self, error: Exception) -> None:
        for future in (*self._asked.values(), *self._waiting.values()):
            future.set_exception(copy(error))  # one raised twice mixes tracebacks
            future.exception()  # who asked may have gone
        self._asked, self._waiting = {}, {}
