"""How long it takes to find and prove the best galaxies of random deals.

`python benchmarks/solver.py [DEALS] [CARD …]`: by default 1,000 deals of nine tiles in the square,
then 30 with each card that changes the shape or the count. Times are those of one core.

`--into FILE` keeps every deal there as soon as it is done: a run that was stopped goes on where it
was, and slices (`--from 250`) that ran at different times are printed in one table.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from statistics import mean, median
from time import perf_counter
from typing import TypedDict

from tuilerie import native
from tuilerie.games.kaosmos.box import BOX

SECONDS = 60.0
"""The time limit of a proof, in seconds."""

SHORT = 0.05
"""The time limit of the quick answer."""

DEALS, FEW, SMALL = 1000, 30, 20
"""How many deals without a card, with each card, and of six tiles."""

NONE, BRUTE = "(none)", "(brute force)"


class Result(TypedDict):
    """The result of one deal."""

    card: str
    deal: int
    seconds: float
    proven: bool
    gap: float  # the bound minus the galaxy's value
    short: float  # how much the quick answer falls short


class Book:
    """The results so far, in a file or not."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.results: dict[tuple[str, int], Result] = {}
        lines = path.read_text().splitlines() if path and path.exists() else []
        for number, line in enumerate(lines, 1):
            try:
                result = json.loads(line)
                self.results[result["card"], result["deal"]] = result
            except (ValueError, KeyError, TypeError):
                raise SystemExit(f"{path}, line {number}: not a result; delete it.") from None

    def add(self, result: Result) -> None:
        """Keep a result."""
        self.results[result["card"], result["deal"]] = result
        if self.path:
            with self.path.open("a") as file:
                file.write(json.dumps(result) + "\n")

    def missing(self, card: str, deals: Iterable[int]) -> list[int]:
        """The deals that were not studied yet."""
        return [number for number in deals if (card, number) not in self.results]

    def of(self, card: str) -> list[Result]:
        """All results with a card."""
        return [result for result in self.results.values() if result["card"] == card]


def deal(seed: int, tiles: int = 9) -> tuple[str, ...]:
    """Random tiles."""
    return tuple(sorted(Random(seed).sample(BOX.tiles.ids, tiles)))


def study(card: str, seed: int) -> Result:
    """Solve a deal with proof, and again with a short time limit."""
    from tuilerie.native.kaosmos import solve  # noqa: PLC0415 - where it is there

    tiles, by = deal(seed), None if card == NONE else card
    begun = perf_counter()
    best = solve(tiles, card=by, seconds=SECONDS)
    seconds = perf_counter() - begun
    quick = solve(tiles, card=by, seconds=SHORT, seed=seed + 2)
    gap, short = best.bound - best.value, best.value - quick.value
    return Result(card=card, deal=seed, seconds=seconds, proven=best.proven, gap=gap, short=short)


def compare_with_brute_force(seed: int) -> Result:
    """Six tiles in two rows of three: every arrangement is counted."""
    from tuilerie.native import _kaosmos as core  # noqa: PLC0415
    from tuilerie.native.kaosmos import core_box, solve  # noqa: PLC0415

    tiles = deal(seed, 6)
    best, _ = core.brute_force(core_box(), "-", ",".join(tiles), "-", (0, 0, 0, 0), 0.0)
    found = solve(tiles)
    agrees, gap = found.proven and found.value == best, found.bound - best
    return Result(card=BRUTE, deal=seed, seconds=found.seconds, proven=agrees, gap=gap, short=0.0)


def report(card: str, results: list[Result]) -> None:
    """A line of the table."""
    deals, times = len(results), sorted(result["seconds"] for result in results)
    print(
        f"{card:20} {deals:6} {sum(result['proven'] for result in results):7} "
        f"{median(times):8.3f} {times[min(deals - 1, deals * 99 // 100)]:8.3f} {times[-1]:8.3f} "
        f"{mean(result['short'] for result in results):10.3f} "
        f"{mean(result['gap'] for result in results):8.2f}",
        flush=True,
    )


def main(deals: int, first: int, cards: Sequence[str], into: Path | None) -> None:
    """Study what is missing, and print the tables."""
    if not native.is_compiled():
        print(f"No compiled core: {native.why_not_compiled()}")
        return
    book = Book(into)
    for seed in book.missing(BRUTE, range(SMALL)):
        book.add(compare_with_brute_force(seed))
    agreed = sum(result["proven"] for result in book.of(BRUTE))
    print(f"Brute force agrees on {agreed} of {SMALL} deals of six tiles in 2×3.", flush=True)
    print(
        f"{'card':20} {'deals':>6} {'proven':>7} {'median s':>8} {'99 % s':>8} {'worst s':>8} "
        f"{'short@50ms':>10} {'gap':>8}"
    )
    counting = [card for card in BOX.cards if BOX.cards[card] != BOX.rules(None)]
    for card in cards or [NONE, *counting]:
        number = deals if cards or card == NONE else min(deals, FEW)
        for seed in book.missing(card, range(first, first + number)):
            book.add(study(card, seed))
        report(card, book.of(card))


def _from(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if int(text) < least:
            raise argparse.ArgumentTypeError(f"{text}: expected {least} or more")
        return int(text)

    return number


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Time the galaxy solver, and check its proofs.")
    parser.add_argument("deals", type=_from(1), nargs="?", default=DEALS)
    parser.add_argument("cards", nargs="*", choices=[NONE, *BOX.cards, []], metavar="card")
    parser.add_argument("--from", dest="first", type=_from(0), default=0, help="the first deal")
    parser.add_argument("--into", type=Path, help="a file that keeps the results, line by line")
    chosen = parser.parse_args()
    main(chosen.deals, chosen.first, chosen.cards, chosen.into)
