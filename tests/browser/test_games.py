"""Whole games in a browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.amounts import few_or_many
from tests.browser.drivers import DRIVERS, TURN, genial, genial_by_touch, play_out
from tests.browser.house import DESKTOP, Visitor, play_now, sit_down, sit_with_bots, unfold
from tests.browser.screens import QUICK
from tests.browser.test_around import resign
from tests.browser.wire import Wire

Visit = Callable[..., Visitor]

WHOLE = 1_000
"""More moves than any game has."""


WHOLE_GAMES = [
    pytest.param("genial", {}, id="genial"),
    pytest.param("blockers", {}, id="blockers"),
    pytest.param("kaosmos", QUICK["kaosmos"], id="kaosmos for beginners"),
    pytest.param("kaosmos", {"seconds": None}, id="kaosmos", marks=pytest.mark.proof),
]


BESIDE_THE_BOARD = """() => {
  const [board, player, moves] = ['.kaosmos-space, .part-board:not(:has(.kaosmos-space))',
    '.player', '.part-side'].map((each) => document.querySelector(each).getBoundingClientRect());
  return player.top - board.bottom < 40 && innerHeight - player.bottom < 40
    && innerHeight - moves.bottom < 40;
}"""
"""In a replay on a desktop: board, buttons and moves take all the height."""


@pytest.mark.parametrize(("game", "options"), WHOLE_GAMES)
def test_a_whole_game_against_a_bot(visit: Visit, game: str, options: dict[str, Any]) -> None:
    page = visit(sounds="on").page
    sit_with_bots(page, game, options=options)
    assert play_out([page], DRIVERS[game]) > 10
    page.wait_for_function("() => document.title.includes('over')")  # it follows the next paint
    page.click("dialog a[href^='/r/']")
    page.wait_for_selector(".player")
    page.keyboard.press("End")
    expect(page.locator(".player input")).not_to_have_value("0")
    page.set_viewport_size(DESKTOP)
    page.wait_for_function(BESIDE_THE_BOARD)


@few_or_many("moves", 5, WHOLE)
def test_a_game_of_genial_by_keys_alone(visit: Visit, moves: int) -> None:
    page = visit(lang="fr", theme="dark").page
    page.goto("/")
    page.locator(".game-tile.genial select option").first.wait_for(state="attached")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.genial .button.primary')"):
            break
    page.keyboard.press("Enter")
    page.wait_for_selector(".board")
    page.keyboard.press("?")
    page.wait_for_selector("dialog details[open] .keys kbd")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert play_out([page], genial, most=moves) >= min(moves, 15)


@few_or_many("moves", 5, WHOLE)
def test_a_game_of_genial_by_touch(visit: Visit, moves: int) -> None:
    page = visit(has_touch=True, is_mobile=True).page
    play_now(page, "genial")
    assert play_out([page], genial_by_touch, most=moves) >= min(moves, 15)


@pytest.mark.proof
def test_a_whole_solo_game_of_genial(visit: Visit) -> None:
    page = visit().page
    play_now(page, "genial", 1)
    first = page.url
    assert play_out([page], genial) > 15
    head = page.inner_text("dialog h2")
    lowest = (
        page.inner_text("dialog .places [data-seat] > span")
        .split(",")[0]
        .removeprefix("lowest colour: ")
    )
    assert head == f"Your result: {lowest}"
    assert page.query_selector("dialog .place") is None
    page.click("dialog .result .primary")
    page.wait_for_url(lambda url: url != first)
    page.wait_for_selector(".hand.open")


def test_a_solo_table_can_be_created_with_options(visit: Visit) -> None:
    page = visit().page
    page.goto("/")
    page.click(".game-tile.genial .game-buttons .button:not(.primary)")
    page.check("dialog input[value='1']", force=True)
    expect(page.locator("dialog input[value=lobby]")).to_have_count(0)  # there is nobody to meet
    expect(page.locator("dialog input[value='\"solo\"']")).to_be_checked()
    expect(page.locator("dialog input[value='\"standard\"']")).to_have_count(0)
    unfold(page)
    page.check("dialog input[value=true]", force=True)
    page.click("dialog button[type=submit]")
    page.wait_for_selector(".hand.open")


def test_who_begins_genial_can_be_drawn_by_lot(visit: Visit) -> None:
    page = visit().page
    page.goto("/")
    page.click(".game-tile.genial .game-buttons .button:not(.primary)")
    unfold(page)
    page.click("dialog label:has(input[value=lot])")
    with page.expect_request("**/api/tables") as asked:
        page.click("dialog button[type=submit]")
    sent = asked.value.post_data_json
    assert sent is not None
    assert sent["options"] == {"first": "lot"}
    page.wait_for_selector(".qr")


TROUBLED = [
    pytest.param("kaosmos", 3),
    pytest.param("genial", 3),
    *(pytest.param(game, WHOLE, marks=pytest.mark.proof) for game in DRIVERS),
]


@pytest.mark.parametrize(("game", "turns"), TROUBLED)
def test_two_browsers_survive_a_reload_and_a_lost_connection(
    visit: Visit, wire: Wire, game: str, turns: int
) -> None:
    """Bo reloads once, and once moves while disconnected: no move is lost. After so many turns Bo
    resigns."""
    ana, bo = visit(lang="fr"), visit(viewport=DESKTOP, theme="dark", wire=wire)
    slug = sit_down(ana, bo, game)
    troubles = Troubles(wire, game, turns)
    play_out([ana.page, bo.page], DRIVERS[game], troubles.act)
    results = [page.inner_text("dialog .places .you strong") for page in (ana.page, bo.page)]
    assert results == ["Ana", "Bo"]
    record = ana.page.request.get(f"/api/tables/{slug}/record").text()
    played = [entry["move"] for entry in map(json.loads, record.splitlines()) if "move" in entry]
    assert troubles.unheard
    assert all(move in played for move in troubles.unheard)


class Troubles:
    """One player's hand: at its second turn the page is reloaded, at a later one the wire is cut.

    A turn that begins between our look and the driver's own is not counted. A game of Kaosmos has
    five, so the troubles come early enough for some to be missed.
    """

    def __init__(self, wire: Wire, game: str, turns: int) -> None:
        self._wire = wire
        self._act = DRIVERS[game]
        self._turn = ".hand.open .rack" if game == "kaosmos" else TURN[game]
        self._turns = 0
        self._most = turns
        self.unheard: list[str] = []

    def act(self, page: Any, done: int) -> bool:
        """One thing, perhaps with some trouble before it."""
        if page.query_selector(self._turn):
            self._turns += 1
            if self._turns == 2:
                page.reload()
                page.wait_for_selector(self._turn)
            if self._turns >= 3 and not self.unheard:
                return self._act_unheard(page, done)
            if self._turns > self._most:
                resign(page)
                page.wait_for_selector("dialog .result")
                return True
        return self._act(page, done)

    def _act_unheard(self, page: Any, done: int) -> bool:
        self._wire.cut()
        page.wait_for_selector(".link-word")
        acted = self._act(page, done)
        unsent = "Object.entries(sessionStorage).find(([key]) => key.includes('.unsent.'))?.[1]"
        kept = json.loads(page.evaluate(unsent) or "[]")
        self.unheard = [each["command"]["move"] for each in kept]
        self._wire.mend()
        page.wait_for_selector(".link-word", state="detached")
        return acted


def test_one_device_shows_a_hand_over_screen_between_turns(visit: Visit) -> None:
    page = visit().page
    page.goto("/")
    page.click(".game-tile.genial .game-buttons .button:not(.primary)")
    page.check("dialog input[value=device]", force=True)
    page.click("dialog button[type=submit]")
    curtains = 0
    for done in range(8):
        page.wait_for_selector(".curtain, .hand.open")
        if page.query_selector(".curtain"):
            assert page.query_selector(".tile") is None
            page.keyboard.press("Enter")
            page.wait_for_selector(".hand.open")
            curtains += 1
        genial(page, done)
        page.wait_for_selector(".hand.open", state="detached")
    assert curtains >= 6
