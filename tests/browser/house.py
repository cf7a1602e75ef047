"""A server and a Chromium for tests, for screenshots and for figures."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tests.server.process import ServerProcess
from tests.server.steering import FILE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
PHONE = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}

PATIENCE = 90_000
"""How long anything may take on a slow and busy machine, in ms. Nothing waits longer than it must:
this only ends a test that has failed."""


def chromium_path() -> str | None:
    """The Chromium of this machine."""
    return next((path for name in CHROMIUMS if (path := shutil.which(name))), None)


_folders: dict[str, Path] = {}
"""Where each running server keeps its data."""


@contextmanager
def running_server(*words: str) -> Iterator[str]:
    """A server with an empty store; its address."""
    folder = Path(tempfile.mkdtemp(prefix="tuilerie-browser-"))
    server = ServerProcess(folder, *words)
    try:
        with ThreadPoolExecutor(1) as thread:  # where a browser runs, this one has a loop already
            thread.submit(lambda: asyncio.run(server.start())).result()
        address = f"http://127.0.0.1:{server.port}"
        _folders[address] = folder
        yield address
    finally:
        server.close()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running_browser() -> Iterator[Browser]:
    """A Chromium without a window."""
    from playwright.sync_api import expect, sync_playwright  # noqa: PLC0415

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as driver:
        # The sandbox refuses to work for root, as in containers.
        browser = driver.chromium.launch(
            executable_path=chromium_path(), args=["--no-sandbox", *_without_shared_memory()]
        )
        try:
            yield browser
        finally:
            browser.close()


def _without_shared_memory() -> list[str]:
    """Chromium would crash where /dev/shm is as small as in most containers; files are slower."""
    shared = Path("/dev/shm")
    enough = shared.is_dir() and shutil.disk_usage(shared).free > 2**30
    return [] if enough else ["--disable-dev-shm-usage"]


class Visitor:
    """One person with their own browser context. Console messages and requests are recorded."""

    def __init__(self, browser: Browser, address: str, **how: Any) -> None:
        settings = {
            "theme": how.pop("theme", "light"),
            "lang": how.pop("lang", "en"),
            "motion": how.pop("motion", "reduce"),
            "sounds": how.pop("sounds", "off"),  # nobody listens, and they take CPU time
            "turn-end": how.pop("turn_end", "0"),  # most tests do not wait for the end of a turn
        }
        worker = how.pop("service_worker", False)
        how.setdefault("viewport", PHONE)
        self.context: BrowserContext = browser.new_context(base_url=address, **how)
        kept = "".join(
            f"localStorage['tuilerie.{name}'] ??= '{v}';" for name, v in settings.items()
        )
        self.context.add_init_script(kept)
        if not worker:  # it would fetch and store the whole client for each visitor
            self.context.add_init_script("delete Navigator.prototype.serviceWorker")
        self.said: list[str] = []
        self.asked: list[str] = []
        self.address = address
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def foreign(self) -> list[str]:
        """Requests to other hosts."""
        ours = (f"{self.address}/", "data:", "blob:")
        return [url for url in self.asked if not url.startswith(ours)]

    def files(self) -> list[str]:
        """Fetched files of the client, without API calls."""
        talk = (f"{self.address}/api/tables", f"{self.address}/ws")
        return [url for url in dict.fromkeys(self.asked) if not url.startswith(talk)]

    def close(self) -> None:
        """Leave."""
        self.context.close()


def play_now(page: Page, game: str, players: int = 2) -> None:
    """From the home page to a table with bots, in one click."""
    page.goto("/")
    tile = page.locator(f".game-tile.{game}")
    tile.locator("select option").first.wait_for(state="attached")
    tile.locator("select").first.select_option(str(players - 1))
    tile.locator(".primary").click()
    page.wait_for_selector(".part-board")


def sit_with_bots(page: Page, game: str, players: int = 2, **more: Any) -> None:
    """At a table with bots that take no time to think, without the way through the first page."""
    table = {
        "game": game, "players": players, "options": {}, "clock": {"kind": "none"},
        "public": False, "spectators": "live", "name": "You",
        "bots": [{"seat": seat, "level": "random"} for seat in range(1, players)],
        **more,
    }  # fmt: skip
    page.goto(f"/t/{make_table(page, table)}")
    page.wait_for_selector(".part-board")


@contextmanager
def turned_up(page: Page, card: str) -> Iterator[None]:
    """At tables that are made now, this Kaos card comes next, and always the same tiles."""
    asked = urlsplit(page.request.get("/healthz").url)
    file = _folders[f"{asked.scheme}://{asked.netloc}"] / FILE
    file.write_text(card, "utf-8")
    try:
        yield
    finally:
        file.unlink()


def make_table(page: Page, table: dict[str, Any]) -> str:
    """Make a table for the person at this page; its name."""
    made = page.request.post("/api/tables", data=table, headers={"X-Tuilerie": "1"})
    return str(made.json()["table"])


def sit_down_at(first: Visitor, second: Visitor, options: dict[str, Any]) -> str:
    """Start a game of Kaosmos with these options for Ana and Bo; returns the table's id."""
    ana, bo = first.page, second.page
    table = {
        "game": "kaosmos", "players": 2, "options": options, "clock": {"kind": "none"},
        "public": False, "spectators": "live", "bots": [], "name": "Ana",
    }  # fmt: skip
    slug = make_table(ana, table)
    ana.goto(f"/t/{slug}")
    _join(ana, bo)
    return slug


def sit_down(first: Visitor, second: Visitor, game: str) -> str:
    """Start a game for Ana and Bo; returns the table's id."""
    ana, bo = first.page, second.page
    ana.goto("/")
    ana.click(f".game-tile.{game} .game-buttons .button:not(.primary)")
    unfold(ana)
    ana.fill("dialog input[maxlength]", "Ana")
    if game == "kaosmos":  # without a timer: the machine may be slow
        ana.check("dialog .new-options input[value=null]", force=True)
    ana.click("dialog button[type=submit]")
    _join(ana, bo)
    return urlsplit(ana.url).path.rpartition("/")[2]


def unfold(page: Page) -> None:
    """Open all rows of the form for a new table, as they are on a phone."""
    page.wait_for_selector("dialog .new-table")
    page.eval_on_selector_all("dialog .fold", "rows => rows.forEach((row) => { row.open = true; })")


def _join(ana: Page, bo: Page) -> None:
    """Bo joins Ana's table, and Ana, its host, starts the game."""
    ana.wait_for_selector(".qr")
    bo.goto(urlsplit(ana.url).path)
    bo.fill("input[maxlength]", "Bo")
    bo.click("main button[type=submit]")
    ana.click(".start-game:not([disabled])")
    for page in (ana, bo):
        page.wait_for_selector(".part-board")
