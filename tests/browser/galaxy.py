"""A galaxy built by touch on a phone: nine tiles dragged to their places and turned there."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.browser.drivers import middles
from tests.browser.finger import Finger, Spot
from tests.browser.house import make_table

if TYPE_CHECKING:
    from playwright.sync_api import Page

BEGINNERS = {"kaos": False, "draft": False}

FRAMES = """() => {
  window.frames_ = [];
  let before = performance.now();
  const next = (now) => {
    window.frames_.push(now - before);
    before = now;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}"""

CLOSE = 12
"""Pixels between the middle of a tile and of its place."""


@dataclass
class Built:
    """How it went."""

    seconds: float = 0.0
    kept: int = 0
    """Drags after which the tile lay where the finger let it go."""
    turned: int = 0
    """Tiles that then lay as often turned as they were tapped."""
    frames: list[float] = field(default_factory=list)
    """Milliseconds between two pictures on the screen, while a finger was at work."""


def begin(page: Page, seconds: int = 60) -> None:
    """A table for beginners with a timer, up to the moment when it is turned."""
    table = {
        "game": "kaosmos", "players": 2, "clock": {"kind": "none"},
        "options": BEGINNERS | {"seconds": seconds},
        "public": False, "spectators": "live", "bots": [{"seat": 1, "level": "random"}],
        "name": "Ana",
    }  # fmt: skip
    page.goto(f"/t/{make_table(page, table)}")
    page.wait_for_selector(".hand.open .rack")
    page.wait_for_selector(".kaosmos-timer:not(.early)")


def build(page: Page) -> Built:
    """Nine tiles, the first turned once, the next twice, then three times, and so on."""
    page.evaluate(FRAMES)
    finger, built = Finger(page), Built()
    slots = middles(page, ".kaosmos-slot")
    tray = middles(page, ".kaosmos-tile")
    names = page.eval_on_selector_all(
        ".kaosmos-tile", "all => all.map(({dataset}) => dataset.tile)"
    )
    began = time.monotonic()
    for number, (tile, start, end) in enumerate(zip(names, tray, slots, strict=True)):
        turns = 1 + number % 3
        finger.drag(start, end, while_resting=slots[-1] if number == 4 else None)
        built.kept += _lies(page, tile, end)
        for _ in range(turns):
            finger.tap(end)
        built.turned += _turns(page, tile) == turns
    built.seconds = time.monotonic() - began
    built.frames = page.evaluate("window.frames_")
    return built


def _lies(page: Page, tile: str, spot: Spot) -> bool:
    found = middles(page, f".kaosmos-laid[data-tile='{tile}']")
    return any(abs(x - spot[0]) + abs(y - spot[1]) < CLOSE for x, y in found)


def _turns(page: Page, tile: str) -> int:
    return int(page.get_attribute(f".kaosmos-laid[data-tile='{tile}']", "data-turns") or 0)
