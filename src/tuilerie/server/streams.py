"""Bots on other machines: Redis Streams between the nodes and `tuilerie worker`.

A job is a view for one seat, so a worker learns no more than a player on that seat. Views travel
pickled, and are read by a reader that knows the games' own classes and nothing else.
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
from tuilerie.server.jobs import BotFailed, Jobs
from tuilerie.server.limits import BOT_SECONDS

JOBS = "tuilerie:bots"
GROUP = "workers"
MOST_JOBS = 10_000
LONGEST_PAUSE = 5.0

log: Any = structlog.get_logger("tuilerie.streams")


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


def _answers(node: str) -> str:
    return f"tuilerie:moves:{node}"


class StreamJobs:
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
        last, pause = "$", 0.1
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
        told = json.loads(fields[b"answer"])
        if "move" in told:
            answer.set_result(told["move"])
        else:
            answer.set_exception(BotFailed(told["why"]))

    async def stop(self) -> None:
        """Listen no longer."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        with contextlib.suppress(RedisError, OSError):
            await self._redis.aclose()


class StreamWorker:
    """What `tuilerie worker` runs: takes jobs from the stream, thinks, and answers."""

    def __init__(self, url: str, jobs: Jobs, at_once: int = 1) -> None:
        self._redis = Redis.from_url(url, socket_connect_timeout=2)
        self._jobs = jobs
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
                    await self._work()
                except (RedisError, OSError) as error:
                    log.warning("redis-lost", why=type(error).__name__, again_in=pause)
                    await asyncio.sleep(pause)
                    pause = min(LONGEST_PAUSE, pause * 2)
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            with contextlib.suppress(RedisError, OSError):
                await self._redis.aclose()

    async def _make_group(self) -> None:
        with contextlib.suppress(ResponseError):  # it is there already
            await self._redis.xgroup_create(JOBS, GROUP, id="$", mkstream=True)

    async def _work(self) -> None:
        while True:
            await self._places.acquire()
            taken = False
            try:
                found: Any = await self._redis.xreadgroup(
                    GROUP, self._name, {JOBS: ">"}, count=1, block=1_000
                )
                for _stream, entries in found or ():
                    for entry_id, fields in entries:
                        task = asyncio.create_task(self._do(entry_id, fields))
                        self._tasks.add(task)
                        task.add_done_callback(self._finished)
                        taken = True
            finally:
                if not taken:
                    self._places.release()

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._places.release()
        if not task.cancelled() and task.exception() is not None:
            log.warning("job-lost", why=type(task.exception()).__name__)

    async def _do(self, entry_id: bytes, fields: dict[bytes, bytes]) -> None:
        await self._redis.xack(JOBS, GROUP, entry_id)
        if float(fields[b"until"]) < time.time():
            return  # its node has long played without us
        try:
            view = read_view(fields[b"view"])
            game, level = fields[b"game"].decode(), fields[b"level"].decode()
            told = {"move": await self._jobs.think(game, level, view)}
        except BotFailed as failed:
            told = {"why": failed.why}
        except (pickle.UnpicklingError, AttributeError, KeyError, EOFError):
            told = {"why": "unreadable"}
        stream = _answers(fields[b"node"].decode())
        answer: Any = {"id": fields[b"id"], "answer": json.dumps(told)}
        await self._redis.xadd(stream, answer, maxlen=1_000, approximate=True)
        await self._redis.expire(stream, 600)
