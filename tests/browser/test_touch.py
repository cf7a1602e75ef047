"""Kaosmos on a phone, with real touches at the speed of a person's hand.

How smooth it looks is a figure, not a test: `make figures`.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.browser import galaxy
from tests.browser.house import Visitor


def test_nine_tiles_are_laid_and_turned_while_the_timer_runs(visit: Callable[..., Visitor]) -> None:
    page = visit(has_touch=True, is_mobile=True, motion="full").page
    galaxy.begin(page)
    built = galaxy.build(page)
    assert (built.kept, built.turned) == (9, 9)
    # The timer of sixty seconds still runs: being done is up to the player.
    page.tap(".kaosmos-finish .primary:not([disabled])")
    page.wait_for_selector(".kaosmos-done, .kaosmos-count")
