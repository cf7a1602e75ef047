"""Garbage collection at times of our choosing: frequent small runs, a full one when memory grows.

Left to itself, a full collection stops a server with thousands of connections for most of a second.
"""

from __future__ import annotations

import asyncio
import gc
import resource
import sys
import time
from collections.abc import Mapping
from typing import Any

from tuilerie.server.ops import metrics

GROWTH_BYTES = 256 * 2**20
"""All rubbish, not only what is young, is collected when the memory has grown by so much."""

HOUSEKEEPING_SECONDS = 0.025
"""So often what is new is looked through for rubbish, or put aside. Python's own count of new
objects is not enough: it goes down when old ones are let go of, so that there can be many more than
it says."""

LOOKS = 40
"""Moves leave no rubbish that needs a collector; people who come in do. Where a look found none,
what is new is put aside unseen, which costs nothing; every so many times it is looked at."""

YOUNG_OBJECTS = 4_000
"""Within that time it is collected when the count comes to this: a crowd of people who come in
makes that many at once. There may be three times as many as the count says; to look at them takes
about a millisecond, and several on a machine that has other things to do."""

NEVER = 2**31 - 1

SWITCH_SECONDS = 0.001
"""How long the event loop may go on while the thread that writes to the disk waits for its turn."""


def memory_bytes() -> int:
    """How much memory this process holds now."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024


class GcTimer:
    """Times every run of the garbage collector."""

    def __init__(self) -> None:
        self._began = self._cpu = 0.0
        self.longest = self.longest_cpu = 0.0

    def __call__(self, phase: str, _info: Mapping[str, Any]) -> None:
        """What the collector calls before and after each run."""
        if phase == "start":
            self._began, self._cpu = time.perf_counter(), time.thread_time()
            return
        pause, cpu = time.perf_counter() - self._began, time.thread_time() - self._cpu
        metrics.GC_PAUSE.observe(pause)
        if pause > self.longest:
            self.longest = pause
            metrics.GC_LONGEST.set(pause)
        if cpu > self.longest_cpu:
            self.longest_cpu = cpu
            metrics.GC_LONGEST_CPU.set(cpu)

    def start(self) -> None:
        """Begin to watch."""
        gc.callbacks.append(self)

    def stop(self) -> None:
        """Watch no longer."""
        if self in gc.callbacks:
            gc.callbacks.remove(self)


class GarbageCollector:
    """By itself the garbage collector looks only at what is young; at all when it is told to.

    Left to itself it stops a server with thousands of sockets for most of a second.
    """

    def __init__(self) -> None:
        self._watch = GcTimer()
        self._base = 0
        self._looks = 0  # how often we shall put aside what is new before we look at it
        self._usual = gc.get_threshold()

    def begin(self) -> None:
        """Freeze what is there, and take over."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(YOUNG_OBJECTS, NEVER, NEVER)
        self._watch.start()
        self._base = memory_bytes()
        sys.setswitchinterval(SWITCH_SECONDS)

    def end(self) -> None:
        """Hand over to the collector again."""
        self._watch.stop()
        gc.set_threshold(*self._usual)
        gc.unfreeze()

    async def run(self) -> None:
        """Look from time to time."""
        while True:
            due = time.perf_counter() + HOUSEKEEPING_SECONDS
            await asyncio.sleep(HOUSEKEEPING_SECONDS)
            metrics.LOOP_LAG.observe(max(0.0, time.perf_counter() - due))
            self.look()

    def look(self) -> bool:
        """Collect what is new, which is quick; everything only if the memory has grown a lot."""
        if self._looks:
            self._looks -= 1
        elif gc.collect(0) == 0:
            self._looks = LOOKS
        gc.freeze()
        if memory_bytes() - self._base < GROWTH_BYTES:
            return False
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._base = memory_bytes()
        return True
