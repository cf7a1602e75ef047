"""Looking back: moves instead of draws, open hands, keys, and links that keep seat and moment."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from tests.browser.drivers import TURN, move
from tests.browser.house import DESKTOP, Visitor, sit_with_bots

if TYPE_CHECKING:
    from playwright.sync_api import Page

Visit = Callable[..., Visitor]

NOW = ".move-list [aria-current] .move-number"
"""The number of the move that is shown."""


def look_back(page: Page, game: str, moves: int) -> None:
    """Resign after so many moves of ours, and open the replay."""
    sit_with_bots(page, game)
    for done in range(moves):
        move(page, game, done)
    page.wait_for_selector(TURN[game])
    resign(page)
    page.click("dialog a[href^='/r/']")
    page.wait_for_selector(".player")


def resign(page: Page) -> None:
    page.click(".table-top .icon-button:last-child")
    for _ in range(2):
        page.click("dialog .danger")


def test_each_press_is_one_move_and_all_hands_lie_open(visit: Visit) -> None:
    page = visit(viewport=DESKTOP).page
    look_back(page, "genial", 3)
    moves = page.locator(".move-list li").count()
    assert moves >= 6
    for made in range(1, 4):
        page.keyboard.press("ArrowRight")
        expect(page.locator(NOW)).to_have_text(str(made))
        expect(page.locator(".player-buttons small")).to_have_text(re.compile(f"^{made} "))
    rows = page.locator(".player-hands li")
    expect(rows).to_have_count(2)
    for row in rows.all():
        expect(row.locator(".genial-domino")).to_have_count(6)
    page.keyboard.press("End")
    expect(page.locator(".player-buttons small")).to_have_text(f"{moves} of {moves}")


def test_who_played_is_said_as_at_the_table(visit: Visit) -> None:
    page = visit(viewport=DESKTOP).page
    sit_with_bots(page, "genial", name="Player", bots=[{"seat": 1, "level": "clay"}])
    page.wait_for_selector(TURN["genial"])
    names, level = page.locator(".score-name"), page.locator(".person-note")
    expect(names).to_contain_text(["You", "Bot 2"])
    expect(level).to_have_text("1 · Beginner · Clay")
    resign(page)
    page.click("dialog a[href^='/r/']")
    page.wait_for_selector(".player")
    expect(names).to_contain_text(["You", "Bot 2"])
    expect(level).to_have_text("1 · Beginner · Clay")


def test_space_plays_and_stops(visit: Visit) -> None:
    page = visit(viewport=DESKTOP).page
    look_back(page, "blockers", 2)
    page.keyboard.press("Space")
    page.wait_for_selector(".player [aria-label=Pause]")
    page.click(".replay-speed")
    page.select_option(".small-select", "1")  # it plays on as another seat saw it
    page.wait_for_selector(".player-hands", state="detached")
    page.wait_for_selector(".move-list li:nth-child(3)[aria-current]")
    page.locator("svg.board").focus()
    page.keyboard.press("Space")
    page.wait_for_selector(".player [aria-label=Pause]", state="detached")


def test_a_link_keeps_seat_and_moment(visit: Visit) -> None:
    page = visit(viewport=DESKTOP).page
    look_back(page, "blockers", 3)
    page.select_option(".small-select", "1")
    page.wait_for_selector(".player-hands", state="detached")  # one seat sees its own hand only
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(page.locator(NOW)).to_have_text("4")
    page.click(".table-top [aria-label^=Share]")
    page.wait_for_function("() => location.search.includes('at=')")
    assert parse_qs(urlsplit(page.url).query)["seat"] == ["1"]
    page.goto(page.url)
    expect(page.locator(".small-select")).to_have_value("1")
    expect(page.locator(NOW)).to_have_text("4")


PRESS_AT_ONCE = """(key) => new MutationObserver((_, observer) => {
  if (document.querySelector('.player-hands')) return;
  observer.disconnect();
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
}).observe(document, { childList: true, subtree: true })"""
"""Presses a key as soon as the hands of the others are gone, before the next paint."""


def test_a_key_counts_as_soon_as_another_seat_is_shown(visit: Visit) -> None:
    page = visit(viewport=DESKTOP).page
    look_back(page, "blockers", 2)
    page.keyboard.press("ArrowRight")
    expect(page.locator(NOW)).to_have_text("1")
    page.evaluate(PRESS_AT_ONCE, "ArrowRight")
    page.select_option(".small-select", "1")
    page.wait_for_selector(".player-hands", state="detached")
    expect(page.locator(NOW)).to_have_text("2")


def test_moves_since_ours_are_shown_again_at_a_tap(visit: Visit) -> None:
    page = visit(viewport=DESKTOP).page
    sit_with_bots(page, "genial", 3)
    move(page, "genial", 0)
    rings = "() => document.querySelectorAll('.genial-last-ring').length === 2"
    page.wait_for_function(rings)  # both others have moved
    page.wait_for_selector(TURN["genial"])
    page.click(".since-mine")
    page.wait_for_selector(".genial-later")
    page.wait_for_selector(".genial-later", state="detached")
    page.wait_for_function(rings)
