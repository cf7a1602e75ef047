"""The same keys do the same in every game."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.browser.drivers import TURN
from tests.browser.house import DESKTOP, Visitor, sit_with_bots
from tests.browser.screens import drafted

LAID = {
    "genial": ".genial-cell.taken",
    "blockers": ".board [data-tile]",
    "kaosmos": ".kaosmos-laid",
}
"""What lies on the board."""


def spiral() -> Iterator[str]:
    """Arrows that lead to every cell around the middle."""
    ways = ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp")
    for side in range(30):
        for _ in range(side // 2 + 1):
            yield ways[side % 4]


WAYS = [
    *(pytest.param(game, False, id=f"{game}-board") for game in TURN),
    pytest.param("genial", True, id="genial-hand"),
    *(
        pytest.param(game, True, id=f"{game}-hand", marks=pytest.mark.proof)
        for game in TURN
        if game != "genial"
    ),
]
"""Each game with the focus on the board, and one with the focus on a tile; the others as proofs."""


@pytest.mark.parametrize(("game", "by_tile"), WAYS)
def test_a_digit_arrows_and_enter_place_a_tile(
    visit: Callable[..., Visitor], game: str, by_tile: bool
) -> None:
    page = visit(viewport=DESKTOP).page
    sit_with_bots(page, game)
    page.wait_for_selector(TURN[game])
    if game == "kaosmos":
        drafted(page)
    before = len(page.query_selector_all(LAID[game]))

    page.keyboard.press("2")
    page.wait_for_selector(".tile.on:nth-of-type(2)")
    page.keyboard.press("Escape")
    page.wait_for_selector(".tile.on", state="detached")

    page.keyboard.press("2")
    for arrow in spiral():
        page.keyboard.press(arrow)
        if by_tile:  # in one step: the tile may be placed at any moment
            page.evaluate("document.querySelector('.tile.on')?.focus()")
        page.keyboard.press("Enter")
        if not page.query_selector(".tile.on"):
            break
    more = "([laid, before]) => document.querySelectorAll(laid).length > before"
    page.wait_for_function(more, arg=[LAID[game], before])
