"""Retry with backoff while the connection to PostgreSQL is lost."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tuilerie.store.errors import (
    StoreError,
    Unavailable,
    Unknown,
    driver_error,
    is_connection_lost,
    map_postgres_error,
)

T = TypeVar("T")


class Backoff:
    """Exponential backoff with jitter and a total time limit."""

    def __init__(self, seconds: float) -> None:
        self._until = asyncio.get_running_loop().time() + seconds
        self._pause = 0.02

    async def wait(self) -> bool:
        """Sleep, longer each time; false once the time limit is reached."""
        left = self._until - asyncio.get_running_loop().time()
        if left <= 0:
            return False
        # Jitter, so that many clients do not reconnect at once.
        await asyncio.sleep(min(left, self._pause * random.uniform(0.5, 1.5)))
        self._pause = min(1.0, self._pause * 2)
        return True


async def retry(
    attempt: Callable[[bool], Awaitable[T]], seconds: float, *, writes: bool = True
) -> T:
    """Call `attempt` until it succeeds, with backoff while the connection is lost.

    Its argument says whether an earlier attempt may have been committed; it must be correct in that
    case, too. Reads (`writes` false) are never in doubt.
    """
    patience = Backoff(seconds)
    in_doubt = False
    while True:
        try:
            return await attempt(in_doubt)
        except StoreError:
            raise
        except Exception as error:
            cause = driver_error(error)
            known = map_postgres_error(cause)
            if known is None:
                raise
            if not is_connection_lost(cause):
                raise known from error
            in_doubt = in_doubt or not isinstance(cause, ConnectionRefusedError)
            if not await patience.wait():
                raise unreachable(writes and in_doubt) from error


def unreachable(in_doubt: bool) -> Unavailable:
    """Return the error to raise after the last retry."""
    if in_doubt:
        return Unknown(
            "the database cannot be reached, and the write may have been committed or not"
        )
    return Unavailable("the database cannot be reached")
