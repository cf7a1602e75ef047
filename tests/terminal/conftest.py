"""Fixtures of the terminal tests."""

from __future__ import annotations

import pytest

from tuilerie.bots import LEVELS
from tuilerie.bots.bot import Budget, Level
from tuilerie.terminal import commands


@pytest.fixture(autouse=True)
def _quick_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give hints a small budget: tests play whole games by hints, whatever their strength."""
    quick = {game: tuple(_quick(level) for level in levels) for game, levels in LEVELS.items()}
    monkeypatch.setattr(commands, "LEVELS", quick)


def _quick(level: Level) -> Level:
    return level.within(Budget(nodes=100)) if level.budget.nodes else level
