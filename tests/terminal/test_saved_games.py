"""Saved games: every entry is on disk at once, and file errors never stop a game."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tuilerie import record
from tuilerie.dealer import Dealer
from tuilerie.games import GAMES
from tuilerie.games.game import Refused
from tuilerie.record import Header, Replay
from tuilerie.terminal.saved_games import GameLog, data_folder, free_path, last_unfinished, load


def new_game() -> Replay:
    game = GAMES["genial"]
    options = game.options(2, {})
    return Replay(
        Header("genial", 1, ("You", "Ada (greedy)"), options), game, game.start(2, options)
    )


def deal(log: GameLog, times: int, ms: int = 5) -> None:
    for _ in range(times):
        log.add(Dealer("1").deal(log.game, log.state), ms)


def test_each_entry_is_written_at_once(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "game.jsonl"
    log = GameLog(new_game(), path)
    assert len(path.read_text("utf-8").splitlines()) == 1
    for count in (1, 2):
        deal(log, 1)
        assert len(path.read_text("utf-8").splitlines()) == 1 + count
        assert load(path).state == log.state
    assert path.read_text("utf-8") == record.write(log.replay)


def test_refused_entry_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    log = GameLog(new_game(), path)
    deal(log, 1)
    wrong = Dealer("1").deal(log.game, log.replay.start)
    with pytest.raises(Refused):
        log.add(wrong, 9)
    assert len(log.replay.played) == 1
    assert path.read_text("utf-8") == record.write(log.replay)


def test_undo_removes_the_entry_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    log = GameLog(new_game(), path)
    deal(log, 1)
    before = path.read_bytes()
    deal(log, 1)
    log.undo()
    assert path.read_bytes() == before
    deal(log, 1)
    assert load(path).state == log.state


def test_resuming_repairs_a_truncated_file(
    tmp_path: Path,
) -> None:
    path = tmp_path / "game.jsonl"
    deal(GameLog(new_game(), path), 2)
    path.write_bytes(path.read_bytes()[:-20])
    replay = load(path)
    assert replay.cut_line == 3
    log = GameLog(replay, path)
    deal(log, 1)
    assert load(path).cut_line is None
    assert len(load(path).played) == 2
    assert [each.name for each in tmp_path.iterdir()] == ["game.jsonl"]


def test_game_continues_when_the_file_cannot_be_written(tmp_path: Path) -> None:
    blocking_file = tmp_path / "file"
    blocking_file.write_text("")
    log = GameLog(new_game(), blocking_file / "game.jsonl")
    assert isinstance(log.error, OSError)
    assert log.path is None
    deal(log, 2)
    log.undo()
    assert len(log.replay.played) == 1


def test_deleted_file_is_detected_on_write_and_undo(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    log = GameLog(new_game(), folder / "game.jsonl")
    deal(log, 1)
    (folder / "game.jsonl").unlink()
    folder.rmdir()
    deal(log, 1)
    assert log.path is None
    assert isinstance(log.error, OSError)
    other = GameLog(new_game(), folder / "game.jsonl")
    deal(other, 1)
    (folder / "game.jsonl").unlink()
    other.undo()
    assert isinstance(other.error, OSError)


def test_copy_never_overwrites_a_file(tmp_path: Path) -> None:
    log = GameLog(new_game())
    deal(log, 2)
    log.copy_to(tmp_path / "copy.jsonl")
    assert load(tmp_path / "copy.jsonl").state == log.state
    with pytest.raises(FileExistsError):
        log.copy_to(tmp_path / "copy.jsonl")


def test_games_are_saved_in_the_xdg_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    assert data_folder({"XDG_DATA_HOME": "/data"}) == Path("/data/tuilerie/games")
    monkeypatch.setattr(Path, "home", lambda: Path("/person"))
    usual = Path("/person/.local/share/tuilerie/games")
    assert data_folder({}) == usual
    assert data_folder({"XDG_DATA_HOME": "relative"}) == usual


def test_new_game_gets_an_unused_path(tmp_path: Path) -> None:
    when = "2026-11-15T12:00:00Z"
    first = free_path(tmp_path, "genial", when)
    assert first.name == "genial-2026-11-15-12-00-00.jsonl"
    first.write_text("")
    assert free_path(tmp_path, "genial", when).name == "genial-2026-11-15-12-00-00-2.jsonl"


def test_last_unfinished_ignores_finished_games(tmp_path: Path) -> None:
    assert last_unfinished(tmp_path / "nowhere") is None
    assert last_unfinished(tmp_path) is None
    old, new = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    deal(GameLog(new_game(), old), 1)
    os.utime(old, (1, 1))
    deal(GameLog(new_game(), new), 1)
    assert last_unfinished(tmp_path) == new
    with open(new, "a", encoding="utf-8") as file:
        file.write('{"kind": "result", "reason": "x"}\n')
    assert last_unfinished(tmp_path) is None
