"""How quickly the best galaxies are found and proven, over random deals.

`python benchmarks/solver.py [DEALS] [CARD …]`: by default 1,000 deals of nine tiles in the square,
then 30 with each card that changes the shape or the count. Times are those of one core.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from random import Random
from statistics import mean, median
from time import perf_counter

from tuilerie import native
from tuilerie.games.kaosmos.box import BOX

SECONDS = 60.0
"""After so long a deal is given up as not proven."""

SHORT = 0.05
"""How long the answer on the way may take."""

FEW = 30


def deal(seed: int, tiles: int = 9) -> tuple[str, ...]:
    """Random tiles."""
    return tuple(sorted(Random(seed).sample(BOX.tiles.ids, tiles)))


def study(deals: int, card: str | None) -> None:
    """Solve random deals, and print how it went."""
    from tuilerie.native.kaosmos import solve  # noqa: PLC0415 - where it is there

    times, shorts, gaps, proven = [], [], [], 0
    for seed in range(deals):
        tiles = deal(seed)
        begun = perf_counter()
        best = solve(tiles, card=card, seconds=SECONDS if card != "derive" else 1.0)
        times.append(perf_counter() - begun)
        proven += best.proven
        gaps.append(best.bound - best.value)
        quick = solve(tiles, card=card, seconds=SHORT, seed=seed + 2)
        shorts.append(best.value - quick.value)
    times.sort()
    print(
        f"{card or '(none)':20} {deals:6} {proven:7} {median(times):8.3f} "
        f"{times[min(deals - 1, deals * 99 // 100)]:8.3f} {times[-1]:8.3f} "
        f"{mean(shorts):10.3f} {mean(gaps):8.2f}",
        flush=True,
    )


def compare_with_brute_force(deals: int = 20) -> None:
    """Six tiles in two rows of three: every arrangement is counted."""
    from tuilerie.native import _kaosmos as core  # noqa: PLC0415
    from tuilerie.native.kaosmos import core_box, solve  # noqa: PLC0415

    agreed = 0
    for seed in range(deals):
        tiles = deal(seed, 6)
        best, _ = core.brute_force(core_box(), "-", ",".join(tiles), "-", (0, 0, 0, 0), 0.0)
        found = solve(tiles)
        agreed += found.proven and found.value == best
    print(f"Brute force agrees on {agreed} of {deals} deals of six tiles in 2×3.", flush=True)


def main(deals: int = 1000, cards: Sequence[str] = ()) -> None:
    """Print the tables."""
    if not native.is_compiled():
        print(f"No compiled core: {native.why_not_compiled()}")
        return
    compare_with_brute_force()
    print(
        f"{'card':20} {'deals':>6} {'proven':>7} {'median s':>8} {'99 % s':>8} {'worst s':>8} "
        f"{'short@50ms':>10} {'gap':>8}"
    )
    if not cards:
        study(deals, None)
    counting = [card for card in BOX.cards if BOX.cards[card] != BOX.rules(None)]
    for card in cards or counting:
        study(deals if cards else FEW, card)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Time the galaxy solver, and check its proofs.")
    parser.add_argument("deals", type=int, nargs="?", default=1000)
    parser.add_argument("cards", nargs="*", choices=[*BOX.cards, []], metavar="card")
    chosen = parser.parse_args()
    main(chosen.deals, chosen.cards)
