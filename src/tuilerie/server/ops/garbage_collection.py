"""Controlled garbage collection: frequent runs on young objects, a full one when memory grows.

It is for latency, not for CPU: with 400 connections the longest pause is 3 ms of CPU, and 135 ms
with Python's defaults (`python benchmarks/fast_paths.py garbage-collection`); it grows with the
number of connections.
"""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import sys
import time
from collections.abc import Mapping
from typing import Any

from tuilerie.server.ops import metrics

GROWTH_BYTES = min(2**30, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 4)
"""A full collection, not only of young objects, runs when the memory has grown by so much: a
quarter of the memory of the machine, at most 1 GiB. It stops a server with 5,000 connections for a
second."""

HOUSEKEEPING_SECONDS = 0.025
"""How often young objects are collected or frozen. Python's own count of new objects does not
suffice: freeing old ones lowers it, so that there can be many more than it says."""

SKIPPED_RUNS = 40
"""Moves leave no cyclic garbage; new connections do. After a run that found none, so many runs only
freeze the young objects, which costs nothing."""

YOUNG_OBJECTS = 4_000
"""Python also collects young objects whenever its count reaches this, as when many connect at
once. There may be three times as many as the count says; collecting them takes about a millisecond,
and several on a busy machine."""

IDLE_SHARE = 0.02
"""A pass before which the event loop used less of a processor lets the next one wait twice as long.
(Python's count of new objects is low on a busy server, too: moves free as many old ones.)"""

IDLE_SECONDS = 0.25
"""The longest pause: a server on which nothing happens hardly wakes. With 5,000 connections and
1,000 moves a second the longest collection then takes 10 to 13 ms; after pauses of a second 80."""

NEVER = 2**31 - 1


def memory_bytes() -> int:
    """The resident memory of this process, or its peak if the system does not report it."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024


class GcTimer:
    """Times every run of the garbage collector. The collector may run while a metric is locked, so
    its callback only notes the times; `report` passes them on."""

    def __init__(self) -> None:
        self._began = self._cpu = 0.0
        self._pauses: list[tuple[float, float]] = []  # wall and CPU seconds
        self.longest = self.longest_cpu = 0.0

    def __call__(self, phase: str, _info: Mapping[str, Any]) -> None:
        """What the collector calls before and after each run."""
        if phase == "start":
            self._began, self._cpu = time.perf_counter(), time.thread_time()
            return
        pause = time.perf_counter() - self._began, time.thread_time() - self._cpu
        self._pauses.append(pause)

    def report(self) -> None:
        """Add the pauses since the last call to the metrics."""
        pauses, self._pauses = self._pauses, []
        for pause, cpu in pauses:
            metrics.GC_PAUSE.observe(pause)
            self.longest = max(self.longest, pause)
            self.longest_cpu = max(self.longest_cpu, cpu)
        metrics.GC_LONGEST.set(self.longest)
        metrics.GC_LONGEST_CPU.set(self.longest_cpu)

    def start(self) -> None:
        """Register the callback."""
        gc.callbacks.append(self)

    def stop(self) -> None:
        """Remove the callback."""
        if self in gc.callbacks:
            gc.callbacks.remove(self)


class GarbageCollector:
    """Runs Python's garbage collector; automatic runs only handle young objects."""

    def __init__(self) -> None:
        self._timer = GcTimer()
        self._base = 0
        self._skip = 0  # runs that only freeze, before the next one that collects
        self._usual = gc.get_threshold()

    def begin(self) -> None:
        """Freeze all objects, and set the thresholds."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(YOUNG_OBJECTS, NEVER, NEVER)
        self._timer.start()
        self._base = memory_bytes()

    def end(self) -> None:
        """Restore Python's own settings."""
        self._timer.stop()
        gc.set_threshold(*self._usual)
        gc.unfreeze()

    async def run(self) -> None:
        """Run `look` periodically."""
        pause = HOUSEKEEPING_SECONDS
        while True:
            due, used = time.perf_counter() + pause, time.thread_time()
            await asyncio.sleep(pause)
            metrics.LOOP_LAG.observe(max(0.0, time.perf_counter() - due))
            pause = next_pause(pause, time.thread_time() - used)
            self.look()
            self._timer.report()

    def look(self) -> bool:
        """Collect or freeze young objects; collect all if the memory has grown. Returns whether it
        did."""
        if self._skip:
            self._skip -= 1
        elif gc.collect(0) == 0:
            self._skip = SKIPPED_RUNS
        gc.freeze()
        if memory_bytes() - self._base < GROWTH_BYTES:
            return False
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._base = memory_bytes()
        return True


def next_pause(pause: float, used: float) -> float:
    """Return how long to wait after a pass, if the event loop used so much CPU time in the pause
    before it."""
    if used >= IDLE_SHARE * pause:
        return HOUSEKEEPING_SECONDS
    return min(IDLE_SECONDS, pause * 2)
