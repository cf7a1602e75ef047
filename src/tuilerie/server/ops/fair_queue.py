"""A bounded queue of those who wait for the same thing, fair to networks.

Who has asked for least lately goes first. While somebody waits, what the network has asked for
counts less and less, so nobody is overtaken for ever. If the queue is full, the last one is
refused, not the newcomer: otherwise an attacker who fills it would keep all others out.
"""

from __future__ import annotations

import asyncio
import itertools
from bisect import insort
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Generic, NamedTuple, TypeVar

from tuilerie.server.ops import limits
from tuilerie.server.ops.limits import Limiter, TooOften

T = TypeVar("T")


class Place(NamedTuple):
    """A place in the queue. The one who serves it sets `turn`."""

    full_at: float  # when the network may ask for everything again
    number: int
    what: Any
    turn: asyncio.Future[Any]


class FairQueue(Generic[T]):
    """At most so many wait, and so many of one network, those included who are being served."""

    def __init__(self, limiter: Limiter, key: str, most: int, each: int) -> None:
        self._limiter = limiter
        self._key = key
        self._most = most
        self._each = each
        self._waiting: list[Place] = []  # in order
        self._here: Counter[str] = Counter()
        self._number = itertools.count()

    @contextmanager
    def entered(self, network: str, what: T) -> Iterator[asyncio.Future[Any]]:
        """Wait, and be served. Raises `TooOften`, as may the future."""
        if self._here[network] >= self._each:
            raise TooOften(self._key, 2)
        full_at = self._limiter.full_at(limits.REQUESTS, network)
        turn = asyncio.get_running_loop().create_future()
        place = Place(full_at, next(self._number), what, turn)
        insort(self._waiting, place)
        self._here[network] += 1
        try:
            if len(self._waiting) > self._most:
                self._refuse(self._waiting.pop())
            yield turn
        finally:
            turn.cancel()  # unless it was served
            self._here[network] -= 1
            if not self._here[network]:
                del self._here[network]

    def _refuse(self, place: Place) -> None:
        if not place.turn.done():
            place.turn.set_exception(TooOften(self._key, 2))

    def first(self) -> Place | None:
        """Whose turn it is."""
        while self._waiting and self._waiting[0].turn.done():
            self._waiting.pop(0)
        return self._waiting[0] if self._waiting else None

    def pop(self) -> Place | None:
        """Take the first out of the queue, to serve it."""
        place = self.first()
        if place is not None:
            self._waiting.pop(0)
        return place
