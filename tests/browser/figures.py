"""Size and speed of the client on a phone: `make figures`. Sizes are after gzip; times depend on
this machine.
"""

from __future__ import annotations

import gzip
import time
from typing import Any
from urllib.request import urlopen

from tests.browser import galaxy
from tests.browser.drivers import DRIVERS, TURN
from tests.browser.house import (
    DESKTOP,
    Visitor,
    play_now,
    running_browser,
    running_server,
    sit_with_bots,
)

PAINTS = """() => new Promise((tell) => new PerformanceObserver((list, observer) => {
  observer.disconnect();
  const first = performance.getEntriesByName('first-contentful-paint')[0];
  tell([first?.startTime ?? 0, list.getEntries().at(-1).startTime]);
}).observe({ type: 'largest-contentful-paint', buffered: true }))"""

HEAD = "             kB gz  requests"


def weigh(urls: list[str]) -> float:
    """The compressed size of these files, in kB."""
    total = 0
    for url in urls:
        with urlopen(url) as answer:
            total += len(gzip.compress(answer.read(), 9))
    return total / 1000


def measure(browser: Any, address: str, game: str | None) -> str:
    """One line: the first page, or a game begun from it, with all that it took since the start."""
    visitor = Visitor(browser, address)
    begun = time.perf_counter()
    visitor.page.goto("/")
    visitor.page.locator(".game-tile select option").first.wait_for(state="attached")
    loaded = time.perf_counter() - begun
    first, largest = visitor.page.evaluate(PAINTS)
    words = f"first paint {first:.0f} ms, largest {largest:.0f} ms, ready {1000 * loaded:.0f} ms"
    if game is not None:
        begun = time.perf_counter()
        play_now(visitor.page, game)
        visitor.page.wait_for_selector(TURN[game])
        words = f"playable board {1000 * (time.perf_counter() - begun):.0f} ms after the start"
    visitor.page.wait_for_timeout(500)
    files = visitor.files()
    visitor.close()
    return f"  {game or 'home':9} {weigh(files):6.1f} {len(files):9}   {words}"


def by_touch(browser: Any, address: str) -> str:
    """A galaxy of nine tiles on a phone, by a finger at the speed of a person's hand."""
    visitor = Visitor(browser, address, has_touch=True, is_mobile=True, motion="full")
    galaxy.begin(visitor.page)
    built = galaxy.build(visitor.page)
    visitor.close()
    frames = sorted(built.frames)
    middle, slow = frames[len(frames) // 2], frames[int(0.95 * len(frames))]
    return (
        f"Kaosmos by touch, 390 px: {built.kept} of 9 drags kept, {built.turned} of 9 tiles turned "
        f"in {built.seconds:.1f} s;\n  {len(frames)} frames, {middle:.1f} ms at the median, "
        f"{slow:.1f} ms at the 95th percentile"
    )


LONG_TASKS = """() => {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.longTasks.push(entry.duration);
  }).observe({ type: 'longtask' });
}"""


def long_tasks(browser: Any, address: str, game: str) -> str:
    """Tasks of more than 50 ms on the main thread during twelve moves on a desktop."""
    visitor = Visitor(browser, address, viewport=DESKTOP, motion="full")
    sit_with_bots(visitor.page, game)
    visitor.page.wait_for_selector(TURN[game])
    visitor.page.evaluate(LONG_TASKS)
    for done in range(12):
        if DRIVERS[game](visitor.page, done):
            visitor.page.wait_for_timeout(300)
    tasks = visitor.page.evaluate("window.longTasks")
    visitor.close()
    return f"  {game:9} {len(tasks)} tasks over 50 ms, the longest {max(tasks, default=0):.0f} ms"


if __name__ == "__main__":
    with running_server() as address, running_browser() as browser:
        print(HEAD)
        for game in (None, *TURN):
            print(measure(browser, address, game))
        print(by_touch(browser, address))
        print("Main thread, twelve moves of each game:")
        for game in TURN:
            print(long_tasks(browser, address, game))
