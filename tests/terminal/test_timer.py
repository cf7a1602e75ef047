"""Kaosmos with a timer, on a fake clock."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.terminal.fake_console import Player, is_pause, run_game
from tuilerie import record
from tuilerie.games.game import Action, Timeout
from tuilerie.record import Played, Replay

OPTIONS = {"kaos": False, "draft": False, "seconds": 30}


def only_game(folder: Path) -> Replay:
    (path,) = folder.iterdir()
    return record.replay(path.read_text("utf-8"))


def timed(folder: Path, player: Any, seconds: float = 0.0, **how: Any) -> Replay:
    run_game(player, folder, game="kaosmos", players=3, seconds=seconds, options=OPTIONS, **how)
    return only_game(folder)


def first_round(replay: Replay) -> list[Played]:
    return [each for each in replay.played if each.state.round == 1]


def test_idle_player_runs_out_of_time(tmp_path: Path) -> None:
    replay = timed(tmp_path, lambda prompt: "" if is_pause(prompt) else None)
    assert replay.confirmed
    clocks = [each for each in replay.played if isinstance(each.entry, Timeout)]
    assert len(clocks) == 5
    begins = first_round(replay)[2].ms
    (up,) = [each for each in first_round(replay) if isinstance(each.entry, Timeout)]
    assert begins is not None
    assert up.ms is not None
    assert up.ms - begins == 30_000


def test_bots_act_at_a_human_pace_while_the_timer_runs(tmp_path: Path) -> None:
    replay = timed(tmp_path, lambda prompt: "" if is_pause(prompt) else None)
    for seat in (1, 2):
        times = [
            each.ms
            for each in first_round(replay)
            if isinstance(each.entry, Action) and each.entry.seat == seat
        ]
        assert len(times) >= 7
        for before, after in zip([0, *times], times, strict=False):
            assert before is not None
            assert after is not None
            assert 1990 <= after - before <= 4010


def test_input_after_the_deadline_is_ignored(tmp_path: Path) -> None:
    """Each line takes 20 of the 30 seconds, so the second one is too late."""
    answers = iter(["1 b2", "1 a1"])

    def answer(prompt: str) -> str | None:
        if is_pause(prompt):
            return ""
        return next(answers, None)

    replay = timed(tmp_path, answer, seconds=20.0)
    own = [e for each in first_round(replay) if isinstance(e := each.entry, Action) and e.seat == 0]
    assert [str(entry.move).split()[2] for entry in own] == ["b2"]


def test_waiting_time_is_skipped_after_done(tmp_path: Path) -> None:
    player = Player()
    replay = timed(tmp_path, player, seconds=0.1)
    assert replay.confirmed
    assert not any(isinstance(each.entry, Timeout) for each in first_round(replay)[:20])
    assert player.console is not None
    assert player.console.time - 1000 < 60  # the bots' time is skipped
    assert (replay.played[-1].ms or 0) > 60_000  # but counts as game time


def test_player_starts_the_timer_and_sees_the_seconds(tmp_path: Path) -> None:
    console = run_game(
        lambda prompt: "" if is_pause(prompt) else None,
        tmp_path,
        game="kaosmos",
        players=2,
        options=OPTIONS,
    )
    assert sum("Enter to turn them up" in prompt for prompt in console.asked) == 5
    assert sum(line == "30 s left" for line in console.out) == 5
    assert sum("build your galaxy · 30 s left" in line for line in console.out) == 5
    assert console.forgotten == 5
    assert console.text.count("Time is up!") == 5


class Builder:
    """Lays the nine tiles in order, says 'done', then gives scripted answers, for one round."""

    def __init__(self, after_done: Iterator[str | None]) -> None:
        self.after_done = after_done
        slots = [f"{column}{row}" for row in "123" for column in "abc"]
        self.building = iter([*(f"1 {slot}" for slot in slots), "done"])

    def __call__(self, prompt: str) -> str | None:
        if not prompt:
            return None  # a bot has acted; the prompt stays
        if "You are done" in prompt:
            return next(self.after_done, "quit")
        if is_pause(prompt):
            return ""
        return next(self.building, "quit")


@pytest.mark.parametrize("seconds", [30, None])
def test_bonus_tile_can_be_taken_after_done(tmp_path: Path, seconds: int | None) -> None:
    options = {**OPTIONS, "seconds": seconds}
    builder = Builder(iter(["1 a1", "moves", "grab blue", "quit"]))
    console = run_game(builder, tmp_path, game="kaosmos", players=2, seconds=0.1, options=options)
    own = [e for each in only_game(tmp_path).played if isinstance(e := each.entry, Action)]
    moves = [str(entry.move) for entry in own if entry.seat == 0]
    assert moves[9:11] == ["done", "grab blue"]
    assert "✗" in console.text, "laid tiles are final after 'done'"
    assert "may still reserve bonus tiles" in console.text


@pytest.mark.parametrize("seconds", [30, None])
def test_bonus_tiles_are_offered_once_after_done(tmp_path: Path, seconds: int | None) -> None:
    options = {**OPTIONS, "seconds": seconds}
    builder = Builder(iter([""]))
    console = run_game(builder, tmp_path, game="kaosmos", players=2, seconds=0.1, options=options)
    assert only_game(tmp_path).played[-1].state.round > 1
    assert sum("You are done" in prompt for prompt in console.asked) in (1, 2)


def test_timer_restarts_when_resuming_after_done(tmp_path: Path) -> None:
    run_game(
        Builder(iter(["quit"])), tmp_path, game="kaosmos", players=2, seconds=0.1, options=OPTIONS
    )
    (path,) = tmp_path.iterdir()
    console = run_game(Builder(iter([None, "quit"])), tmp_path, resume=path)
    assert "Enter to start the timer again" in "".join(console.asked)
    assert "Your tiles lie face down" not in "".join(console.asked[:1])
    assert only_game(tmp_path).played[-1].state.round > 1


def test_time_runs_out_after_done(tmp_path: Path) -> None:
    """A player who says nothing after 'done' does not hold up the game."""
    replay = timed(tmp_path, Builder(iter([None])), seconds=0.1)
    assert replay.played[-1].state.round > 1


def test_undo_works_while_the_timer_runs(tmp_path: Path) -> None:
    answers = iter(["1 b2", "turn b2", "undo", "undo", "quit"])

    def answer(prompt: str) -> str:
        return "" if is_pause(prompt) else next(answers)

    replay = timed(tmp_path, answer, seconds=0.5)
    assert replay.state.galaxies[0] == {}


def test_resuming_a_timed_game_restarts_the_timer(tmp_path: Path) -> None:
    answers = iter(["1 b2"])

    def answer(prompt: str) -> str:
        return "" if is_pause(prompt) else next(answers, "quit")

    timed(tmp_path, answer, seconds=1.0)
    (path,) = tmp_path.iterdir()
    replay_before = only_game(tmp_path)
    console = run_game(lambda p: "" if is_pause(p) else None, tmp_path, resume=path)
    assert "30 s left" in console.text
    replay = only_game(tmp_path)
    assert replay.confirmed
    before = [each.entry for each in replay_before.played]
    assert [each.entry for each in replay.played][: len(before)] == before
