"""A game that was played without the server is added to an account."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.drivers import move
from tests.browser.house import DESKTOP, Visitor
from tests.browser.test_accounts import games, inside, log_in, make
from tests.browser.test_anywhere import Home
from tests.browser.test_around import resign
from tuilerie.server.http.pages import ENGINE

Visit = Callable[..., Visitor]

pytestmark = pytest.mark.skipif(
    not (ENGINE / "manifest.json").is_file(), reason="no engine: run make engine"
)


def over(page: Any) -> list[str]:
    """The finished games on 'My games', with where they lead."""
    page.goto("/games")
    page.wait_for_selector("#over:not(:has-text('0')) ~ ul li")
    return [
        link.get_attribute("href").split("/")[-1].split("-")[0]
        for link in page.locator("#over ~ ul a").all()
    ]


def test_a_game_without_a_network_is_added_to_the_account(visit: Visit) -> None:
    home = Home(visit(service_worker=True, viewport=DESKTOP), "/")
    page = home.page
    home.keep()
    home.cut()
    home.play("blockers")
    move(page, "blockers")
    resign(page)
    home.visitor.context.set_offline(False)
    home.visitor.said.clear()  # of requests without a network
    assert over(page) == ["local"]
    make(page, "Lea train")
    inside(page, "Lea train")
    section = page.locator("section.card:has-text('Played without the server')")
    section.locator(".primary").click()
    page.wait_for_selector("text=One game is now in your account")
    section.wait_for(state="detached")
    page.wait_for_selector("main .lobby li:has-text('played without the server')")
    assert len(games(page)) == 1, "it is listed once"
    assert over(page) == ["device"]
    page.click("#over ~ ul a")
    page.wait_for_selector(".player")
    other = visit(viewport=DESKTOP).page
    log_in(other, "Lea train")
    inside(other, "Lea train")
    assert len(games(other)) == 1
    assert over(other) == ["device"]
    page.goto("/account")
    page.click(".account-head .button")
    page.wait_for_selector("input[name=username]")
    assert over(page) == ["local"], "without the account, the browser's own"
