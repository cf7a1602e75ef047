"""What the host sees: counters and times, told on a port of their own."""

from __future__ import annotations

import gc
import time
from collections.abc import Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, start_http_server

from tuilerie.server.tallies import Tally, Times

REGISTRY = CollectorRegistry()

_FAST = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


def _counter(name: str, text: str) -> Counter:
    return Counter(f"tuilerie_{name}", text, registry=REGISTRY)


def _tally(name: str, text: str, label: str) -> Tally:
    made = Tally(f"tuilerie_{name}", text, label)
    REGISTRY.register(made)
    return made


def _gauge(name: str, text: str) -> Gauge:
    return Gauge(f"tuilerie_{name}", text, registry=REGISTRY)


def _times(name: str, text: str) -> Times:
    made = Times(f"tuilerie_{name}_seconds", text, _FAST)
    REGISTRY.register(made)
    return made


SOCKETS = _gauge("sockets", "Sockets that are open now")
TABLES = _gauge("tables", "Tables that are in memory now")
FACTS = _tally("facts", "Facts that this node has appended", "kind")
COMMANDS = _tally("commands", "Commands of people and bots", "answer")
APPEND = _times("append", "From decided to durable")
DELIVERY = _times("delivery", "From command received to the last queue that got its events")
CONFLICTS = _counter("conflicts", "Appends that somebody else was faster with")
HEALED = _counter("gaps_healed", "Facts of other nodes found by the poll, not told by the bus")
DROPPED = _counter("queue_drops", "Sockets closed because they were too slow")
LIMITED = _tally("limited", "What was refused by a limit", "rule")
BOT_WAIT = _times("bot_wait", "From asked to answered by a bot")
BOT_FAILED = _tally("bot_failed", "Moves that a simple bot made for one that failed", "why")
BUS_DOWN = _gauge("bus_down", "1 while the bus between nodes is lost")
GC_PAUSE = _times("gc_pause", "Pauses of the garbage collector")
GC_LONGEST = _gauge("gc_pause_longest_seconds", "The longest of them so far")
GC_LONGEST_CPU = _gauge("gc_pause_longest_cpu_seconds", "The most that one of them has computed")
LOOP_LAG = _times("loop_lag", "How late the event loop wakes up")


class GcWatch:
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
        GC_PAUSE.observe(pause)
        if pause > self.longest:
            self.longest = pause
            GC_LONGEST.set(pause)
        if cpu > self.longest_cpu:
            self.longest_cpu = cpu
            GC_LONGEST_CPU.set(cpu)

    def start(self) -> None:
        """Begin to watch."""
        gc.callbacks.append(self)

    def stop(self) -> None:
        """Watch no longer."""
        if self in gc.callbacks:
            gc.callbacks.remove(self)


def tell_on(port: int, host: str = "127.0.0.1") -> Any:
    """Tell the metrics on this port; answers with the server, to shut it down."""
    server, _thread = start_http_server(port, addr=host, registry=REGISTRY)
    return server
