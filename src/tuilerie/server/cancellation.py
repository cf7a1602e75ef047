"""Cancel tasks that may swallow the first cancellation."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

INSIST_SECONDS = 2.0
"""How long to wait for a cancelled task to end before it is cancelled again."""


async def cancel_and_wait(*tasks: asyncio.Task[Any], again: float = INSIST_SECONDS) -> None:
    """Cancel tasks until they have ended. Their exceptions are ignored.

    One cancellation is not enough for tasks that use Redis: redis-py polls its socket within
    `asyncio.timeout(0)`, and a task cancelled just before entering it gets a `TimeoutError` there
    instead of the cancellation, and runs on.
    """
    left: Iterable[asyncio.Task[Any]] = tasks
    while left := [task for task in left if not task.done()]:
        for task in left:
            task.cancel()
        await asyncio.wait(left, timeout=again)
    await asyncio.gather(*tasks, return_exceptions=True)
