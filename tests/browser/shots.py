"""Pictures of every screen, in both themes and languages, on a phone and on a desktop.

`python -m tests.browser.shots [folder]`; without a folder they go to build/shots.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.drivers import DRIVERS
from tests.browser.house import (
    DESKTOP,
    PHONE,
    Visitor,
    play_now,
    running_browser,
    running_server,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

Screen = Callable[["Page"], None]
GAMES = ("genial", "blockers", "kaosmos")


def at(path: str, ready: str) -> Screen:
    """A page by its address."""

    def show(page: Page) -> None:
        page.goto(path)
        page.locator(ready).first.wait_for(state="attached")

    return show


def playing(game: str, moves: int) -> Screen:
    """A game after so many moves of ours."""

    def show(page: Page) -> None:
        play_now(page, game)
        done = 0
        for _ in range(40 * moves):
            if done >= moves:
                break
            done += DRIVERS[game](page, done)
            page.wait_for_timeout(80)
        page.wait_for_timeout(900)
        if game == "genial" and page.query_selector(".genial-hand.open"):
            page.keyboard.press("1")
            page.keyboard.press("n")

    return show


def then(first: Screen, click: str) -> Screen:
    """A screen behind a button."""

    def show(page: Page) -> None:
        first(page)
        page.click(click)
        page.wait_for_selector("dialog, .qr")

    return show


def waiting(page: Page) -> None:
    """A table that waits for friends."""
    then(at("/", ".game-tile select option"), ".genial .game-buttons .button:not(.primary)")(page)
    page.click("dialog button[type=submit]")
    page.wait_for_selector(".qr")


HOME = at("/", ".game-tile select option")
SCREENS: dict[str, Screen] = {
    "home": HOME,
    "settings": then(HOME, ".top .icon-button"),
    "new-table": then(HOME, ".kaosmos .game-buttons .button:not(.primary)"),
    "waiting": waiting,
    "lobby": at("/lobby", "h1"),
    "replay": at("/replay", "input"),
    **{f"rules-{game}": at(f"/rules/{game}", ".rulebook h2") for game in GAMES},
    **{f"learn-{game}": at(f"/learn/{game}", ".coach") for game in GAMES},
    **{f"{game}-start": playing(game, 0) for game in GAMES},
    **{f"{game}-middle": playing(game, 7 if game != "kaosmos" else 3) for game in GAMES},
    "history": then(playing("genial", 4), ".table-top .icon-button:nth-last-child(2)"),
    "menu": then(playing("genial", 1), ".table-top .icon-button:last-child"),
}


def main(folder: Path) -> None:
    """Take all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with running_server() as address, running_browser() as browser:
        for theme in ("light", "dark"):
            for lang in ("fr", "en"):
                for kind, size in (("phone", PHONE), ("desktop", DESKTOP)):
                    visitor = Visitor(browser, address, theme=theme, lang=lang, viewport=size)
                    for name, show in SCREENS.items():
                        show(visitor.page)
                        visitor.page.wait_for_timeout(250)
                        file = folder / f"{name}-{kind}-{theme}-{lang}.png"
                        visitor.page.screenshot(path=file)
                    visitor.close()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/shots"))
