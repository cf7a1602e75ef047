"""A new version of the engine arrives while a local game runs; storage that is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.drivers import TURN, move
from tests.browser.house import DESKTOP, Visitor
from tests.browser.test_anywhere import Files, Home
from tuilerie.server.http.pages import ENGINE
from tuilerie.server.ops.site import write_site

Visit = Callable[..., Visitor]

pytestmark = [
    pytest.mark.skipif(
        not (ENGINE / "manifest.json").is_file(), reason="no engine: run make engine"
    ),
    pytest.mark.proof,
]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    write_site(tmp_path / "some" / "games", "/some/games/")
    return tmp_path / "some" / "games"


@pytest.fixture
def files(site: Path) -> Iterator[Files]:
    server = Files(site.parents[1])
    yield server
    server.close()


def publish_next_version(site: Path) -> str:
    """The same site as its next version: the rules are in a file of another name."""
    listed = site / "engine" / "manifest.json"
    manifest = json.loads(listed.read_text("utf-8"))
    rules = next(each for each in manifest["files"] if each["name"] == "python.zip")
    shutil.move(site / "engine" / rules["file"], site / "engine" / "python-zip-next.bin")
    rules["file"] = "python-zip-next.bin"
    listed.write_text(json.dumps(manifest), "utf-8")
    worker = site / "sw.js"
    worker.write_text(worker.read_text("utf-8") + "\n// the next version\n", "utf-8")
    return "python-zip-next.bin"


KEPT = """async (name) => {
  const cache = await caches.open('tuilerie-engine');
  return (await cache.keys()).some((each) => each.url.endsWith(name));
}"""


def test_an_update_does_not_break_a_running_game(visit: Visit, files: Files, site: Path) -> None:
    home = Home(visit(at=files.address, service_worker=True, viewport=DESKTOP), f"{files.address}/")
    home.keep()
    home.play("blockers")
    page = home.page
    move(page, "blockers")
    fresh = publish_next_version(site)
    page.evaluate("navigator.serviceWorker.ready.then((known) => known.update())")
    page.wait_for_function(KEPT, arg=fresh)
    page.wait_for_selector(TURN["blockers"])
    move(page, "blockers")
    home.cut()
    home.reload("blockers")
    move(page, "blockers")


REFUSE = """
Object.defineProperty(self, 'caches', { get() { throw new DOMException('no', 'SecurityError'); } });
IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError'); };
"""


def test_a_browser_that_stores_nothing_says_so(visit: Visit, files: Files) -> None:
    visitor = visit(at=files.address, viewport=DESKTOP)
    page = visitor.page
    page.set_default_timeout(90_000)
    page.add_init_script(REFUSE)
    page.on("worker", lambda worker: worker.evaluate(REFUSE))
    page.goto(f"{files.address}/")
    page.wait_for_selector(".game-tile select option", state="attached")
    page.locator(".game-tile.blockers .primary").click()
    page.wait_for_selector("text=does not allow saving games")
