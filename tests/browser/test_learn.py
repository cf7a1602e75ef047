"""A learner goes through a whole tutorial, mistakes included, by keys."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.browser.drivers import lay, middles
from tests.browser.house import Visitor
from tuilerie.games import GAMES
from tuilerie.games.game import Action
from tuilerie.record import replay

LESSONS = Path(__file__).parents[2] / "web" / "src" / "games" / "genial" / "lessons.json"
GENIAL = GAMES["genial"]
Worth = Callable[[Any, list[Any]], int]


def points(_view: Any, events: list[Any]) -> int:
    """What a tile scores."""
    return sum(half.points for event in events if event.kind == "scored" for half in event.halves)


def help_for_lowest(view: Any, events: list[Any]) -> int:
    """What it scores for the lowest marker."""
    low = min(view.tracks[0].values())
    markers = [marker for event in events if event.kind == "scored" for marker in event.markers]
    return max((marker.points for marker in markers if marker.before == low), default=0)


def is_genial(_view: Any, events: list[Any]) -> int:
    """Whether a marker reaches its end."""
    return sum(event.kind == "genial" for event in events)


def keys_for(record: str, worth: Worth) -> list[str]:
    """The keys that make the move of most worth, wherever the cursor is."""
    state = replay(record).state
    view = GENIAL.view(state, 0)

    def value(move: str) -> int:
        return worth(view, list(GENIAL.apply(state, Action(0, GENIAL.parse_move(move))).events))

    best = max(view.legal, key=value)
    tile = best.split()[0]
    places = [move for move in view.legal if move.startswith(f"{tile} ")]
    ahead = places.index(best) + 1
    back = len(places) - ahead + 1
    steps = ["n"] * ahead if ahead <= back else ["Shift+n"] * back
    return ["Escape", str(view.hand.index(tile) + 1), *steps, "Enter"]


def test_a_learner_finishes_the_tutorial_of_genial(visit: Callable[..., Visitor]) -> None:
    page = visit().page
    records: dict[str, str] = json.loads(LESSONS.read_text("utf-8"))
    page.goto("/learn/genial")
    page.wait_for_selector(".coach")
    page.keyboard.press("Enter")

    def press(keys: list[str]) -> None:
        page.wait_for_selector(".coach.ask .button:not(.primary):last-child")
        page.wait_for_selector(".hand.open, .genial-swap")
        for key in keys:
            page.keyboard.press(key)

    steps = {"first": points, "line": points, "lowest": help_for_lowest, "bonus": is_genial}
    for name, worth in steps.items():
        press(keys_for(records[name], lambda view, events, worth=worth: -worth(view, events)))  # type: ignore[misc]
        page.wait_for_selector(".coach.wrong")
        page.click(".coach.wrong .coach-buttons .button:nth-last-child(2)")
        press(keys_for(records[name], worth))
        page.wait_for_selector(".coach.good")
        page.keyboard.press("Enter")
    for keys in (["1", "n", "Enter"], ["s"]):
        press(keys)
        page.wait_for_selector(".coach.good")
        page.keyboard.press("Enter")
    page.wait_for_selector("text=Play a first game")
    page.keyboard.press("Enter")
    page.wait_for_selector(".table .hand.open")
    assert "/t/" in page.url


def test_a_learner_of_kaosmos_reserves_a_bonus_tile_with_a_tile_missing(
    visit: Callable[..., Visitor],
) -> None:
    page = visit().page
    page.goto("/learn/kaosmos")
    page.wait_for_selector(".coach")
    page.keyboard.press("Enter")
    page.wait_for_selector(".hand.open .rack")
    lay(page, 1)
    page.wait_for_selector(".coach.good")
    page.keyboard.press("Enter")
    page.wait_for_selector(".coach.ask")
    page.mouse.click(*middles(page, ".kaosmos-laid")[0])
    page.wait_for_selector(".coach.good")
    page.keyboard.press("Enter")
    page.wait_for_selector(".hand.open")
    page.wait_for_function("() => document.querySelectorAll('.kaosmos-laid').length === 8")
    page.click(".kaosmos-bonus:not([disabled])")
    for button in (".primary", ".danger"):
        page.click(f".kaosmos-finish {button}")
    page.wait_for_selector(".coach.good")
    expect(page.locator(".coach.good p")).to_contain_text("once a round")
