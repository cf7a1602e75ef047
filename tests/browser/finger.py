"""A finger on a phone's screen: real touches, sent through Chromium's own protocol, at the speed of
a person's hand."""

from __future__ import annotations

import time
from math import pi, sin
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

FRAME = 1 / 60
"""Seconds between two reports of a touch screen."""

REACH = 0.35
"""Seconds that a finger takes for a tile from the tray to the board."""

TAP = 0.07
"""Seconds that it rests for a tap."""

PAUSE = 0.12
"""Seconds until the next touch."""

Spot = tuple[float, float]


class Finger:
    """One finger; another may rest beside it on the screen."""

    def __init__(self, page: Page) -> None:
        self._devtools = page.context.new_cdp_session(page)
        self._resting: list[Spot] = []

    def tap(self, at: Spot) -> None:
        """Touch and lift."""
        self._touch("touchStart", at)
        time.sleep(TAP)
        self._lift()

    def hold(self, start: Spot, end: Spot) -> None:
        """Drag something there and keep the finger down; `lift` ends it."""
        self._touch("touchStart", start)
        for part in (0.25, 0.5, 0.75, 1.0):
            time.sleep(FRAME)
            here = (start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1]))
            self._touch("touchMove", here)

    def lift(self) -> None:
        """Take the finger off the screen."""
        self._lift()

    def drag(self, start: Spot, end: Spot, *, while_resting: Spot | None = None) -> None:
        """Move something along a slight curve, quicker in the middle than at its ends; a second
        finger may touch the screen meanwhile."""
        self._touch("touchStart", start)
        began = time.monotonic()
        steps = round(REACH / FRAME)
        for step in range(1, steps + 1):
            time.sleep(max(0.0, began + step * FRAME - time.monotonic()))
            part = (1 - _cosine(step / steps)) / 2
            bend = 18 * sin(pi * part)
            here = (start[0] + part * (end[0] - start[0]) + bend,
                    start[1] + part * (end[1] - start[1]))  # fmt: skip
            self._touch("touchMove", here)
            if while_resting and step == steps // 2:
                self._resting = [while_resting]
                self._touch("touchStart", here)
        self._lift()

    def _touch(self, kind: str, at: Spot) -> None:
        fingers = enumerate([at, *self._resting])
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in fingers]
        self._devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def _lift(self) -> None:
        self._resting = []
        self._devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        time.sleep(PAUSE)


def _cosine(part: float) -> float:
    return sin(pi / 2 + pi * part)
