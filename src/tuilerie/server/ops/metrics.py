"""Prometheus metrics, served on a port of their own.

The client library's counters and histograms take a lock for each number. Ours do not: only the
event loop adds to them, or the garbage collector, which never runs twice at once. They are
aggregated at scrape time.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from prometheus_client import CollectorRegistry, Gauge, start_http_server
from prometheus_client import Counter as PrometheusCounter
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector


class LabelledCounter(Collector):
    """How often, by one label."""

    def __init__(self, name: str, text: str, label: str) -> None:
        self._name, self._text, self._label = name, text, label
        self._counts: Counter[str] = Counter()

    def add(self, kind: str) -> None:
        """One more of these."""
        self._counts[kind] += 1

    def collect(self) -> Iterator[CounterMetricFamily]:
        """All of them."""
        family = CounterMetricFamily(self._name, self._text, labels=[self._label])
        for kind, count in self._counts.copy().items():
            family.add_metric([kind], count)
        yield family


class Histogram(Collector):
    """How long, in seconds: how many took at most so long, for each of some bounds."""

    def __init__(self, name: str, text: str, bounds: Sequence[float]) -> None:
        self._name, self._text, self._bounds = name, text, bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        """One more took so long."""
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """All of them."""
        family = HistogramMetricFamily(self._name, self._text)
        bounds = [*map(repr, map(float, self._bounds)), "+Inf"]
        buckets = list(zip(bounds, map(float, accumulate(self._counts)), strict=True))
        family.add_metric([], buckets, self._sum)
        yield family


REGISTRY = CollectorRegistry()

_FAST = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


def _counter(name: str, text: str) -> PrometheusCounter:
    return PrometheusCounter(f"tuilerie_{name}", text, registry=REGISTRY)


def _labelled_counter(name: str, text: str, label: str) -> LabelledCounter:
    made = LabelledCounter(f"tuilerie_{name}", text, label)
    REGISTRY.register(made)
    return made


def _gauge(name: str, text: str) -> Gauge:
    return Gauge(f"tuilerie_{name}", text, registry=REGISTRY)


def _histogram(name: str, text: str) -> Histogram:
    made = Histogram(f"tuilerie_{name}_seconds", text, _FAST)
    REGISTRY.register(made)
    return made


SOCKETS = _gauge("sockets", "Sockets that are open now")
TABLES = _gauge("tables", "Tables that are in memory now")
FACTS = _labelled_counter("facts", "Facts that this node has appended", "kind")
COMMANDS = _labelled_counter("commands", "Commands of people and bots", "answer")
APPEND = _histogram("append", "From decided to durable")
DELIVERY = _histogram("delivery", "From command received to the last queue that got its events")
CONFLICTS = _counter("conflicts", "Appends that somebody else was faster with")
HEALED = _counter("gaps_healed", "Facts of other nodes found by the poll, not told by the bus")
DROPPED = _counter("queue_drops", "Sockets closed because they were too slow")
LIMITED = _labelled_counter("limited", "What was refused by a limit", "rule")
BOT_WAIT = _histogram("bot_wait", "From asked to answered by a bot")
BOT_FAILED = _labelled_counter(
    "bot_failed", "Moves that a simple bot made for one that failed", "why"
)
BUS_DOWN = _gauge("bus_down", "1 while the bus between nodes is lost")
GC_PAUSE = _histogram("gc_pause", "Pauses of the garbage collector")
GC_LONGEST = _gauge("gc_pause_longest_seconds", "The longest of them so far")
GC_LONGEST_CPU = _gauge("gc_pause_longest_cpu_seconds", "The most that one of them has computed")
LOOP_LAG = _histogram("loop_lag", "How late the event loop wakes up")


def serve_metrics(port: int, host: str = "127.0.0.1") -> Any:
    """Tell the metrics on this port; answers with the server, to shut it down."""
    server, _thread = start_http_server(port, addr=host, registry=REGISTRY)
    return server
