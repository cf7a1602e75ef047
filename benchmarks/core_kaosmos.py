"""Galaxies counted a second: the compiled core beside the plain rules, on one core."""

from __future__ import annotations

from random import Random
from time import perf_counter

from tuilerie import native
from tuilerie.games.kaosmos.box import BOX
from tuilerie.games.kaosmos.score import count, kaos_gains

CARDS = (None, "breche", "vide-sideral", "supernova", "une-dimension", "univers-paralleles")
PLAIN, COMPILED = 1_500, 3_000_000


def plain_rate(card: str | None) -> float:
    """Galaxies a second by the plain rules."""
    random, rules = Random(1), BOX.rules(card)
    galaxies = []
    for _ in range(300):
        tiles = random.sample(BOX.tiles.ids, rules.shape.size)
        laid = ((tile, random.randrange(4)) for tile in tiles)
        galaxies.append(dict(zip(rules.shape.slots, laid, strict=True)))
    begun = perf_counter()
    for number in range(PLAIN):
        kaos_gains(count(galaxies[number % 300], rules), rules)
    return PLAIN / (perf_counter() - begun)


def compiled_rate(card: str | None) -> float:
    """Galaxies a second by the compiled core."""
    from tuilerie.native import _kaosmos as core  # noqa: PLC0415 - where it is there
    from tuilerie.native.kaosmos import core_box  # noqa: PLC0415

    seconds, _ = core.count_random(core_box(), card or "-", COMPILED, 1)
    return COMPILED / seconds


def main() -> None:
    """Print a table of ratios."""
    if not native.is_compiled():
        print(f"No compiled core: {native.why_not_compiled()}")
        return
    print("Kaosmos, galaxies counted a second, one core")
    print(f"{'card':20} {'plain rules':>12} {'compiled':>12} {'ratio':>8}")
    for card in CARDS:
        plain, compiled = plain_rate(card), compiled_rate(card)
        ratio = compiled / plain
        print(f"{card or '(none)':20} {plain:12,.0f} {compiled:12,.0f} {ratio:7,.0f}×")


if __name__ == "__main__":
    main()
