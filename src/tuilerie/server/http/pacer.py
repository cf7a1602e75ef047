"""Lets requests in at a bounded pace, so that the event loop always has time for moves.

Limits by network bound what each may ask for; of many networks together each has its share of the
pace. Who has asked for least goes first: an honest visitor hardly waits, whoever else attacks.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from heapq import heappop, heappush
from typing import NamedTuple

from tuilerie.server.ops import limits
from tuilerie.server.ops.limits import Limiter, Queue


class _Waiting(NamedTuple):
    spent: float  # by its network, lately
    number: int
    cost: float
    turn: asyncio.Future[None]


class RequestPacer:
    """All requests of one server pass it, each at its cost (`limits.request_cost`)."""

    def __init__(self, limiter: Limiter) -> None:
        self._limiter = limiter
        self._pace = limiter.bucket(limits.ALL_REQUESTS)
        self._queue = Queue(
            limits.ALL_REQUESTS.key, limits.REQUESTS_WAITING, limits.REQUESTS_WAITING_EACH
        )
        self._waiting: list[_Waiting] = []
        self._number = itertools.count()
        self._timer: asyncio.TimerHandle | None = None

    async def enter(self, network: str, cost: float) -> None:
        """Wait for one's turn. Raises `TooOften` if too many wait."""
        if not self._waiting and not self._pace.take(time.monotonic(), cost):
            return
        loop = asyncio.get_running_loop()
        with self._queue.entered(network):
            spent = self._limiter.spent(limits.REQUESTS, network)
            turn = loop.create_future()
            heappush(self._waiting, _Waiting(spent, next(self._number), cost, turn))
            if self._timer is None:
                self._timer = loop.call_later(0, self._let_in)
            await turn

    def _let_in(self) -> None:
        """Let in those whose turn it is."""
        self._timer = None
        while self._waiting:
            first = self._waiting[0]
            if not first.turn.done():
                if wait := self._pace.take(time.monotonic(), first.cost):
                    loop = asyncio.get_running_loop()
                    self._timer = loop.call_later(wait, self._let_in)
                    return
                first.turn.set_result(None)
            heappop(self._waiting)
