"""An event loop whose clock jumps to the next timer: seconds pass without waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

BEGAN = 1_800_000_000_000
"""The time in ms since the epoch at which such a loop begins."""


class VirtualLoop(asyncio.SelectorEventLoop):
    """No sockets, no threads: only tasks and timers."""

    def __init__(self) -> None:
        super().__init__()
        self._passed = 0.0
        selector: Any = self._selector  # type: ignore[attr-defined]
        select = selector.select

        def jump(timeout: float | None = None) -> Any:
            assert timeout is not None, "everybody waits, and no timer runs"
            self._passed += timeout
            return select(0)

        selector.select = jump

    def time(self) -> float:
        """Seconds since the loop was made."""
        return self._passed

    def now_ms(self) -> int:
        """The same as a server's clock."""
        return BEGAN + round(self._passed * 1000)


def run(work: Coroutine[Any, Any, T], loop: VirtualLoop) -> T:
    """Run this to its end."""
    try:
        return loop.run_until_complete(work)
    finally:
        loop.close()
