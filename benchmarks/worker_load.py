"""Workers behind Redis: thoughts a second with one worker and with two, and none thrown away.

A node asks for moves of several tables at a time through Redis; `tuilerie worker` answers, here
with one process each. One worker and two, each with a Redis of their own, compute the same number
of thoughts in turn, round by round, so that whatever else the machine does slows both alike.

Columns: "computed": thoughts that workers have computed; "answered": moves that the node got from
them; "on the node": moves that it computed itself. None is thrown away if the first two are equal.
"waited": how long a worker was ready to compute and got no core.

Two ratios, each the median of the rounds. "By the clock": thoughts a second. "With a core for each
worker": CPU time that workers compute, beside the time in which they did not wait for a core. It is
the same on a busy machine, on which thoughts get shorter.

    python benchmarks/worker_load.py [--game blockers] [--level porcelain] [--tables 6]
        [--rounds 7] [--thoughts 40]
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

from load_servers import cpu_seconds, waited_seconds

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.servers import RedisServer  # noqa: E402

from tuilerie.dealer import Dealer  # noqa: E402
from tuilerie.games import GAMES  # noqa: E402
from tuilerie.games.game import AnyView  # noqa: E402
from tuilerie.server.bots.pool import NoBotPool, Thought  # noqa: E402
from tuilerie.server.bots.redis_pool import RedisBotPool, live_processes  # noqa: E402
from tuilerie.server.ops.logging import configure_logging  # noqa: E402

WORKER = """
import asyncio, signal, sys
from tuilerie.server.bots.pool import ProcessBotPool
from tuilerie.server.bots.redis_pool import RedisBotWorker
from tuilerie.server.cancellation import cancel_and_wait
class Counting(ProcessBotPool):
    thoughts = 0
    async def think_within(self, *asked):
        thought = await super().think_within(*asked)
        self.thoughts += 1
        return thought
async def main():
    pool = Counting(1)
    await pool.start()
    print(*[worker.pid for worker in pool.workers], flush=True)
    task = asyncio.create_task(RedisBotWorker(sys.argv[1], pool).run())
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    await ended.wait()
    await cancel_and_wait(task)
    await pool.stop()
    print(pool.thoughts, flush=True)
asyncio.run(main())
"""


class Spare(NoBotPool):
    """Counts what the node computes itself."""

    def __init__(self) -> None:
        self.asked = 0

    async def think(self, rules: Any, level: str, view: AnyView, table: str) -> Thought:
        """Count it."""
        self.asked += 1
        return await super().think(rules, level, view, table)


def view_of(game: str) -> AnyView:
    """The first view of a game."""
    rules, dealer = GAMES[game], Dealer("7")
    state = rules.start(2, dealer.options(rules, 2, {}))
    while rules.due(state):
        state = rules.apply(state, dealer.deal(rules, state)).state
    return rules.view(state, rules.actors(state)[0])


@dataclass
class Side:
    """So many workers with a Redis of their own, and what they have done so far."""

    pids: list[int]
    pool: RedisBotPool
    spare: Spare
    answered: int = 0
    computed: int = 0
    seconds: list[float] = field(default_factory=list)  # of each round
    computing: list[float] = field(default_factory=list)  # CPU a second, without waits for a core
    cpu: float = 0
    waited: float = 0

    async def play(self, asked: Any) -> None:
        """One round: so many thoughts, asked for by so many tables."""
        rules, view = GAMES[asked.game], view_of(asked.game)
        began, cpu = time.perf_counter(), sum(map(cpu_seconds, self.pids))
        waited, numbers = sum(map(waited_seconds, self.pids)), count(1)

        async def ask(table: str) -> None:
            while next(numbers) <= asked.thoughts:
                await self.pool.think(rules, asked.level, view, table)
                self.answered += 1

        await asyncio.gather(*(ask(str(number)) for number in range(asked.tables)))
        seconds = time.perf_counter() - began
        waited = sum(map(waited_seconds, self.pids)) - waited
        cpu = sum(map(cpu_seconds, self.pids)) - cpu
        self.seconds.append(seconds)
        self.computing.append(cpu / (seconds - waited / len(self.pids)))
        self.cpu += cpu
        self.waited += waited


@asynccontextmanager
async def side(program: str, workers: int) -> AsyncIterator[Side]:
    """Start Redis, so many workers, and a node's pool."""
    redis = RedisServer(program)
    running: list[subprocess.Popen[bytes]] = []
    try:
        redis.start()
        for _ in range(workers):
            words = [sys.executable, "-c", WORKER, redis.url]
            running.append(subprocess.Popen(words, stdout=subprocess.PIPE))
        pids = [int((each.stdout or sys.stdin).readline()) for each in running]
        made = Side(pids, RedisBotPool(redis.url, spare := Spare()), spare)
        await made.pool.start()
        while len(await live_processes(made.pool._redis)) < workers or made.pool.trouble():
            await asyncio.sleep(0.05)
        yield made
        await made.pool.stop()
        for each in running:
            each.send_signal(signal.SIGTERM)
        made.computed = sum(int(each.communicate(timeout=60)[0].split()[-1]) for each in running)
    finally:
        for each in running:
            each.kill()
            each.wait()
        redis.remove()


async def measure(program: str, asked: Any) -> list[Side]:
    """One worker and two, in turn."""
    async with AsyncExitStack() as stack:
        sides = [await stack.enter_async_context(side(program, workers)) for workers in (1, 2)]
        for number in range(asked.rounds):
            for each in sides if number % 2 else sides[::-1]:
                await each.play(asked)
    return sides


def main() -> None:
    """One worker beside two."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="blockers")
    parser.add_argument("--level", default="porcelain")
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--thoughts", type=int, default=40)
    asked = parser.parse_args()
    configure_logging("console", "error")
    program = shutil.which("redis-server")
    if program is None:
        raise SystemExit("Redis is not installed: run scripts/test-servers")
    what = f"{asked.rounds} rounds of {asked.thoughts} thoughts each"
    print(f"{asked.game}, {asked.level}, {asked.tables} tables, {what}")
    print("workers  thoughts a second  computed  answered  on the node  CPU ms a thought  waited")
    one, two = asyncio.run(measure(program, asked))
    for each in (one, two):
        print(
            f"{len(each.pids):7}  {asked.thoughts / median(each.seconds):17.1f}"
            f"  {each.computed:8}  {each.answered:8}  {each.spare.asked:11}"
            f"  {1000 * each.cpu / max(1, each.computed):16.2f}"
            f"  {100 * each.waited / len(each.pids) / sum(each.seconds):4.0f} %",
        )
    clock = median(a / b for a, b in zip(one.seconds, two.seconds, strict=True))
    core = median(b / a for a, b in zip(one.computing, two.computing, strict=True))
    print(f"two workers, by the clock: {clock:.2f} × the thoughts of one")
    print(f"two workers, with a core for each worker: {core:.2f} ×")


if __name__ == "__main__":
    main()
