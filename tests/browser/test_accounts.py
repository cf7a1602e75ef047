"""Accounts in the browser: create, use on two devices, log out, delete."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.browser.house import DESKTOP, Visitor, sit_with_bots

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
    """Ignore console messages about expected 4xx responses."""
    refusals = [line for line in visitor.said if "the server responded with a status of 4" in line]
    assert len(refusals) == len(visitor.said), visitor.said
    visitor.said.clear()


def games(page: Any) -> list[str]:
    """The games on one's own page."""
    page.wait_for_selector("main .lobby li, main .empty")
    return [line.split("\n")[0] for line in page.locator("main .lobby li").all_inner_texts()]


def test_a_guest_creates_an_account_and_continues_on_another_device(visit: Visit) -> None:
    sofa, desk = visit().page, visit(viewport=DESKTOP).page
    sit_with_bots(sofa, "genial")
    table = sofa.url
    make(sofa, "Léa sofa")
    inside(sofa, "Léa sofa")
    expect(sofa.locator(".checks input")).to_have_count(1)
    sofa.click(".card .primary")
    sofa.wait_for_selector(".checks", state="detached")
    log_in(desk, "léa SOFA")
    inside(desk, "Léa sofa")
    assert games(desk) == ["Génial!"]
    desk.click("main .lobby a")
    desk.wait_for_selector(".hand.open")
    assert desk.url == table


def test_deselected_guest_games_are_not_claimed(visit: Visit) -> None:
    page = visit().page
    sit_with_bots(page, "genial")
    sit_with_bots(page, "blockers")
    make(page, "Chooser")
    inside(page, "Chooser")
    page.uncheck(".checks li:has-text('Génial') input")
    expect(page.locator(".card .primary")).to_have_text("Add one game")
    page.click(".card .primary")
    page.wait_for_selector(".checks li:has-text('Blockers')", state="detached")
    expect(page.locator(".checks")).to_contain_text("Génial!")
    page.click("text=Log out")
    page.wait_for_selector("main form")
    page.goto("/")
    expect(page.locator(".my-games li")).to_have_count(1)  # the one that was not taken along


def test_form_errors_are_explained_and_keep_the_input(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    make(page, "ab")
    expect(page.locator("[role=alert]")).to_contain_text("3 to 24")
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


def test_change_the_password_and_delete_the_account(visit: Visit) -> None:
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


def test_logging_in_from_a_table_link_returns_to_the_table(visit: Visit) -> None:
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
    guest.wait_for_selector(".waiting-seats")
    guest.goto("/account")
    inside(guest, "Invited")
    assert games(guest) == ["Blockers!"]
    assert guest.query_selector(".checks") is None, "it is the account's from the beginning"


def test_a_table_page_shows_that_its_account_was_logged_out(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    make(page, "Two tabs")
    inside(page, "Two tabs")
    sit_with_bots(page, "genial")
    page.wait_for_selector(".hand.open")
    table = page.url
    tab = visitor.context.new_page()
    tab.goto("/account")
    tab.click("text=Log out")
    page.wait_for_selector("h1:has-text('not on this device')")
    page.click("main a.primary")
    page.wait_for_selector("input[name=username]")
    fill(page, "Two tabs", PASSWORD)
    page.wait_for_selector(".hand.open")
    assert page.url == table
