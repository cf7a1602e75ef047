"""The end of a turn in a browser: a ring, undo until it ends, and hints against bots."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.drivers import DRIVERS, TURN
from tests.browser.house import DESKTOP, PHONE, Visitor, sit_down, sit_with_bots

if TYPE_CHECKING:
    from playwright.sync_api import Page

Visit = Callable[..., Visitor]

END = ".turn-buttons .primary"
UNDO = ".turn-buttons .undo-button"


def place(page: Page, game: str) -> None:
    """Place a tile: then the turn is held."""
    page.wait_for_selector(TURN[game])
    while not page.query_selector(END):
        DRIVERS[game](page, 0)
        page.wait_for_timeout(50)


@pytest.mark.parametrize("game", ["genial", "blockers"])
def test_a_move_is_undone_until_the_turn_is_ended(visit: Visit, game: str) -> None:
    page = visit(turn_end="press", viewport=DESKTOP).page
    sit_with_bots(page, game)
    page.wait_for_selector(TURN[game])
    tiles = len(page.query_selector_all(".rack .tile"))
    place(page, game)
    assert len(page.query_selector_all(".rack .tile")) == tiles - 1, "nothing is drawn yet"
    assert page.query_selector(".turn-ring") is None, "it waits for a press"
    page.click(UNDO)
    page.wait_for_selector(TURN[game])
    assert len(page.query_selector_all(".rack .tile")) == tiles
    place(page, game)
    page.keyboard.press("u")
    page.wait_for_selector(TURN[game])
    place(page, game)
    page.click(END)
    page.wait_for_selector(TURN[game])
    assert len(page.query_selector_all(".rack .tile")) == tiles, "a tile was drawn"
    assert page.query_selector(".undo-button") is None


def test_a_turn_ends_by_itself_and_shows_a_ring(visit: Visit) -> None:
    page = visit(turn_end="10", viewport=PHONE, motion="full").page
    sit_with_bots(page, "blockers")
    place(page, "blockers")
    assert 1 <= int(page.text_content(".turn-ring text") or "") <= 10
    page.wait_for_selector(TURN["blockers"])  # the bot has moved, nobody has pressed
    assert page.query_selector(END) is None


def test_others_see_that_a_move_can_still_be_undone(visit: Visit) -> None:
    people = visit(turn_end="press"), visit(turn_end="press", lang="fr")
    sit_down(*people, "blockers")
    ana, bo = (person.page for person in people)
    first, other = (ana, bo) if ana.query_selector(".hand.open") else (bo, ana)
    place(first, "blockers")
    name = "Ana" if first is ana else "Bo"
    other.wait_for_function("(name) => document.querySelector('.turn').innerText.includes(name)",
        arg=f"{name} {'can still undo' if other is ana else 'peut encore annuler'}")  # fmt: skip
    assert other.query_selector(".hand.open") is None
    first.click(UNDO)
    first.wait_for_selector(".hand.open")
    place(first, "blockers")
    first.keyboard.press("Enter")
    other.wait_for_selector(".hand.open")


@pytest.mark.parametrize(
    ("game", "drawn"),
    [("genial", ".hint-badge"), ("blockers", ".hint-badge"), ("kaosmos", ".kaosmos-advice")],
)
def test_a_hint_shows_the_best_moves_and_marks_the_game(
    visit: Visit, game: str, drawn: str
) -> None:
    page = visit(viewport=DESKTOP).page
    sit_with_bots(page, game)
    page.wait_for_selector(TURN[game])
    page.click(".hint-button")
    page.wait_for_selector(drawn)
    assert len(page.query_selector_all(".hint-line li")) == 3
    assert "%" in page.inner_text(".hint-line")
    page.click(".table-top .icon-button:last-child")
    assert "Assisted game" in page.inner_text("dialog")
    for _ in range(2):
        page.click("dialog .danger")
    page.wait_for_selector("dialog .result")
    assert "Assisted game" in page.inner_text("dialog .result")


def test_there_are_no_hints_against_people(visit: Visit) -> None:
    people = visit(), visit()
    sit_down(*people, "genial")
    for person in people:
        assert person.page.query_selector(".hint-button") is None
