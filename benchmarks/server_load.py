"""The table server under load, beside a bare uvicorn echo under the same load in the same run.

Rooms of four play Blockers! by legal moves, chosen from the views that they are sent; every move is
on disk before anybody hears of it. This process makes the load and measures; the server is another.

What is compared: a **move** is one message in. Our server judges it, writes it to SQLite, and sends
each of the four two messages (the move and the draw, the second with the whole new view) and the
player a third (that it is done): nine in all. The **echo** is the least that uvicorn can do for the
same four sockets: it sends each message on to all of them, as it came, of the mean length of ours;
with `--echo-messages 2` it does so twice. It keeps nothing, checks nothing and makes nothing.

Columns: moves per second; from a move to its last delivery (p50, p99); the server's CPU per move
and per message that it delivered, all its threads included; the mean length of a message; memory
per connection after all have joined and after the last move; the longest pause of the garbage
collector since the start, by the clock and by the CPU that it took; how busy this process was (the
load generator, 100 %: it was the bottleneck); and the load average of the machine. On a machine
that does other things as well, times by the clock are the other things': read CPU, and several
rounds of both in turn: on two processors the same run costs a quarter more or less by chance.

    python benchmarks/server_load.py [--connections 500,2000,5000] [--moves 1000] [--seconds 10]
        [--rounds 1]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import resource
import statistics

import uvloop
from load_rooms import Measured
from load_servers import echo, game

HEAD = (
    f"{'server':9} {'conns':>6} {'moves/s':>8} {'p50 ms':>8} {'p99 ms':>8} {'µs/move':>8} "
    f"{'µs/msg':>8} {'bytes':>6} {'kB/conn':>7} {'at end':>7} {'gc ms':>7} {'gc cpu':>7} "
    f"{'gen %':>5} {'load':>6}"
)


async def main() -> None:
    """Run all, and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--connections", default="500,2000,5000")
    parser.add_argument("--moves", type=float, default=1000)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=1, help="of ours and the echo in turn")
    parser.add_argument("--echo-messages", type=int, default=1, help="to each socket, for a move")
    args = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    gc.disable()  # the generator must not stop to look through its thousands of sockets
    print(HEAD)
    for connections in map(int, args.connections.split(",")):
        pairs = [await compare(connections, args) for _ in range(args.rounds)]
        if args.rounds > 1:
            tell(connections, pairs)


async def compare(connections: int, args: argparse.Namespace) -> tuple[Measured, Measured]:
    """One run of ours, and one of the echo with messages of the same length."""
    ours = await game(connections, args)
    print(ours.line("tuilerie", connections), flush=True)
    bare = await echo(connections, round(ours.letters / max(1, ours.messages)), args)
    print(bare.line("echo", connections), flush=True)
    a_move = (ours.cpu / max(1, ours.moves)) / max(1e-9, bare.cpu / max(1, bare.moves))
    ratio = f"{ratio_of(ours, bare):.2f} times the echo's (goal: 1.6), per move {a_move:.2f}"
    print(f"{'':9} {connections:6} CPU per message {ratio}", flush=True)
    return ours, bare


def ratio_of(ours: Measured, bare: Measured) -> float:
    """How many times the echo's CPU a message costs."""
    return ours.cpu_a_message / max(1e-9, bare.cpu_a_message)


def tell(connections: int, pairs: list[tuple[Measured, Measured]]) -> None:
    """The middle of several rounds: what else the machine does comes and goes."""
    ratios = sorted(ratio_of(ours, bare) for ours, bare in pairs)
    slowest = sorted(ours.p99 * 1000 for ours, _ in pairs)
    cpu = sorted(ours.cpu / max(1, ours.moves) * 1e6 for ours, _ in pairs)
    print(
        f"{'median':9} {connections:6} of {len(pairs)} rounds: CPU per message "
        f"{statistics.median(ratios):.2f} times the echo's ({ratios[0]:.2f} to {ratios[-1]:.2f}), "
        f"{statistics.median(cpu):.0f} µs a move, p99 {statistics.median(slowest):.1f} ms "
        f"({slowest[0]:.1f} to {slowest[-1]:.1f})",
        flush=True,
    )


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
