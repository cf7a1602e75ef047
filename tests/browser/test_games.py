"""Whole games in a browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.drivers import DRIVERS, genial, genial_by_touch, play_out
from tests.browser.house import DESKTOP, Visitor, play_now

Visit = Callable[..., Visitor]


@pytest.mark.parametrize("game", DRIVERS)
def test_a_whole_game_against_a_bot(visit: Visit, game: str) -> None:
    page = visit(viewport=DESKTOP).page
    play_now(page, game)
    assert play_out([page], DRIVERS[game]) > 10
    page.wait_for_function("document.title.includes('over')")  # it follows the next paint
    page.click("dialog a[href^='/r/']")
    page.wait_for_selector(".player")
    page.keyboard.press("End")
    assert page.input_value(".player input") != "0"


def test_a_whole_game_of_genial_by_keys_alone(visit: Visit) -> None:
    page = visit(lang="fr", theme="dark").page
    page.goto("/")
    page.locator(".game-tile.genial select option").first.wait_for(state="attached")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.genial .button.primary')"):
            break
    page.keyboard.press("Enter")
    page.wait_for_selector(".genial-board")
    assert play_out([page], genial) > 15


def test_a_whole_game_of_genial_by_touch(visit: Visit) -> None:
    page = visit(has_touch=True, is_mobile=True).page
    play_now(page, "genial")
    assert play_out([page], genial_by_touch) > 15


@pytest.mark.parametrize("game", DRIVERS)
def test_two_browsers_with_a_reload_and_a_lost_connection(visit: Visit, game: str) -> None:
    ana, bo = visit(lang="fr"), visit(viewport=DESKTOP, theme="dark")
    _sit_down(ana.page, bo.page, game)
    act = DRIVERS[game]

    def trouble(page: Any, done: int) -> bool:
        if done == 4:
            page.reload()
            page.wait_for_selector(".part-board")
        if done == 7:
            bo.context.set_offline(True)
            act(bo.page, done)
            bo.page.wait_for_timeout(400)
            bo.context.set_offline(False)
        return True

    play_out([ana.page, bo.page], act, trouble)
    results = [page.inner_text("dialog .places .you strong") for page in (ana.page, bo.page)]
    assert results == ["Ana", "Bo"]


def _sit_down(ana: Any, bo: Any, game: str) -> None:
    ana.goto("/")
    ana.click(f".game-tile.{game} .game-buttons .button:not(.primary)")
    ana.fill("dialog input[maxlength]", "Ana")
    if game == "kaosmos":  # without a glass, so that a slow machine is no fault
        ana.click("dialog summary")
        ana.check("dialog details input[value=null]", force=True)
    ana.click("dialog button[type=submit]")
    ana.wait_for_selector(".qr")
    bo.goto(ana.url)
    bo.fill("input[maxlength]", "Bo")
    bo.click("main button[type=submit]")
    bo.click(".waiting > .button.primary")
    ana.click(".waiting > .button.primary")
    for page in (ana, bo):
        page.wait_for_selector(".part-board")


def test_one_device_with_a_curtain_between_hands(visit: Visit) -> None:
    page = visit().page
    page.goto("/")
    page.click(".game-tile.genial .game-buttons .button:not(.primary)")
    page.check("dialog input[value=device]", force=True)
    page.click("dialog button[type=submit]")
    curtains = 0
    page.wait_for_selector(".curtain, .genial-hand.open")
    for done in range(8):
        page.wait_for_selector(".curtain, .genial-hand.open")
        if page.query_selector(".curtain"):
            assert page.query_selector(".genial-tile") is None
            page.keyboard.press("Enter")
            page.wait_for_selector(".genial-hand.open")
            curtains += 1
        genial(page, done)
        page.wait_for_timeout(150)
    assert curtains >= 6
