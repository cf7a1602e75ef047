"""The table server under load, beside a bare uvicorn echo under the same load in the same run.

Rooms of four play Blockers! by legal moves, chosen from the views that they are sent; every move is
on disk before anybody hears of it. This process makes the load and measures; the server is another.

What is compared: a **move** is one message in. Our server judges it, writes it to SQLite, and sends
each of the four two messages (the move and the draw, the second with the whole new view) and the
player a third (that it is done): nine in all. The **echo** is the least that uvicorn can do for the
same four sockets: it sends each message on to all of them, as it came, of the mean length of ours;
with `--echo-messages 2` it does so twice. It keeps nothing, checks nothing and makes nothing, and
does not even ask whether its sockets are alive, as ours does every twenty seconds.

Columns: moves per second; from a move to its last delivery (p50, p99); the server's CPU per move
and per message that it delivered, all its threads included; the mean length of a message; memory
per connection after all have joined and after the last move; the longest pause of the garbage
collector since the start, by the clock and by the CPU that it took; how busy this process was (the
load generator, 100 %: it was the bottleneck); which share of the processors' time the host of the
machine gave to others ("steal"); and the load average of the machine. Where others take the
processors for a hundredth of the time, they make the slowest hundredth: the rounds of a quiet
machine (`load_rooms.QUIET`) are summed up by themselves. Where other programs run on it, times by
the clock are theirs as well: read CPU, and several rounds: on two processors the same run costs a
quarter more or less by chance.

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
from load_rooms import EchoRoom, Measured
from load_servers import echo, game

HEAD = (
    f"{'server':9} {'conns':>6} {'moves/s':>8} {'p50 ms':>8} {'p99 ms':>8} {'µs/move':>8} "
    f"{'µs/msg':>8} {'bytes':>6} {'kB/conn':>7} {'at end':>7} {'gc ms':>7} {'gc cpu':>7} "
    f"{'gen %':>5} {'stolen %':>8} {'load':>5}"
)

TURN_SECONDS = 2


async def main() -> None:
    """Run all, and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--connections", default="500,2000,5000")
    parser.add_argument("--moves", type=float, default=1000)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=1, help="of ours and the echo")
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
    """Ours and the echo with messages of the same length, by turns of a second or two: what else
    the machine does then falls on both."""
    async with game(connections) as ours, echo(connections, args.echo_messages) as bare:
        turns = max(1, round(args.seconds / TURN_SECONDS))
        for _ in range(turns):
            EchoRoom.size = await ours.play(args.moves, args.seconds / turns)
            await bare.play(args.moves, args.seconds / turns)
    return tell_pair(connections, ours.measured, bare.measured)


def tell_pair(connections: int, ours: Measured, bare: Measured) -> tuple[Measured, Measured]:
    """What came of a round."""
    print(ours.line("tuilerie", connections))
    print(bare.line("echo", connections))
    a_move = (ours.cpu / max(1, ours.moves)) / max(1e-9, bare.cpu / max(1, bare.moves))
    ratio = f"{ratio_of(ours, bare):.2f} times the echo's (goal: 1.6), per move {a_move:.2f}"
    print(f"{'':9} {connections:6} CPU per message {ratio}", flush=True)
    return ours, bare


def ratio_of(ours: Measured, bare: Measured) -> float:
    """How many times the echo's CPU a message costs."""
    return ours.cpu_a_message / max(1e-9, bare.cpu_a_message)


def tell(connections: int, pairs: list[tuple[Measured, Measured]]) -> None:
    """The middle of several rounds: what else the machine does comes and goes."""
    tell_some("all", connections, pairs)
    quiet = [pair for pair in pairs if pair[0].quiet and pair[1].quiet]
    if quiet:
        tell_some("quiet", connections, quiet)
    else:
        print(f"{'quiet':9} {connections:6} none of the rounds", flush=True)


def tell_some(which: str, connections: int, pairs: list[tuple[Measured, Measured]]) -> None:
    """The middle of these rounds."""
    ratios = sorted(ratio_of(ours, bare) for ours, bare in pairs)
    slowest = sorted(ours.p99 * 1000 for ours, _ in pairs)
    cpu = sorted(ours.cpu / max(1, ours.moves) * 1e6 for ours, _ in pairs)
    print(
        f"{which:9} {connections:6} median of {len(pairs)} rounds: CPU per message "
        f"{statistics.median(ratios):.2f} times the echo's ({ratios[0]:.2f} to {ratios[-1]:.2f}), "
        f"{statistics.median(cpu):.0f} µs a move, p99 {statistics.median(slowest):.1f} ms "
        f"({slowest[0]:.1f} to {slowest[-1]:.1f})",
        flush=True,
    )


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
