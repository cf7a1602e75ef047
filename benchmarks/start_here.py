"""Playing in a browser without a server: how long it takes to start, and to answer a move.

    python benchmarks/start_here.py [ROUNDS]

A browser has kept the engine and has no network. Each round loads the page anew, chooses 'Play
here' and a game, and waits for a board on which one can move; then it makes moves, whose answers
are timed in the page: from the command to the worker's 'done', after it is stored. Needs Chromium
and `make web core engine`.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.drivers import DRIVERS, TURN, play_out  # noqa: E402
from tests.browser.house import DESKTOP, Visitor, running_browser, running_server  # noqa: E402
from tests.browser.test_anywhere import Home  # noqa: E402

WATCH = """
globalThis.answers = [];
const post = Worker.prototype.postMessage;
const asked = new Map();
Worker.prototype.postMessage = function (message, ...more) {
  if (message?.kind === 'send') {
    const { t, id } = JSON.parse(message.text);
    if (t === 'do') asked.set(id, performance.now());
  }
  return post.call(this, message, ...more);
};
const made = Worker;
globalThis.Worker = class extends made {
  constructor(...words) {
    super(...words);
    this.addEventListener('message', ({ data }) => {
      if (data.kind !== 'message') return;
      const { t, id } = JSON.parse(data.text);
      if (t === 'done' && asked.has(id)) answers.push(performance.now() - asked.get(id));
    });
  }
};
"""

MOVES = 15


def main() -> None:
    """Print both tables."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    with running_server() as address, running_browser() as browser:
        visitor = Visitor(browser, address, service_worker=True, viewport=DESKTOP)
        visitor.context.add_init_script(WATCH)
        home = Home(visitor, "/")
        first = time.perf_counter()
        home.keep()
        print(f"fetched and kept in {time.perf_counter() - first:.1f} s")
        home.cut()
        for game in DRIVERS:
            starts, answers = [], []
            for _ in range(rounds):
                starts.append(_start(home, game))
                answers += _moves(home, game)
            print(
                f"{game:10} board after {statistics.median(starts):5.2f} s (median of {rounds}), "
                f"a move answered in {statistics.median(answers):5.1f} ms, "
                f"95 %: {statistics.quantiles(answers, n=20)[-1]:5.1f} ms ({len(answers)} moves)",
                flush=True,
            )


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
    return time.perf_counter() - began


def _moves(home: Home, game: str) -> list[float]:
    """The times of the answers to some moves, in ms."""
    play_out([home.page], DRIVERS[game], most=MOVES)
    found: list[float] = home.page.evaluate("answers")
    return found


if __name__ == "__main__":
    main()
