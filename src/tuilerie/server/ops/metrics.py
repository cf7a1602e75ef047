"""Prometheus metrics, served on a separate port."""

from __future__ import annotations

from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

REGISTRY = CollectorRegistry()

_FAST = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


def _counter(name: str, text: str) -> Counter:
    return Counter(f"tuilerie_{name}", text, registry=REGISTRY)


def _labelled_counter(name: str, text: str, label: str) -> Counter:
    return Counter(f"tuilerie_{name}", text, [label], registry=REGISTRY)


def _gauge(name: str, text: str) -> Gauge:
    return Gauge(f"tuilerie_{name}", text, registry=REGISTRY)


def _histogram(name: str, text: str) -> Histogram:
    return Histogram(f"tuilerie_{name}_seconds", text, buckets=_FAST, registry=REGISTRY)


SOCKETS = _gauge("sockets", "Open sockets")
TABLES = _gauge("tables", "Tables in memory")
FACTS = _labelled_counter("facts", "Facts that this node has appended", "kind")
COMMANDS = _labelled_counter("commands", "Commands of people and bots", "answer")
APPEND = _histogram("append", "From decision to durable append")
DELIVERY = _histogram("delivery", "From command received to its events queued for all viewers")
CONFLICTS = _counter("conflicts", "Append conflicts")
HEALED = _counter("gaps_healed", "Facts of other nodes found by polling, not by the bus")
DROPPED = _counter("queue_drops", "Sockets closed because they were too slow")
LIMITED = _labelled_counter("limited", "Requests and messages refused by a limit", "rule")
BOT_QUEUE = _gauge("bot_queue", "Questions to bots in flight: waiting or being computed")
BOT_WAIT = _histogram("bot_wait", "From asked to answered by a bot, waiting included")
BOT_THINK = _histogram("bot_think", "Thinking time of bots, as long as their budget let them")
BOT_MOVES = _labelled_counter("bot_moves", "Moves computed by the level itself", "bot")
BOT_SHORTENED = _labelled_counter(
    "bot_shortened", "Those of them with less than the level's own budget, under load", "bot"
)
BOT_FAILED = _labelled_counter(
    "bot_failed", "Moves of the greedy bot in place of a bot that failed", "why"
)
BOT_SPARE = _labelled_counter(
    "bot_spare", "Moves that this node computed because no worker did", "why"
)
BOT_TROUBLE = _gauge("bot_workers_missing", "1 while no `tuilerie worker` can be reached")
BUS_DOWN = _gauge("bus_down", "1 while the bus between nodes is down")
FREE_BYTES = _gauge("disk_free_bytes", "Free space of the disk that holds the data folder")
GC_PAUSE = _histogram("gc_pause", "Pauses of the garbage collector")
GC_LONGEST = _gauge("gc_pause_longest_seconds", "The longest of these pauses")
GC_LONGEST_CPU = _gauge("gc_pause_longest_cpu_seconds", "The most CPU time of one pause")
LOOP_LAG = _histogram("loop_lag", "How late the event loop wakes up")


def serve_metrics(port: int, host: str = "127.0.0.1") -> Any:
    """Serve the metrics on this port. Returns the HTTP server, for shutdown."""
    server, _thread = start_http_server(port, addr=host, registry=REGISTRY)
    return server
