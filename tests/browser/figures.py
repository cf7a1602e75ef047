"""Figures of the client, as a person on a phone meets it: `python -m tests.browser.figures`.

Bytes are those of the files after gzip, whatever the server sends; times are of this machine.
"""

from __future__ import annotations

import gzip
import time
from typing import Any
from urllib.request import urlopen

from tests.browser.house import Visitor, play_now, running_browser, running_server

PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
READY = {
    "genial": ".genial-hand.open",
    "blockers": ".blockers-hand.open",
    "kaosmos": ".kaosmos-pick, .kaosmos-hand.open",
}


def weigh(urls: list[str]) -> float:
    """Kilobytes of all these, compressed."""
    total = 0
    for url in dict.fromkeys(urls):
        with urlopen(url) as answer:
            total += len(gzip.compress(answer.read(), 9))
    return total / 1000


def measure(browser: Any, address: str, game: str | None) -> str:
    """One line: the first page, or a game begun from it."""
    visitor = Visitor(browser, address, service_workers="block")
    urls: list[str] = []
    visitor.page.on("request", lambda request: urls.append(request.url))
    begun = time.perf_counter()
    visitor.page.goto("/")
    visitor.page.locator(".game-tile select option").first.wait_for(state="attached")
    loaded = time.perf_counter() - begun
    paint = visitor.page.evaluate(PAINT)
    words = f"first paint {paint:4.0f} ms, ready {1000 * loaded:4.0f} ms"
    if game is not None:
        urls.clear()
        begun = time.perf_counter()
        play_now(visitor.page, game)
        visitor.page.wait_for_selector(READY[game])
        words = f"playable board after {1000 * (time.perf_counter() - begun):4.0f} ms"
    visitor.page.wait_for_timeout(500)
    files = [url for url in urls if "/ws" not in url and "/api/tables/" not in url]
    visitor.close()
    kilobytes = weigh(files)
    return f"{game or 'home':9} {kilobytes:6.1f} kB gz  {len(set(files)):2} requests  {words}"


if __name__ == "__main__":
    with running_server() as address, running_browser() as browser:
        for game in (None, *READY):
            print(measure(browser, address, game))
