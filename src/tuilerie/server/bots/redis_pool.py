"""Bot pool on other machines: Redis Streams between the nodes and `tuilerie worker`.

A job is a view for one seat, so a worker learns no more than a player on that seat. Views travel
pickled, and are unpickled by a reader that knows the games' own classes and nothing else.

A worker renews its claim on a job while it thinks; a job whose claim was not renewed for a while
goes to another worker, so that the death of a worker costs a second and not the move.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import pickle
import secrets
import time
from typing import Any

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from tuilerie.games.game import Json
from tuilerie.server.bots.pool import BotFailed, BotPool
from tuilerie.server.cancellation import cancel_and_wait
from tuilerie.server.ops.limits import BOT_LOST_SECONDS, BOT_SECONDS

JOBS = "tuilerie:bots"
GROUP = "workers"
MOST_JOBS = 10_000
LONGEST_PAUSE = 5.0
LOOK_MS = 250
"""How long a worker waits for a new job before it looks for one that another has lost."""

OLD_MS = 3_600_000
"""After this time without a word, a worker that left no job behind is forgotten."""

log: Any = structlog.get_logger("tuilerie.bots")


class _Reader(pickle.Unpickler):
    """Reads views: the classes of the games, and plain containers."""

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith("tuilerie.games.") and "." not in name:
            found = super().find_class(module, name)
            if getattr(found, "__module__", None) == module:  # its own, and the rules do no harm
                return found
        if (module, name) in (("builtins", "frozenset"), ("builtins", "set")):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a view")


def write_view(view: Json) -> bytes:
    """A view as bytes."""
    return pickle.dumps(view, protocol=5)


def read_view(data: bytes) -> Json:
    """The view of these bytes. Raises `pickle.UnpicklingError` for anything else."""
    return _Reader(io.BytesIO(data)).load()


Job = tuple[bytes, dict[bytes, bytes]]
"""The number of an entry in the stream, and its fields."""


def _answers(node: str) -> str:
    return f"tuilerie:moves:{node}"


class RedisBotPool:
    """Asks the workers behind a Redis stream. Without Redis or workers every job fails in time."""

    def __init__(self, url: str, seconds: float = BOT_SECONDS) -> None:
        self._redis = Redis.from_url(url, socket_connect_timeout=1)
        self._seconds = seconds
        self._node = secrets.token_hex(8)
        self._waiting: dict[str, asyncio.Future[str]] = {}
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to listen for answers."""
        self._task = asyncio.create_task(self._listen())

    async def think(self, game: str, level: str, view: Json) -> str:
        """Put the job into the stream and wait for its answer."""
        job = secrets.token_hex(8)
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiting[job] = answer
        fields: Any = {
            "id": job,
            "node": self._node,
            "game": game,
            "level": level,
            "until": str(time.time() + self._seconds),
            "view": write_view(view),
        }
        try:
            async with asyncio.timeout(self._seconds):
                await self._redis.xadd(JOBS, fields, maxlen=MOST_JOBS, approximate=True)
                return await answer
        except TimeoutError:
            raise BotFailed("late") from None
        except (RedisError, OSError) as error:
            raise BotFailed("no-redis") from error
        finally:
            del self._waiting[job]

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
        answer = self._waiting.get(fields[b"id"].decode())
        if answer is None or answer.done():
            return
        reply = json.loads(fields[b"answer"])
        if "move" in reply:
            answer.set_result(reply["move"])
        else:
            answer.set_exception(BotFailed(reply["why"]))

    async def stop(self) -> None:
        """Listen no longer."""
        if self._task is not None:
            await cancel_and_wait(self._task)
        with contextlib.suppress(RedisError, OSError):
            await self._redis.aclose()


class RedisBotWorker:
    """What `tuilerie worker` runs: takes jobs from the stream, thinks, and answers."""

    def __init__(self, url: str, bot_pool: BotPool, at_once: int = 1) -> None:
        self._redis = Redis.from_url(url, socket_connect_timeout=2)
        self._pool = bot_pool
        self._name = secrets.token_hex(8)
        self._places = asyncio.Semaphore(at_once)
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Work until cancelled; wait for Redis while it is lost."""
        pause = 0.1
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
            await cancel_and_wait(
                *self._tasks, again=0.5
            )  # sooner than whoever ends us loses patience
            with contextlib.suppress(RedisError, OSError):
                await self._redis.aclose()

    async def _make_group(self) -> None:
        # From the first job on: one may have come before the first worker. Old ones are passed by.
        with contextlib.suppress(ResponseError):  # it is there already
            await self._redis.xgroup_create(JOBS, GROUP, id="0", mkstream=True)
        for other in await self._redis.xinfo_consumers(JOBS, GROUP):
            if other["pending"] == 0 and other["idle"] > OLD_MS:
                await self._redis.xgroup_delconsumer(JOBS, GROUP, other["name"])

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
        """The oldest job of a worker that seems to be gone."""
        idle = round(BOT_LOST_SECONDS * 1000)
        found: Any = await self._redis.xautoclaim(JOBS, GROUP, self._name, idle, count=1)
        jobs = [(entry_id, fields) for entry_id, fields in found[1] if fields]
        if jobs:
            log.info("job-taken-over")
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
        if float(fields[b"until"]) > time.time():  # else its node has long played without us
            alive = asyncio.create_task(self._keep(entry_id))
            try:
                reply = await self._think(fields)
            finally:
                alive.cancel()
            stream = _answers(fields[b"node"].decode())
            answer: Any = {"id": fields[b"id"], "answer": json.dumps(reply)}
            await self._redis.xadd(stream, answer, maxlen=1_000, approximate=True)
            await self._redis.expire(stream, 600)
        # Both or neither: what is settled but still there nobody would ever take away.
        async with self._redis.pipeline(transaction=True) as both:
            both.xack(JOBS, GROUP, entry_id)
            both.xdel(JOBS, entry_id)
            await both.execute()

    async def _keep(self, entry_id: bytes) -> None:
        """Say, again and again, that this job is being thought about."""
        while True:
            await asyncio.sleep(BOT_LOST_SECONDS / 3)
            with contextlib.suppress(RedisError, OSError):
                await self._redis.xclaim(JOBS, GROUP, self._name, 0, [entry_id], justid=True)

    async def _think(self, fields: dict[bytes, bytes]) -> dict[str, str]:
        try:
            view = read_view(fields[b"view"])
            game, level = fields[b"game"].decode(), fields[b"level"].decode()
            return {"move": await self._pool.think(game, level, view)}
        except BotFailed as failed:
            return {"why": failed.why}
        except (pickle.UnpicklingError, AttributeError, KeyError, EOFError):
            return {"why": "unreadable"}
