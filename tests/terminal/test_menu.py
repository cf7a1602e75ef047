"""The menu before a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terminal.fake_console import run_game
from tuilerie import record
from tuilerie.record import Header
from tuilerie.terminal.layout import width


def header(folder: Path) -> Header:
    newest = max(folder.iterdir(), key=lambda path: (path.stat().st_mtime_ns, path.name))
    return record.replay(newest.read_text("utf-8")).header


def test_enter_at_every_question_starts_the_default_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    console = run_game(["", "", "", "", "quit"], tmp_path, lang=None)
    assert header(tmp_path).game == "genial"
    assert header(tmp_path).seats == ("Vous", "Robot 1 (terracotta)")
    assert "à vous de jouer" in console.text
    assert max(map(width, [line for line in console.out if str(tmp_path) not in line])) <= 80


def test_answers_are_numbers_or_prefixes(tmp_path: Path) -> None:
    run_game(["eng", "block", "4", "easy", "quit"], tmp_path, lang=None)
    assert header(tmp_path).seats == ("You", *(f"Bot {n} (terracotta)" for n in (1, 2, 3)))
    assert header(tmp_path).game == "blockers"


def test_given_language_is_not_asked_for(tmp_path: Path) -> None:
    run_game(["1", "1", "quit"], tmp_path, lang="fr")
    assert header(tmp_path).seats == ("Vous",)


def test_invalid_answer_is_asked_again(tmp_path: Path) -> None:
    console = run_game(["9", "nothing", "0", "1", "7", "-1", "3", "", "quit"], tmp_path)
    assert console.text.count("That is not among the answers") == 5
    assert len(header(tmp_path).seats) == 3


@pytest.mark.parametrize(
    ("timer", "kind", "options"),
    [
        ("", "", {"kaos": False, "draft": False, "seconds": None}),
        ("2", "2", {"kaos": True, "draft": True, "seconds": 60}),
    ],
)
def test_kaosmos_menu_offers_timer_and_full_game(
    tmp_path: Path, timer: str, kind: str, options: dict[str, object]
) -> None:
    run_game(["2", "", "", timer, kind, "quit", "quit"], tmp_path)
    assert header(tmp_path).game == "kaosmos"
    assert header(tmp_path).options == options


def test_menu_resumes_the_last_game(tmp_path: Path) -> None:
    run_game(["", "", "", "quit"], tmp_path)
    console = run_game(["4", "quit"], tmp_path)
    assert "resume your last game" in console.text
    assert "resumed after 2 entries" in console.text
    assert len(list(tmp_path.iterdir())) == 1


def test_quitting_the_menu_creates_no_files(tmp_path: Path) -> None:
    run_game([""], tmp_path / "games", lang=None)
    assert not (tmp_path / "games").exists()
