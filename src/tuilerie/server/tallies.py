"""Counters and histograms that cost next to nothing to add to; the sums are made when one asks.

Those of the Prometheus client take a lock for each of their numbers. Here one adds at a time:
the event loop, or the garbage collector, which never runs twice at once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector


class Tally(Collector):
    """How often, by one label."""

    def __init__(self, name: str, text: str, label: str) -> None:
        self._name, self._text, self._label = name, text, label
        self._counts: Counter[str] = Counter()

    def add(self, kind: str) -> None:
        """One more of these."""
        self._counts[kind] += 1

    def collect(self) -> Iterator[CounterMetricFamily]:
        """All of them."""
        told = CounterMetricFamily(self._name, self._text, labels=[self._label])
        for kind, count in self._counts.copy().items():
            told.add_metric([kind], count)
        yield told


class Times(Collector):
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
        told = HistogramMetricFamily(self._name, self._text)
        bounds = [*map(repr, map(float, self._bounds)), "+Inf"]
        buckets = list(zip(bounds, map(float, accumulate(self._counts)), strict=True))
        told.add_metric([], buckets, self._sum)
        yield told
