"""The client is small, and asks nobody but its own server. `make figures` tells how small."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.browser.drivers import TURN
from tests.browser.figures import weigh
from tests.browser.house import Visitor, play_now
from tuilerie.server.http.pages import FOLDER

MOST = {"home": 80, **dict.fromkeys(TURN, 160)}
"""Kilobytes, compressed, that may be fetched until a page or a game can be used."""

NAMES = {"http://www.w3.org"}
"""Hosts that are names of XML vocabularies, and never asked for anything."""


@pytest.mark.parametrize("screen", MOST)
def test_little_is_fetched(visit: Callable[..., Visitor], screen: str) -> None:
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


def test_no_other_host_is_named() -> None:
    files = [path for path in FOLDER.rglob("*") if path.suffix in {".js", ".css", ".html", ".svg"}]
    assert files
    named = {
        host
        for path in files
        for host in re.findall(r"(?:https?|wss?)://[\w.-]+", path.read_text("utf-8"))
    }
    assert named <= NAMES
