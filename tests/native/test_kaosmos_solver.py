"""The galaxy solver: its answers are galaxies, its proofs hold, and its limits are kept."""

from __future__ import annotations

from random import Random

import pytest

from tuilerie import native
from tuilerie.games.kaosmos.box import BOX
from tuilerie.games.kaosmos.card import MARKERS
from tuilerie.games.kaosmos.score import Galaxy, clamp, count, kaos_gains

if not native.is_compiled():
    pytest.skip(f"no compiled core: {native.why_not_compiled()}", allow_module_level=True)

from tuilerie.native import _kaosmos as core
from tuilerie.native import kaosmos as fast


def deal(seed: int, tiles: int = 9) -> list[str]:
    return Random(seed).sample(BOX.tiles.ids, tiles)


def points(galaxy: Galaxy, card: str | None, totals: tuple[int, ...] = (0, 0, 0, 0)) -> int:
    counted = count(galaxy, BOX.rules(card), BOX.tiles)
    gains = dict(counted.points)
    for gain in kaos_gains(counted, BOX.rules(card)):
        gains[gain.marker] += gain.points
    start = zip(MARKERS, totals, strict=True)
    return sum(clamp(total + gains[name]) - total for name, total in start)


@pytest.mark.parametrize("card", [None, *BOX.cards])
def test_a_solution_is_a_galaxy_of_these_tiles_and_worth_what_it_says(card: str | None) -> None:
    tiles, rules = deal(7), BOX.rules(card)
    found = fast.solve(tiles, card=card, nodes=20_000)
    assert rules.shape.is_complete(found.galaxy)
    assert set(found.galaxy) <= set(rules.shape.slots)
    assert {tile for tile, _ in found.galaxy.values()} <= set(tiles)
    assert rules.turning or all(turns == 0 for _, turns in found.galaxy.values())
    assert found.value == points(found.galaxy, card)
    assert found.value <= found.bound
    assert found.proven == (found.value == found.bound)


@pytest.mark.parametrize("card", [card for card in (None, *BOX.cards) if card != "derive"])
def test_brute_force_agrees(card: str | None) -> None:
    tiles = deal(3, 4)
    for totals, heat in (((0, 0, 0, 0), 0.0), ((3, 29, 0, 8), 0.0), ((4, 9, 2, 1), 2.0)):
        best, _ = core.brute_force(fast.core_box(), card or "-", ",".join(tiles), totals, heat)
        found = fast.solve(tiles, card=card, goal=fast.Goal(totals, heat))
        assert found.proven
        assert found.value == pytest.approx(best)


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(20))
def test_brute_force_agrees_on_six_tiles(seed: int) -> None:
    tiles = deal(seed, 6)
    best, number = core.brute_force(fast.core_box(), "-", ",".join(tiles), (0, 0, 0, 0), 0.0)
    assert number == 720 * 4**6
    assert fast.solve(tiles).value == best


def test_a_marker_at_its_end_earns_nothing() -> None:
    found = fast.solve(deal(1), goal=fast.Goal((30, 30, 30, 30)))
    assert (found.value, found.bound, found.proven) == (0, 0, True)


def test_tiles_that_lie_stay_where_they_are() -> None:
    tiles = deal(4)
    laid: Galaxy = {"b2": (tiles[0], 3), "c3": (tiles[5], 1)}
    found = fast.solve(tiles, laid=laid, nodes=30_000)
    assert laid.items() <= found.galaxy.items()


def test_nodes_and_seed_decide_the_answer() -> None:
    once, again = (fast.solve(deal(5), nodes=3_000, seed=9) for _ in range(2))
    assert (once.galaxy, once.nodes) == (again.galaxy, again.nodes)
    assert once.nodes <= 3_000


def test_what_is_not_proven_says_so() -> None:
    found = fast.solve(deal(2), nodes=50)
    assert not found.proven
    assert found.bound > found.value


@pytest.mark.parametrize("seed", [27, 50, 107, 173])
def test_a_search_that_was_stopped_claims_no_proof(seed: int) -> None:
    best = fast.solve(deal(seed))
    for nodes in (15_000, 30_000, 65_000, 90_000):
        found = fast.solve(deal(seed), nodes=nodes, seed=seed + 2)
        assert found.value <= best.value <= found.bound
        assert found.proven == (found.value == found.bound)
