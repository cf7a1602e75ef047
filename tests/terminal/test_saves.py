"""Games on disk: nothing that happened is lost, and what goes wrong with files is only told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tuilerie import record
from tuilerie.dealer import Dealer
from tuilerie.games import GAMES
from tuilerie.games.game import Refused
from tuilerie.record import Header, Replay
from tuilerie.terminal.saves import Log, data_folder, free_path, last_unfinished, load


def new_game() -> Replay:
    game = GAMES["genial"]
    options = game.options(2, {})
    return Replay(
        Header("genial", 1, ("You", "Ada (greedy)"), options), game, game.start(2, options)
    )


def deal(log: Log, times: int, ms: int = 5) -> None:
    for _ in range(times):
        log.add(Dealer("1").deal(log.game, log.state), ms)


def test_each_entry_is_in_the_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "game.jsonl"
    log = Log(new_game(), path)
    assert len(path.read_text("utf-8").splitlines()) == 1
    for count in (1, 2):
        deal(log, 1)
        assert len(path.read_text("utf-8").splitlines()) == 1 + count
        assert load(path).state == log.state
    assert path.read_text("utf-8") == record.write(log.replay)


def test_what_is_refused_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    log = Log(new_game(), path)
    deal(log, 1)
    wrong = Dealer("1").deal(log.game, log.replay.start)
    with pytest.raises(Refused):
        log.add(wrong, 9)
    assert len(log.replay.played) == 1
    assert path.read_text("utf-8") == record.write(log.replay)


def test_what_is_taken_back_is_gone_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    log = Log(new_game(), path)
    deal(log, 1)
    before = path.read_bytes()
    deal(log, 1)
    log.take_back()
    assert path.read_bytes() == before
    deal(log, 1)
    assert load(path).state == log.state


def test_a_game_that_is_gone_on_with_is_written_whole_even_if_it_was_cut_off(
    tmp_path: Path,
) -> None:
    path = tmp_path / "game.jsonl"
    deal(Log(new_game(), path), 2)
    path.write_bytes(path.read_bytes()[:-20])
    replay = load(path)
    assert replay.cut_line == 3
    log = Log(replay, path)
    deal(log, 1)
    assert load(path).cut_line is None
    assert len(load(path).played) == 2
    assert [each.name for each in tmp_path.iterdir()] == ["game.jsonl"]


def test_where_nothing_can_be_written_the_game_goes_on_without(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    log = Log(new_game(), in_the_way / "game.jsonl")
    assert isinstance(log.trouble, OSError)
    assert log.path is None
    deal(log, 2)
    log.take_back()
    assert len(log.replay.played) == 1


def test_a_file_that_vanishes_on_the_way_is_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    log = Log(new_game(), folder / "game.jsonl")
    deal(log, 1)
    (folder / "game.jsonl").unlink()
    folder.rmdir()
    deal(log, 1)
    assert log.path is None
    assert isinstance(log.trouble, OSError)
    other = Log(new_game(), folder / "game.jsonl")
    deal(other, 1)
    (folder / "game.jsonl").unlink()
    other.take_back()
    assert isinstance(other.trouble, OSError)


def test_a_copy_is_never_written_over_another_file(tmp_path: Path) -> None:
    log = Log(new_game())
    deal(log, 2)
    log.copy_to(tmp_path / "copy.jsonl")
    assert load(tmp_path / "copy.jsonl").state == log.state
    with pytest.raises(FileExistsError):
        log.copy_to(tmp_path / "copy.jsonl")


def test_games_are_kept_in_the_users_folder_for_data(monkeypatch: pytest.MonkeyPatch) -> None:
    assert data_folder({"XDG_DATA_HOME": "/data"}) == Path("/data/tuilerie/games")
    monkeypatch.setattr(Path, "home", lambda: Path("/person"))
    usual = Path("/person/.local/share/tuilerie/games")
    assert data_folder({}) == usual
    assert data_folder({"XDG_DATA_HOME": "relative"}) == usual


def test_a_new_game_never_takes_the_place_of_another(tmp_path: Path) -> None:
    when = "2026-11-15T12:00:00Z"
    first = free_path(tmp_path, "genial", when)
    assert first.name == "genial-2026-11-15-12-00-00.jsonl"
    first.write_text("")
    assert free_path(tmp_path, "genial", when).name == "genial-2026-11-15-12-00-00-2.jsonl"


def test_the_last_game_is_offered_unless_it_is_over(tmp_path: Path) -> None:
    assert last_unfinished(tmp_path / "nowhere") is None
    assert last_unfinished(tmp_path) is None
    old, new = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    deal(Log(new_game(), old), 1)
    os.utime(old, (1, 1))
    deal(Log(new_game(), new), 1)
    assert last_unfinished(tmp_path) == new
    with open(new, "a", encoding="utf-8") as file:
        file.write('{"kind": "result", "reason": "x"}\n')
    assert last_unfinished(tmp_path) is None
