"""Without a server: with the network cut after the first visit, and from a static folder."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.amounts import few_or_many
from tests.browser.drivers import DRIVERS, TURN, move, play_out
from tests.browser.house import DESKTOP, Visitor
from tests.browser.test_around import lift, play_a_turn
from tests.servers import lacking
from tuilerie.server.http.pages import ENGINE
from tuilerie.server.ops.site import write_site

Visit = Callable[..., Visitor]

pytestmark = pytest.mark.skipif(
    not (ENGINE / "manifest.json").is_file(), reason="no engine: run make engine"
)

SLOW = 90_000
"""How long Python may take to start on a busy machine, in ms."""


class Quiet(SimpleHTTPRequestHandler):
    """A plain file server, which prints nothing."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Files:
    """A plain file server under a sub-path."""

    def __init__(self, folder: Path) -> None:
        handler = functools.partial(Quiet, directory=str(folder))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_port}/some/games"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("site")
    write_site(found / "some" / "games", "/some/games/")
    return found


@pytest.fixture
def files(folder: Path) -> Iterator[Files]:
    server = Files(folder)
    yield server
    server.close()


FACTS = """() => new Promise((tell) => {
  const opened = indexedDB.open('tuilerie');
  opened.onsuccess = () => {
    const asked = opened.result.transaction('tables').objectStore('tables').getAll();
    asked.onsuccess = () => {
      opened.result.close();
      tell(Math.max(...asked.result.map((row) => row.number)));
    };
  };
})"""
"""How many facts the newest game has in the browser's own store."""


class Home:
    """A browser that has visited once, kept the games, and lost its network."""

    def __init__(self, visitor: Visitor, start: str) -> None:
        self.visitor, self.page, self.start = visitor, visitor.page, start
        self.page.set_default_timeout(SLOW)
        visitor.context.add_init_script("localStorage['tuilerie.bot-pace'] = '0.02'")

    def keep(self) -> None:
        """Visit, and keep everything on this device."""
        self.page.goto(self.start)
        self.page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
        self.page.click(".top .icon-button:last-child")
        self.page.click(".keep-offline .button")
        self.page.wait_for_selector(".keep-offline:not(:has(.button, progress))")
        self.page.keyboard.press("Escape")

    def cut(self) -> None:
        self.visitor.context.set_offline(True)

    def home(self) -> None:
        """To the first page, ready to play here."""
        self.page.goto(self.start)
        self.page.wait_for_selector(".game-tile select option", state="attached")
        if self.page.query_selector("html:not([data-home=static])"):
            self.page.click(".here-line button")

    def play(self, game: str) -> None:
        self.home()
        tile = self.page.locator(f".game-tile.{game}")
        if game == "kaosmos":  # without a timer, so that a slow machine is no fault
            tile.locator("select").nth(2).select_option("null")
        tile.locator(".primary").click()
        self.page.wait_for_selector(".part-board")

    def reload(self, game: str) -> None:
        """Load the page again: everything that had happened is there."""
        if game != "kaosmos":  # there the others go on
            self.page.wait_for_selector(TURN[game])
        before, facts = self.page.text_content(".part-text"), self.page.evaluate(FACTS)
        self.page.reload()
        self.page.wait_for_selector(".part-board")
        assert self.page.evaluate(FACTS) >= facts > 5
        if game != "kaosmos":
            assert self.page.text_content(".part-text") == before


@pytest.fixture(params=["site", pytest.param("server", marks=pytest.mark.proof)])
def away(request: pytest.FixtureRequest, visit: Visit) -> Home:
    """Both homes: the app of a server, and a static folder under a sub-path."""
    if request.param == "server":
        home = Home(visit(service_worker=True, viewport=DESKTOP), "/")
    else:
        address = request.getfixturevalue("files").address
        home = Home(visit(at=address, service_worker=True, viewport=DESKTOP), f"{address}/")
    home.keep()
    home.cut()
    return home


@few_or_many("most", 4, 1_000)
@pytest.mark.parametrize("game", DRIVERS)
def test_a_game_against_a_bot_without_a_network(away: Home, game: str, most: int) -> None:
    away.play(game)
    page = away.page
    move(page, game)
    away.reload(game)
    assert play_out([page], DRIVERS[game], most=most) >= 4
    if most > 100:
        page.click("dialog a[href*='/r/']")
        page.wait_for_selector(".player")
        page.keyboard.press("End")
        assert page.input_value(".player input") != "0"


def test_a_whole_game_of_genial_without_a_network_and_its_replay(visit: Visit) -> None:
    home = Home(visit(service_worker=True, viewport=DESKTOP), "/")
    home.keep()
    home.cut()
    home.play("genial")
    page = home.page
    assert play_out([page], DRIVERS["genial"]) > 10
    page.click("dialog a[href*='/r/']")
    page.wait_for_selector(".player")
    page.keyboard.press("End")
    assert page.input_value(".player input") != "0"
    assert page.get_attribute("a[download]", "href").startswith("data:")  # type: ignore[union-attr]


def test_players_share_a_device_without_a_network(away: Home) -> None:
    page = away.page
    away.home()
    page.click(".game-tile.genial .game-buttons .button:not(.primary)")
    for field, name in zip(
        page.query_selector_all("dialog input[maxlength]"), ("Ana", "Bo"), strict=True
    ):
        field.fill(name)
    page.click("dialog button[type=submit]")
    page.wait_for_selector(".curtain")
    assert lift(page) == "Ana"
    play_a_turn(page)
    page.wait_for_selector(".curtain")
    page.reload()
    page.wait_for_selector(".curtain")
    assert lift(page) == "Bo"


def test_lessons_and_rules_without_a_network(away: Home) -> None:
    away.page.goto(away.start)
    away.page.click(".game-tile.genial .game-links a:first-child")
    away.page.wait_for_selector(".coach")
    away.page.wait_for_selector(".part-board")
    away.page.goto(away.start)
    away.page.click(".game-tile.kaosmos .game-links a:nth-child(2)")
    away.page.wait_for_selector(".rulebook h1")


def test_a_game_goes_on_after_its_tab_has_crashed(away: Home) -> None:
    from playwright.sync_api import Error  # noqa: PLC0415

    away.play("blockers")
    move(away.page, "blockers")
    away.page.wait_for_selector(TURN["blockers"])
    before, url = away.page.text_content(".part-text"), away.page.url
    with pytest.raises(Error, match="crash"):
        away.page.goto("chrome://crash")
    fresh = away.visitor.context.new_page()
    fresh.set_default_timeout(SLOW)
    fresh.goto(url)
    fresh.wait_for_selector(".part-board")
    assert fresh.text_content(".part-text") == before


def test_a_game_in_two_tabs_says_so(visit: Visit, files: Files) -> None:
    home = Home(visit(at=files.address, service_worker=True), f"{files.address}/")
    home.play("genial")
    second = home.visitor.context.new_page()
    second.set_default_timeout(SLOW)
    second.goto(home.page.url)
    second.wait_for_selector("text=open in another tab")
    home.page.close()
    second.reload()
    second.wait_for_selector(".part-board")


FAIL = """(name) => {
  globalThis.works ??= IDBObjectStore.prototype.add;
  IDBObjectStore.prototype.add = name
    ? () => { throw new DOMException('no', name); }
    : globalThis.works;
}"""


def test_a_store_that_is_full_or_refuses_loses_nothing(visit: Visit, files: Files) -> None:
    home = Home(visit(at=files.address), f"{files.address}/")
    home.play("genial")
    page = home.page
    page.wait_for_selector(".hand.open")
    before = page.text_content(".part-text")
    for name, words in (("QuotaExceededError", "no room left"), ("InvalidStateError", "private")):
        for worker in page.workers:
            worker.evaluate(FAIL, name)
        DRIVERS["genial"](page, 0)
        page.wait_for_selector(f".toast:has-text('{words}')")
        assert page.text_content(".part-text") == before
    for worker in page.workers:
        worker.evaluate(FAIL, "")
    move(page, "genial")


BREAK = """async () => {
  const cache = await caches.open('tuilerie-engine');
  for (const request of await cache.keys())
    if (request.url.includes('python-zip')) await cache.put(request, new Response('broken'));
}"""


def test_a_broken_cache_is_fetched_again(visit: Visit, files: Files) -> None:
    home = Home(visit(at=files.address, service_worker=True), f"{files.address}/")
    home.keep()
    home.page.evaluate(BREAK)
    home.play("genial")
    home.page.wait_for_selector(".hand.open")


def test_those_who_play_on_a_server_fetch_nothing_of_it(visit: Visit) -> None:
    visitor = visit()
    visitor.page.goto("/")
    visitor.page.locator(".game-tile.genial .primary").click()
    visitor.page.wait_for_selector(".part-board")
    assert [url for url in visitor.asked if "engine" in url] == []


def test_a_static_site_says_what_needs_a_server(visit: Visit, files: Files) -> None:
    if not ENGINE.is_dir():
        lacking("The engine", "run make engine")
    page = visit(at=files.address).page
    page.goto(f"{files.address}/")
    page.wait_for_selector("text=need a server")
    assert page.query_selector("a[href*=lobby]") is None
    answer = page.request.get(f"{files.address}/404.html")
    assert "/some/games/" in answer.text()
