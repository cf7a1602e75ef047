"""Lets requests in at a bounded pace, so that the event loop always has time for moves.

Limits by network bound what each may ask for; of many networks together each has its share of the
pace. Who has asked for least goes first (`FairQueue`): an honest visitor hardly waits during an
attack.
"""

from __future__ import annotations

import asyncio
import time

from tuilerie.server.ops import limits
from tuilerie.server.ops.fair_queue import FairQueue
from tuilerie.server.ops.limits import Limiter


class RequestPacer:
    """All requests of one server pass it, each at its cost (`limits.request_cost`)."""

    def __init__(self, limiter: Limiter) -> None:
        self._pace = limiter.bucket(limits.ALL_REQUESTS)
        self._queue: FairQueue[float] = FairQueue(
            limiter,
            limits.ALL_REQUESTS.key,
            limits.REQUESTS_WAITING,
            limits.REQUESTS_WAITING_EACH,
        )
        self._timer: asyncio.TimerHandle | None = None

    async def enter(self, network: str, cost: float) -> None:
        """Wait for one's turn. Raises `TooOften` if too many wait."""
        if self._queue.first() is None and not self._pace.take(time.monotonic(), cost):
            return
        with self._queue.entered(network, cost) as turn:
            if self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(0, self._let_in)
            await turn

    def _let_in(self) -> None:
        """Let in those whose turn it is."""
        self._timer = None
        while (first := self._queue.first()) is not None:
            if wait := self._pace.take(time.monotonic(), first.what):
                loop = asyncio.get_running_loop()
                self._timer = loop.call_later(wait, self._let_in)
                return
            first.turn.set_result(None)
