"""Hands that play the games in a browser, through nothing but what is on the screen.

Each looks at the page and does one thing, if it is its turn; it answers whether it did.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

Act = Callable[["Page", int], bool]
"""Do one thing; the number is how many were done before."""

MIDDLES = """(selector) => [...document.querySelectorAll(selector)].map((each) => {
  const box = each.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
})"""


def middles(page: Page, selector: str) -> list[tuple[float, float]]:
    """Where the middles of these elements are on the screen."""
    found: list[tuple[float, float]] = page.evaluate(MIDDLES, selector)
    return found


def genial(page: Page, done: int) -> bool:
    """Génial! by keys alone."""
    if page.query_selector(".genial-swap"):
        page.keyboard.press("s" if done % 2 else "k")
        return True
    if not page.query_selector(".genial-hand.open"):
        return False
    tiles = len(page.query_selector_all(".genial-tile"))
    page.keyboard.press(str(1 + done % tiles))
    for _ in range(1 + done % 3):
        page.keyboard.press("n")
    page.keyboard.press("r")
    page.keyboard.press("Enter")
    return True


def genial_by_touch(page: Page, done: int) -> bool:
    """Génial! by taps: a tile, a cell, 'Place'."""
    if page.query_selector(".genial-swap"):
        page.tap(".genial-swap .primary")
        return True
    if not page.query_selector(".genial-hand.open"):
        return False
    page.tap(f".genial-tile:nth-child({1 + done % 4})")
    free = middles(page, ".genial-cell.target:not(.taken)")
    page.touchscreen.tap(*free[(7 * done) % len(free)])
    if page.query_selector(".genial-buttons .primary:not([disabled])"):
        page.tap(".genial-buttons .primary")
    return True


def blockers(page: Page, done: int) -> bool:
    """Blockers!: a tile, a cell that is lit, Enter."""
    tiles = page.query_selector_all(".blockers-hand.open .blockers-tile:not(.useless)")
    if not tiles:
        return False
    tiles[done % len(tiles)].click()
    lit = middles(page, ".blockers-cell.target .blockers-square, .blockers-capture")
    if lit:
        page.mouse.click(*lit[done % len(lit)])
    if page.query_selector(".blockers-buttons .primary:not([disabled])"):
        page.click(".blockers-buttons .primary")
    return True


def kaosmos(page: Page, done: int) -> bool:
    """Kaosmos: three tiles kept, nine laid, whatever a card asks for, and the count."""
    if page.query_selector(".kaosmos-count"):  # no key: Escape would close the result as well
        page.evaluate("document.querySelector('.kaosmos-hand .wide')?.click()")
    elif page.query_selector(".kaosmos-pick:not([disabled])"):
        for key in ("1", "2", "3", "Enter"):
            page.keyboard.press(key)
    elif page.query_selector(".kaosmos-pair"):
        page.click(".kaosmos-hand .wide")
    elif page.query_selector(".kaosmos-hand.open .kaosmos-tray"):
        _build(page)
    elif page.query_selector("#kaosmos-board.open"):
        for key in ("ArrowDown", "Enter", "Enter"):
            page.keyboard.press(key)
    else:
        return False
    return True


def _build(page: Page) -> None:
    laid = middles(page, ".kaosmos-laid")
    slots = middles(page, ".kaosmos-slot")
    if len(slots) > 10:  # any shape: three by three in the middle
        slots = [slots[at] for at in (6, 7, 8, 11, 12, 13, 16, 17, 18)]
    free = [(x, y) for x, y in slots if all(abs(x - a) + abs(y - b) > 20 for a, b in laid)]
    tiles = page.query_selector_all(".kaosmos-tile")
    rest = [
        at for at, each in enumerate(tiles, 1) if "gone" not in str(each.get_attribute("class"))
    ]
    for key, spot in zip(rest, free, strict=False):
        page.keyboard.press(str(key))
        page.mouse.click(*spot)
        page.keyboard.press("Escape")
    page.keyboard.press("d")


DRIVERS: dict[str, Act] = {"genial": genial, "blockers": blockers, "kaosmos": kaosmos}


def over(page: Page) -> bool:
    """Whether the result stands on the screen."""
    return page.query_selector("dialog .result") is not None


def play_out(pages: list[Any], act: Act, meanwhile: Act | None = None, seconds: float = 150) -> int:
    """Play until the game is over for all of these pages; how many things were done."""
    done = 0
    until = time.monotonic() + seconds
    while not all(over(page) for page in pages):
        assert time.monotonic() < until, f"not over after {done} actions"
        acted = False
        for page in pages:
            if over(page) or not act(page, done):
                continue
            acted = True
            done += 1
            if meanwhile is not None:
                meanwhile(page, done)
        if not acted:
            pages[0].wait_for_timeout(30)
    return done
