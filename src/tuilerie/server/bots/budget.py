"""Thinking time under load: how long a bot may think when others wait.

Everybody who waits is served within about `BOT_ROUND_SECONDS`. So the time of all processes in a
round is divided by the number of questions in flight, and a table with several bots gets no more
than a table with one. docs/bots.md explains the model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from tuilerie.bots import named
from tuilerie.bots.bot import Budget, Level
from tuilerie.server.ops import metrics
from tuilerie.server.ops.limits import BOT_LEAST_SECONDS, BOT_ROUND_SECONDS


class Load:
    """The questions in flight, waiting or being computed, by table."""

    def __init__(self) -> None:
        self._by_table: Counter[str] = Counter()
        self.questions = 0

    @contextmanager
    def asking(self, table: str) -> Iterator[None]:
        """Count a question of this table while it is in flight."""
        self._by_table[table] += 1
        self.questions += 1
        metrics.BOT_QUEUE.inc()
        try:
            yield
        finally:
            self._by_table[table] -= 1
            if not self._by_table[table]:
                del self._by_table[table]
            self.questions -= 1
            metrics.BOT_QUEUE.dec()

    def weight(self, table: str) -> float:
        """The share of a question of this table, 1 on average. Tables have equal shares, not
        bots."""
        return self.questions / (len(self._by_table) * self._by_table[table])


def seconds_for(processes: int, questions: int, weight: float = 1.0) -> float | None:
    """The time to think where so many questions are in flight; `None`: no limit, because nobody
    waits."""
    if questions <= processes:
        return None
    return max(BOT_LEAST_SECONDS, processes * BOT_ROUND_SECONDS * weight / questions)


def budget_within(game: str, bot: str, seconds: float | None) -> Budget | None:
    """The budget of a bot that may think so long; `None`: its own."""
    level = named(game, bot)
    if seconds is None or not isinstance(level, Level):
        return None
    return level.hurried(seconds).budget


def is_shortened(game: str, bot: str, seconds: float | None, used: float) -> bool:
    """Whether a bot with this limit, which thought so long, would have thought longer."""
    level = named(game, bot)
    if seconds is None or not isinstance(level, Level):
        return False
    own = level.budget.seconds
    return used >= seconds if own is None else seconds < own
