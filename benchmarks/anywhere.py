"""The core as WebAssembly beside the native one, and the sizes of what a browser fetches.

    python benchmarks/anywhere.py

Both think about the same positions with the same nodes, in turns, after a round to warm up. CPU
time of the thinking thread is compared, so that other work on the machine counts little; 1 is
native speed. Node runs the module, with the engine of Chromium. Needs Linux and `make core engine`.
"""

from __future__ import annotations

import gzip
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.local.test_core import views  # noqa: E402
from tests.local.wasm import BUILT, running_core  # noqa: E402

from tuilerie.games.kaosmos.box import BOX  # noqa: E402
from tuilerie.local import core  # noqa: E402
from tuilerie.native import _blockers, _kaosmos, blockers, genial, kaosmos  # noqa: E402
from tuilerie.server.http.pages import ENGINE, FOLDER  # noqa: E402

POSITIONS = 12
ROUNDS = 3


def main() -> None:
    """Print both tables."""
    print("compressed, kB")
    for game in ("genial", "blockers", "kaosmos"):
        print(f"  {game + '.wasm':22} {_packed(BUILT / f'{game}.wasm'):8.1f}")
    python = sum(path.stat().st_size for path in ENGINE.glob("python-*.bin"))
    script = next(FOLDER.glob("assets/engine.worker-*.js"))
    print(f"  {'Python and library':22} {python / 1000:8.1f}")
    print(f"  {'its script':22} {_packed(script):8.1f}")
    print("speed of WebAssembly / native (1: the same)")
    with running_core() as ask:
        for game, mine, theirs in _thinkers(core.modules(ask)):
            print(f"  {game:10} {_ratio(mine, theirs, _questions(game), ask.pid):5.2f}")


def _packed(path: Path) -> float:
    return len(gzip.compress(path.read_bytes(), 9)) / 1000


def _thinkers(ours: dict[str, Any]) -> list[tuple[str, Callable[..., Any], Callable[..., Any]]]:
    tiles, cards = kaosmos.write_box_tiles(BOX), kaosmos.write_box_cards(BOX)
    mine, theirs = ours["kaosmos"].Box(tiles, cards), _kaosmos.Box(tiles, cards)
    return [
        ("genial", ours["genial"].think, genial.think),
        ("blockers", ours["blockers"].think, _blockers.think),
        (
            "kaosmos",
            lambda *asked: ours["kaosmos"].solve(mine, *asked),
            lambda *asked: _kaosmos.solve(theirs, *asked),
        ),
    ]


def _questions(game: str) -> list[tuple[Any, ...]]:
    """What to think about: long enough that the way to Node does not count."""
    if game == "genial":
        return [(genial.write_view(v), 1, 3_000, 0.0, 16, 0) for v in views(game, POSITIONS)]
    if game == "blockers":
        texts = [blockers.text_of_view(view) for view in views(game, POSITIONS)]
        return [(text, 1, 3_500, 0.0, 64, 0.0) for text in texts]
    ids = [tile.id for tile in BOX.tiles.tiles]
    hands = [",".join(ids[at : at + 9]) for at in range(POSITIONS)]
    return [("-", hand, "-", (0, 0, 0, 0), 1.0, [], 60_000, 0.0, 0, 1) for hand in hands]


def _ratio(
    mine: Callable[..., Any],
    theirs: Callable[..., Any],
    questions: list[tuple[Any, ...]],
    pid: int,
) -> float:
    for asked in questions:
        mine(*asked)
    native = module = 0.0
    for asked in questions * ROUNDS:
        begun = time.thread_time()
        theirs(*asked)
        native += time.thread_time() - begun
        before = _seconds(pid)
        mine(*asked)
        module += _seconds(pid) - before
    return native / module


def _seconds(pid: int) -> float:
    """CPU time of a process's main thread."""
    words = Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()
    return int(words[0]) / 1e9


if __name__ == "__main__":
    main()
