"""Bots think in processes of their own, for less time under load; one that dies or hangs is
replaced, and play goes on with the greedy bot."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import structlog

from tests.server.house import house
from tuilerie.bots import BOTS, LEVELS
from tuilerie.bots.bot import Budget
from tuilerie.dealer import Dealer
from tuilerie.games import GAMES
from tuilerie.games.game import AnyGame, AnyView
from tuilerie.server.bots.budget import Load, budget_within, is_shortened, seconds_for
from tuilerie.server.bots.pool import (
    BotFailed,
    NoBotPool,
    ProcessBotPool,
    Thought,
    fallback_move,
    move_or_fallback,
)
from tuilerie.server.child import NICENESS
from tuilerie.server.settings import Settings, usual_workers

BLOCKERS = GAMES["blockers"]

LONG = 300.0


@asynccontextmanager
async def running(bot_pool: ProcessBotPool) -> AsyncIterator[ProcessBotPool]:
    await bot_pool.start()
    try:
        yield bot_pool
    finally:
        await bot_pool.stop()


def patient_pool() -> AbstractAsyncContextManager[ProcessBotPool]:
    """A pool with one process that may be as slow as a busy machine makes it."""
    return running(ProcessBotPool(1, hang=LONG, patience=LONG))


def view_of(game: str, version: int | None = None) -> AnyView:
    rules, dealer = GAMES[game], Dealer("7")
    rules = rules.by_version(version or rules.version)
    state = rules.start(2, dealer.options(rules, 2, {}))
    while rules.due(state):
        state = rules.apply(state, dealer.deal(rules, state)).state
    return rules.view(state, rules.actors(state)[0])


async def test_bot_processes_yield_to_the_server() -> None:
    async with running(ProcessBotPool(1)) as pool:
        (worker,) = pool.workers
        own = os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getpriority(os.PRIO_PROCESS, worker.pid) == min(19, own + NICENESS)


# --- thinking time --------------------------------------------------------------------------------


def test_budgets_are_full_while_every_question_has_a_process() -> None:
    assert seconds_for(1, 1) is None
    assert seconds_for(3, 3) is None


def test_thinking_time_shrinks_smoothly_with_the_queue_and_grows_with_processes() -> None:
    times = [seconds_for(1, questions) or 1 for questions in range(1, 400)]
    assert times == sorted(times, reverse=True)
    assert seconds_for(1, 50) == pytest.approx(0.02)
    assert seconds_for(4, 50) == pytest.approx(0.08)
    assert times[-1] > 0


def test_a_table_with_three_bots_gets_as_much_as_a_table_with_one() -> None:
    load = Load()
    with load.asking("a"), load.asking("a"), load.asking("a"), load.asking("b"):
        three, one = load.weight("a"), load.weight("b")
        assert 3 * three == pytest.approx(one)
        assert 3 * three + one == pytest.approx(load.questions)
    assert load.questions == 0
    with load.asking("b"):
        assert load.weight("b") == 1


@pytest.mark.parametrize("game", LEVELS)
def test_every_level_takes_any_shorter_time_and_never_more_than_its_own(game: str) -> None:
    view = view_of(game)
    for level in LEVELS[game]:
        for seconds in (0.0001, 0.002, 0.05, 100.0):
            hurried = level.hurried(seconds)
            assert hurried.budget.nodes == level.budget.nodes
            own = level.budget.seconds
            assert hurried.budget.seconds == (seconds if own is None else min(own, seconds))
        assert level.hurried(0.0001)(view, lambda number: number // 2) in view.legal


def test_simple_bots_have_no_budget() -> None:
    assert budget_within("blockers", "greedy", 0.01) is None
    assert budget_within("blockers", "porcelain", None) is None
    assert budget_within("blockers", "porcelain", 0.01) == Budget(seconds=0.01)
    assert not is_shortened("blockers", "greedy", 0.01, 0.5)


def test_a_budget_is_shortened_if_the_level_would_have_thought_longer() -> None:
    assert is_shortened("genial", "porcelain", 0.02, 0.001)  # half a second is its own
    assert not is_shortened("genial", "porcelain", 0.5, 0.5)
    assert not is_shortened("genial", "porcelain", None, 0.5)
    assert is_shortened("kaosmos", "porcelain", 0.02, 0.0201)  # the nodes did not come first
    assert not is_shortened("kaosmos", "porcelain", 0.02, 0.01)


def test_one_core_is_left_to_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    for cores, workers in ((1, 1), (2, 1), (8, 7)):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _pid, n=cores: range(n), raising=False)
        assert usual_workers() == Settings().workers == workers


# --- processes ------------------------------------------------------------------------------------


async def test_a_pool_computes_moves_for_every_game_and_level() -> None:
    async with patient_pool() as bot_pool:
        for name, game in GAMES.items():
            view = view_of(name)
            for level in ("random", "greedy"):
                assert (await bot_pool.think(game, level, view, "t")).move in view.legal


async def test_under_load_every_move_is_the_levels_own_with_a_shorter_budget() -> None:
    """Far more questions than there is time for: none fails, no process is replaced."""
    async with patient_pool() as bot_pool:
        (worker,) = bot_pool.workers
        rules, view = GAMES["genial"], view_of("genial")
        asked = [bot_pool.think(rules, "porcelain", view, str(table)) for table in range(60)]
        thoughts = await asyncio.gather(*asked)
        assert all(thought.move in view.legal for thought in thoughts)
        assert sum(thought.shortened for thought in thoughts) > 50
        assert bot_pool.workers == {worker}
        alone = await bot_pool.think(rules, "porcelain", view, "t")
        assert not alone.shortened


async def test_a_question_whose_table_is_closed_does_not_cost_the_process() -> None:
    async with patient_pool() as bot_pool:
        (worker,) = bot_pool.workers
        rules, view = GAMES["genial"], view_of("genial")
        task = asyncio.create_task(bot_pool.think(rules, "porcelain", view, "t"))
        await asyncio.sleep(0.05)
        task.cancel()
        other = view_of("blockers")
        assert (await bot_pool.think(BLOCKERS, "greedy", other, "u")).move in other.legal
        assert bot_pool.workers == {worker}


async def test_a_worker_that_dies_is_replaced_and_the_greedy_bot_moves() -> None:
    async with patient_pool() as bot_pool:
        view = view_of("blockers")
        await bot_pool.think(BLOCKERS, "random", view, "t")
        (worker,) = bot_pool.workers
        os.kill(worker.pid, signal.SIGKILL)
        assert (await move_or_fallback(bot_pool, BLOCKERS, "greedy", view, "t")).move in view.legal
        assert (await bot_pool.think(BLOCKERS, "greedy", view, "t")).move in view.legal
        (other,) = bot_pool.workers
        assert other.pid != worker.pid


async def test_a_worker_that_hangs_is_killed() -> None:
    async with patient_pool() as bot_pool:
        view = view_of("blockers")
        await bot_pool.think(BLOCKERS, "random", view, "t")
        (worker,) = bot_pool.workers
        os.kill(worker.pid, signal.SIGSTOP)  # it hangs
        bot_pool._hang = 0.2
        with pytest.raises(BotFailed, match="late"):
            await bot_pool.think(BLOCKERS, "greedy", view, "t")
        assert worker not in bot_pool.workers


async def test_a_question_that_waits_too_long_fails_as_busy() -> None:
    async with running(ProcessBotPool(1, patience=0.1)) as bot_pool:
        (worker,) = bot_pool.workers
        view = view_of("blockers")
        await bot_pool._first_free()  # somebody else has it
        with pytest.raises(BotFailed, match="busy"):
            await bot_pool.think(BLOCKERS, "greedy", view, "t")
        assert bot_pool.workers == {worker}  # it is not killed for that


async def test_a_bot_that_raises_does_not_end_its_worker() -> None:
    async with patient_pool() as bot_pool:
        (worker,) = bot_pool.workers
        with pytest.raises(BotFailed, match="fault"):
            await bot_pool.think(BLOCKERS, "no-such-level", view_of("blockers"), "t")
        assert bot_pool.workers == {worker}


async def test_a_worker_that_writes_invalid_output_is_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with patient_pool() as bot_pool:
        (worker,) = bot_pool.workers
        view = view_of("blockers")
        with monkeypatch.context() as patch:
            patch.setattr("tuilerie.server.bots.pool.decode", lambda *_: json.loads(b"hello"))
            with pytest.raises(BotFailed, match="died"):
                await bot_pool.think(BLOCKERS, "random", view, "t")
        assert worker not in bot_pool.workers
        assert (await bot_pool.think(BLOCKERS, "random", view, "t")).move in view.legal


# --- without an answer ----------------------------------------------------------------------------


class Hopeless(NoBotPool):
    """Every job fails."""

    async def think(self, rules: AnyGame, level: str, view: AnyView, table: str) -> Thought:
        raise BotFailed("died")


@pytest.mark.parametrize("game", GAMES)
def test_the_fallback_is_the_greedy_bot(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS[game], "greedy", lambda _view, _pick: "the greedy move")
    assert fallback_move(GAMES[game], view_of(game)) == "the greedy move"


async def test_the_log_names_the_level_of_a_bot_that_is_replaced() -> None:
    with structlog.testing.capture_logs() as said:
        await move_or_fallback(Hopeless(), BLOCKERS, "porcelain", view_of("blockers"), "t")
    (line,) = [each for each in said if each["event"] == "bot-replaced"]
    assert (line["bot"], line["why"], line["log_level"]) == ("porcelain", "died", "warning")


@pytest.mark.parametrize("game", ["blockers", "kaosmos"])
async def test_a_game_continues_when_every_bot_fails(tmp_path: Path, game: str) -> None:
    async with house(tmp_path, bot_pool=Hopeless()) as server:
        ada = server.browser()
        options: Any = {"seconds": None} if game == "kaosmos" else {}
        slug = await ada.create(game, 2, bots=[{"seat": 1, "level": "greedy"}], options=options)
        line = await ada.join(slug)
        await line.do("begin")
        room = await server.registry.table(slug)
        assert room is not None
        begun = line.number
        if legal := room.table.rules.view(room.table.game_state, 0).legal:
            await line.do("make", move=legal[0])
        await line.until_number(max(begun, line.number) + 1)
        while not any('"hurried":true' in each for each in line.received):
            await line.recv()
