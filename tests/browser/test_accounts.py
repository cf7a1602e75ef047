"""Accounts, for who wants one: made, used on two devices, left, deleted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.browser.house import DESKTOP, Visitor, play_now

Visit = Callable[..., Visitor]

PASSWORD = "correct horse battery"
BETTER = "incorrect zebra charger"


def make(page: Any, name: str, password: str = PASSWORD) -> None:
    """Make an account on its page."""
    page.goto("/account")
    page.check("input[value=make]", force=True)
    fill(page, name, password)


def log_in(page: Any, name: str, password: str = PASSWORD) -> None:
    """Log in on the page of accounts."""
    page.goto("/account")
    page.wait_for_selector("input[name=username]")
    fill(page, name, password)


def fill(page: Any, name: str, password: str) -> None:
    """Both fields, and off."""
    page.fill("input[name=username]", name)
    page.fill("main form input[type=password]", password)
    page.click("main form [type=submit]")


def inside(page: Any, name: str) -> None:
    """Wait for one's own page."""
    page.wait_for_selector(f".account-head h1:text-is('{name}')")


def forgive(visitor: Visitor) -> None:
    """Chromium tells the console of every answer of 4xx; those were asked for."""
    refusals = [line for line in visitor.said if "the server responded with a status of 4" in line]
    assert len(refusals) == len(visitor.said), visitor.said
    visitor.said.clear()


def games(page: Any) -> list[str]:
    """The games on one's own page."""
    page.wait_for_selector("main .lobby li, main .empty")
    return [line.split("\n")[0] for line in page.locator("main .lobby li").all_inner_texts()]


def test_a_guest_makes_an_account_and_goes_on_with_the_game_elsewhere(visit: Visit) -> None:
    sofa, desk = visit().page, visit(viewport=DESKTOP).page
    play_now(sofa, "genial")
    table = sofa.url
    make(sofa, "Léa sofa")
    inside(sofa, "Léa sofa")
    sofa.wait_for_selector(".checks input")
    assert sofa.locator(".checks input").count() == 1
    sofa.click(".card .primary")
    sofa.wait_for_selector(".checks", state="detached")
    log_in(desk, "léa SOFA")
    inside(desk, "Léa sofa")
    assert games(desk) == ["Génial!"]
    desk.click("main .lobby a")
    desk.wait_for_selector(".genial-hand.open")
    assert desk.url == table


def test_a_game_that_was_somebody_elses_is_not_taken_along(visit: Visit) -> None:
    page = visit().page
    play_now(page, "genial")
    play_now(page, "blockers")
    make(page, "Chooser")
    inside(page, "Chooser")
    page.uncheck(".checks li:has-text('Génial') input")
    assert page.inner_text(".card .primary") == "Take one game along"
    page.click(".card .primary")
    page.wait_for_selector(".checks li:has-text('Blockers')", state="detached")
    assert "Génial!" in page.inner_text(".checks")
    page.click("text=Log out")
    page.wait_for_selector("main form")
    page.goto("/")
    page.wait_for_selector(".my-games")
    assert page.locator(".my-games li").count() == 1, "only the game that was not taken along"


def test_refusals_say_what_is_wrong_and_lose_nothing(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    make(page, "ab")
    assert "3 to 24" in page.inner_text("[role=alert]")
    page.fill("input[name=username]", "Refused")
    page.fill("main form input[type=password]", "short")
    page.click("main form [type=submit]")
    page.wait_for_selector("[role=alert]:has-text('at least 10')")
    page.fill("main form input[type=password]", PASSWORD)
    page.click("main form [type=submit]")
    inside(page, "Refused")
    page.click("text=Log out")
    page.wait_for_selector(".notice:has-text('logged out')")
    make(page, "REFUSED")
    page.wait_for_selector("[role=alert]:has-text('already')")
    assert page.input_value("input[name=username]") == "REFUSED"
    log_in(page, "Refused", "not the password")
    page.wait_for_selector("[role=alert]:has-text('do not match')")
    forgive(visitor)


def test_another_password_and_the_end(visit: Visit) -> None:
    visitor, other = visit(), visit()
    page = visitor.page
    make(page, "Ephemeral")
    inside(page, "Ephemeral")
    log_in(other.page, "Ephemeral")
    inside(other.page, "Ephemeral")
    page.click("summary:has-text('Change the password')")
    page.fill("details[open] [name=password]", "a wrong one")
    page.fill("details[open] [name=new-password]", BETTER)
    page.click("details[open] [type=submit]")
    page.wait_for_selector("[role=alert]:has-text('not your password')")
    page.fill("details[open] [name=password]", PASSWORD)
    page.click("details[open] [type=submit]")
    page.wait_for_selector("details[open] .notice:not(.bad)")
    other.page.reload()
    other.page.wait_for_selector("input[name=username]")
    page.click("summary:has-text('Change the password')")
    page.click("summary:has-text('Delete the account')")
    page.fill("details[open] [name=password]", BETTER)
    page.click("details[open] .danger")
    page.wait_for_selector(".notice:has-text('is deleted')")
    log_in(page, "Ephemeral", BETTER)
    page.wait_for_selector("[role=alert]:has-text('do not match')")
    forgive(visitor)


def test_who_comes_by_a_link_logs_in_first_and_comes_back_to_it(visit: Visit) -> None:
    host, guest = visit().page, visit().page
    make(guest, "Invited")
    inside(guest, "Invited")
    guest.click("text=Log out")
    guest.wait_for_selector("main form")
    host.goto("/")
    host.click(".game-tile.blockers .game-buttons .button:not(.primary)")
    host.click("dialog button[type=submit]")
    host.wait_for_selector(".qr")
    guest.goto(host.url)
    guest.click("main a[href^='/account']")
    guest.wait_for_selector("input[name=username]")
    fill(guest, "Invited", PASSWORD)
    guest.wait_for_selector("main .muted:has-text('Invited')")
    assert guest.url == host.url
    guest.click("main form [type=submit]")
    guest.wait_for_selector(".seats")
    guest.goto("/account")
    inside(guest, "Invited")
    assert games(guest) == ["Blockers!"]
    assert guest.query_selector(".checks") is None, "it is the account's from the beginning"


def test_a_page_whose_account_is_logged_out_says_so_and_leads_back(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    make(page, "Two tabs")
    inside(page, "Two tabs")
    play_now(page, "genial")
    page.wait_for_selector(".genial-hand.open")
    table = page.url
    tab = visitor.context.new_page()
    tab.goto("/account")
    tab.click("text=Log out")
    page.wait_for_selector("h1:has-text('not on this device')")
    page.click("main a.primary")
    page.wait_for_selector("input[name=username]")
    fill(page, "Two tabs", PASSWORD)
    page.wait_for_selector(".genial-hand.open")
    assert page.url == table
