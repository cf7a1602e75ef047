"""Asks the process that replays records."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import structlog

from tuilerie.games.game import Code, Refused
from tuilerie.server.cancellation import cancel_and_wait
from tuilerie.server.child import ChildDied, ChildLate, ChildProcess
from tuilerie.server.ops.limits import REPLAY_HANG_SECONDS, REPLAYS_EACH, REPLAYS_WAITING, Queue
from tuilerie.server.records.worker import Answer, Done, Import, Refusal, Replay, pack
from tuilerie.server.tables.actor import Busy

log: Any = structlog.get_logger("tuilerie.records")

_answers: msgspec.msgpack.Decoder[Answer] = msgspec.msgpack.Decoder(Answer)


class Replayer:
    """One process, one question at a time, with a short queue."""

    def __init__(self) -> None:
        self._queue = Queue("all-replays", 1 + REPLAYS_WAITING, REPLAYS_EACH)
        self._turn = asyncio.Lock()
        self._process: ChildProcess | None = None
        self._asking: set[asyncio.Task[Answer]] = set()

    async def start(self) -> None:
        """Start the process. Later, on a busy machine, that would hold up every move until the
        system has set it up: a tenth of a second was seen."""
        self._process = await ChildProcess.start("tuilerie.server.records.worker")

    async def ask(self, network: str, question: Replay | Import) -> bytes:
        """The body of the answer. Raises `TooOften`, `Refused`, or `Busy` if the process failed."""
        data = pack(question)
        with self._queue.entered(network):
            # If the caller is cancelled, the question is still finished: otherwise its answer would
            # be taken for that of the next one.
            task = asyncio.create_task(self._ask(data))
            self._asking.add(task)
            task.add_done_callback(self._asked)
            found = await asyncio.shield(task)
        if isinstance(found, Done):
            return found.body
        if isinstance(found, Refusal):
            raise Refused(Code(found.code), found.rule, **found.params)
        raise RuntimeError(found.text)

    async def _ask(self, data: bytes) -> Answer:
        async with self._turn:
            if self._process is None:
                await self.start()
            assert self._process is not None
            try:
                return _answers.decode(await self._process.ask(data, REPLAY_HANG_SECONDS))
            except (ChildLate, ChildDied, msgspec.DecodeError) as error:
                log.warning("replayer-replaced", why=type(error).__name__)
                await self._end()
                raise Busy from error

    def _asked(self, task: asyncio.Task[Answer]) -> None:
        self._asking.discard(task)
        if not task.cancelled():
            task.exception()  # mark it as seen: a cancelled caller does not ask for it

    async def stop(self) -> None:
        """End the process, and what it is asked."""
        await cancel_and_wait(*self._asking)
        await self._end()

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            await process.end()
