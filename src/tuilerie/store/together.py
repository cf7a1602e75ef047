"""Questions that come at the same time are asked in one query.

After a restart of the server all its clients come back at once, and each has a token to be looked
up. One by one, thousands would wait for a connection, and some of them too long.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from copy import copy
from itertools import islice
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")

MOST = 200
"""The most questions in one query."""


class Together(Generic[K, V]):
    """Asks `ask` for all keys that wait; what it does not find is `None`."""

    def __init__(self, ask: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]]) -> None:
        self._ask = ask
        self._waiting: dict[K, asyncio.Future[V | None]] = {}
        self._asking: asyncio.Task[None] | None = None

    async def __call__(self, key: K) -> V | None:
        """The answer for one key. Raises what `ask` raises."""
        loop = asyncio.get_running_loop()
        future = self._waiting.get(key)
        if future is None:
            future = self._waiting[key] = loop.create_future()
        if self._asking is None:
            self._asking = loop.create_task(self._run())
        return await asyncio.shield(future)  # others may wait for it, too

    async def _run(self) -> None:
        try:
            while self._waiting:
                keys = list(islice(self._waiting, MOST))
                asked = {key: self._waiting.pop(key) for key in keys}
                try:
                    found = await self._ask(keys)
                except Exception as error:
                    for future in asked.values():
                        future.set_exception(copy(error))  # one raised twice mixes tracebacks
                        future.exception()  # who asked may have gone
                else:
                    for key, future in asked.items():
                        future.set_result(found.get(key))
        finally:
            self._asking = None
