"""Every page, in both languages and themes: no axe violations, no console messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import TimeoutError, expect

from tests.browser.house import DESKTOP, PHONE, Visitor, sit_with_bots
from tests.browser.screens import MOST, SCREENS, dress

Visit = Callable[..., Visitor]

COLOURS = ("color-contrast", "link-in-text-block")
"""The axe rules that depend on the theme."""

SIZES = ((360, 640), (390, 844), (844, 390), (1280, 800))
"""The proofs in test_screens.py also measure screens of 3840×2160."""

IN_SIGHT = """() => ['.part-board', '.part-hand'].every((part) => {
  const { left, right, top, bottom } = document.querySelector(part).getBoundingClientRect();
  return left >= 0 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
}) && document.documentElement.scrollWidth <= innerWidth"""

COUNT_OF_A_LONG_GAME = """() => {
  const count = document.querySelector('.player-buttons small');
  count.textContent = count.textContent.replace(/\\d+/g, '188');
  const letters = document.createRange();
  letters.selectNodeContents(count);
  const { left, right, top } = letters.getBoundingClientRect();
  const last = document.querySelector('.player-buttons button:last-of-type');
  const box = document.querySelector('.player input').getBoundingClientRect();
  const beside = last.getBoundingClientRect();
  return { free: left >= beside.right || top >= beside.bottom - 1, inside: right <= box.right + 1 };
}"""


def faults(page: Any, *rules: str) -> list[str]:
    """What axe finds; of these rules only, where some are named."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(Axe().axe_script)
    options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
    found = page.evaluate("(options) => axe.run(options)", options)["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in found]


LOOKS = (("fr", PHONE), ("en", DESKTOP))
LIKE_ANOTHER = {
    *("waiting-bot", "rules-blockers", "rules-kaosmos", "learn-blockers", "learn-kaosmos"),
    *("genial-start", "blockers-start", "kaosmos-start", "genial-full-table", "keys"),
    *("blockers-full-table", "blockers-held", "blockers-hint", "kaosmos-card", "kaosmos-middle"),
    *("history", "menu", "kaosmos-ready", "kaosmos-second-round", "other-device", "joining"),
}
"""Screens that consist of the same parts as another; the proofs look at them."""

PARTS = 6
USUAL = [name for name in SCREENS if name not in LIKE_ANOTHER]


def screens_for_axe() -> list[Any]:
    """The usual screens once, on a phone in French or on a desktop in English; as proofs, every
    screen in both ways."""
    usual = [pytest.param(*LOOKS[part % 2], USUAL[part::PARTS]) for part in range(PARTS)]
    every = [
        pytest.param(*look, list(SCREENS)[part::PARTS], marks=pytest.mark.proof)
        for look in LOOKS
        for part in range(PARTS)
    ]
    return usual + every


@pytest.mark.parametrize(("lang", "size", "screens"), screens_for_axe())
def test_axe_finds_nothing_in_either_theme(
    visit: Visit, lang: str, size: dict[str, int], screens: list[str]
) -> None:
    page = visit(lang=lang, viewport=size).page
    for name in screens:
        SCREENS[name](page)
        dress(page, "light")
        assert faults(page) == [], name
        dress(page, "dark")
        assert faults(page, *COLOURS) == [], f"{name}, dark"


CONTRASTS = """(selector) => [...document.querySelectorAll(selector)].map((each) => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map((part) => {
      const value = part / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const { color, backgroundColor } = getComputedStyle(each);
  const [dark, bright] = [light(color), light(backgroundColor)].sort((one, two) => one - two);
  return (bright + 0.05) / (dark + 0.05);
})"""
"""What axe leaves out for a single digit."""


def test_every_marker_of_kaosmos_can_be_read_on_a_phone(visit: Visit) -> None:
    page = visit().page
    SCREENS["kaosmos-second-round"](page)
    for theme in ("light", "dark"):
        dress(page, theme)
        found = page.evaluate(CONTRASTS, ".kaosmos-markers li")
        assert len(found) == 8
        assert min(found) > 4, f"{theme}: {found}"


def test_axe_finds_a_planted_violation(visit: Visit) -> None:
    page = visit().page
    page.goto("/nowhere")
    page.wait_for_selector("h1")
    page.evaluate("document.querySelector('h1').style.color = '#ccc'")
    assert any(fault.startswith("color-contrast") for fault in faults(page))


FULL_AND_SMALL = [
    *MOST.items(),
    *(pytest.param(game, 2, marks=pytest.mark.proof) for game in MOST),
]


@pytest.mark.parametrize(("game", "players"), FULL_AND_SMALL)
def test_board_and_hand_are_on_the_screen_together(visit: Visit, game: str, players: int) -> None:
    page = visit().page
    sit_with_bots(page, game, players)
    page.wait_for_selector(".part-hand > *")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        try:
            page.wait_for_function(IN_SIGHT)
        except TimeoutError:
            pytest.fail(f"{game} for {players} does not fit into {width}×{height}")


def test_a_long_replay_counter_does_not_cover_buttons(visit: Visit) -> None:
    page = visit(lang="fr").page
    SCREENS["looking-back"](page)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        found = page.evaluate(COUNT_OF_A_LONG_GAME)
        assert found == {"free": True, "inside": True}, f"{width}×{height}"


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_top_bar_fits_on_a_phone(visit: Visit, lang: str) -> None:
    page = visit(lang=lang).page
    page.goto("/lobby")
    page.wait_for_selector("main .empty, main .lobby-table")
    for width in (320, 360, 390, 430):
        page.set_viewport_size({"width": width, "height": 640})
        edge = page.evaluate(
            "() => document.querySelector('.top > :last-child').getBoundingClientRect().right"
        )
        assert edge <= width, width


def test_offline_page_is_shown_without_a_network(visit: Visit) -> None:
    visitor = visit(service_worker=True)
    visitor.page.goto("/")
    visitor.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    visitor.context.set_offline(True)
    visitor.page.reload()
    visitor.page.wait_for_selector(".here-line")
    expect(visitor.page.locator("h1")).not_to_be_empty()
    visitor.context.set_offline(False)


def test_the_app_can_be_installed(visit: Visit) -> None:
    page = visit(service_worker=True).page
    page.goto("/")
    devtools = page.context.new_cdp_session(page)
    faults = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {each["errorId"] for each in faults} <= {"in-incognito"}  # as all these windows are
    manifest = devtools.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"].endswith("/manifest.webmanifest")


def test_the_page_title_shows_whose_turn_it_is(visit: Visit) -> None:
    page = visit().page
    sit_with_bots(page, "genial")
    page.wait_for_selector(".hand.open")
    page.wait_for_function("() => document.title.startsWith('● Your turn')")
