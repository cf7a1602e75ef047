"""Drivers that play the games in a browser through the screen alone. Each performs one action if it
is its turn, and returns whether it did.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

Act = Callable[["Page", int], bool]
"""Perform one action; the number is how many came before."""

TURN = {
    "genial": ".hand.open, .genial-swap",
    "blockers": ".hand.open",
    "kaosmos": ".kaosmos-pick:not([disabled]), .hand.open",
}
"""Selectors that are present when an action is possible."""

PATIENCE = 300.0
"""Timeout for a whole game, in seconds; a busy machine is slow."""

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
    if not page.query_selector(".hand.open"):
        return False
    tiles = len(page.query_selector_all(".tile"))
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
    if not page.query_selector(".hand.open"):
        return False
    page.tap(f".tile:nth-child({1 + done % 4})")
    free = middles(page, ".genial-cell.target:not(.taken)")
    page.touchscreen.tap(*free[(7 * done) % len(free)])
    if page.query_selector(".hand-buttons .primary:not([disabled])"):
        page.tap(".hand-buttons .primary")
    return True


def blockers(page: Page, done: int) -> bool:
    """Blockers! with a mouse: a tile, a cell that is lit, 'Place'."""
    tiles = middles(page, ".hand.open .tile:not(.useless)")
    if not tiles:
        return False
    page.mouse.click(*tiles[done % len(tiles)])
    lit = middles(page, ".blockers-cell.target .blockers-square, .blockers-capture")
    if lit:
        page.mouse.click(*lit[done % len(lit)])
    ready = middles(page, ".hand-buttons:not(.turn-buttons) .primary:not([disabled])")
    if ready:
        page.mouse.click(*ready[0])
    return True


def kaosmos(page: Page, done: int) -> bool:
    """Kaosmos: keep three tiles, lay nine, answer the card, close the count."""
    if page.query_selector(".kaosmos-count"):  # no key: Escape would close the result as well
        page.evaluate("document.querySelector('.hand .wide')?.click()")
    elif page.query_selector(".kaosmos-pick:not([disabled])"):
        for key in ("1", "2", "3", "Enter"):
            page.keyboard.press(key)
    elif page.query_selector(".kaosmos-pair"):
        for spot in middles(page, ".hand .wide:not([disabled])"):
            page.mouse.click(*spot)
    elif page.query_selector(".hand.open .rack"):
        lay(page)
        page.keyboard.press("d")
    elif page.query_selector("#kaosmos-board.open"):
        for key in ("ArrowDown", "Enter", "Enter"):
            page.keyboard.press(key)
    else:
        return False
    return True


def lay(page: Page, most: int = 9) -> None:
    """Lay tiles of the tray into the galaxy until so many lie."""
    laid = middles(page, ".kaosmos-laid")
    slots = middles(page, ".kaosmos-slot")
    if len(slots) > 10:  # any shape: three by three in the middle
        slots = [slots[at] for at in (6, 7, 8, 11, 12, 13, 16, 17, 18)]
    free = [(x, y) for x, y in slots if all(abs(x - a) + abs(y - b) > 20 for a, b in laid)]
    tiles = page.query_selector_all(".kaosmos-tile")
    rest = [
        at for at, each in enumerate(tiles, 1) if "gone" not in str(each.get_attribute("class"))
    ]
    # By tiles, not by what is drawn: a row is broken in two, with one slot drawn twice.
    left = most - (len(tiles) - len(rest))
    for key, spot in list(zip(rest, free, strict=False))[:left]:
        page.keyboard.press(str(key))
        page.mouse.click(*spot)
        page.keyboard.press("Escape")


DRIVERS: dict[str, Act] = {"genial": genial, "blockers": blockers, "kaosmos": kaosmos}


def move(page: Page, game: str, done: int = 0) -> None:
    """Act on our turn until the table has changed."""
    page.wait_for_selector(TURN[game])
    before = page.text_content(".part-text")
    until = time.monotonic() + PATIENCE
    while page.text_content(".part-text") == before:
        assert time.monotonic() < until, "nothing changes"
        DRIVERS[game](page, done)
        page.wait_for_timeout(30)


def over(page: Page) -> bool:
    """Whether the result is shown."""
    return page.query_selector("dialog .result") is not None


def play_out(pages: list[Any], *acts: Act, most: int | None = None) -> int:
    """Play until the game is over for all of these pages, with the act of each (or one for all), or
    until so many things were done; how many were."""
    done = 0
    until = time.monotonic() + PATIENCE
    hands = list(zip(pages, acts * len(pages), strict=False))
    while not all(over(page) for page in pages) and (most is None or done < most):
        assert time.monotonic() < until, f"not over after {done} actions"
        acted = [not over(page) and act(page, done + at) for at, (page, act) in enumerate(hands)]
        done += sum(acted)
        if not any(acted):
            pages[0].wait_for_timeout(30)
    return done
