"""Pools that compute bot moves outside the event loop, in a time that follows the load.

`ProcessBotPool` runs worker processes of this node; `bots.redis_pool` asks workers on other
machines. `move_or_fallback` always gets a move: from the greedy bot if the pool fails.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from random import SystemRandom
from typing import Any, Literal, Protocol

import structlog

from tuilerie.bots import BOTS, HINT
from tuilerie.bots.bot import Budget, Candidate
from tuilerie.bots.thinker import Answer, decode, encode, hints_text, question
from tuilerie.games.game import AnyGame, AnyView
from tuilerie.server.bots.budget import Load, budget_within, is_shortened, seconds_for
from tuilerie.server.child import ChildDied, ChildLate, ChildProcess
from tuilerie.server.ops import metrics
from tuilerie.server.ops.limits import BOT_HANG_SECONDS, BOT_PATIENCE_SECONDS

FALLBACK = "greedy"
"""The bot that replaces one that failed. It needs no process, and never plays at random."""

RESTART_SECONDS = 1.0
"""Delay before a process that could not be started is tried again."""

log: Any = structlog.get_logger("tuilerie.bots")


Trouble = Literal["no-worker", "no-redis"]


class BotFailed(Exception):
    """A bot gave no move. `why`: busy, late, died, fault, no-worker or no-redis."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True)
class Thought:
    """A move in notation, and what it took."""

    move: str
    seconds: float = 0.0  # of thinking
    shortened: bool = False  # it had less than its own budget, because the server is busy


class BotPool(Protocol):
    """The interface of a bot pool."""

    async def start(self) -> None:
        """Start what it needs."""
        ...

    async def think(self, rules: AnyGame, level: str, view: AnyView, table: str) -> Thought:
        """Compute a move for a view of this table. Raises `BotFailed`."""
        ...

    def trouble(self) -> Trouble | None:
        """Why bots cannot be asked at the moment, in a word; `None` if they can."""
        ...

    async def stop(self) -> None:
        """Stop everything that was started."""
        ...


def fallback_move(rules: AnyGame, view: AnyView) -> str:
    """The greedy bot's move, in this process."""
    return BOTS[rules.card.name][FALLBACK](view, SystemRandom().randrange)


async def move_or_fallback(
    bot_pool: BotPool, rules: AnyGame, level: str, view: AnyView, table: str
) -> Thought:
    """A bot's move, or the greedy bot's if the pool fails."""
    began = time.perf_counter()
    try:
        thought = await bot_pool.think(rules, level, view, table)
    except BotFailed as failed:
        metrics.BOT_FAILED.labels(failed.why).inc()
        log.warning("bot-replaced", game=rules.card.name, bot=level, why=failed.why)
        return Thought(fallback_move(rules, view), shortened=True)
    finally:
        metrics.BOT_WAIT.observe(time.perf_counter() - began)
    metrics.BOT_MOVES.labels(level).inc()
    metrics.BOT_THINK.observe(thought.seconds)
    if thought.shortened:
        metrics.BOT_SHORTENED.labels(level).inc()
    return thought


# --- a pool of processes --------------------------------------------------------------------------


class Worker:
    """One process that computes moves, one at a time."""

    def __init__(self, process: ChildProcess) -> None:
        self._process = process
        self.pid = process.pid

    @classmethod
    async def start(cls) -> Worker:
        """Start the process."""
        return cls(await ChildProcess.start("tuilerie.bots.thinker"))

    async def ask(
        self, rules: AnyGame, level: str, view: AnyView, budget: Budget | None, patience: float
    ) -> Answer:
        """Compute a move. After `BotFailed` 'late' or 'died' the worker must be replaced."""
        asked = encode(question(rules, level, view, budget=budget))
        try:
            answer = decode(Answer, await self._process.ask(asked, patience))
        except ChildLate:
            raise BotFailed("late") from None
        except (ChildDied, ValueError) as error:  # or something else was written into the pipe
            raise BotFailed("died") from error
        if not answer.good:
            log.warning("bot-fault", game=rules.card.name, bot=level, why=answer.text)
            raise BotFailed("fault")
        return answer

    async def end(self) -> None:
        """Kill the process."""
        await self._process.end()


class ProcessBotPool:
    """Worker processes of this node. One that dies or hangs is replaced.

    A question waits for a free process without a time limit of its bot: only then is its thinking
    time decided, so it always suffices. A process is killed only if it does not answer for
    `hang` seconds, many times the longest thought.
    """

    def __init__(
        self,
        workers: int = 1,
        *,
        hang: float = BOT_HANG_SECONDS,
        patience: float = BOT_PATIENCE_SECONDS,
    ) -> None:
        self._count = workers
        self._hang = hang
        self._patience = patience
        self._load = Load()
        self._free: asyncio.Queue[Worker] = asyncio.Queue()
        self._asking: set[asyncio.Task[Thought]] = set()
        self._replacing: set[asyncio.Task[None]] = set()
        self._stopped = False
        self.workers: set[Worker] = set()

    async def start(self) -> None:
        """Start the processes."""
        await asyncio.gather(*(self._hire() for _ in range(self._count)))

    async def _hire(self) -> None:
        worker = await Worker.start()
        self.workers.add(worker)
        self._free.put_nowait(worker)

    def trouble(self) -> Trouble | None:
        """See `BotPool.trouble`."""
        return None if self.workers else "no-worker"

    async def think(self, rules: AnyGame, level: str, view: AnyView, table: str) -> Thought:
        """A move from the first free worker; its thinking time follows the load."""
        with self._load.asking(table):
            worker = await self._first_free()
            weight = self._load.weight(table)
            seconds = seconds_for(self._count, self._load.questions, weight)
            return await self._finish(self._ask(worker, rules, level, view, seconds))

    async def think_within(
        self, rules: AnyGame, level: str, view: AnyView, seconds: float | None
    ) -> Thought:
        """The same within a given time, `None` for the bot's own."""
        worker = await self._first_free()
        return await self._finish(self._ask(worker, rules, level, view, seconds))

    async def _first_free(self) -> Worker:
        try:
            async with asyncio.timeout(self._patience):
                return await self._free.get()
        except TimeoutError:
            raise BotFailed("busy") from None

    async def _finish(self, work: Any) -> Thought:
        """Wait for this. If the caller is cancelled, the worker still finishes its question:
        otherwise the answer would be taken for that of the next one."""
        task: asyncio.Task[Thought] = asyncio.get_running_loop().create_task(work)
        self._asking.add(task)
        task.add_done_callback(self._asked)
        return await asyncio.shield(task)

    def _asked(self, task: asyncio.Task[Thought]) -> None:
        self._asking.discard(task)
        if not task.cancelled():
            task.exception()  # mark it as seen: a cancelled caller does not ask for it

    async def _ask(
        self, worker: Worker, rules: AnyGame, level: str, view: AnyView, seconds: float | None
    ) -> Thought:
        budget = budget_within(rules.card.name, level, seconds)
        try:
            answer = await worker.ask(rules, level, view, budget, self._hang)
        except BotFailed as failed:
            if failed.why == "fault":
                self._free.put_nowait(worker)
            else:
                self.workers.discard(worker)
                replacing = asyncio.get_running_loop().create_task(self._replace(worker))
                self._replacing.add(replacing)
                replacing.add_done_callback(self._replacing.discard)
            raise
        self._free.put_nowait(worker)
        shortened = is_shortened(rules.card.name, level, seconds, answer.seconds)
        return Thought(answer.text, answer.seconds, shortened)

    async def _replace(self, worker: Worker) -> None:
        await worker.end()
        while not self._stopped:
            try:
                return await self._hire()
            except OSError as error:
                log.error("worker-not-started", why=str(error))
                await asyncio.sleep(RESTART_SECONDS)

    async def stop(self) -> None:
        """End the processes."""
        self._stopped = True
        for task in self._asking:
            task.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)
        await asyncio.gather(*self._replacing)  # whole: a process half started would be lost
        workers, self.workers = self.workers, set()
        await asyncio.gather(*(worker.end() for worker in workers))


class NoBotPool:
    """A pool without workers: every bot is the greedy one."""

    async def start(self) -> None:
        """Do nothing."""

    async def think(self, rules: AnyGame, level: str, view: AnyView, table: str) -> Thought:
        """The greedy bot's move."""
        del table
        move = fallback_move(rules, view)
        return Thought(hints_text([Candidate(move, 0)]) if level == HINT else move)

    def trouble(self) -> Trouble | None:
        """See `BotPool.trouble`."""
        return None

    async def stop(self) -> None:
        """Do nothing."""
