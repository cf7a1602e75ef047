"""Drives the bots of one live table: asks the pool for each due move, and plays at a human pace."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import SystemRandom
from typing import Any

import structlog

from tuilerie.games.game import Refused, Seat
from tuilerie.match import commands
from tuilerie.match.ticks import bots_due, bots_from
from tuilerie.server.bots.pool import BotPool, Thought, fallback_move, move_or_fallback
from tuilerie.server.ops import metrics
from tuilerie.server.ops.limits import BOT_RACE_MS, BOT_SHOWN_MS, NODE_SILENT_SECONDS
from tuilerie.server.tables.actor import Busy, TableActor, now_ms

YIELD_SECONDS = NODE_SILENT_SECONDS
"""How often a node checks that the node in charge of a table's bots is alive."""

YIELD_TIMES = 4
"""After so many checks it moves them itself: nodes may disagree on who is in charge."""

STALE = (
    "stale-move",
    "takeback-pending",
    "not-a-bot",
    "claim-pending",
    "not-yet",
    "turn-not-ended",
)
"""Why a stale move is refused: not the bot's failure."""

log: Any = structlog.get_logger("tuilerie.bots")

_random = SystemRandom()


class BotDriver:
    """Subscribes to a table's changes and plays the seats that wait for a bot."""

    def __init__(
        self,
        actor: TableActor,
        bot_pool: BotPool,
        bot_delay_factor: float = 1,
        *,
        is_ours: Callable[[], bool] = lambda: True,
        on_thought: Callable[[Thought], None] = lambda _thought: None,
    ) -> None:
        self._actor = actor
        self._pool = bot_pool
        self._delay_factor = bot_delay_factor
        self._is_ours = is_ours  # whether this node moves the bots of this table
        self._on_thought = on_thought
        self._thinking: set[Seat] = set()
        actor.subscribe(lambda _changes, _ours: self.look())

    def look(self) -> None:
        """Start a task for every seat that waits for a bot and has none yet."""
        for seat in bots_due(self._actor.table):
            if seat not in self._thinking:
                self._thinking.add(seat)
                self._actor.spawn(self._play(seat))

    async def _play(self, seat: Seat) -> None:
        """Moves of one seat, one after the other, while they are due."""
        failures = 0
        try:
            while seat in bots_due(self._actor.table):
                if not await self._has_duty():
                    continue
                try:
                    await self._move(seat, simple=failures > 1)
                    failures = 0
                except Refused as refused:
                    failures += refused.rule not in STALE
                    log.info("bot-refused", why=str(refused), times=failures)
                    await asyncio.sleep(0.05)
                except Busy:  # a failure of the store, not of the bot
                    await asyncio.sleep(1)
                except Exception as error:  # a bug must not leave a game standing still
                    failures += 1
                    log.error("bot-fault", times=failures, exc_info=error)
                await asyncio.sleep(min(5, 0.2 * failures))
        finally:
            self._thinking.discard(seat)

    async def _has_duty(self) -> bool:
        """Whether this node moves the bots of this table now: it leads it, or nothing has happened
        for long."""
        before = self._actor.number
        for _ in range(YIELD_TIMES):
            if self._is_ours():
                return True
            await asyncio.sleep(YIELD_SECONDS)
            if self._actor.number != before:
                return False
        return True

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
            early = bots_from(self._actor.table) - now_ms()  # a timer may yet have to start
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
        view = table.rules.view(table.shown_state, seat)
        if simple:
            metrics.BOT_FAILED.labels("refused").inc()
            return fallback_move(table.rules, view), table.number
        thought = await move_or_fallback(self._pool, table.rules, level, view, self._actor.slug)
        self._on_thought(thought)
        return thought.move, table.number
