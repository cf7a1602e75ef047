"""Every page, in both languages and both themes: nothing that axe finds, nothing on the console."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.house import DESKTOP, PHONE, Visitor, play_now

axe = pytest.importorskip("axe_playwright_python.sync_playwright")

Visit = Callable[..., Visitor]

PAGES = (
    ("/", ".game-tile select option"),
    ("/lobby", "h1"),
    ("/replay", "input[type=file]"),
    ("/nowhere", "h1"),
    *((f"/rules/{game}", ".rulebook h2") for game in ("genial", "blockers", "kaosmos")),
    *((f"/learn/{game}", ".coach") for game in ("genial", "blockers", "kaosmos")),
)


def faults(page: Any) -> list[str]:
    """What axe finds."""
    found = axe.Axe().run(page).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in found]


@pytest.mark.parametrize(
    ("theme", "lang", "size"), [("light", "fr", PHONE), ("dark", "en", DESKTOP)]
)
def test_axe_finds_nothing(visit: Visit, theme: str, lang: str, size: dict[str, int]) -> None:
    page = visit(theme=theme, lang=lang, viewport=size, bypass_csp=True).page
    for path, ready in PAGES:
        page.goto(path)
        page.locator(ready).first.wait_for(state="attached")
        assert faults(page) == [], path
    for game in ("genial", "blockers", "kaosmos"):
        play_now(page, game)
        page.wait_for_timeout(600)
        assert faults(page) == [], game
    page.click(".table-top .icon-button:last-child")
    page.wait_for_selector("dialog")
    assert faults(page) == [], "menu"


@pytest.mark.parametrize("game", ["genial", "blockers", "kaosmos"])
@pytest.mark.parametrize("size", [(360, 640), (390, 844), (844, 390), (1280, 800), (3840, 2160)])
def test_board_and_hand_are_on_the_screen_together(
    visit: Visit, game: str, size: tuple[int, int]
) -> None:
    page = visit(viewport={"width": size[0], "height": size[1]}).page
    play_now(page, game)
    page.wait_for_timeout(300)
    for part in (".part-board", ".part-hand"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert 0 <= box["y"] <= box["y"] + box["height"] <= size[1] + 1, part
        assert 0 <= box["x"] <= box["x"] + box["width"] <= size[0] + 1, part
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_without_a_network_there_is_a_page_that_says_so(visit: Visit) -> None:
    visitor = visit()
    visitor.page.goto("/")
    visitor.page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    visitor.page.wait_for_timeout(500)
    visitor.context.set_offline(True)
    visitor.page.reload()
    visitor.page.wait_for_selector(".notice.bad")
    assert visitor.page.locator("h1").inner_text()
    visitor.context.set_offline(False)


def test_the_title_tells_whose_turn_it_is(visit: Visit) -> None:
    page = visit().page
    play_now(page, "genial")
    page.wait_for_selector(".genial-hand.open")
    assert page.title().startswith("● Your turn")
