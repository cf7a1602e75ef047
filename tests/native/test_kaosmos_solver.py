"""The galaxy solver for fixed shapes: valid solutions, optimality proofs, bounds and limits."""

from __future__ import annotations

import os
from random import Random

import pytest

from tuilerie import native
from tuilerie.games.kaosmos.board import SHAPES
from tuilerie.games.kaosmos.box import BOX, Box
from tuilerie.games.kaosmos.card import COLOURS, MARKERS
from tuilerie.games.kaosmos.cards import Balance, ColourZones, RoundRules
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
def test_solution_is_valid_and_has_the_reported_value(card: str | None) -> None:
    tiles, rules = deal(7), BOX.rules(card)
    found = fast.solve(tiles, card=card, nodes=20_000)
    assert rules.shape.is_complete(found.galaxy)
    assert set(found.galaxy) <= set(rules.shape.slots)
    assert {tile for tile, _ in found.galaxy.values()} <= set(tiles)
    assert rules.turning or all(turns == 0 for _, turns in found.galaxy.values())
    assert found.value == points(found.galaxy, card)
    assert found.value <= found.bound
    assert found.proven == (found.value == found.bound)


FIXED = [card for card in (None, *BOX.cards) if not BOX.rules(card).shape.joined]
"""Cards with fixed shapes, for brute force."""

TRIES = min(10, int(os.environ.get("TUILERIE_GAMES", "10")))
"""Deals per card and goal."""

GOALS = (
    fast.Goal(),
    fast.Goal((3, 29, 0, 8)),
    fast.Goal((28, 30, 27, 29)),
    fast.Goal((4, 9, 2, 1), 2.0),
    fast.Goal((9, 9, 27, 3), 0.35),
)


def try_all(
    tiles: list[str],
    card: str | None,
    goal: fast.Goal,
    laid: Galaxy | None = None,
    box: Box = BOX,
) -> tuple[float, int]:
    """Return the value of the best galaxy and the number of galaxies tried."""
    question = card or "-", ",".join(tiles), fast.write_galaxy(laid or {})
    return core.brute_force(fast.core_box(box), *question, goal.totals, goal.temperature)


def partly_laid(chance: Random, rules: RoundRules, left: int) -> tuple[list[str], Galaxy]:
    """Nine tiles, all but some of them laid, in the solver's order or anywhere."""
    shape, turns = rules.shape, 4 if rules.turning else 1
    tiles = chance.sample(BOX.tiles.ids, 9)
    slots = list(ORDERS.get(shape.name, shape.slots))
    if chance.random() < 0.5:
        chance.shuffle(slots)
    laid = {slots[at]: (tiles[at], chance.randrange(turns)) for at in range(len(slots) - left)}
    return chance.sample(tiles, 9), laid


ORDERS = {
    "square": ["a1", "b1", "c1", "c2", "b2", "a2", "a3", "b3", "c3"],
    "ring": ["a1", "b1", "c1", "c2", "c3", "b3", "a3", "a2"],
    "twins": ["a1", "b1", "a2", "b2", "d1", "e1", "d2", "e2"],
}
"""The solver's search order of a shape; a row is filled from left to right."""


@pytest.mark.parametrize("card", FIXED)
def test_brute_force_agrees(card: str | None) -> None:
    tiles = deal(3, 4)
    for goal in GOALS:
        best, _ = try_all(tiles, card, goal)
        found = fast.solve(tiles, card=card, goal=goal)
        assert found.proven
        assert found.value == pytest.approx(best)


@pytest.mark.parametrize("card", FIXED)
def test_brute_force_agrees_with_given_tiles(card: str | None) -> None:
    chance = Random(5)
    for goal in GOALS:
        for _ in range(TRIES):
            tiles, laid = partly_laid(chance, BOX.rules(card), left=chance.randrange(5))
            best, _ = try_all(tiles, card, goal, laid)
            found = fast.solve(tiles, card=card, goal=goal, laid=laid)
            assert found.proven
            assert found.value == pytest.approx(best)


@pytest.mark.parametrize("card", FIXED)
def test_bound_never_prunes_a_better_completion(card: str | None) -> None:
    """The bound of a partial galaxy is never below the best completion."""
    chance = Random(6)
    box, tight = fast.core_box(), 0
    for goal in GOALS:
        for _ in range(3 * TRIES):
            tiles, laid = partly_laid(chance, BOX.rules(card), left=1 + chance.randrange(4))
            best, _ = try_all(tiles, card, goal, laid)
            question = card or "-", ",".join(tiles), fast.write_galaxy(laid)
            asked = box, *question, goal.totals, goal.temperature
            assert not core.can_prune(*asked, best - 0.01), (question, goal, best)
            assert core.can_prune(*asked, 1000.0)
            tight += core.can_prune(*asked, best)
    assert tight, "the bound was never tight"


def random_rules(chance: Random) -> RoundRules:
    """A random card: decreasing tables, negative points, many effects."""

    def points() -> int:
        return chance.randrange(-3, 6)

    least = sorted(chance.sample(range(1, 20), 3))
    shapes = [shape for shape in SHAPES.values() if not shape.joined]
    return RoundRules(
        shape=chance.choice(shapes),
        cut=chance.random() < 0.5,
        largest_only=chance.choice([None, None, 2]),
        path_factor=chance.randrange(4),
        constellations=tuple((size, points()) for size in least),
        colour_zones=ColourZones(chance.choice(COLOURS), chance.randrange(12), points()),
        balance=Balance(1 + chance.randrange(4), points()),
    )


def test_random_cards_are_solved_correctly() -> None:
    for seed in range(20 * TRIES):
        chance = Random(seed)
        box = Box(BOX.tiles, {"own": random_rules(chance)})
        goal = chance.choice(GOALS)
        tiles, laid = partly_laid(chance, box.rules("own"), left=1 + chance.randrange(3))
        best, _ = try_all(tiles, "own", goal, laid, box)
        found = fast.solve(tiles, card="own", goal=goal, laid=laid, box=box)
        assert found.proven, seed
        assert found.value == pytest.approx(best), seed


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(20))
def test_brute_force_agrees_on_six_tiles(seed: int) -> None:
    tiles = deal(seed, 6)
    best, number = try_all(tiles, None, fast.Goal())
    assert number == 720 * 4**6
    assert fast.solve(tiles).value == best


def test_full_marker_scores_nothing() -> None:
    found = fast.solve(deal(1), goal=fast.Goal((30, 30, 30, 30)))
    assert (found.value, found.bound, found.proven) == (0, 0, True)


def test_given_tiles_stay() -> None:
    tiles = deal(4)
    laid: Galaxy = {"b2": (tiles[0], 3), "c3": (tiles[5], 1)}
    found = fast.solve(tiles, laid=laid, nodes=30_000)
    assert laid.items() <= found.galaxy.items()


def test_solution_is_determined_by_nodes_and_seed() -> None:
    for nodes in (3_000, 50_000):  # stops in the annealing, and in the proof
        once, again = (fast.solve(deal(5), nodes=nodes, seed=9) for _ in range(2))
        assert (once.galaxy, once.nodes) == (again.galaxy, again.nodes)
        assert not once.proven
    assert fast.solve(deal(5), nodes=3_000, seed=9).nodes == 3_000


def test_unproven_solution_is_marked() -> None:
    found = fast.solve(deal(2), nodes=50)
    assert not found.proven
    assert found.bound > found.value


@pytest.mark.parametrize("seed", [27, 50, 107, 173])
def test_interrupted_search_claims_no_proof(seed: int) -> None:
    best = fast.solve(deal(seed))
    for nodes in (15_000, 30_000, 65_000, 90_000):
        found = fast.solve(deal(seed), nodes=nodes, seed=seed + 2)
        assert found.value <= best.value <= found.bound
        assert found.proven == (found.value == found.bound)
