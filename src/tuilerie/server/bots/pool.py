"""Pools that compute bot moves outside the event loop, with a time limit and a fallback.

`ProcessBotPool` runs worker processes of this node; `bots.redis_pool` asks workers on other
machines. `move_or_fallback` always gets a move: from the simple bot, where the other died or was
too slow.
"""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import sys
import time
from random import SystemRandom
from typing import Any, Protocol

import structlog

from tuilerie.bots import BOTS
from tuilerie.bots.thinker import LENGTH, Answer, Question, pack
from tuilerie.games.game import Json
from tuilerie.server.ops import metrics
from tuilerie.server.ops.limits import BOT_SECONDS

SIMPLE = "random"
"""The bot that stands in for any other."""

log: Any = structlog.get_logger("tuilerie.bots")


class BotFailed(Exception):
    """A bot gave no move: it died, it was late, or nobody was there to ask."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class BotPool(Protocol):
    """The interface of a bot pool."""

    async def start(self) -> None:
        """Make ready."""
        ...

    async def think(self, game: str, level: str, view: Json) -> str:
        """A move in notation for this view. Raises `BotFailed`."""
        ...

    async def stop(self) -> None:
        """End all that was started."""
        ...


def fallback_move(game: str, view: Json) -> str:
    """The simple bot's move, at once."""
    return BOTS[game][SIMPLE](view, SystemRandom().randrange)


async def move_or_fallback(bot_pool: BotPool, game: str, level: str, view: Json) -> str:
    """A bot's move, or the simple bot's where it fails."""
    began = time.perf_counter()
    try:
        return await bot_pool.think(game, level, view)
    except BotFailed as failed:
        metrics.BOT_FAILED.add(failed.why)
        log.warning("bot-replaced", game=game, level=level, why=failed.why)
        return fallback_move(game, view)
    finally:
        metrics.BOT_WAIT.observe(time.perf_counter() - began)


# --- a pool of processes --------------------------------------------------------------------------


class Worker:
    """One process that thinks, one view at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls) -> Worker:
        """Start the process."""
        command = (sys.executable, "-m", "tuilerie.bots.thinker")
        pipe = asyncio.subprocess.PIPE
        # A group of its own: Ctrl+C is for the server, which ends its workers by itself.
        process = await asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, start_new_session=True
        )
        return cls(process)

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    async def ask(self, game: str, level: str, view: Json, seconds: float) -> str:
        """Think, and wait for it. After `BotFailed` 'late' or 'died' the worker is of no use."""
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None
        assert answers is not None
        try:
            async with asyncio.timeout(seconds):
                asked.write(pack(Question(game, level, view)))
                await asked.drain()
                head = await answers.readexactly(LENGTH)
                data = await answers.readexactly(int.from_bytes(head, "big"))
        except TimeoutError:
            raise BotFailed("late") from None
        except (asyncio.IncompleteReadError, OSError) as error:
            raise BotFailed("died") from error
        answer = Answer(*pickle.loads(data))
        if not answer.good:
            log.warning("bot-fault", game=game, level=level, why=answer.text)
            raise BotFailed("fault")
        return answer.text

    async def end(self) -> None:
        """End the process, whatever it does."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()


class ProcessBotPool:
    """Worker processes of this node. One that dies or is late is replaced by a fresh one."""

    def __init__(self, workers: int = 1, seconds: float = BOT_SECONDS) -> None:
        self._count = workers
        self._seconds = seconds
        self._free: asyncio.Queue[Worker] = asyncio.Queue()
        self.workers: set[Worker] = set()

    async def start(self) -> None:
        """Start the processes."""
        await asyncio.gather(*(self._hire() for _ in range(self._count)))

    async def _hire(self) -> None:
        worker = await Worker.start()
        self.workers.add(worker)
        self._free.put_nowait(worker)

    async def think(self, game: str, level: str, view: Json) -> str:
        """A move from the first worker that is free, within the time for a bot."""
        until = time.monotonic() + self._seconds
        try:
            worker = await asyncio.wait_for(self._free.get(), self._seconds)
        except TimeoutError:
            raise BotFailed("busy") from None
        try:
            move = await worker.ask(game, level, view, max(0.1, until - time.monotonic()))
        except BotFailed as failed:
            if failed.why == "fault":
                self._free.put_nowait(worker)
            else:
                await self._replace(worker)
            raise
        except asyncio.CancelledError:
            # It may still answer what nobody waits for any more.
            await asyncio.shield(self._replace(worker))
            raise
        self._free.put_nowait(worker)
        return move

    async def _replace(self, worker: Worker) -> None:
        self.workers.discard(worker)
        await worker.end()
        await self._hire()

    async def stop(self) -> None:
        """End the processes."""
        workers, self.workers = self.workers, set()
        await asyncio.gather(*(worker.end() for worker in workers))


class NoBotPool:
    """A pool without workers: every bot is the simple one."""

    async def start(self) -> None:
        """Nothing to make ready."""

    async def think(self, game: str, level: str, view: Json) -> str:
        """The simple bot's move."""
        del level
        return fallback_move(game, view)

    async def stop(self) -> None:
        """Nothing to end."""
