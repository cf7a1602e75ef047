"""Around the game: resigning, rematches, other devices, replays."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.drivers import DRIVERS, TURN, genial
from tests.browser.house import (
    Visitor,
    make_table,
    running_server,
    sit_down,
    sit_with_bots,
    unfold,
)

Visit = Callable[..., Visitor]

SMALL = {"width": 360, "height": 640}
SIDEWAYS = "() => document.documentElement.scrollWidth > innerWidth"


def open_menu(page: Any) -> None:
    """The menu of the table."""
    page.click(".table-top .icon-button:last-child")
    page.wait_for_selector("dialog .seats")


def resign(page: Any) -> None:
    """Resign, and confirm."""
    open_menu(page)
    for _ in range(2):
        page.click("dialog .danger")


def on_one_device(page: Any, *names: str) -> None:
    """A table of Génial! around one device, at the first turn."""
    page.goto("/")
    page.click(".game-tile.genial .game-buttons .button:not(.primary)")
    if len(names) > 2:
        page.check(f"dialog input[value='{len(names)}']", force=True)
    page.check("dialog input[value=device]", force=True)
    unfold(page)
    name_players(page, *names)
    page.click("dialog button[type=submit]")
    page.wait_for_selector(".curtain")


def name_players(page: Any, *names: str) -> None:
    """Fill in who plays on this device."""
    fields = page.locator("dialog input[maxlength]")
    expect(fields).to_have_count(len(names))
    for at, name in enumerate(names):
        fields.nth(at).fill(name)


def lift(page: Any) -> str:
    """Confirm the hand-over screen; returns the name that it showed."""
    words: str = page.inner_text(".curtain h1")
    page.keyboard.press("Enter")
    page.wait_for_selector(".hand.open")
    return words


def play_a_turn(page: Any) -> None:
    """Make a move of Génial!, and keep the tiles if they may be exchanged. No key is pressed when
    the turn is over: Enter would confirm the hand-over screen."""
    genial(page, 0)
    over = page.locator(".curtain, .turn:not(.mine)")
    over.or_(page.locator(".genial-swap")).first.wait_for()
    if page.query_selector(".genial-swap"):
        page.keyboard.press("k")
        over.first.wait_for()


@pytest.fixture(scope="module")
def slow_bots() -> Iterator[str]:
    """A server whose bots take their time, so that one can see what is shown meanwhile."""
    with running_server("--bot-pause", "2") as address:
        yield address


@pytest.mark.parametrize("game", DRIVERS)
def test_resigning_shows_ranks_but_no_scores(visit: Visit, game: str) -> None:
    """A game that was not finished has no scores."""
    page = visit().page
    sit_with_bots(page, game)
    page.wait_for_selector(TURN[game])
    resign(page)
    page.wait_for_selector("dialog .result")
    shown = page.locator("dialog .places li").all_inner_texts()
    assert [line.split() for line in shown] == [["1", "Bot", "2"], ["2", "You"]]


def test_after_resigning_among_three_the_game_continues(visit: Visit, slow_bots: str) -> None:
    page = visit(at=slow_bots).page
    sit_with_bots(page, "genial", 3)
    page.wait_for_selector(".hand.open")
    resign(page)
    page.wait_for_selector(".hand.open", state="detached")
    open_menu(page)
    assert page.query_selector("dialog .danger") is None
    page.keyboard.press("Escape")
    for bot in ("Bot 2", "Bot 3", "Bot 2"):  # a whole round: a bot plays for our seat as well
        page.wait_for_function(
            "name => document.querySelector('.turn').innerText.startsWith(name)", arg=bot
        )
        assert page.query_selector(".hand.open") is None


def test_home_does_not_offer_a_resigned_game(visit: Visit, slow_bots: str) -> None:
    page = visit(at=slow_bots).page
    for players in (2, 3):  # the first goes on, and so it is offered
        sit_with_bots(page, "genial", players)
        page.wait_for_selector(".hand.open")
    given_up = urlsplit(page.url).path
    resign(page)
    page.wait_for_selector(".hand.open", state="detached")
    page.goto("/")
    offered = page.locator(".my-game")
    expect(offered).to_have_count(1)
    expect(offered).not_to_have_attribute("href", given_up)


@pytest.mark.parametrize("closed", [False, True])
def test_a_rematch_request_is_shown(visit: Visit, closed: bool) -> None:
    ana, bo = visit(), visit(lang="fr")
    slug = sit_down(ana, bo, "genial")
    resign(ana.page)
    bo.page.wait_for_selector("dialog .result")
    if closed:
        bo.page.keyboard.press("Escape")
        bo.page.wait_for_selector("dialog", state="detached")
    asked = bo.page.locator(".toasts [role=alert]" if closed else "dialog .result [role=status]")
    assert not asked.is_visible()
    ana.page.click("dialog .result .primary")
    asked.filter(has_text="Ana voudrait rejouer.").wait_for()
    where = asked if closed else bo.page.locator("dialog .result")
    where.locator(".primary", has_text="Oui, rejouer").click()
    for page in (ana.page, bo.page):
        page.wait_for_url(lambda url: slug not in url)
        page.wait_for_selector(".part-board")


def test_a_delayed_spectator_sees_a_notice(visit: Visit) -> None:
    ana, bo = visit(), visit()
    table = {"game": "genial", "players": 2, "name": "Ana", "spectators": "delayed"}
    table["bots"] = [{"seat": 1, "level": "random"}]
    path = f"/t/{make_table(ana.page, table)}"
    ana.page.goto(path)
    ana.page.wait_for_selector(".hand.open")
    bo.page.goto(path)
    shown = bo.page.locator(".waiting [role=status]")
    expect(shown).to_contain_text("60 seconds late")
    expect(shown).not_to_contain_text("starts the game")


def test_clock_and_spectators_are_set_when_creating_a_table(visit: Visit) -> None:
    host, friend, stranger = visit(), visit(), visit()
    host.page.goto("/")
    host.page.click(".game-tile.blockers .game-buttons .button:not(.primary)")
    unfold(host.page)
    host.page.check("dialog input[value=game-300-5]", force=True)
    watchers = "dialog .choice:has(input[value=delayed]) input[value=none]"
    host.page.check(watchers, force=True)
    host.page.click("dialog button[type=submit]")
    host.page.wait_for_selector(".qr")
    friend.page.goto(host.page.url)
    friend.page.click("main form [type=submit]")
    host.page.click(".start-game:not([disabled])")
    host.page.wait_for_selector(".person-clock.runs")
    minutes, seconds = host.page.inner_text(".person-clock.runs").split(":")
    assert 4 * 60 < int(minutes) * 60 + int(seconds) <= 5 * 60
    open_menu(friend.page)
    times = friend.page.locator("dialog .seat-time")
    expect(times).to_have_text([re.compile("^[45]:")] * 2)
    stranger.page.goto(host.page.url)
    stranger.page.wait_for_selector("main:has-text('Only the players may watch')")


def test_an_absent_player_is_shown_as_away(visit: Visit) -> None:
    ana, bo = visit(), visit()
    sit_down(ana, bo, "blockers")
    ana.page.wait_for_selector(f"{TURN['blockers']}, .turn:has-text('Bo')")
    mine = ana.page.query_selector(TURN["blockers"]) is not None
    (stays, goes), name = ((bo, ana), "Ana") if mine else ((ana, bo), "Bo")
    goes.page.goto("/")
    stays.page.wait_for_selector(f".turn:has-text('{name} is away')")
    stays.page.wait_for_selector(f".toast:has-text('{name} has left.')")


def test_running_out_of_time_is_shown(visit: Visit) -> None:
    page = visit().page
    table = {"game": "genial", "players": 2, "name": "Ana"}
    table |= {"bots": [{"seat": 1, "level": "random"}], "clock": {"kind": "move", "seconds": 5}}
    page.goto(f"/t/{make_table(page, table)}")
    page.wait_for_selector(".toast:has-text('You are out of time')")


def test_enter_goes_to_the_game_after_the_menu_closes(visit: Visit) -> None:
    page = visit().page
    sit_with_bots(page, "genial")
    page.wait_for_selector(".hand.open")
    page.focus(".table-top .icon-button:last-child")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog .seats")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    laid = "() => document.querySelectorAll('.genial-cell.taken').length"
    before = page.evaluate(laid)
    for key in ("2", "n", "Enter"):
        page.keyboard.press(key)
    # Not `.hand.open`: the bot may have answered before we look.
    page.wait_for_function(f"before => ({laid})() > before", arg=before)
    assert page.query_selector("dialog") is None


def test_a_rematch_on_one_device(visit: Visit) -> None:
    page = visit().page
    on_one_device(page, "Ana", "Bo")
    assert "Ana" in lift(page)
    first = page.url
    resign(page)
    page.click("dialog .result .primary")
    page.wait_for_url(lambda url: url != first)
    page.wait_for_selector(".curtain")
    assert "Bo" in lift(page)  # everybody is one seat on


def test_the_hand_over_screen_skips_a_player_who_resigned(visit: Visit, slow_bots: str) -> None:
    """A bot plays for Ana, and takes its time for it."""
    page = visit(at=slow_bots).page
    on_one_device(page, "Ana", "Bo", "Cy")
    assert "Ana" in lift(page)
    resign(page)
    for name in ("Bo", "Cy"):
        expect(page.locator(".curtain h1")).to_have_text(name)
        lift(page)
        play_a_turn(page)
    expect(page.locator(".curtain h1")).to_have_text("Bo")  # when the bot has played


def test_a_seat_can_be_recovered_on_another_device(visit: Visit) -> None:
    here, there = visit().page, visit(lang="fr").page
    sit_with_bots(here, "blockers")
    here.wait_for_selector(TURN["blockers"])
    open_menu(here)
    here.click("dialog summary:has-text('another device')")
    link = here.input_value("dialog details[open] .share-link")
    there.goto(link)
    there.wait_for_selector(TURN["blockers"])
    assert there.url == here.url  # the key is gone from the address
    tiles = here.locator(".rack .tile")
    assert tiles.count() > 0
    for at, tile in enumerate(tiles.all_inner_texts()):
        expect(there.locator(".rack .tile").nth(at)).to_have_text(tile, use_inner_text=True)


def test_an_invalid_recovery_link_shows_an_error(visit: Visit) -> None:
    visitor = visit()
    sit_with_bots(visitor.page, "genial")
    visitor.page.goto(f"{urlsplit(visitor.page.url).path}#nonsense")
    visitor.page.reload()
    visitor.page.wait_for_selector("main [role=alert]")
    expect(visitor.page.locator("main")).to_contain_text("no longer valid")
    visitor.said.clear()  # the browser itself tells of the answer 404


def test_escape_closes_a_sheet_after_its_button_was_disabled(visit: Visit) -> None:
    """The button is disabled until Bo agrees, so nothing has the focus."""
    ana, bo = visit(), visit()
    sit_down(ana, bo, "genial")
    resign(ana.page)
    ana.page.click("dialog .result .primary")
    ana.page.wait_for_selector("dialog .result .primary[disabled]")
    ana.page.wait_for_function("document.activeElement === document.body")
    ana.page.keyboard.press("Escape")
    ana.page.wait_for_selector("dialog", state="detached")


def test_back_from_a_rematch_skips_the_finished_table(visit: Visit) -> None:
    page = visit().page
    page.goto("/")
    sit_with_bots(page, "genial")
    page.wait_for_selector(".hand.open")
    first = page.url
    resign(page)
    page.click("dialog .result .primary")
    page.wait_for_url(lambda url: url != first)
    page.go_back()
    page.wait_for_selector(".game-tile")


@pytest.mark.parametrize("game", DRIVERS)
def test_the_text_board_does_not_scroll_sideways(visit: Visit, game: str) -> None:
    visitor = visit(viewport=SMALL)
    visitor.context.add_init_script("localStorage['tuilerie.text'] = 'on'")
    sit_with_bots(visitor.page, game)
    visitor.page.wait_for_selector(".part-text table, .part-text h2")
    assert not visitor.page.evaluate(SIDEWAYS)


def test_a_long_name_fits_into_the_result(visit: Visit) -> None:
    page = visit(viewport=SMALL).page
    on_one_device(page, "W" * 24, "Bo")
    lift(page)
    resign(page)
    page.wait_for_selector("dialog .result")
    fits = "() => [...document.querySelectorAll('dialog .result *')].every("
    fits += "(each) => each.getBoundingClientRect().right <= innerWidth)"
    assert page.evaluate(fits)


def test_a_game_in_play_has_no_replay_page(visit: Visit) -> None:
    visitor = visit()
    sit_with_bots(visitor.page, "genial")
    visitor.page.goto(urlsplit(visitor.page.url).path.replace("/t/", "/r/"))
    visitor.page.wait_for_selector("main [role=alert], main .notice")
    expect(visitor.page.locator("main")).to_contain_text("not over yet")
    assert "{$" not in visitor.page.inner_text("main")
    visitor.said.clear()  # the browser itself tells of the answer 404


def test_the_replay_of_a_resigned_game_says_so(visit: Visit) -> None:
    page = visit().page
    sit_with_bots(page, "blockers")
    page.wait_for_selector(TURN["blockers"])
    resign(page)
    page.click("dialog a[href^='/r/']")
    page.wait_for_selector(".player")
    page.keyboard.press("End")
    expect(page.locator(".player")).to_contain_text("not played to its end")


def test_the_replay_of_a_broken_record_shows_the_fault(visit: Visit, tmp_path: Path) -> None:
    page = visit().page
    sit_with_bots(page, "genial")
    page.wait_for_selector(".hand.open")
    resign(page)
    page.wait_for_selector("dialog .result")
    slug = urlsplit(page.url).path.rpartition("/")[2]
    lines = page.request.get(f"/api/tables/{slug}/record").text().splitlines()
    broken = tmp_path / "broken.jsonl"
    broken.write_text("\n".join([lines[0], *lines[2:]]) + "\n", "utf-8")
    page.goto("/replay")
    page.set_input_files("input[type=file]", broken)
    page.wait_for_selector(".player")
    page.keyboard.press("End")
    expect(page.locator(".player")).to_contain_text("breaks off here, at line ")
