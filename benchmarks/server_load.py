"""The table server under load, game by game, beside a bare uvicorn echo under the same load.

Rooms of four play by legal moves, chosen from the views that they are sent; every move is on disk
before it is sent to anybody. Their tables are somewhere between the first move of a game and the
last, so that views are as long as they are on average. Kaosmos is played without a timer: drafts,
building with tiles laid and lifted, claims, and the counts at the end of rounds. This process
generates the load and measures; the servers are separate processes.

What is compared: a **move** is one message in. Our server validates it, writes it to SQLite, sends
an update to all four, and an answer to the player. The **echo** is the least that uvicorn can do
for the same four sockets: it sends each message on to all of them, as it came, of the mean length
of ours (before compression); with `--echo-messages 2` it does so twice. It stores, validates and
computes nothing, and sends no keepalive pings, as ours does every twenty seconds.

Rows: "message" is every update or welcome; its bytes are those of the frame,
head included, after compression where the server agrees to it. CPU is the server's, all its threads
included, and counts for every message that it sends, answers too. From a move to its last delivery:
bonus tiles of Kaosmos are not timed, as the server holds such moves for 75 ms. "Generator": how
busy this process was (100 %: it was the bottleneck). "Stolen": which share of the processors' time
the host of the machine gave to others. Where they take a hundredth of the time, they make the
slowest hundredth: the rounds of a quiet machine (`load_rooms.QUIET`) are summed up by themselves.
Where other programs run on it, times by the clock are theirs as well: read CPU, and several rounds:
on two processors the same run costs a quarter more or less by chance.

    python benchmarks/server_load.py [--games blockers,genial,kaosmos] [--connections 2000]
        [--moves 400] [--seconds 10] [--rounds 1] [--env NAME=VALUE]
    python benchmarks/server_load.py --games blockers --connections 5000 --moves 1000
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import resource
import signal
import statistics
from collections.abc import Callable, Mapping, Sequence
from math import isnan, nan
from typing import NamedTuple

import uvloop
from load_games import OPTIONS, SEATS
from load_rooms import EchoRoom, Measured, quantile
from load_servers import Load, echo, tables

TURN_SECONDS = 2


class Round(NamedTuple):
    """One round of a game: ours, the echo, and the size of a replay on the wire and unpacked."""

    ours: Measured
    bare: Measured
    replay: tuple[int, int]
    load_average: float

    @property
    def quiet(self) -> bool:
        """Whether the round was quiet."""
        return self.ours.quiet and self.bare.quiet

    @property
    def bytes_a_move(self) -> float:
        """Bytes sent to a seat per move."""
        return self.ours.on_wire / max(1, self.ours.moves) / SEATS

    def before_compression(self, share: float) -> float:
        """A quantile of the lengths of messages, where they were compressed."""
        return quantile(self.ours.texts, share) if self.ours.deflated else nan


ROWS: Sequence[tuple[str, Callable[[Round], float]]] = (
    ("moves a second", lambda r: r.ours.moves / r.ours.seconds),
    ("from a move to its last delivery, p50, ms", lambda r: r.ours.median * 1000),
    ("  p99", lambda r: r.ours.p99 * 1000),
    ("  p99 in quiet rounds", lambda r: r.ours.p99 * 1000 if r.quiet else nan),
    ("  the echo's p50", lambda r: r.bare.median * 1000),
    ("  the echo's p99", lambda r: r.bare.p99 * 1000),
    ("CPU per move, µs", lambda r: r.ours.cpu_a_move * 1e6),
    ("  the echo's", lambda r: r.bare.cpu_a_move * 1e6),
    ("  times the echo's", lambda r: r.ours.cpu_a_move / max(1e-9, r.bare.cpu_a_move)),
    ("CPU per message, µs", lambda r: r.ours.cpu_a_message * 1e6),
    ("  the echo's", lambda r: r.bare.cpu_a_message * 1e6),
    ("  times the echo's", lambda r: r.ours.cpu_a_message / max(1e-9, r.bare.cpu_a_message)),
    ("bytes per message, median", lambda r: quantile(r.ours.frames, 0.5)),
    ("  95 %", lambda r: quantile(r.ours.frames, 0.95)),
    ("  largest", lambda r: max(r.ours.frames, default=0)),
    ("  before compression, median", lambda r: r.before_compression(0.5)),
    ("  before compression, 95 %", lambda r: r.before_compression(0.95)),
    ("  before compression, largest", lambda r: r.before_compression(1)),
    ("  with a count, median", lambda r: quantile(r.ours.counts, 0.5) or nan),
    ("  with a count, how many", lambda r: len(r.ours.counts) or nan),
    ("messages per move, with answers", lambda r: r.ours.messages / max(1, r.ours.moves)),
    ("bytes per move and seat, with answers", lambda r: r.bytes_a_move),
    ("memory per connection, joined, kB", lambda r: r.ours.memory),
    ("  after the moves", lambda r: r.ours.memory_after),
    ("longest pause of the collector, ms", lambda r: r.ours.pause * 1000),
    ("  its CPU", lambda r: r.ours.pause_cpu * 1000),
    ("bytes of a whole replay", lambda r: r.replay[0]),
    ("  before compression", lambda r: r.replay[1] if r.replay[1] != r.replay[0] else nan),
    ("moves refused", lambda r: len(r.ours.refused)),
    ("generator, % of a processor", lambda r: r.ours.own_cpu / r.ours.seconds * 100),
    ("stolen, %", lambda r: r.ours.stolen * 100),
    ("load average", lambda r: r.load_average),
)
"""Each figure of a round; a row that no round has a figure for (`nan`) is not printed."""


async def main() -> None:
    """Run all, and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", default=",".join(OPTIONS))
    parser.add_argument("--connections", type=int, default=2000)
    parser.add_argument("--moves", type=float, default=400, help="a second, at all tables")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=1, help="of ours and the echo")
    parser.add_argument("--echo-messages", type=int, default=1, help="to each socket, for a move")
    parser.add_argument(
        "--env", action="append", default=[], metavar="NAME=VALUE", help="for our server's process"
    )
    args = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    gc.disable()  # no garbage collection pauses in the generator
    if task := asyncio.current_task():  # stopping this process stops its servers, too
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    found: dict[str, list[Round]] = {}
    try:
        await run(args, found)
    finally:
        report(args, found)


async def run(args: argparse.Namespace, found: dict[str, list[Round]]) -> None:
    """All rounds of all games; what else the machine does then falls on all games."""
    env = dict(each.split("=", 1) for each in args.env)
    for number in range(args.rounds):
        for game in args.games.split(","):
            load = Load(game, args.connections, args.moves, args.seconds, env)
            one = await compare(load, args.echo_messages)
            found.setdefault(game, []).append(one)
            tell_round(game, number, one)
            gc.collect()


async def compare(load: Load, echo_messages: int) -> Round:
    """Ours and the echo with messages of the same length, by turns of a second or two: what else
    the machine does then falls on both."""
    async with tables(load) as (ours, replay), echo(load.connections, echo_messages) as bare:
        turns = max(1, round(load.seconds / TURN_SECONDS))
        for _ in range(turns):
            EchoRoom.size = await ours.play(load.moves, load.seconds / turns)
            await bare.play(load.moves, load.seconds / turns)
        return Round(ours.measured, bare.measured, replay(), os.getloadavg()[0])


def tell_round(game: str, number: int, one: Round) -> None:
    """A line for each round, while more are to come."""
    ours = one.ours
    cpu = f"{ours.cpu_a_move * 1e6:.0f} µs a move"
    print(
        f"{game}, round {number + 1}: {ours.moves / ours.seconds:.0f} moves/s, {cpu}, "
        f"p50 {ours.median * 1000:.1f} ms, p99 {ours.p99 * 1000:.1f} ms, "
        f"stolen {ours.stolen * 100:.2f} %",
        flush=True,
    )
    for refusal in sorted(set(ours.refused))[:3]:
        print(f"  refused: {refusal[:200].decode()}")


def report(args: argparse.Namespace, found: Mapping[str, Sequence[Round]]) -> None:
    """The table of all games: of several rounds the median, and the least and the most."""
    print(
        f"\n{args.connections} connections, tables of {SEATS}, {args.moves:g} moves a second asked "
        f"for, {max(map(len, found.values()), default=0)} rounds of {args.seconds:g} s "
        f"{' '.join(args.env)}"
    )
    print(f"{'':42}" + "".join(f"{game:>28}" for game in found))
    for name, figure in ROWS:
        cells = [cell([figure(each) for each in rounds]) for rounds in found.values()]
        if any(cells):
            print(f"{name:42}" + "".join(f"{each:>28}" for each in cells))


def cell(figures: Sequence[float]) -> str:
    """The median, and the least and the most where they differ."""
    known = sorted(each for each in figures if not isnan(each))
    if not known:
        return ""
    least, middle, most = map(brief, (known[0], statistics.median(known), known[-1]))
    return middle if least == most else f"{middle} ({least}–{most})"


def brief(figure: float) -> str:
    """Three digits, or all before the point."""
    digits = 0 if figure >= 100 else 1 if figure >= 10 else 2
    return f"{figure:,.{0 if figure == int(figure) else digits}f}"


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
