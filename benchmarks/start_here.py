"""Playing in a browser without a server: how long it takes to start, and to answer a move.

    python benchmarks/start_here.py [ROUNDS]

A browser that was never here plays on a static site: all is fetched, from this machine. Another one
keeps the engine and loses its network. Each round reloads the page, chooses 'Play here' and a
game, and waits for a board on which one can move. Then moves are made. Their answers are timed in
the worker of the tables, from the arrival of a move to its 'done', after it is stored: as one plays
and with the bots' worker always busy. Browser and server share the cores of the machine.
Needs Chromium and `make web core engine`.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.drivers import DRIVERS, TURN, play_out  # noqa: E402
from tests.browser.house import DESKTOP, Visitor, running_browser, running_server  # noqa: E402
from tests.browser.test_anywhere import Files, Home, Profile  # noqa: E402

from tuilerie.server.ops.site import write_site  # noqa: E402

WATCH = """() => {
  globalThis.answers = [];
  const asked = new Map();
  addEventListener('message', ({ data }) => {
    if (data.kind !== 'send') return;
    const { t, id, command } = JSON.parse(data.text);
    if (t === 'do' && command.kind === 'make') asked.set(id, performance.now());
  }, true);
  const post = postMessage;
  globalThis.postMessage = (message, ...more) => {
    post(message, ...more);
    if (message.kind !== 'message') return;
    const { t, id } = JSON.parse(message.text);
    if (t === 'done' && asked.has(id)) answers.push(performance.now() - asked.get(id));
  };
}"""

BUSY = """() => setInterval(() => {
  const until = performance.now() + 200;
  while (performance.now() < until);
}, 201)"""

MOVES = 8


def main() -> None:
    """Print both tables."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    with (
        running_server() as address,
        running_browser() as browser,
        tempfile.TemporaryDirectory() as folder,
    ):
        print(f"the first board on a static site: {_first(browser, Path(folder)):.2f} s")
        profile: Any = Profile(browser, f"{folder}/profile")
        visitor = Visitor(profile, address, service_worker=True, viewport=DESKTOP)
        home = Home(visitor, "/")
        home.page.goto("/")
        began = time.perf_counter()
        home.keep()
        print(f"fetched, prepared and kept: {time.perf_counter() - began:.1f} s")
        home.cut()
        for game in DRIVERS:
            starts, played, busy = [], [], []
            for _ in range(rounds):
                starts.append(_start(home, game))
                played += _moves(home.page, game)
                for worker in home.page.workers:
                    if worker.evaluate("name") == "bots":
                        worker.evaluate(BUSY)
                busy += _moves(home.page, game)
            print(f"{game:10} a board after {statistics.median(starts):.2f} s (median of {rounds})")
            print(f"           a move answered: {_spread(played)}")
            print(f"           while the bots' worker is busy: {_spread(busy)}", flush=True)
        visitor.close()


def _first(browser: Any, folder: Path) -> float:
    """Seconds to a board for a new visitor of a static site."""
    write_site(folder / "some" / "games", "/some/games/")
    files = Files(folder)
    profile: Any = Profile(browser, folder / "new")
    visitor = Visitor(profile, files.address, viewport=DESKTOP)
    visitor.page.goto(f"{files.address}/")
    visitor.page.wait_for_selector(".game-tile select option", state="attached")
    began = time.perf_counter()
    visitor.page.locator(".game-tile.genial .primary").click()
    visitor.page.wait_for_selector(TURN["genial"])
    took = time.perf_counter() - began
    visitor.close()
    files.close()
    return took


def _start(home: Home, game: str) -> float:
    """Seconds from 'Play here' to a board on which one can move."""
    page = home.page
    page.goto("/")
    page.wait_for_selector(".game-tile select option", state="attached")
    page.wait_for_selector(".here-line button")
    began = time.perf_counter()
    page.click(".here-line button")
    tile = page.locator(f".game-tile.{game}")
    if game == "kaosmos":  # without a timer
        tile.locator("select").nth(2).select_option("null")
    tile.locator(".primary").click()
    page.wait_for_selector(TURN[game])
    took = time.perf_counter() - began
    for worker in page.workers:
        worker.evaluate(WATCH)
    return took


def _moves(page: Any, game: str) -> list[float]:
    """Make some moves; the times of their answers, in ms."""
    play_out([page], DRIVERS[game], most=MOVES)
    return [took for worker in page.workers for took in worker.evaluate("answers.splice(0)")]


def _spread(times: list[float]) -> str:
    return (
        f"median {statistics.median(times):.1f} ms, "
        f"95 % {statistics.quantiles(times, n=20)[-1]:.1f} ms ({len(times)} moves)"
    )


if __name__ == "__main__":
    main()
