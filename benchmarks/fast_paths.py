"""What each hand-made fast path of the server saves: CPU per move with it and without it.

Two servers play Blockers! side by side, by turns of two seconds, so that other load on the machine
affects both: ours, and ours with one fast path replaced by the plain way. A turn of one and the
next of the other make a pair; the ratio is the median of all pairs. CPU counts all threads.
"Memory" is per connection after all have joined, in kB, "pause" the longest of the garbage
collector, in ms of CPU, "p99" the 99th percentile from a move to its last delivery, in ms.

A fast path stays only if it saves 5 % of the CPU per move, or serves the goal that is named in its
module. Each module gives its figure; `store_paths.py` measures those of the log.

    python benchmarks/fast_paths.py [NAME …] [--connections 400] [--moves 200] [--pairs 6]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import resource
import statistics

import uvloop
from load_servers import Load, Side, tables

TURN_SECONDS = 2.0

WITHOUT = {
    "write-now": """
from tuilerie.server.ws import endpoint
endpoint.fast_write = lambda scope: None
""",
    "handshake": """
from tuilerie.server.ws.uvicorn_protocol import FastWebSocketProtocol
del FastWebSocketProtocol.start_keepalive
""",
    "garbage-collection": """
from tuilerie.server.ops.garbage_collection import GarbageCollector
GarbageCollector.begin = lambda self: self._timer.start()
GarbageCollector.look = lambda self: False
""",
}
"""For each fast path, what a server runs before it starts in order not to have it."""


async def main() -> None:
    """Measure all, or those that are named, and print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(WITHOUT))
    parser.add_argument("--connections", type=int, default=400)
    parser.add_argument("--moves", type=float, default=200, help="a second, at all tables")
    parser.add_argument("--pairs", type=int, default=6)
    args = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    gc.disable()  # no garbage collection pauses in the generator
    print(f"{'':20}{'µs a move':>14}{'without':>10}{'saved':>8}", end="")
    print(f"{'memory':>12}{'without':>9}{'pause':>9}{'without':>9}{'p99':>9}{'without':>9}")
    for name in args.names or WITHOUT:
        await measure(name, args.connections, args.moves, args.pairs)
        gc.collect()


async def measure(name: str, connections: int, moves: float, pairs: int) -> None:
    """Compare a server with one without this fast path, and print a line."""
    seconds = TURN_SECONDS * pairs
    with_it = Load("blockers", connections, moves, seconds, {})
    without = Load("blockers", connections, moves, seconds, {}, WITHOUT[name])
    async with tables(with_it) as (ours, _), tables(without) as (plain, _):
        ratios = []
        for _ in range(pairs):
            took = [await turn(ours, moves), await turn(plain, moves)]
            ratios.append(took[0] / took[1])
        one, other = ours.measured, plain.measured
        saved = (1 - statistics.median(ratios)) * 100
        print(
            f"{name:20}{one.cpu_a_move * 1e6:14.0f}{other.cpu_a_move * 1e6:10.0f}{saved:7.1f} %"
            f"{one.memory:11.1f}{other.memory:9.1f}"
            f"{one.pause_cpu * 1000:9.1f}{other.pause_cpu * 1000:9.1f}"
            f"{one.p99 * 1000:9.1f}{other.p99 * 1000:9.1f}",
            flush=True,
        )


async def turn(side: Side, moves: float) -> float:
    """Play for a turn; the CPU seconds per move."""
    cpu, made = side.measured.cpu, side.measured.moves
    await side.play(moves, TURN_SECONDS)
    return (side.measured.cpu - cpu) / max(1, side.measured.moves - made)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
