"""Drives the bots of one live table: asks the pool for each due move, and plays at a human pace."""

from __future__ import annotations

import asyncio
from random import SystemRandom
from typing import Any

import structlog

from tuilerie.games.game import Json, Refused, Seat
from tuilerie.match import commands
from tuilerie.match.ticks import bots_due, bots_from
from tuilerie.server.bots.pool import BotPool, fallback_move, move_or_fallback
from tuilerie.server.ops.limits import BOT_RACE_MS, BOT_SHOWN_MS
from tuilerie.server.tables.actor import Busy, TableActor, now_ms

log: Any = structlog.get_logger("tuilerie.bots")

_random = SystemRandom()


class BotDriver:
    """Subscribes to a table's changes and plays the seats that wait for a bot."""

    def __init__(self, actor: TableActor, bot_pool: BotPool, bot_delay_factor: float = 1) -> None:
        self._actor = actor
        self._pool = bot_pool
        self._delay_factor = bot_delay_factor
        self._thinking: set[Seat] = set()

    @property
    def busy(self) -> bool:
        """Whether any bot thinks, or waits to be seen."""
        return bool(self._thinking)

    def look(self) -> None:
        """Set every bot to work that is due and does not think yet."""
        for seat in bots_due(self._actor.table):
            if seat not in self._thinking:
                self._thinking.add(seat)
                self._actor.spawn(self._play(seat))

    async def _play(self, seat: Seat) -> None:
        """Moves of one seat, one after the other, while they are due."""
        failures = 0
        try:
            while seat in bots_due(self._actor.table):
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
        together = self._actor.table.rules.card.simultaneous
        shown = asyncio.sleep(self._pause(together))
        if together:
            await shown  # the others go on meanwhile: it looks at the table afterwards
            answer = await self._think(seat, simple=simple)
        else:
            answer, _ = await asyncio.gather(self._think(seat, simple=simple), shown)
        if answer is not None:
            move, number = answer
            early = bots_from(self._actor.table) - now_ms()  # a glass may yet have to start
            if early > 0:
                await asyncio.sleep(early / 1000)
            await self._actor.do(commands.BotMoved(seat, move, number))

    def _pause(self, together: bool) -> float:
        return (
            _random.uniform(*(BOT_RACE_MS if together else BOT_SHOWN_MS))
            / 1000
            * self._delay_factor
        )

    async def _think(self, seat: Seat, *, simple: bool) -> tuple[str, int] | None:
        table = self._actor.table
        level = table.bot_level(seat)
        if level is None or seat not in bots_due(table):
            return None
        view: Json = table.rules.view(table.shown_state, seat)
        if simple:
            return fallback_move(table.game, view), table.number
        return await move_or_fallback(self._pool, table.game, level, view), table.number
