"""Workers behind Redis: thoughts a second with one worker and with two, and none thrown away.

A node asks for moves of many tables at a time through Redis; `tuilerie worker` answers, here with
one process each. The level has a node budget, so each thought is the same work: thoughts can be
counted by the clock, and per CPU second of the workers on a busy machine.

Columns: "computed": thoughts that workers have computed; "answered": moves that the node got from
them; "on the node": moves that it computed itself. None is thrown away if the first two are equal.

    python benchmarks/worker_load.py [--game genial] [--level faience] [--tables 40] [--seconds 15]
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from load_servers import cpu_seconds

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


async def measure(
    redis: RedisServer, workers: int, asked: Any
) -> tuple[int, int, int, float, float]:
    """Computed, answered, by the node itself; seconds, and CPU seconds of the bot processes."""
    running = [
        subprocess.Popen([sys.executable, "-c", WORKER, redis.url], stdout=subprocess.PIPE)
        for _ in range(workers)
    ]
    try:
        pids = [int((each.stdout or sys.stdin).readline()) for each in running]
        spare = Spare()
        pool = RedisBotPool(redis.url, spare)
        await pool.start()
        while len(await live_processes(pool._redis)) < workers or pool.trouble() is not None:
            await asyncio.sleep(0.05)
        rules, view, answered = GAMES[asked.game], view_of(asked.game), 0
        began, cpu = time.perf_counter(), sum(map(cpu_seconds, pids))
        until = began + asked.seconds

        async def ask(table: str) -> None:
            nonlocal answered
            while time.perf_counter() < until:
                await pool.think(rules, asked.level, view, table)
                answered += 1

        await asyncio.gather(*(ask(str(number)) for number in range(asked.tables)))
        seconds = time.perf_counter() - began
        cpu = sum(map(cpu_seconds, pids)) - cpu
        await pool.stop()
    finally:
        for each in running:
            each.send_signal(signal.SIGTERM)
        told = [each.communicate(timeout=60)[0] for each in running]
    return sum(int(text.split()[-1]) for text in told), answered, spare.asked, seconds, cpu


def main() -> None:
    """One worker, then two."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="genial")
    parser.add_argument("--level", default="faience")
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=15)
    asked = parser.parse_args()
    configure_logging("console", "error")
    program = shutil.which("redis-server")
    if program is None:
        raise SystemExit("Redis is not installed: run scripts/test-servers")
    print(f"{asked.game}, {asked.level}, {asked.tables} tables, for {asked.seconds:g} s each")
    print("workers  thoughts a second  computed  answered  on the node  CPU ms a thought  CPU used")
    rates = []
    for workers in (1, 2):
        redis = RedisServer(program)
        try:
            redis.start()
            computed, answered, spared, seconds, cpu = asyncio.run(measure(redis, workers, asked))
        finally:
            redis.remove()
        rates.append(answered / seconds)
        print(
            f"{workers:7}  {rates[-1]:17.1f}  {computed:8}  {answered:8}  {spared:11}"
            f"  {1000 * cpu / max(1, computed):16.2f}  {100 * cpu / seconds:6.0f} %",
            flush=True,
        )
    print(f"two workers: {rates[1] / rates[0]:.2f} × the thoughts of one")


if __name__ == "__main__":
    main()
