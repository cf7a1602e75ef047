"""The client is small, fits every screen, and asks no other server (see `make figures`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser import layout
from tests.browser.cards import kaos_cards, show_card
from tests.browser.drivers import TURN
from tests.browser.figures import weigh
from tests.browser.house import Visitor, play_now
from tests.browser.screens import LONGEST, MEASURED, SCREENS
from tuilerie.server.http.pages import FOLDER

MOST = {"home": 80, **dict.fromkeys(TURN, 160)}
"""Kilobytes, compressed, that may be fetched until a page or a game can be used."""

NAMES = {"http://www.w3.org"}
"""Hosts that are names of XML vocabularies, and never asked for anything."""

ENGINE_NAMES = {"https://cdn.jsdelivr.net", "https://rolldown.rs", "https://engine.invalid"}
"""In the worker that runs Python: Pyodide's default, which is replaced; a link in an error message;
a name that cannot exist, for files that are handed over in memory. The content security policy
allows none of them."""


@pytest.mark.parametrize("screen", MOST)
def test_download_size_is_within_budget(visit: Callable[..., Visitor], screen: str) -> None:
    visitor = visit(lang="fr")
    if screen == "home":
        visitor.page.goto("/")
        visitor.page.locator(".game-tile select option").first.wait_for(state="attached")
    else:
        play_now(visitor.page, screen)
        visitor.page.wait_for_selector(TURN[screen])
    visitor.page.wait_for_load_state("networkidle")
    assert any(url.endswith(".js") for url in visitor.files())
    assert weigh(visitor.files()) < MOST[screen]


def test_the_build_names_no_other_host() -> None:
    files = [path for path in FOLDER.rglob("*") if path.suffix in {".js", ".css", ".html", ".svg"}]
    assert files
    for path in files:
        named = set(re.findall(r"(?:https?|wss?)://[\w.-]+", path.read_text("utf-8")))
        is_engine = path.name.startswith("engine.worker")
        assert named <= NAMES | (ENGINE_NAMES if is_engine else set()), path.name


def resize(page: Any, width: int, height: int, text: int) -> None:
    """Another screen, and letters of another size."""
    page.set_viewport_size({"width": width, "height": height})
    layout.set_text(page, text)
    layout.settle(page)


LANGUAGES = ["fr", pytest.param("en", marks=pytest.mark.proof)]
"""French has the longer words."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_hand_stays_on_the_screen_whatever_the_kaos_card_says(
    visit: Callable[..., Visitor], lang: str
) -> None:
    page = visit(lang=lang).page
    SCREENS["kaosmos-start"](page)
    cards = kaos_cards(lang)
    assert len(cards) == 20
    for width, height, text in ((844, 390, 200), (360, 640, 200), (360, 640, 100)):
        resize(page, width, height, text)
        for card in cards:
            show_card(page, card)
            assert layout.faults(page) == [], f"{card[0]} at {width}×{height}, text at {text} %"


SHAPES = [
    pytest.param(shape, marks=[] if shape == "square" else [pytest.mark.proof]) for shape in LONGEST
]


@pytest.mark.parametrize("shape", SHAPES)
def test_six_players_fit_beside_the_longest_kaos_card(
    visit: Callable[..., Visitor], shape: str
) -> None:
    page = visit(lang="fr").page
    MEASURED[f"kaosmos-many-{shape}"](page)
    for width, height, text in ((1920, 1080, 130), (1280, 800, 100), (390, 844, 100)):
        resize(page, width, height, text)
        assert layout.faults(page) == [], f"{width}×{height}, text at {text} %"


PREVIEWS = {
    "genial-start": ("2", "n", "r", "Escape", "1", "n"),
    "blockers-start": ("1", "ArrowDown", "ArrowRight", "Escape", "2", "ArrowDown"),
    "kaosmos-middle": ("1", "r", "Escape", "9", "r"),
}
"""Keys that choose tiles and show what they would do."""


@pytest.mark.parametrize("screen", PREVIEWS)
def test_the_board_does_not_move_when_a_preview_or_a_hint_appears(
    visit: Callable[..., Visitor], screen: str
) -> None:
    page = visit().page
    SCREENS[screen](page)
    page.evaluate("() => document.fonts.ready.then(() => true)")
    for width, height in ((390, 844), (1280, 800)):
        page.keyboard.press("Escape")
        resize(page, width, height, 100)
        before = layout.board(page)
        page.evaluate(layout.SHIFTS)
        for key in PREVIEWS[screen]:
            page.keyboard.press(key)
            layout.settle(page)
        assert layout.board(page) == before
        assert page.evaluate("window.shifts") == []


FITTED = """([width, height, fills]) => {
  const board = document.querySelector('svg.board');
  const box = board.getBoundingClientRect();
  const { width: wide, height: high } = board.viewBox.baseVal;
  const scale = Math.min(box.width / wide, box.height / high);
  return innerWidth === width && innerHeight === height
    && Math.max((scale * wide) / width, (scale * high) / height) >= fills;
}"""


@pytest.mark.parametrize("game", ["genial", "blockers"])
def test_the_board_fills_the_screen_in_one_direction(
    visit: Callable[..., Visitor], game: str
) -> None:
    page = visit().page
    play_now(page, game)
    page.wait_for_selector(TURN[game])
    for width, height in ((390, 844), (820, 1180), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(FITTED, arg=[width, height, layout.FILLS])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_new_table_form_is_on_one_screen(visit: Callable[..., Visitor], lang: str) -> None:
    page = visit(lang=lang, viewport={"width": 1440, "height": 900}).page
    for game in TURN:
        page.goto("/")
        page.click(f".game-tile.{game} .game-buttons .button:not(.primary)")
        page.wait_for_selector("dialog .new-options")
        page.check("dialog input[value='4']", force=True)
        layout.settle(page)
        sheet = page.locator("dialog.wide")
        shown, whole = sheet.evaluate("(each) => [each.clientHeight, each.scrollHeight]")
        assert whole <= shown <= 900, game
        page.keyboard.press("Escape")
