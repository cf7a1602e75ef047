"""Bot pool on other machines: Redis Streams between the nodes and `tuilerie worker`.

A job is a view for one seat, so a worker learns no more than a player on that seat. It travels as
JSON (`bots.thinker.Question`), and is decoded strictly.

A worker renews its claim on a job while it computes; a job whose claim has expired goes to another
worker, so the death of a worker costs a second, not the move. The thinking time is decided when a
job is begun, by the length of the stream. A node that finds no worker computes the move itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import time
from typing import Any, Protocol

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from tuilerie.bots.thinker import Question, decode, encode, question
from tuilerie.games import GAMES
from tuilerie.games.game import AnyGame, AnyView, Refused
from tuilerie.server.bots.budget import Load, seconds_for
from tuilerie.server.bots.pool import BotFailed, BotPool, ProcessBotPool, Thought, Trouble
from tuilerie.server.cancellation import cancel_and_wait
from tuilerie.server.ops import metrics
from tuilerie.server.ops.limits import BOT_LOST_SECONDS, BOT_PATIENCE_SECONDS

JOBS = "tuilerie:bots"
WORKERS = "tuilerie:workers"
"""Workers, scored by their last heartbeat: `name:processes`."""

GROUP = "workers"
MOST_JOBS = 10_000
LONGEST_PAUSE = 5.0
LOOK_MS = 250
"""How long a worker waits for a new job before it looks for an abandoned one."""

WATCH_SECONDS = 0.5
"""How often workers send heartbeats, and nodes check them."""

SILENT_MS = 2_000
"""A worker without a heartbeat for so long is lost."""

OLD_MS = 3_600_000
"""A consumer without pending jobs is deleted after being idle for so long."""

log: Any = structlog.get_logger("tuilerie.bots")


Job = tuple[bytes, dict[bytes, bytes]]
"""The id of an entry in the stream, and its fields."""


def _answers(node: str) -> str:
    return f"tuilerie:moves:{node}"


def _is_awaited(fields: dict[bytes, bytes]) -> bool:
    """Whether a node still waits for the answer to a job. Entries that are not jobs are never
    awaited: they are acknowledged and dropped, not retried."""
    try:
        return {b"id", b"node"} <= fields.keys() and float(fields[b"until"]) > time.time()
    except (KeyError, ValueError):
        return False


async def live_processes(redis: Any) -> list[int]:
    """How many processes each live worker has."""
    found = await redis.zrangebyscore(WORKERS, await _now_ms(redis) - SILENT_MS, "+inf")
    counts = [name.decode().rpartition(":")[2] for name in found]
    return [int(count) for count in counts if count.isdigit()]


async def _now_ms(redis: Any) -> int:
    """The time by Redis's clock: those of machines may differ."""
    seconds, micros = await redis.time()
    return int(seconds) * 1000 + int(micros) // 1000


def _thought(answer: bytes) -> Thought:
    """Read a worker's answer. Raises `BotFailed`, or another error if it is invalid."""
    reply = json.loads(answer)
    if "move" not in reply:
        raise BotFailed(str(reply["why"]))
    return Thought(str(reply["move"]), float(reply["seconds"]), bool(reply["shortened"]))


class RedisBotPool:
    """Asks workers through a Redis stream. If there is no Redis or no worker, or an answer does not
    come in time, the spare pool computes the move at once, in a process of this node."""

    def __init__(
        self, url: str, spare: BotPool | None = None, *, patience: float = BOT_PATIENCE_SECONDS
    ) -> None:
        self._redis = Redis.from_url(url, socket_connect_timeout=1)
        self._patience = patience
        self._node = secrets.token_hex(8)
        self._load = Load()
        self._waiting: dict[str, asyncio.Future[Thought]] = {}
        self._answered: set[str] = set()  # those of them that a worker has answered
        self._tasks: list[asyncio.Task[None]] = []
        self._trouble: Trouble | None = "no-worker"
        self._spare = spare or ProcessBotPool(1)
        self._spare_started: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start to listen for answers."""
        await self._look()
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._watch())]

    def trouble(self) -> Trouble | None:
        """See `BotPool.trouble`."""
        return self._trouble

    async def think(self, rules: AnyGame, level: str, view: AnyView, table: str) -> Thought:
        """A move of a worker, or of the spare pool."""
        try:
            with self._load.asking(table):
                return await self._ask(rules, level, view, self._load.weight(table))
        except BotFailed as failed:
            if failed.why not in ("no-worker", "no-redis", "late"):
                raise
            metrics.BOT_SPARE.labels(failed.why).inc()
        await self._start_spare()
        return await self._spare.think(rules, level, view, table)

    async def _start_spare(self) -> None:
        if self._spare_started is None:
            log.warning("bots-on-this-node", why=self._trouble)
            self._spare_started = asyncio.create_task(self._spare.start())
        await asyncio.shield(self._spare_started)

    async def _ask(self, rules: AnyGame, level: str, view: AnyView, weight: float) -> Thought:
        if self._trouble is not None:
            raise BotFailed(self._trouble)
        job = secrets.token_hex(8)
        answer: asyncio.Future[Thought] = asyncio.get_running_loop().create_future()
        self._waiting[job] = answer
        fields: Any = {
            "id": job,
            "node": self._node,
            "until": str(time.time() + self._patience),
            "weight": f"{weight:.3f}",
            "question": encode(question(rules, level, view)),
        }
        entry = None
        try:
            async with asyncio.timeout(self._patience):
                entry = await self._redis.xadd(JOBS, fields, maxlen=MOST_JOBS, approximate=True)
                return await answer
        except (TimeoutError, asyncio.CancelledError, BotFailed) as error:
            if entry is not None and job not in self._answered:
                self._tasks.append(asyncio.create_task(self._withdraw(entry)))
            if isinstance(error, TimeoutError):
                raise BotFailed("late") from None
            raise
        except (RedisError, OSError) as error:
            raise BotFailed("no-redis") from error
        finally:
            del self._waiting[job]
            self._answered.discard(job)

    async def _withdraw(self, entry: Any) -> None:
        """Delete a job whose answer nobody waits for, so that no worker thinks about it."""
        with contextlib.suppress(RedisError, OSError):
            await self._redis.xdel(JOBS, entry)
        if (task := asyncio.current_task()) in self._tasks:
            self._tasks.remove(task)

    # --- which workers there are ---

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            await self._look()

    async def _look(self) -> None:
        try:
            async with asyncio.timeout(SILENT_MS / 1000):
                trouble: Trouble | None = None if await live_processes(self._redis) else "no-worker"
        except (RedisError, OSError, TimeoutError):
            trouble = "no-redis"
        if trouble != self._trouble:
            log.warning("bot-workers", trouble=trouble)
        self._trouble = trouble
        metrics.BOT_TROUBLE.set(0 if trouble is None else 1)
        if trouble is not None:  # nobody will answer
            for answer in self._waiting.values():
                if not answer.done():
                    answer.set_exception(BotFailed(trouble))

    async def _listen(self) -> None:
        last, pause = "0", 0.1  # the stream is our own: nothing in it is old
        while True:
            try:
                found: Any = await self._redis.xread({_answers(self._node): last}, block=1_000)
                for _stream, entries in found or ():
                    for last_id, fields in entries:
                        last = last_id
                        self._answer(fields)
                pause = 0.1
            except (RedisError, OSError):
                await asyncio.sleep(pause)
                pause = min(LONGEST_PAUSE, pause * 2)

    def _answer(self, fields: dict[bytes, bytes]) -> None:
        job = fields.get(b"id", b"").decode("ascii", "replace")
        answer = self._waiting.get(job)
        if answer is None or answer.done():
            return
        self._answered.add(job)
        try:
            answer.set_result(_thought(fields[b"answer"]))
        except BotFailed as failed:
            answer.set_exception(failed)
        except (KeyError, TypeError, ValueError, RecursionError):  # not from a worker of ours
            answer.set_exception(BotFailed("died"))

    async def stop(self) -> None:
        """Stop listening."""
        await cancel_and_wait(*self._tasks)
        if self._spare_started is not None:
            await self._spare_started
            await self._spare.stop()
        with contextlib.suppress(RedisError, OSError):
            await self._redis.aclose()


class Computes(Protocol):
    """What a worker computes with: a `ProcessBotPool`."""

    async def think_within(
        self, rules: AnyGame, level: str, view: AnyView, seconds: float | None
    ) -> Thought:
        """Compute a move within this time, `None` for the bot's own. Raises `BotFailed`."""
        ...


class RedisBotWorker:
    """What `tuilerie worker` runs: takes jobs from the stream, computes moves, and answers."""

    def __init__(self, url: str, bot_pool: Computes, processes: int = 1) -> None:
        self._redis = Redis.from_url(url, socket_connect_timeout=2)
        self._pool = bot_pool
        self._name = f"{secrets.token_hex(8)}:{processes}"
        self._all_processes = processes  # of all workers
        self._places = asyncio.Semaphore(processes)
        self._looked = 0.0
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Work until cancelled; wait for Redis while it is lost."""
        pause = 0.1
        watching = asyncio.create_task(self._watch())
        try:
            while True:
                try:
                    await self._make_group()
                    pause = 0.1
                    await self._work()
                except (RedisError, OSError) as error:
                    log.warning("redis-lost", why=type(error).__name__, again_in=pause)
                    await asyncio.sleep(pause)
                    pause = min(LONGEST_PAUSE, pause * 2)
        finally:
            # Retried early, so that we end before a supervisor kills us.
            await cancel_and_wait(watching, *self._tasks, again=0.5)
            with contextlib.suppress(RedisError, OSError):
                await self._redis.zrem(WORKERS, self._name)
            with contextlib.suppress(RedisError, OSError):
                await self._redis.aclose()

    async def _make_group(self) -> None:
        # From the first entry: a job may have come before the first worker. Expired ones are
        # skipped.
        with contextlib.suppress(ResponseError):  # it exists already
            await self._redis.xgroup_create(JOBS, GROUP, id="0", mkstream=True)
        for other in await self._redis.xinfo_consumers(JOBS, GROUP):
            if other["pending"] == 0 and other["idle"] > OLD_MS:
                await self._redis.xgroup_delconsumer(JOBS, GROUP, other["name"])

    async def _watch(self) -> None:
        """Send heartbeats, and keep count of the processes of all workers."""
        while True:
            with contextlib.suppress(RedisError, OSError):
                now = await _now_ms(self._redis)
                await self._redis.zadd(WORKERS, {self._name: now})
                await self._redis.zremrangebyscore(WORKERS, "-inf", now - OLD_MS)
                self._all_processes = max(1, sum(await live_processes(self._redis)))
            await asyncio.sleep(WATCH_SECONDS)

    async def _work(self) -> None:
        while True:
            await self._places.acquire()
            job = None
            try:
                job = await self._lost_job() or await self._new_job()
            finally:
                if job is None:
                    self._places.release()
            if job is not None:
                task = asyncio.create_task(self._do(*job))
                self._tasks.add(task)
                task.add_done_callback(self._finished)

    async def _lost_job(self) -> Job | None:
        """The oldest job whose worker seems to be dead. Searched only occasionally."""
        if time.monotonic() - self._looked < LOOK_MS / 1000:
            return None
        self._looked = time.monotonic()
        idle = round(BOT_LOST_SECONDS * 1000)
        found: Any = await self._redis.xautoclaim(JOBS, GROUP, self._name, idle, count=1)
        jobs = [(entry_id, fields) for entry_id, fields in found[1] if fields]
        if jobs:
            log.info("job-taken-over")
            self._looked = 0.0  # there may be more
        return jobs[0] if jobs else None

    async def _new_job(self) -> Job | None:
        found: Any = await self._redis.xreadgroup(
            GROUP, self._name, {JOBS: ">"}, count=1, block=LOOK_MS
        )
        for _stream, entries in found or ():
            for entry_id, fields in entries:
                return entry_id, fields
        return None

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._places.release()
        if not task.cancelled() and task.exception() is not None:
            log.warning("job-lost", why=type(task.exception()).__name__)

    async def _do(self, entry_id: bytes, fields: dict[bytes, bytes]) -> None:
        if _is_awaited(fields):  # else its node has computed the move itself
            alive = asyncio.create_task(self._keep(entry_id))
            try:
                reply = await self._think(fields, await self._redis.xlen(JOBS))
            finally:
                alive.cancel()
            stream = _answers(fields[b"node"].decode())
            answer: Any = {"id": fields[b"id"], "answer": json.dumps(reply)}
            await self._redis.xadd(stream, answer, maxlen=1_000, approximate=True)
            await self._redis.expire(stream, 600)
        # In one transaction: an entry that is acknowledged but not deleted would stay for ever.
        async with self._redis.pipeline(transaction=True) as both:
            both.xack(JOBS, GROUP, entry_id)
            both.xdel(JOBS, entry_id)
            await both.execute()

    async def _keep(self, entry_id: bytes) -> None:
        """Renew the claim on this job until cancelled."""
        while True:
            await asyncio.sleep(BOT_LOST_SECONDS / 3)
            with contextlib.suppress(RedisError, OSError):
                await self._redis.xclaim(JOBS, GROUP, self._name, 0, [entry_id], justid=True)

    async def _think(self, fields: dict[bytes, bytes], jobs: int) -> dict[str, Any]:
        try:
            asked = decode(Question, fields[b"question"])
            rules = GAMES[asked.game].by_version(asked.rules)
            view = rules.read_view(asked.view)
            weight = float(fields.get(b"weight", b"1"))
        except (ValueError, KeyError, RecursionError, Refused):
            return {"why": "unreadable"}
        seconds = seconds_for(self._all_processes, jobs, weight)
        try:
            thought = await self._pool.think_within(rules, asked.bot, view, seconds)
        except BotFailed as failed:
            return {"why": failed.why}
        return {
            "move": thought.move,
            "seconds": thought.seconds,
            "shortened": thought.shortened,
        }
