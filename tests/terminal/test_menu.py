"""The questions before a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terminal.desk import sit
from tuilerie import record
from tuilerie.record import Header
from tuilerie.terminal.layout import width


def header(folder: Path) -> Header:
    newest = max(folder.iterdir(), key=lambda path: (path.stat().st_mtime_ns, path.name))
    return record.replay(newest.read_text("utf-8")).header


def test_enter_and_enter_again_begins_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    desk = sit(["", "", "", "", "quit"], tmp_path, lang=None)
    assert header(tmp_path).game == "genial"
    assert header(tmp_path).seats == ("Vous", "Robot 1 (glaze)")
    assert "à vous de jouer" in desk.text
    assert max(map(width, [line for line in desk.out if str(tmp_path) not in line])) <= 80


def test_answers_are_numbers_or_the_beginnings_of_words(tmp_path: Path) -> None:
    sit(["eng", "block", "4", "terra", "quit"], tmp_path, lang=None)
    assert header(tmp_path).seats == ("You", *(f"Bot {n} (terracotta)" for n in (1, 2, 3)))
    assert header(tmp_path).game == "blockers"


def test_a_language_that_is_known_is_not_asked_for(tmp_path: Path) -> None:
    sit(["1", "1", "quit"], tmp_path, lang="fr")
    assert header(tmp_path).seats == ("Vous",)


def test_an_answer_that_is_none_is_asked_for_again(tmp_path: Path) -> None:
    desk = sit(["9", "nothing", "0", "1", "7", "-1", "3", "", "quit"], tmp_path)
    assert desk.text.count("That is not among the answers") == 5
    assert len(header(tmp_path).seats) == 3


@pytest.mark.parametrize(
    ("glass", "kind", "options"),
    [
        ("", "", {"kaos": False, "draft": False, "seconds": None}),
        ("2", "2", {"kaos": True, "draft": True, "seconds": 60}),
    ],
)
def test_kaosmos_is_offered_with_and_without_the_glass(
    tmp_path: Path, glass: str, kind: str, options: dict[str, object]
) -> None:
    sit(["2", "", "", glass, kind, "quit", "quit"], tmp_path)
    assert header(tmp_path).game == "kaosmos"
    assert header(tmp_path).options == options


def test_the_last_game_can_be_gone_on_with(tmp_path: Path) -> None:
    sit(["", "", "", "quit"], tmp_path)
    desk = sit(["4", "quit"], tmp_path)
    assert "go on with your last game" in desk.text
    assert "going on after 2 entries" in desk.text
    assert len(list(tmp_path.iterdir())) == 1


def test_leaving_the_menu_leaves_nothing_behind(tmp_path: Path) -> None:
    sit([""], tmp_path / "games", lang=None)
    assert not (tmp_path / "games").exists()
