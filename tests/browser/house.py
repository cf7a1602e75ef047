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

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}


def chromium_path() -> str | None:
    """The Chromium of this machine."""
    return next((path for name in CHROMIUMS if (path := shutil.which(name))), None)


@contextmanager
def running_server(*words: str) -> Iterator[str]:
    """A server with an empty store; its address."""
    folder = Path(tempfile.mkdtemp(prefix="tuilerie-browser-"))
    server = ServerProcess(folder, *words)
    try:
        with ThreadPoolExecutor(1) as thread:  # where a browser runs, this one has a loop already
            thread.submit(lambda: asyncio.run(server.start())).result()
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.close()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running_browser() -> Iterator[Browser]:
    """A Chromium without a window."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    with sync_playwright() as driver:
        # The sandbox refuses to work for root, as in containers.
        browser = driver.chromium.launch(
            executable_path=chromium_path(), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        try:
            yield browser
        finally:
            browser.close()


class Visitor:
    """One person with a browser of their own. Whatever the console says, and whatever is asked of
    any host, is remembered."""

    def __init__(self, browser: Browser, address: str, **how: Any) -> None:
        settings = {
            "theme": how.pop("theme", "light"),
            "lang": how.pop("lang", "en"),
            "motion": how.pop("motion", "reduce"),
        }
        how.setdefault("viewport", PHONE)
        self.context: BrowserContext = browser.new_context(base_url=address, **how)
        kept = "".join(
            f"localStorage['tuilerie.{name}'] ??= '{v}';" for name, v in settings.items()
        )
        self.context.add_init_script(kept)
        self.said: list[str] = []
        self.asked: list[str] = []
        self.address = address
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def foreign(self) -> list[str]:
        """What was asked of any other host."""
        ours = (f"{self.address}/", "data:", "blob:")
        return [url for url in self.asked if not url.startswith(ours)]

    def files(self) -> list[str]:
        """What was fetched of the client; what is said at a table is the game's."""
        talk = (f"{self.address}/api/tables", f"{self.address}/ws")
        return [url for url in dict.fromkeys(self.asked) if not url.startswith(talk)]

    def close(self) -> None:
        """Leave."""
        self.context.close()


def play_now(page: Page, game: str, players: int = 2) -> None:
    """From the first page to a table with bots, in one click."""
    page.goto("/")
    tile = page.locator(f".game-tile.{game}")
    tile.locator("select option").first.wait_for(state="attached")
    tile.locator("select").first.select_option(str(players - 1))
    tile.locator(".primary").click()
    page.wait_for_selector(".part-board")


def sit_down_at(first: Visitor, second: Visitor, options: dict[str, Any]) -> str:
    """Ana and Bo at a table of Kaosmos with these options, the game begun; its name."""
    ana, bo = first.page, second.page
    table = {
        "game": "kaosmos", "players": 2, "options": options, "clock": {"kind": "none"},
        "public": False, "spectators": "live", "bots": [], "name": "Ana",
    }  # fmt: skip
    made = ana.request.post("/api/tables", data=table, headers={"X-Tuilerie": "1"}).json()
    ana.goto(f"/t/{made['table']}")
    _join(ana, bo)
    return str(made["table"])


def sit_down(first: Visitor, second: Visitor, game: str) -> str:
    """Ana and Bo at a table of their own, the game begun; its name."""
    ana, bo = first.page, second.page
    ana.goto("/")
    ana.click(f".game-tile.{game} .game-buttons .button:not(.primary)")
    ana.fill("dialog input[maxlength]", "Ana")
    if game == "kaosmos":  # without a glass, so that a slow machine is no fault
        ana.click("dialog summary")
        ana.check("dialog details input[value=null]", force=True)
    ana.click("dialog button[type=submit]")
    _join(ana, bo)
    return urlsplit(ana.url).path.rpartition("/")[2]


def _join(ana: Page, bo: Page) -> None:
    """Bo comes to Ana's table, and both are ready."""
    ana.wait_for_selector(".qr")
    bo.goto(urlsplit(ana.url).path)
    bo.fill("input[maxlength]", "Bo")
    bo.click("main button[type=submit]")
    bo.click(".waiting > .button.primary")
    ana.click(".waiting > .button.primary")
    for page in (ana, bo):
        page.wait_for_selector(".part-board")
