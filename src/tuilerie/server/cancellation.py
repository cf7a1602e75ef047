"""Cancel tasks that may swallow the first cancellation."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

INSIST_SECONDS = 2.0
"""After this time a task that works on is told again; most have long cleaned up by then."""


async def cancel_and_wait(*tasks: asyncio.Task[Any], again: float = INSIST_SECONDS) -> None:
    """Cancel tasks until they have ended, whatever they end with.

    Once is not enough for those that talk to Redis: a task that is cancelled just before it enters
    `asyncio.timeout(0)`, with which redis-py asks whether there is something to read, gets a
    `TimeoutError` there in place of the cancellation, and works on.
    """
    left: Iterable[asyncio.Task[Any]] = tasks
    while left := [task for task in left if not task.done()]:
        for task in left:
            task.cancel()
        await asyncio.wait(left, timeout=again)
    await asyncio.gather(*tasks, return_exceptions=True)
