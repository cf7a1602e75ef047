"""Fingers on a phone, with real touches at the speed of a person's hand.

How smooth it looks is a figure, not a test: `make figures`.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser import galaxy
from tests.browser.drivers import TURN, middles
from tests.browser.finger import Finger
from tests.browser.house import Visitor, sit_with_bots


def test_nine_tiles_are_laid_and_turned_while_the_timer_runs(visit: Callable[..., Visitor]) -> None:
    page = visit(has_touch=True, is_mobile=True, motion="full").page
    galaxy.begin(page, 120)  # a slow machine takes more than the usual minute
    built = galaxy.build(page)
    assert (built.kept, built.turned) == (9, 9)
    # The timer still runs: being done is up to the player.
    page.tap(".kaosmos-finish .primary:not([disabled])")
    page.wait_for_selector(".kaosmos-done, .kaosmos-count")


@pytest.mark.parametrize(("players", "seen"), [(4, True), (2, False)])
def test_a_loupe_enlarges_small_cells_while_a_finger_is_down(
    visit: Callable[..., Visitor], players: int, seen: bool
) -> None:
    page = visit(has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844}).page
    sit_with_bots(page, "genial", players)
    page.wait_for_selector(TURN["genial"])
    tile, board = middles(page, ".hand .tile")[0], middles(page, "svg.board")[0]
    finger = Finger(page)
    finger.hold(tile, board)
    expect(page.locator(".loupe")).to_have_count(int(seen))
    finger.lift()
    page.wait_for_selector(".loupe", state="detached")
