"""`tuilerie arena` end to end: finished games survive every failure, and the arena resumes."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from tuilerie import record
from tuilerie.bots import BOTS
from tuilerie.bots.thinker import Question, think
from tuilerie.cli import commands
from tuilerie.lab.local_workers import LocalWorkers
from tuilerie.lab.plan import make_plan, read_entrants
from tuilerie.lab.referee import BotProcess, Failure, Outcome, play
from tuilerie.native import engine

PAIR = ("blockers", "--bots", "greedy,random", "--workers", "1")


def arena(*words: str, out: Path) -> Result:
    result = CliRunner().invoke(commands, ["arena", *words, "--out", str(out)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def lines(out: Path) -> list[dict[str, Any]]:
    file = out / "games.jsonl"
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def without_times(game: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in game.items() if name != "seconds"}


def results(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "results.json").read_text("utf-8"))
    return found


# --- a whole arena --------------------------------------------------------------------------------


@pytest.mark.slow
def test_arena_plays_stores_and_reports(tmp_path: Path) -> None:
    out = tmp_path / "arena"
    result = arena(*PAIR, "--games", "6", out=out)
    assert result.exit_code == 0, result.output
    assert f"6 games (3 deals × 2 seatings), seed 1, {engine()} engine, 1 process" in result.output
    games = lines(out)
    assert [game["number"] for game in games] == [1, 2, 3, 4, 5, 6]
    assert [game["seats"][0] for game in games] == ["greedy", "random"] * 3
    for game in games:
        replay = record.replay((out / "records" / f"{game['number']:06}.jsonl").read_text("utf-8"))
        assert replay.confirmed
        assert replay.result is not None
        assert list(replay.result.places) == game["places"]
        assert list(replay.header.seats) == game["seats"]
    found = results(out)
    assert (found["games"], found["deals"], found["engine"]) == (6, 3, engine())
    first, second = found["entrants"]
    assert first["name"] == "greedy"
    assert first["share"]["value"] + second["share"]["value"] == pytest.approx(1)
    assert first["elo"]["low"] < first["elo"]["value"] < first["elo"]["high"]
    assert first["openskill"]["mu"] > second["openskill"]["mu"]
    assert found["pairs"][0]["deals"] == 3
    picture = ElementTree.fromstring((out / "ladder.svg").read_text("utf-8"))
    shown = " ".join(text for text in picture.itertext())
    assert "greedy" in shown
    assert "Blockers!" in shown


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "players", "options"),
    [("genial", 3, []), ("kaosmos", 2, ["--option", "kaos=false"]), ("blockers", 5, [])],
)
def test_arena_plays_every_game(
    tmp_path: Path, game: str, players: int, options: list[str]
) -> None:
    words = (game, "--bots", "greedy,random", "--players", str(players), "--games", "1", *options)
    result = arena(*words, "--no-records", "--workers", "2", out=tmp_path / "arena")
    assert result.exit_code == 0, result.output
    assert len(lines(tmp_path / "arena")) == players
    assert not (tmp_path / "arena" / "records").exists()


@pytest.mark.slow
def test_sprt_stops_the_arena_early(tmp_path: Path) -> None:
    result = arena(*PAIR, "--games", "2000", "--sprt", "0,200", out=tmp_path / "arena")
    assert result.exit_code == 0, result.output
    found = results(tmp_path / "arena")
    assert found["sprt"]["accepted"] == "elo1"
    assert found["games"] < 200
    assert "SPRT of +0 against +200 Elo: +200 is accepted" in result.output


# --- resume ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_resumed_arena_equals_an_uninterrupted_one(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    arena(*PAIR, "--games", "6", out=whole)
    arena(*PAIR, "--games", "3", out=parts)
    assert len(lines(parts)) == 4
    with (parts / "games.jsonl").open("a") as file:
        file.write('{"number": 5, "sea')  # killed during a write
    result = arena(*PAIR, "--games", "6", out=parts)
    assert result.exit_code == 0, result.output
    assert "4 games are already played." in result.output
    assert list(map(without_times, lines(parts))) == list(map(without_times, lines(whole)))
    for path in (whole / "records").iterdir():
        assert path.read_bytes() == (parts / "records" / path.name).read_bytes()


def test_different_arena_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    arena(*PAIR, "--games", "2", out=tmp_path)
    before = lines(tmp_path)
    for words, said in (
        (["--seed", "2"], 'seed is "1" there, and "2" here'),
        (["--players", "3"], "players is 2 there, and 3 here"),
        (["--nodes", "7"], "budgets is"),
        (["--option", "scoring=uptown"], "options is {} there"),
    ):
        result = arena(*PAIR, "--games", "4", *words, out=tmp_path)
        assert result.exit_code == 1
        assert said in result.output
        assert "name another folder" in result.output
        assert lines(tmp_path) == before


def test_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear …")
    result = arena(*PAIR, out=tmp_path)
    assert result.exit_code == 1
    assert "holds other files" in result.output
    assert [file.name for file in tmp_path.iterdir()] == ["letter.txt"]


@pytest.mark.slow
def test_corrupt_line_is_named(tmp_path: Path) -> None:
    arena(*PAIR, "--games", "2", out=tmp_path)
    file = tmp_path / "games.jsonl"
    played = file.read_text("utf-8")
    for line in ("{}", "5", "nonsense", '{"number": 0, "seats": []}'):
        file.write_text(f"{played}{line}\n", "utf-8")
        result = arena(*PAIR, "--games", "4", out=tmp_path)
        assert result.exit_code == 1
        assert "games.jsonl, line 3, is not a game of this arena" in result.output


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--bots", "greedy,clever"], "There is no bot ‘clever’"),
        (["--bots", "greedy"], "at least two bots"),
        (["--bots", "greedy,random", "--players", "9"], "2 to 5 players, not 9"),
        (["--bots", "greedy,random", "--games", "0"], "0 is not in the range"),
        (["--bots", "greedy,random", "--budget", "soon"], "‘soon’ is not a budget"),
        (["--bots", "greedy,random", "--budget", "5ms", "--nodes", "5"], "exclude each other"),
        (["--bots", "greedy,random", "--sprt", "5"], "two Elo differences"),
        (["--bots", "greedy,random", "--sprt", "9,5"], "the smaller one first"),
        (["--bots", "greedy,random", "--sprt", "nan,5"], "two Elo differences"),
        (["--bots", "greedy,random,random@5n", "--sprt", "0,5"], "compares exactly two bots"),
        (["--bots", "greedy,random", "--option", "scoring"], "is not NAME=VALUE"),
        (["--bots", "greedy,random", "--option", "scoring=7"], "Invalid options"),
        (["--bots", "greedy,random", "--workers", "0"], "0 is not in the range"),
    ],
)
def test_bad_input_prints_an_error_message(tmp_path: Path, words: list[str], said: str) -> None:
    result = arena("blockers", *words, out=tmp_path / "arena")
    assert result.exit_code in (1, 2)
    assert said in result.output
    assert not (tmp_path / "arena").exists()


# --- failures -------------------------------------------------------------------------------------


@contextmanager
def running(*words: str, out: Path, **how: Any) -> Iterator[subprocess.Popen[str]]:
    """An arena in a subprocess."""
    command = [sys.executable, "-m", "tuilerie.cli", "arena", *words, "--out", str(out)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_for_games(out: Path, count: int) -> None:
    file, until = out / "games.jsonl", time.monotonic() + 120
    while not file.exists() or file.read_bytes().count(b"\n") < count:
        assert time.monotonic() < until, "no games are played"
        time.sleep(0.05)


@pytest.mark.slow
def test_ctrl_c_keeps_finished_games(tmp_path: Path) -> None:
    with running(*PAIR, "--games", "5000", out=tmp_path) as process:
        wait_for_games(tmp_path, 2)
        process.send_signal(signal.SIGINT)
        said, trouble = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "Run the same command again to resume." in trouble
    assert "Traceback" not in trouble
    assert results(tmp_path)["games"] == len(lines(tmp_path)) >= 2
    assert "share of wins" in said


@pytest.mark.slow
def test_arena_resumes_after_sigkill(tmp_path: Path) -> None:
    with running(*PAIR, "--games", "5000", out=tmp_path) as process:
        wait_for_games(tmp_path, 2)
        process.kill()
        process.communicate()
    before = (tmp_path / "games.jsonl").read_bytes()
    kept = before.count(b"\n")
    result = arena(*PAIR, "--games", str(kept + 2), out=tmp_path)
    assert result.exit_code == 0, result.output
    assert f"{kept} games are already played." in result.output
    assert len(lines(tmp_path)) >= kept + 2


@pytest.mark.slow
def test_full_disk_keeps_finished_games(tmp_path: Path) -> None:
    """A file size limit of a few games makes writes fail, as on a full disk."""

    def limit_file_size() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    words = (*PAIR, "--games", "50", "--no-records")
    with running(*words, out=tmp_path, preexec_fn=limit_file_size) as process:
        _, trouble = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "games.jsonl: No space left on device. Free some space first." in trouble
    assert "Run the same command again to resume." in trouble
    assert "Traceback" not in trouble
    data = (tmp_path / "games.jsonl").read_bytes()
    assert data.endswith(b"\n")
    kept = len(lines(tmp_path))
    assert 1 <= kept < 50
    result = arena(*PAIR, "--no-records", "--games", str(kept + 2), out=tmp_path)
    assert result.exit_code == 0, result.output
    assert len(lines(tmp_path)) >= kept + 2


def job() -> Any:
    entrants = read_entrants("blockers", "greedy,random", None)
    return make_plan("blockers", entrants, 2, {}, "1").job(1)


@pytest.mark.slow
def test_dead_worker_loses_only_its_game() -> None:
    pool = LocalWorkers(1)
    try:
        pool.give(job())
        (pid,) = pool.pids
        os.kill(pid, signal.SIGKILL)
        (answer,) = pool.wait()
        assert isinstance(answer, Failure)
        assert answer.again
        assert "died" in answer.why
        pool.give(job())
        (answer,) = pool.wait()
        assert isinstance(answer, Outcome)
        assert pool.pids != [pid]
        os.kill(pool.pids[0], signal.SIGKILL)  # while idle
        time.sleep(0.2)
        pool.give(job())
        (answer,) = pool.wait()
        assert isinstance(answer, (Outcome, Failure))
    finally:
        pool.close()


@pytest.mark.slow
def test_dead_worker_is_replaced_while_the_arena_runs(tmp_path: Path) -> None:
    with running(*PAIR, "--games", "12", out=tmp_path) as process:
        wait_for_games(tmp_path, 2)
        for pid in children(process.pid):
            os.kill(pid, signal.SIGKILL)
        said, trouble = process.communicate(timeout=200)
    assert process.returncode == 0, trouble
    assert [game["number"] for game in lines(tmp_path)] == list(range(1, 13))
    assert "12 games" in said


def children(pid: int) -> list[int]:
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    )
    return [int(word) for word in found.stdout.split()]


# --- bots -----------------------------------------------------------------------------------------


def bad_bot(view: Any, pick: Any) -> str:
    return "nonsense"


class InProcessBots(BotProcess):
    """Runs bots in this process, so that a test can inject one."""

    def ask(self, question: Question) -> Any:
        return think(question)


def test_illegal_move_names_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS["blockers"], "random", bad_bot)
    answer = play(job(), InProcessBots())
    assert isinstance(answer, Failure)
    assert not answer.again
    assert "random failed at its move 1" in answer.why


def test_bot_exception_names_the_bot() -> None:
    bot_process = BotProcess()
    try:
        asked = job()
        object.__setattr__(asked.seats[0], "bot", "nobody")
        answer = play(asked, bot_process)
    finally:
        bot_process.end()
    assert isinstance(answer, Failure)
    assert "KeyError: 'nobody'" in answer.why
