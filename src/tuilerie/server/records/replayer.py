"""Asks the process that replays records."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import structlog

from tuilerie.games.game import Code, Refused
from tuilerie.server.cancellation import cancel_and_wait
from tuilerie.server.child import ChildDied, ChildLate, ChildProcess
from tuilerie.server.ops.fair_queue import FairQueue
from tuilerie.server.ops.limits import (
    REPLAY_HANG_SECONDS,
    REPLAYS_EACH,
    REPLAYS_WAITING,
    Limiter,
)
from tuilerie.server.records.worker import Answer, Done, Import, Refusal, Replay, pack
from tuilerie.server.tables.actor import Busy

log: Any = structlog.get_logger("tuilerie.records")

_answers: msgspec.msgpack.Decoder[Answer] = msgspec.msgpack.Decoder(Answer)


class Replayer:
    """One process, one question at a time, with a short queue."""

    def __init__(self, limiter: Limiter) -> None:
        self._queue: FairQueue[bytes] = FairQueue(
            limiter, "all-replays", REPLAYS_WAITING, REPLAYS_EACH
        )
        self._process: ChildProcess | None = None
        self._serving: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the process. Later, on a busy machine, that would hold up every move until the
        system has set it up: a tenth of a second was seen."""
        self._process = await ChildProcess.start("tuilerie.server.records.worker")

    async def ask(self, network: str, question: Replay | Import) -> bytes:
        """The body of the answer. Raises `TooOften`, `Refused`, or `Busy` if the process failed."""
        with self._queue.entered(network, pack(question)) as answer:
            if self._serving is None:
                self._serving = asyncio.create_task(self._serve())
            found: Answer = await answer
        if isinstance(found, Done):
            return found.body
        if isinstance(found, Refusal):
            raise Refused(Code(found.code), found.rule, **found.params)
        raise RuntimeError(found.text)

    async def _serve(self) -> None:
        """Answer all who wait. A question is finished even if its caller has left: otherwise its
        answer would be taken for that of the next one."""
        try:
            while (place := self._queue.pop()) is not None:
                try:
                    found = await self._ask(place.what)
                except Exception as error:
                    if not place.turn.done():
                        place.turn.set_exception(error)
                    continue
                except asyncio.CancelledError:
                    place.turn.cancel()
                    raise
                if not place.turn.done():
                    place.turn.set_result(found)
        finally:
            self._serving = None

    async def _ask(self, data: bytes) -> Answer:
        try:
            if self._process is None:
                await self.start()
            assert self._process is not None
            return _answers.decode(await self._process.ask(data, REPLAY_HANG_SECONDS))
        except (ChildLate, ChildDied, OSError, msgspec.DecodeError) as error:
            log.warning("replayer-replaced", why=type(error).__name__)
            await self._end()
            raise Busy from error

    async def stop(self) -> None:
        """End the process, and what it is asked."""
        if self._serving is not None:
            await cancel_and_wait(self._serving)
        while (place := self._queue.pop()) is not None:
            place.turn.cancel()
        await self._end()

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            await process.end()
