"""The bots of one live table: each due seat thinks outside the loop, and moves at a human pace."""

from __future__ import annotations

import asyncio
from random import SystemRandom
from typing import Any

import structlog

from tuilerie.games.game import Json, Refused, Seat
from tuilerie.match import commands
from tuilerie.match.ticks import bots_due, bots_from
from tuilerie.server.jobs import Jobs, simple_move, think_in_time
from tuilerie.server.limits import BOT_RACE_MS, BOT_SHOWN_MS
from tuilerie.server.session import Busy, Session, now_ms

log: Any = structlog.get_logger("tuilerie.robots")

_random = SystemRandom()


class Robots:
    """Watches over the seats of a table that wait for a bot."""

    def __init__(self, session: Session, jobs: Jobs, hurry: float = 1) -> None:
        self._session = session
        self._jobs = jobs
        self._hurry = hurry
        self._thinking: set[Seat] = set()

    @property
    def busy(self) -> bool:
        """Whether any bot thinks, or waits to be seen."""
        return bool(self._thinking)

    def look(self) -> None:
        """Set every bot to work that is due and does not think yet."""
        for seat in bots_due(self._session.table):
            if seat not in self._thinking:
                self._thinking.add(seat)
                self._session.spawn(self._play(seat))

    async def _play(self, seat: Seat) -> None:
        """Moves of one seat, one after the other, while they are due."""
        failures = 0
        try:
            while seat in bots_due(self._session.table):
                try:
                    await self._move(seat, simple=failures > 1)
                    failures = 0
                except (Refused, Busy) as error:
                    failures += 1
                    log.info("bot-refused", why=str(error), times=failures)
                except Exception as error:  # a fault of ours must not leave a game standing still
                    failures += 1
                    log.error("bot-fault", times=failures, exc_info=error)
                await asyncio.sleep(min(5, 0.2 * failures))
        finally:
            self._thinking.discard(seat)

    async def _move(self, seat: Seat, *, simple: bool) -> None:
        together = self._session.table.rules.card.simultaneous
        shown = asyncio.sleep(self._pause(together))
        if together:
            await shown  # the others go on meanwhile: it looks at the table afterwards
            answer = await self._think(seat, simple=simple)
        else:
            answer, _ = await asyncio.gather(self._think(seat, simple=simple), shown)
        if answer is not None:
            move, number = answer
            early = bots_from(self._session.table) - now_ms()  # a glass may yet have to start
            if early > 0:
                await asyncio.sleep(early / 1000)
            await self._session.do(commands.BotMoved(seat, move, number))

    def _pause(self, together: bool) -> float:
        return _random.uniform(*(BOT_RACE_MS if together else BOT_SHOWN_MS)) / 1000 * self._hurry

    async def _think(self, seat: Seat, *, simple: bool) -> tuple[str, int] | None:
        table = self._session.table
        level = table.bot_level(seat)
        if level is None or seat not in bots_due(table):
            return None
        view: Json = table.rules.view(table.game_state, seat)
        if simple:
            return simple_move(table.game, view), table.number
        return await think_in_time(self._jobs, table.game, level, view), table.number
