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
    """How long to wait for a database that is not there, and how to wait."""

    def __init__(self, seconds: float) -> None:
        self._until = asyncio.get_running_loop().time() + seconds
        self._pause = 0.02

    async def wait(self) -> bool:
        """Wait a little, longer each time; False when patience is at its end."""
        left = self._until - asyncio.get_running_loop().time()
        if left <= 0:
            return False
        # Chance, so that many who lost the database at once do not all come back at once.
        await asyncio.sleep(min(left, self._pause * random.uniform(0.5, 1.5)))
        self._pause = min(1.0, self._pause * 2)
        return True


async def retry(
    attempt: Callable[[bool], Awaitable[T]], seconds: float, *, writes: bool = True
) -> T:
    """Do something with PostgreSQL, again and again while the way to it is lost.

    `attempt` is told whether it may have been done before: what it does must be right then, too.
    What only reads leaves no doubt behind.
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
            told = map_postgres_error(cause)
            if told is None:
                raise
            if not is_connection_lost(cause):
                raise told from error
            in_doubt = in_doubt or not isinstance(cause, ConnectionRefusedError)
            if not await patience.wait():
                raise unreachable(writes and in_doubt) from error


def unreachable(in_doubt: bool) -> Unavailable:
    """What is said when patience has come to its end."""
    if in_doubt:
        return Unknown("the database cannot be reached, and what was asked may be done or not")
    return Unavailable("the database cannot be reached")
