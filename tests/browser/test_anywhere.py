"""Without a server: with the network cut after the first visit, and from a static folder."""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from tests.browser.drivers import DRIVERS, TURN, move, play_out
from tests.browser.house import DESKTOP, Visitor, chromium_path
from tests.browser.test_around import lift, name_players, play_a_turn, resign
from tests.servers import lacking
from tuilerie.server.http.pages import ENGINE
from tuilerie.server.ops.site import write_site

Visit = Callable[..., Visitor]

pytestmark = pytest.mark.skipif(
    not (ENGINE / "manifest.json").is_file(), reason="no engine: run make engine"
)


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


class Profile:
    """A browser that keeps what it stores on a disk; contexts of others have it in memory."""

    def __init__(self, browser: Browser, folder: Path | str) -> None:
        self._type, self._folder = browser.browser_type, folder

    def new_context(self, **how: Any) -> BrowserContext:
        """Start it; closing the context ends it."""
        return self._type.launch_persistent_context(
            self._folder, executable_path=chromium_path(), args=["--no-sandbox"], **how
        )


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
        """To the first page, ready to play here. From a table of a static site by its link, so that
        Python need not start again."""
        if self.page.query_selector("html[data-home=static] .table-top"):
            self.page.click(".table-top a.icon-button")
        else:
            self.page.goto(self.start)
        self.page.wait_for_selector(".game-tile select option", state="attached")
        if self.page.query_selector("html:not([data-home=static])"):
            self.page.click(".here-line button")

    def play(self, game: str) -> None:
        self.home()
        tile = self.page.locator(f".game-tile.{game}")
        if game == "kaosmos":  # without a timer, so that a slow machine is no fault
            tile.locator("select:has(option[value=null])").select_option("null")
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
            expect(self.page.locator(".part-text")).to_have_text(str(before))


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


def look_back(page: Page) -> None:
    """From the result to the end of the replay."""
    page.click("dialog a[href*='/r/']")
    page.wait_for_selector(".player")
    page.keyboard.press("End")
    expect(page.locator(".player input")).not_to_have_value("0")
    expect(page.locator("a[download]")).to_have_attribute("href", re.compile("^data:"))


def test_everything_works_in_one_visit_without_a_network(away: Home) -> None:
    """A lesson, rules, and some moves of each game; whole games are proofs."""
    away.page.goto(away.start)
    away.page.click(".game-tile.genial .game-links a:first-child")
    away.page.wait_for_selector(".coach")
    away.page.wait_for_selector(".part-board")
    away.page.goto(away.start)
    away.page.click(".game-tile.kaosmos .game-links a:nth-child(2)")
    away.page.wait_for_selector(".rulebook h1")
    for game in ("kaosmos", "genial", "blockers"):
        away.play(game)
        move(away.page, game)
        assert play_out([away.page], DRIVERS[game], most=4) >= 4
    away.reload("blockers")


@pytest.mark.proof
@pytest.mark.parametrize("game", DRIVERS)
def test_a_whole_game_against_a_bot_without_a_network(away: Home, game: str) -> None:
    away.play(game)
    move(away.page, game)
    away.reload(game)
    assert play_out([away.page], DRIVERS[game]) >= 4
    look_back(away.page)


def test_a_game_without_a_network_has_a_replay(visit: Visit) -> None:
    """With the app of a server; the proofs do all of the above with it."""
    home = Home(visit(service_worker=True, viewport=DESKTOP), "/")
    home.keep()
    home.cut()
    home.play("genial")
    assert play_out([home.page], DRIVERS["genial"], most=4) >= 4
    resign(home.page)
    look_back(home.page)


@pytest.mark.parametrize("again", [False, pytest.param(True, marks=pytest.mark.proof)])
def test_players_share_a_device_without_a_network(away: Home, again: bool) -> None:
    """As a proof, with a reload: it would start Python once more."""
    page = away.page
    away.home()
    page.click(".game-tile.genial .game-buttons .button:not(.primary)")
    name_players(page, "Ana", "Bo")
    page.click("dialog button[type=submit]")
    page.wait_for_selector(".curtain")
    assert lift(page) == "Ana"
    play_a_turn(page)
    page.wait_for_selector(".curtain")
    if again:
        page.reload()
        page.wait_for_selector(".curtain")
    assert lift(page) == "Bo"


def test_a_game_goes_on_after_its_tab_has_crashed(visit: Visit, files: Files) -> None:
    """With the network and without a service worker: one may live in the process that crashes, and
    Chromium then loads a page past it."""
    home = Home(visit(at=files.address), f"{files.address}/")
    home.play("blockers")
    move(home.page, "blockers")
    home.page.wait_for_selector(TURN["blockers"])
    before, url = home.page.text_content(".part-text"), home.page.url
    with home.page.expect_event("crash"), pytest.raises(Error, match="crash"):
        home.page.goto("chrome://crash")
    fresh = home.visitor.context.new_page()
    fresh.goto(url)
    expect(fresh.locator(".part-text")).to_have_text(str(before))


@pytest.mark.proof
def test_nothing_announced_is_lost_with_the_browser(
    browser: Browser, files: Files, tmp_path: Path
) -> None:
    """All its processes are gone at once, right after a move was answered."""
    profile: Any = Profile(browser, tmp_path / "profile")
    home = Home(Visitor(profile, files.address), f"{files.address}/")
    home.play("blockers")
    move(home.page, "blockers")
    home.page.wait_for_selector(TURN["blockers"])
    before, facts, url = (
        home.page.text_content(".part-text"),
        home.page.evaluate(FACTS),
        home.page.url,
    )
    with home.visitor.context.expect_event("close"), suppress(Error):
        home.visitor.context.new_cdp_session(home.page).send("Browser.crash")
    again = Visitor(profile, files.address)
    again.page.goto(url)
    expect(again.page.locator(".part-text")).to_have_text(str(before))
    assert again.page.evaluate(FACTS) >= facts
    again.close()


@pytest.mark.parametrize("again", [False, pytest.param(True, marks=pytest.mark.proof)])
def test_a_game_in_two_tabs_says_so(visit: Visit, files: Files, again: bool) -> None:
    """As a proof, until the second tab has the game."""
    home = Home(visit(at=files.address, service_worker=True), f"{files.address}/")
    home.play("genial")
    second = home.visitor.context.new_page()
    second.goto(home.page.url)
    second.wait_for_selector("text=open in another tab")
    if again:
        home.page.close()
        second.reload()
        second.wait_for_selector(".part-board")


FAIL = """(name) => {
  globalThis.works ??= IDBObjectStore.prototype.add;
  IDBObjectStore.prototype.add = name
    ? () => { throw new DOMException('no', name); }
    : globalThis.works;
}"""


OVERTAKE = """(overtaken) => new Promise((done) => {
  const opened = indexedDB.open('tuilerie');
  opened.onsuccess = () => {
    const change = opened.result.transaction(['tables', 'log'], 'readwrite');
    change.oncomplete = () => { opened.result.close(); done(); };
    change.objectStore('tables').getAll().onsuccess = ({ target }) => {
      const [{ table: slug, number: after }] = target.result;
      const log = change.objectStore('log');
      if (overtaken) log.add({ slug, after, facts: [], key: null });
      else log.delete([slug, after]);
    };
  };
})"""
"""Write the next facts of the only game, as a tab that has it, too; or take them back."""


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
    page.evaluate(OVERTAKE, True)  # a browser may have no locks
    DRIVERS["genial"](page, 0)
    page.wait_for_selector(".toast:has-text('another tab')")
    assert page.text_content(".part-text") == before
    page.evaluate(OVERTAKE, False)
    move(page, "genial")


BREAK = """async ([name, content]) => {
  const cache = await caches.open('tuilerie-engine');
  const asked = (await cache.keys()).find((each) => each.url.includes(name));
  const headers = new Headers((await cache.match(asked)).headers);
  const bytes = new TextEncoder().encode(content);
  if (headers.has('X-Sha256') && content !== 'changed') {
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    headers.set('X-Sha256', [...digest].map((b) => b.toString(16).padStart(2, '0')).join(''));
  }
  await cache.put(asked, new Response(bytes, { headers }));
}"""


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("python-zip", "changed"),
        pytest.param("engine/image", "changed", marks=pytest.mark.proof),
        pytest.param("engine/image", "no image of Python at all", marks=pytest.mark.proof),
    ],
)
def test_a_broken_cache_is_rebuilt(visit: Visit, files: Files, name: str, content: str) -> None:
    """The second image has the right hash: it was already broken when it was kept."""
    home = Home(visit(at=files.address, service_worker=True), f"{files.address}/")
    home.keep()
    home.page.evaluate(BREAK, [name, content])
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
    expect(page.locator("a[href*=lobby]")).to_have_count(0)
    answer = page.request.get(f"{files.address}/404.html")
    assert "/some/games/" in answer.text()
