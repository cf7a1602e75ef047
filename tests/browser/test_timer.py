"""Kaosmos against the timer, in a browser: tiles face down until it starts, and the bonus tiles."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.drivers import lay, middles
from tests.browser.house import DESKTOP, Visitor, sit_down_at, unfold

if TYPE_CHECKING:
    from playwright.sync_api import Page

Visit = Callable[..., Visitor]

PLAIN = {"kaos": False, "draft": False, "seconds": 120}
DRAFT = PLAIN | {"draft": True}
SLOW = PLAIN | {"seconds": None}

FACE = ".rack [data-tile], .kaosmos-laid"
"""A tile that can be seen, other than those of a packet."""

WATCH = """(face) => {
  const count = (selector) => document.querySelectorAll(selector).length;
  window.faceDown_ = 0;
  const note = () => {
    window.firstFace_ ??= count(face) ? performance.timeOrigin + performance.now() : null;
    if (count(".kaosmos-countdown")) {
      window.faceDown_ = Math.max(window.faceDown_, count(".kaosmos-tile.down"));
    }
  };
  new MutationObserver(note).observe(document, { childList: true, subtree: true });
}"""
"""Notes when the first tile face is there, in ms since the epoch, and how many tiles lie face down
during the countdown. In the page, because on a busy machine a look from here may come too late."""


class Facts:
    """The facts that one page of the table has received."""

    def __init__(self, page: Page) -> None:
        self.events: list[dict[str, Any]] = []
        page.on("websocket", lambda socket: socket.on("framereceived", self._receive))

    def _receive(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        self.events += message.get("events", [])

    def first(self, kind: str) -> dict[str, Any] | None:
        """The first fact of a kind."""
        return next((each["fact"] for each in self.events if each["fact"]["kind"] == kind), None)


def draft(page: Page) -> None:
    """Keep the first three tiles of a packet."""
    page.wait_for_selector(".kaosmos-pick:not([disabled])")
    for key in ("1", "2", "3", "Enter"):
        page.keyboard.press(key)


def test_all_tiles_are_turned_up_when_the_timer_starts(visit: Visit) -> None:
    people = visit(), visit(viewport=DESKTOP, lang="fr")
    ana, bo = (person.page for person in people)
    received = Facts(ana)
    sit_down_at(*people, DRAFT)
    for page in (ana, bo):
        page.evaluate(WATCH, FACE)
    for packet in range(2):
        for page in (ana, bo):
            draft(page)
        if packet == 0:
            for page in (ana, bo):
                page.wait_for_selector(".kaosmos-packet.of-6")
    for page in (ana, bo):  # neither a key nor a click turns a tile before its time
        page.wait_for_selector(f".kaosmos-tile.down, {FACE}")
        page.keyboard.press("1")
        page.mouse.click(*middles(page, ".kaosmos-slot")[0])
    for page in (ana, bo):
        page.wait_for_selector(FACE)
        assert page.query_selector(".kaosmos-countdown, .kaosmos-tile.down") is None
    announced = received.first("timer-announced")
    assert announced is not None
    starts_at = announced["starts_at"]
    faces = [page.evaluate("window.firstFace_") for page in (ana, bo)]
    assert min(faces) >= starts_at
    assert [page.evaluate("window.faceDown_") for page in (ana, bo)] == [9, 9]


def test_reserving_a_bonus_tile_fills_the_galaxy_at_random(visit: Visit) -> None:
    people = visit(), visit()
    ana, bo = (person.page for person in people)
    received = Facts(ana)
    sit_down_at(*people, SLOW)
    ana.wait_for_selector(".hand.open .rack")
    lay(ana, 7)
    ana.click(".kaosmos-bonus >> nth=1")
    ana.click(".kaosmos-finish .primary")
    expect(ana.locator(".kaosmos-unfinished [role=alert]")).to_contain_text("at random")
    assert ana.query_selector(".kaosmos-done") is None
    ana.click(".kaosmos-unfinished .danger")
    ana.wait_for_selector(".kaosmos-done")
    expect(ana.locator(".kaosmos-laid")).to_have_count(7)
    lay(bo)
    bo.click(".kaosmos-finish .primary:not([disabled])")
    ana.wait_for_selector(".kaosmos-time-up")
    expect(ana.locator(".kaosmos-laid")).to_have_count(9)
    expect(ana.locator(".kaosmos-chance > g")).to_have_count(2)
    words = ana.locator(".kaosmos-time-words")
    expect(words).to_contain_text("2 tiles were placed at random.")
    expect(words).not_to_contain_text("Time is up")
    ana.click(".kaosmos-time-up .primary")
    ana.wait_for_selector(".kaosmos-count")
    expect(ana.locator(".kaosmos-filled")).to_have_text("2 tiles were placed at random.")
    expect(ana.locator(".kaosmos-lines")).to_contain_text("blue", ignore_case=True)
    filled = [each for event in received.events for each in event["game"]]
    mine = [each for each in filled if each["kind"] == "filled" and each["seat"] == 0]
    assert [len(each["puts"]) for each in mine] == [2]
    ana.click(".history-button")
    expect(ana.locator(".history")).to_contain_text("2 tiles")


def test_a_bonus_tile_can_be_reserved_after_done(visit: Visit) -> None:
    people = visit(), visit(viewport=DESKTOP)
    ana, bo = (person.page for person in people)
    sit_down_at(*people, PLAIN)
    ana.wait_for_selector(FACE)
    lay(ana)
    ana.click(".kaosmos-finish .primary:not([disabled])")
    ana.wait_for_selector(".kaosmos-done small")
    expect(ana.locator(".kaosmos-tile:not([disabled])")).to_have_count(0)
    ana.keyboard.press("o")
    ana.click(".kaosmos-finish .primary")
    ana.wait_for_selector(".kaosmos-done small", state="detached")
    bo.wait_for_selector(".kaosmos-bonus.taken .kaosmos-holder")
    expect(bo.locator(".kaosmos-bonus.taken")).to_have_attribute("aria-label", re.compile("Ana"))
    lay(bo)
    bo.click(".kaosmos-finish .primary:not([disabled])")
    bo.wait_for_selector(".kaosmos-count")


@pytest.mark.proof  # the tests above end a round so, too
def test_the_last_done_ends_the_round(visit: Visit) -> None:
    people = visit(), visit()
    ana, bo = (person.page for person in people)
    sit_down_at(*people, SLOW)
    for page in (ana, bo):
        page.wait_for_selector(".hand.open .rack")
        lay(page)
        page.click(".kaosmos-finish .primary:not([disabled])")
    bo.wait_for_selector(".kaosmos-count")


def test_on_one_device_players_build_one_after_the_other(visit: Visit) -> None:
    page = visit().page
    page.goto("/")
    page.click(".game-tile.kaosmos .game-buttons .button:not(.primary)")
    page.check("dialog input[value=device]", force=True)
    expect(page.locator("dialog input[value='60']")).to_have_count(0)
    unfold(page)
    for option in (0, 1):  # cards and draft
        page.locator("dialog .new-options label:has(input[value=false])").nth(option).click()
    page.click("dialog button[type=submit]")
    for _ in range(2):
        page.wait_for_selector(".curtain")
        assert page.query_selector(FACE) is None
        page.keyboard.press("Enter")
        page.wait_for_selector(".hand.open .rack")
        assert page.query_selector(".kaosmos-timer, .kaosmos-countdown") is None
        lay(page)
        page.click(".kaosmos-finish .primary:not([disabled])")
    page.wait_for_selector(".kaosmos-count, .curtain")


def test_when_time_is_up_the_tiles_of_luck_are_shown(visit: Visit) -> None:
    """Nobody lays a tile: the timer runs out, and everybody sees the tiles laid at random."""
    people = visit(), visit(lang="fr", viewport=DESKTOP)
    ana, bo = (person.page for person in people)
    sit_down_at(*people, PLAIN | {"seconds": 30})
    said = {ana: ("Time is up", "9 tiles"), bo: ("Temps écoulé", "9 tuiles")}
    for page, (up, tiles) in said.items():
        page.wait_for_selector(".kaosmos-time-up")
        words = page.locator(".kaosmos-time-words")
        expect(words).to_contain_text(up)
        expect(words).to_contain_text(tiles)
        expect(page).to_have_title(re.compile(up))  # not whose turn it is
        expect(page.locator(".kaosmos-chance > g")).to_have_count(9)
        page.click(".kaosmos-time-up .primary")
        page.wait_for_selector(".kaosmos-count")
    # The next timer is announced only when both have seen the count.
    for page in (ana, bo):
        assert page.query_selector(".kaosmos-countdown") is None
        while page.query_selector(".kaosmos-count"):
            page.evaluate("document.querySelector('.hand .wide')?.click()")
            page.wait_for_timeout(50)
    for page in (ana, bo):
        page.wait_for_selector(".kaosmos-countdown, .hand.open .rack")
