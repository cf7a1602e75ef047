"""Workers behind Redis: jobs are decoded strictly, survive a worker's death, and none is computed
twice. Without a worker the node computes its bots' moves itself, at once."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis
from redis.exceptions import ResponseError

from tests.server.bots.test_pools import BLOCKERS, view_of
from tests.server.house import house
from tests.servers import RedisServer, redis_server
from tuilerie.bots.thinker import Question, decode, encode, question, think
from tuilerie.codec import Malformed
from tuilerie.games import GAMES
from tuilerie.games.game import AnyGame, AnyView, Json
from tuilerie.server.bots.pool import BotFailed, NoBotPool, Thought, fallback_move
from tuilerie.server.bots.redis_pool import (
    GROUP,
    JOBS,
    RedisBotPool,
    RedisBotWorker,
    live_processes,
)
from tuilerie.server.cancellation import cancel_and_wait
from tuilerie.server.ops import metrics

__all__ = ["redis_server"]


class Greedy:
    """What a worker computes with, in these tests: the greedy bot, and what it was asked."""

    def __init__(self) -> None:
        self.asked: list[float | None] = []  # for each question the time to think

    async def think_within(
        self, rules: AnyGame, level: str, view: AnyView, seconds: float | None
    ) -> Thought:
        del level
        self.asked.append(seconds)
        return Thought(fallback_move(rules, view), shortened=seconds is not None)


class Spare(NoBotPool):
    """The node's own pool, and how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    async def think(self, rules: AnyGame, level: str, view: AnyView, table: str) -> Thought:
        self.asked += 1
        return await super().think(rules, level, view, table)


async def has_workers(asking: RedisBotPool, *, some: bool = True) -> None:
    """Wait until a pool knows of a worker, or knows that there is none."""
    async with asyncio.timeout(60):
        while (asking.trouble() is None) is not some:
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("game", GAMES)
def test_a_view_survives_encoding_for_a_worker(game: str) -> None:
    """With what the seat remembers, and the rules by which it is played."""
    for version in GAMES[game].card.versions:
        rules, view = GAMES[game].by_version(version), view_of(game, version)
        asked = question(rules, "greedy", view, seed=3)
        read = decode(Question, encode(asked))
        assert read == asked
        assert rules.read_view(read.view) == view
        assert think(read).text in view.legal


QUESTION: Json = json.loads(encode(question(BLOCKERS, "greedy", view_of("blockers"))))

BAD_QUESTIONS = {
    "nothing": b"",
    "no JSON": b"{",
    "no UTF-8": b'"\xff"',
    "pickled": b"\x80\x05cposix\nsystem\n.",
    "too deep": b"[" * 100_000,
    "a list": b"[]",
    "a number": b"7",
    "no fields": b"{}",
    "a field too many": json.dumps(QUESTION | {"more": 1}).encode(),
    "no view": json.dumps(QUESTION | {"view": None}).encode(),
    "an unknown game": json.dumps(QUESTION | {"game": "chess"}).encode(),
    "the view of another game": json.dumps(QUESTION | {"game": "genial"}).encode(),
    "a game that is no name": json.dumps(QUESTION | {"game": ["blockers"]}).encode(),
    "unknown rules": json.dumps(QUESTION | {"rules": 99}).encode(),
    "rules that are not a number": json.dumps(QUESTION | {"rules": True}).encode(),
    "a view without a field": json.dumps(
        QUESTION | {"view": {k: v for k, v in QUESTION["view"].items() if k != "rack"}}
    ).encode(),
    "a view with a field too many": json.dumps(
        QUESTION | {"view": QUESTION["view"] | {"__class__": "os.system"}}
    ).encode(),
    "a field of another type": json.dumps(
        QUESTION | {"view": QUESTION["view"] | {"rack": "b1"}}
    ).encode(),
}


@pytest.mark.parametrize("data", BAD_QUESTIONS.values(), ids=BAD_QUESTIONS)
async def test_invalid_questions_are_rejected_and_nothing_is_executed(data: bytes) -> None:
    bot_pool = Greedy()
    worker = RedisBotWorker("redis://localhost:1", bot_pool)
    assert await worker._think({b"question": data}, 1) == {"why": "unreadable"}
    assert bot_pool.asked == []


async def test_a_job_without_a_question_is_rejected() -> None:
    """As a node of an older version would send it."""
    worker = RedisBotWorker("redis://localhost:1", Greedy())
    assert await worker._think({b"view": b"x", b"game": b"blockers"}, 1) == {"why": "unreadable"}


def test_only_a_complete_question_is_decoded() -> None:
    assert decode(Question, json.dumps(QUESTION).encode()).game == "blockers"
    for name in QUESTION:
        rest = {key: value for key, value in QUESTION.items() if key != name}
        with pytest.raises(Malformed, match=name):
            decode(Question, json.dumps(rest).encode())


async def test_invalid_jobs_are_answered_and_the_worker_continues(
    redis_server: RedisServer,
) -> None:
    redis: Any = Redis.from_url(redis_server.url)
    asking, bot_pool = RedisBotPool(redis_server.url, Spare()), Greedy()
    worker = asyncio.create_task(RedisBotWorker(redis_server.url, bot_pool).run())
    await asking.start()
    await has_workers(asking)
    try:
        until = str(time.time() + 60)
        envelope = {"id": "x", "node": "test", "until": until}
        for data in BAD_QUESTIONS.values():
            await redis.xadd(JOBS, envelope | {"question": data})
        for wrong in ({"id": "x"}, {"until": until}, envelope | {"until": "soon"}):
            await redis.xadd(JOBS, wrong)  # nobody waits for an answer to these
        view = view_of("blockers")
        assert (await asking.think(BLOCKERS, "greedy", view, "t")).move in view.legal
        assert len(bot_pool.asked) == 1
        answers = [fields[b"answer"] for _, fields in await redis.xrange("tuilerie:moves:test")]
        assert answers == [b'{"why": "unreadable"}'] * len(BAD_QUESTIONS)
        async with asyncio.timeout(60):
            while await redis.xlen(JOBS):  # nobody takes them up again
                await asyncio.sleep(0.01)
    finally:
        await cancel_and_wait(worker)
        await asking.stop()
        await redis.aclose()


@pytest.mark.parametrize(
    "reply",
    [b"", b"{", b"7", b"{}", b'{"move":"x"}', b'{"move":"x","seconds":"y","shortened":1}'],
    ids=repr,
)
async def test_an_invalid_answer_fails_its_question_and_no_other(reply: bytes) -> None:
    """As anybody with access to Redis can send it."""
    pool = RedisBotPool("redis://127.0.0.1:1")
    asked: asyncio.Future[Thought] = asyncio.get_running_loop().create_future()
    pool._waiting["job"] = asked
    pool._answer({b"answer": reply})
    pool._answer({b"id": b"\xff", b"answer": reply})
    assert not asked.done()
    pool._answer({b"id": b"job", b"answer": reply})
    with pytest.raises(BotFailed, match="died"):
        await asked
    await pool.stop()


async def test_a_worker_computes_moves_for_another_machine(redis_server: RedisServer) -> None:
    spare, bot_pool = Spare(), Greedy()
    asking = RedisBotPool(redis_server.url, spare)
    worker = asyncio.create_task(RedisBotWorker(redis_server.url, bot_pool).run())
    await asking.start()
    try:
        view = view_of("blockers")
        await has_workers(asking)
        assert (await asking.think(BLOCKERS, "greedy", view, "t")).move in view.legal
        assert (len(bot_pool.asked), spare.asked) == (1, 0)
        await asyncio.to_thread(redis_server.stop)
        assert (await asking.think(BLOCKERS, "greedy", view, "t")).move in view.legal
        assert (len(bot_pool.asked), spare.asked) == (1, 1)
        await has_workers(asking, some=False)
        await asyncio.to_thread(redis_server.start)
        await has_workers(asking)
        assert (await asking.think(BLOCKERS, "greedy", view, "t")).move in view.legal
        assert (len(bot_pool.asked), spare.asked) == (2, 1)
    finally:
        await cancel_and_wait(worker)
        await asking.stop()


async def test_without_a_worker_the_node_computes_at_once_and_its_health_says_so(
    redis_server: RedisServer, tmp_path: Path
) -> None:
    spare = Spare()
    asking = RedisBotPool(redis_server.url, spare)
    view = view_of("blockers")
    async with house(tmp_path, bot_pool=asking) as server:
        health = await server.browser().http.get("/healthz")
        assert (health.status_code, health.json()) == (200, {"status": "ok", "bots": "no-worker"})
        before = counted(metrics.BOT_SPARE, "no-worker")
        thoughts = [await asking.think(BLOCKERS, "greedy", view, "t") for _ in range(5)]
        assert all(thought.move in view.legal for thought in thoughts)
        assert spare.asked == 5
        assert counted(metrics.BOT_SPARE, "no-worker") == before + 5
        redis: Any = Redis.from_url(redis_server.url)
        assert await redis.xlen(JOBS) == 0  # nothing is left for a worker that comes later
        await redis.aclose()


def counted(counter: Any, label: str) -> float:
    (family,) = counter.collect()
    found = [each for each in family.samples if each.name.endswith("_total")]
    return float(sum(each.value for each in found if label in each.labels.values()))


async def test_a_question_does_not_wait_for_workers_that_are_gone(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tuilerie.server.bots.redis_pool.SILENT_MS", 300)
    monkeypatch.setattr("tuilerie.server.bots.redis_pool.LOOK_MS", 50)
    monkeypatch.setattr("tuilerie.server.bots.redis_pool.WATCH_SECONDS", 0.05)
    spare = Spare()
    asking, view = RedisBotPool(redis_server.url, spare, patience=1000), view_of("blockers")
    worker = asyncio.create_task(RedisBotWorker(redis_server.url, Never()).run())
    await asking.start()
    try:
        await has_workers(asking)
        job = asyncio.create_task(asking.think(BLOCKERS, "greedy", view, "t"))
        redis: Any = Redis.from_url(redis_server.url)
        while not await redis.xlen(JOBS) and not job.done():
            await asyncio.sleep(0.01)
        await cancel_and_wait(worker)
        async with asyncio.timeout(60):
            assert (await job).move in view.legal
        assert spare.asked == 1
        async with asyncio.timeout(60):
            while await redis.xlen(JOBS):  # the question is withdrawn
                await asyncio.sleep(0.01)
        await redis.aclose()
    finally:
        await asking.stop()


class Never(Greedy):
    """Thinks for ever."""

    async def think_within(
        self, rules: AnyGame, level: str, view: AnyView, seconds: float | None
    ) -> Thought:
        await asyncio.Event().wait()
        return await super().think_within(rules, level, view, seconds)


async def test_thinking_time_follows_the_length_of_the_queue_and_the_number_of_processes(
    redis_server: RedisServer,
) -> None:
    fields = {b"question": json.dumps(QUESTION).encode(), b"weight": b"0.5"}
    bot_pool = Greedy()
    worker = RedisBotWorker(redis_server.url, bot_pool, processes=2)
    assert (await worker._think(fields, 2))["shortened"] is False
    assert (await worker._think(fields, 10))["shortened"] is True
    worker._all_processes = 4
    await worker._think(fields, 10)
    assert bot_pool.asked == [None, 0.1, 0.2]


async def test_each_question_is_computed_once_whatever_the_number_of_workers(
    redis_server: RedisServer,
) -> None:
    pools = [Greedy(), Greedy()]
    workers = [RedisBotWorker(redis_server.url, pool) for pool in pools]
    running = [asyncio.create_task(worker.run()) for worker in workers]
    spare, view = Spare(), view_of("blockers")
    asking = RedisBotPool(redis_server.url, spare)
    await asking.start()
    try:
        await has_workers(asking)
        asked = [asking.think(BLOCKERS, "greedy", view, str(table)) for table in range(40)]
        assert all(thought.move in view.legal for thought in await asyncio.gather(*asked))
        assert len(pools[0].asked) + len(pools[1].asked) == 40
        assert spare.asked == 0
    finally:
        await cancel_and_wait(*running)
        await asking.stop()


async def test_workers_are_counted_with_their_processes_until_they_leave(
    redis_server: RedisServer,
) -> None:
    redis: Any = Redis.from_url(redis_server.url)
    assert await live_processes(redis) == []
    workers = [RedisBotWorker(redis_server.url, Greedy(), processes=count) for count in (1, 3)]
    running = [asyncio.create_task(worker.run()) for worker in workers]
    try:
        async with asyncio.timeout(60):
            while sorted(await live_processes(redis)) != [1, 3]:
                await asyncio.sleep(0.02)
            while workers[0]._all_processes != 4:
                await asyncio.sleep(0.02)
        await cancel_and_wait(running[1])
        assert await live_processes(redis) == [1]
    finally:
        await cancel_and_wait(*running)
        await redis.aclose()


class WorkerProcess:
    """`tuilerie worker` in a separate process."""

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


async def test_the_job_of_a_killed_worker_goes_to_another(
    redis_server: RedisServer, worker_process: WorkerProcess
) -> None:
    redis: Any = Redis.from_url(redis_server.url)
    asking, view = RedisBotPool(redis_server.url, Spare(), patience=60), view_of("blockers")
    await waits_for_jobs(redis)
    await asking.start()
    await has_workers(asking)
    try:
        job = await _taken_and_stuck(redis, asking, view, worker_process.process)
        assert worker_process.end(signal.SIGKILL) == -signal.SIGKILL
        other = asyncio.create_task(RedisBotWorker(redis_server.url, Greedy()).run())
        assert (await job).move in view.legal
        async with asyncio.timeout(60):
            while await redis.xlen(JOBS):  # it is done with, and nobody does it again
                await asyncio.sleep(0.01)
        assert (await redis.xpending(JOBS, GROUP))["pending"] == 0
        await cancel_and_wait(other)
    finally:
        await asking.stop()
        await redis.aclose()


async def _taken_and_stuck(
    redis: Any, asking: RedisBotPool, view: AnyView, process: subprocess.Popen[bytes]
) -> asyncio.Task[Thought]:
    """A job that this process has taken, and stands still before it can think about it."""
    while True:
        process.send_signal(signal.SIGSTOP)
        job = asyncio.create_task(asking.think(BLOCKERS, "greedy", view, "t"))
        for _ in range(50):  # on a busy machine it takes a while to get there
            await asyncio.sleep(0.02)
            if (await redis.xpending(JOBS, GROUP))["pending"]:
                return job
        process.send_signal(signal.SIGCONT)  # it was just not waiting for one: once more
        await job


async def test_a_worker_that_still_computes_keeps_its_job(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tuilerie.server.bots.redis_pool.BOT_LOST_SECONDS", 1.0)
    slow = [Slow(), Slow()]
    asking, view = RedisBotPool(redis_server.url, Spare()), view_of("blockers")
    workers = [RedisBotWorker(redis_server.url, each) for each in slow]
    running = [asyncio.create_task(worker.run()) for worker in workers]
    await asking.start()
    await has_workers(asking)
    try:
        assert (await asking.think(BLOCKERS, "greedy", view, "t")).move in view.legal
        assert len(slow[0].asked) + len(slow[1].asked) == 1
    finally:
        await cancel_and_wait(*running)
        await asking.stop()


class Slow(Greedy):
    """Takes longer than a claim lasts."""

    async def think_within(
        self, rules: AnyGame, level: str, view: AnyView, seconds: float | None
    ) -> Thought:
        thought = await super().think_within(rules, level, view, seconds)
        await asyncio.sleep(2)
        return thought


async def test_a_worker_shuts_down_gracefully(
    redis_server: RedisServer, worker_process: WorkerProcess
) -> None:
    redis: Any = Redis.from_url(redis_server.url)
    await waits_for_jobs(redis)
    await redis.aclose()
    assert worker_process.end(signal.SIGTERM) == 0
