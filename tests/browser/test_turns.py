"""The end of a turn in a browser: a ring, undo until it ends, and hints against bots."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.drivers import DRIVERS, TURN, move
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
    rack = page.locator(".rack .tile")
    tiles = rack.count()
    place(page, game)
    expect(rack).to_have_count(tiles - 1)  # nothing is drawn yet
    expect(page.locator(".turn-ring")).to_have_count(0)  # it waits for a press
    page.click(UNDO)
    page.wait_for_selector(TURN[game])
    expect(rack).to_have_count(tiles)
    expect(page.locator(".genial-lit, .genial-points")).to_have_count(0)  # nor what it scored
    place(page, game)
    page.keyboard.press("u")
    page.wait_for_selector(TURN[game])
    place(page, game)
    page.click(END)
    page.wait_for_selector(TURN[game])
    expect(rack).to_have_count(tiles)  # a tile was drawn
    expect(page.locator(".undo-button")).to_have_count(0)


RINGS = """() => {
  window.rings = [];
  new MutationObserver(() => {
    const ring = document.querySelector('.turn-ring text');
    if (ring) window.rings.push(Number(ring.textContent));
  }).observe(document, { childList: true, subtree: true, characterData: true });
}"""
"""Notes the seconds that rings show. In the page: a look from here may come too late."""


def test_a_turn_ends_by_itself_and_shows_a_ring(visit: Visit) -> None:
    page = visit(turn_end="3", viewport=PHONE, motion="full").page
    sit_with_bots(page, "blockers")
    page.evaluate(RINGS)
    move(page, "blockers")
    page.wait_for_selector(TURN["blockers"])  # the bot has moved, nobody has pressed
    expect(page.locator(END)).to_have_count(0)
    rings = page.evaluate("window.rings")
    assert rings
    assert set(rings) <= {0, 1, 2, 3}


def test_others_see_that_a_move_can_still_be_undone(visit: Visit) -> None:
    people = visit(turn_end="press"), visit(turn_end="press", lang="fr")
    sit_down(*people, "blockers")
    ana, bo = (person.page for person in people)
    ana.wait_for_selector(".hand.open, .turn:has-text('Bo')")
    first, other = (ana, bo) if ana.query_selector(".hand.open") else (bo, ana)
    place(first, "blockers")
    name = "Ana" if first is ana else "Bo"
    other.wait_for_function("(name) => document.querySelector('.turn').innerText.includes(name)",
        arg=f"{name} {'can still undo' if other is ana else 'peut encore annuler'}")  # fmt: skip
    expect(other.locator(".hand.open")).to_have_count(0)
    first.click(UNDO)
    first.wait_for_selector(".hand.open")
    place(first, "blockers")
    first.keyboard.press("Enter")
    other.wait_for_selector(".hand.open")


@pytest.mark.parametrize(
    ("game", "drawn"),
    [
        ("genial", ".hint-badge"),
        ("kaosmos", ".kaosmos-advice"),
        pytest.param("blockers", ".hint-badge", marks=pytest.mark.proof),
    ],
)
def test_a_hint_shows_the_best_moves_and_marks_the_game(
    visit: Visit, game: str, drawn: str
) -> None:
    page = visit(viewport=DESKTOP).page
    sit_with_bots(page, game)
    page.wait_for_selector(TURN[game])
    page.click(".hint-button")
    page.wait_for_selector(drawn)
    expect(page.locator(".hint-line li")).to_have_count(3)
    expect(page.locator(".hint-line")).to_contain_text("%")
    page.click(".table-top .icon-button:last-child")
    expect(page.locator("dialog")).to_contain_text("Assisted game")
    for _ in range(2):
        page.click("dialog .danger")
    expect(page.locator("dialog .result")).to_contain_text("Assisted game")


def test_there_are_no_hints_against_people(visit: Visit) -> None:
    people = visit(), visit()
    sit_down(*people, "genial")
    for person in people:
        expect(person.page.locator(".hint-button")).to_have_count(0)
