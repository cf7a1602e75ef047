"""Bots think in processes of their own; one that dies or hangs is replaced, and play goes on."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis
from redis.exceptions import ResponseError

from tests.server.house import house
from tests.servers import RedisServer, redis_server
from tuilerie.dealer import Dealer
from tuilerie.games import GAMES
from tuilerie.games.game import Json, plain
from tuilerie.server.bots.pool import BotFailed, NoBotPool, ProcessBotPool, move_or_fallback
from tuilerie.server.bots.redis_pool import (
    GROUP,
    JOBS,
    RedisBotPool,
    RedisBotWorker,
    read_view,
    write_view,
)

__all__ = ["redis_server"]


def view_of(game: str) -> Json:
    rules, dealer = GAMES[game], Dealer("7")
    state = rules.start(2, dealer.options(rules, 2, {}))
    while rules.due(state):
        state = rules.apply(state, dealer.deal(rules, state)).state
    return rules.view(state, rules.actors(state)[0])


async def test_a_pool_thinks_for_every_game_and_level() -> None:
    bot_pool = ProcessBotPool(1, seconds=60)
    await bot_pool.start()
    try:
        for game in GAMES:
            view = view_of(game)
            for level in ("random", "greedy"):
                assert await bot_pool.think(game, level, view) in view.legal
    finally:
        await bot_pool.stop()


async def test_a_bot_that_dies_is_replaced_and_the_simple_one_plays() -> None:
    bot_pool = ProcessBotPool(1, seconds=60)
    await bot_pool.start()
    try:
        view = view_of("blockers")
        await bot_pool.think("blockers", "random", view)
        (worker,) = bot_pool.workers
        os.kill(worker.pid, signal.SIGKILL)
        assert await move_or_fallback(bot_pool, "blockers", "greedy", view) in view.legal
        (other,) = bot_pool.workers
        assert other.pid != worker.pid
        assert await bot_pool.think("blockers", "greedy", view) in view.legal
    finally:
        await bot_pool.stop()


async def test_a_bot_that_is_late_is_ended() -> None:
    bot_pool = ProcessBotPool(1, seconds=60)
    await bot_pool.start()
    try:
        view = view_of("blockers")
        await bot_pool.think("blockers", "random", view)
        (worker,) = bot_pool.workers
        os.kill(worker.pid, signal.SIGSTOP)  # it hangs
        bot_pool._seconds = 0.2
        with pytest.raises(BotFailed, match="late"):
            await bot_pool.think("blockers", "greedy", view)
        assert worker not in bot_pool.workers
    finally:
        await bot_pool.stop()


async def test_a_bot_with_a_fault_keeps_its_process() -> None:
    bot_pool = ProcessBotPool(1, seconds=60)
    await bot_pool.start()
    try:
        (worker,) = bot_pool.workers
        with pytest.raises(BotFailed, match="fault"):
            await bot_pool.think("blockers", "no-such-level", view_of("blockers"))
        assert bot_pool.workers == {worker}
    finally:
        await bot_pool.stop()


class Hopeless(NoBotPool):
    """Every job fails."""

    async def think(self, game: str, level: str, view: Json) -> str:
        raise BotFailed("died")


@pytest.mark.parametrize("game", ["blockers", "kaosmos"])
async def test_a_game_goes_on_without_any_bot_that_answers(tmp_path: Path, game: str) -> None:
    async with house(tmp_path, bot_pool=Hopeless()) as server:
        ada = server.browser()
        options: Any = {"seconds": None} if game == "kaosmos" else {}
        slug = await ada.create(game, 2, bots=[{"seat": 1, "level": "greedy"}], options=options)
        line = await ada.join(slug)
        await line.do("begin")
        begun = line.number
        if line.view["play"]["legal"]:
            await line.do("make", move=line.view["play"]["legal"][0])
        await line.until_number(max(begun, line.number) + 1)


# --- workers behind Redis -------------------------------------------------------------------------


def test_a_view_survives_the_way_to_a_worker() -> None:
    for game in GAMES:
        view = view_of(game)
        assert plain(read_view(write_view(view))) == plain(view)


def test_nothing_but_a_view_is_read() -> None:
    for bad in (os.system, print, eval, asyncio.run, pickle.Unpickler):
        with pytest.raises(pickle.UnpicklingError):
            read_view(pickle.dumps(bad))


async def test_a_worker_thinks_for_another_machine(redis_server: RedisServer) -> None:
    asking, thinking = RedisBotPool(redis_server.url, seconds=30), NoBotPool()
    worker = asyncio.create_task(RedisBotWorker(redis_server.url, thinking).run())
    await asking.start()
    try:
        view = view_of("blockers")
        await asyncio.sleep(0.2)
        assert await asking.think("blockers", "greedy", view) in view.legal
        asking._seconds = 1.0
        await asyncio.to_thread(redis_server.stop)
        assert await move_or_fallback(asking, "blockers", "greedy", view) in view.legal
        await asyncio.to_thread(redis_server.start)
        for _ in range(20):
            try:
                assert await asking.think("blockers", "greedy", view) in view.legal
                break
            except BotFailed:
                await asyncio.sleep(0.5)
        else:
            pytest.fail("the worker did not come back")
    finally:
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)
        await asking.stop()


class WorkerProcess:
    """`tuilerie worker` in a process of its own."""

    def __init__(self, url: str) -> None:
        words = ("worker", "--redis-url", url, "--log-level", "warning")
        self.process = subprocess.Popen([sys.executable, "-m", "tuilerie.cli", *words])

    def end(self, how: signal.Signals) -> int:
        self.process.send_signal(signal.SIGCONT)
        self.process.send_signal(how)
        return self.process.wait(60)


@pytest.fixture
def worker_process(redis_server: RedisServer) -> Iterator[WorkerProcess]:
    worker = WorkerProcess(redis_server.url)
    try:
        yield worker
    finally:
        worker.end(signal.SIGKILL)


async def waits_for_jobs(redis: Any) -> None:
    """Wait until a worker has asked for jobs."""
    async with asyncio.timeout(60):
        while True:
            with suppress(ResponseError):
                if await redis.xinfo_groups(JOBS):
                    return
            await asyncio.sleep(0.02)


async def test_the_job_of_a_worker_that_is_killed_is_done_by_another(
    redis_server: RedisServer, worker_process: WorkerProcess
) -> None:
    redis: Any = Redis.from_url(redis_server.url)
    asking, view = RedisBotPool(redis_server.url, seconds=60), view_of("blockers")
    await asking.start()
    await waits_for_jobs(redis)
    try:
        job = await _taken_and_stuck(redis, asking, view, worker_process.process)
        assert worker_process.end(signal.SIGKILL) == -signal.SIGKILL
        other = asyncio.create_task(RedisBotWorker(redis_server.url, NoBotPool()).run())
        assert await job in view.legal
        async with asyncio.timeout(60):
            while await redis.xlen(JOBS):  # it is done with, and nobody does it again
                await asyncio.sleep(0.01)
        assert (await redis.xpending(JOBS, GROUP))["pending"] == 0
        other.cancel()
        await asyncio.gather(other, return_exceptions=True)
    finally:
        await asking.stop()
        await redis.aclose()


async def _taken_and_stuck(
    redis: Any, asking: RedisBotPool, view: Json, process: subprocess.Popen[bytes]
) -> asyncio.Task[str]:
    """A job that this process has taken, and stands still before it can think about it."""
    while True:
        process.send_signal(signal.SIGSTOP)
        job = asyncio.create_task(asking.think("blockers", "greedy", view))
        await asyncio.sleep(0.05)
        if (await redis.xpending(JOBS, GROUP))["pending"]:
            return job
        process.send_signal(signal.SIGCONT)  # it was just not waiting for one: once more
        await job


async def test_a_worker_that_still_thinks_keeps_its_job(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tuilerie.server.bots.redis_pool.BOT_LOST_SECONDS", 0.2)
    asked: list[str] = []

    class Slow(NoBotPool):
        async def think(self, game: str, level: str, view: Json) -> str:
            asked.append(level)
            await asyncio.sleep(1)
            return await super().think(game, level, view)

    asking, view = RedisBotPool(redis_server.url, seconds=60), view_of("blockers")
    workers = [RedisBotWorker(redis_server.url, Slow()) for _ in range(2)]
    running = [asyncio.create_task(worker.run()) for worker in workers]
    await asking.start()
    try:
        assert await asking.think("blockers", "greedy", view) in view.legal
        assert asked == ["greedy"]
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await asking.stop()


async def test_a_worker_ends_in_order_when_it_is_asked_to(
    redis_server: RedisServer, worker_process: WorkerProcess
) -> None:
    redis: Any = Redis.from_url(redis_server.url)
    await waits_for_jobs(redis)
    await redis.aclose()
    assert worker_process.end(signal.SIGTERM) == 0
