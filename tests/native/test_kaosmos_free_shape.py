"""The solver for free shapes (the card 'derive'): optimality proofs and bounds."""

from __future__ import annotations

from itertools import permutations, product
from random import Random

import pytest

from tuilerie import native
from tuilerie.games.kaosmos.board import FREE, SLOTS, Slot, free_beside, groups
from tuilerie.games.kaosmos.box import BOX, Box
from tuilerie.games.kaosmos.card import COLOURS
from tuilerie.games.kaosmos.cards import TABLES, Balance, ColourZones, RoundRules
from tuilerie.games.kaosmos.score import Galaxy

if not native.is_compiled():
    pytest.skip(f"no compiled core: {native.why_not_compiled()}", allow_module_level=True)

from tests.amounts import few_or_many
from tests.native.test_kaosmos_solver import GOALS, TRIES, deal, points, try_all
from tuilerie.native import _kaosmos as core
from tuilerie.native import kaosmos as fast

CARD = "derive"


def random_slots(chance: Random, number: int) -> list[Slot]:
    """Connected slots, each adjacent to an earlier one, anywhere in the frame."""
    slots = [chance.choice(SLOTS)]
    while len(slots) < number:
        slots.append(chance.choice([slot for slot in free_beside(slots) if slot not in slots]))
    return slots


def random_galaxy(chance: Random, tiles: list[str], *, turning: bool = True) -> Galaxy:
    """A galaxy of random shape, in a possible order of laying."""
    slots = random_slots(chance, len(tiles))
    turns = [chance.randrange(4) if turning else 0 for _ in tiles]
    return dict(zip(slots, zip(tiles, turns, strict=True), strict=True))


def first_tiles(galaxy: Galaxy, number: int) -> Galaxy:
    """Its first tiles."""
    return dict(list(galaxy.items())[:number])


def test_brute_force_tries_every_shape_once() -> None:
    known = [1, 2, 6, 19, 63, 216, 760, 2725, 9910]
    assert [core.count_shapes(tiles) for tiles in range(1, 10)] == known
    _, number = try_all(deal(1, 4), CARD, fast.Goal())
    assert number == 19 * 24 * 4**4


def test_three_tiles_agree_with_the_python_rules() -> None:
    """Compares with all shapes, orders and orientations, scored by the Python rules."""
    near = [slot for slot in SLOTS if slot[0] in "abc" and slot[1] in "123"]
    shapes = [
        shape
        for shape in product(near, repeat=3)
        if list(shape) == sorted(set(shape), key=near.index)
        and len(groups(shape)) == 1
        and any(slot[0] == "a" for slot in shape)
        and any(slot[1] == "1" for slot in shape)
    ]
    assert len(shapes) == 6
    tiles = deal(8, 3)
    best = max(
        points(dict(zip(shape, zip(order, turns, strict=True), strict=True)), CARD)
        for shape in shapes
        for order in permutations(tiles)
        for turns in product(range(4), repeat=3)
    )
    found = fast.solve(tiles, card=CARD)
    assert found.proven
    assert found.value == best == points(found.galaxy, CARD)


@pytest.mark.parametrize("seed", range(TRIES))
def test_brute_force_agrees_on_four_tiles(seed: int) -> None:
    tiles = deal(seed, 4)
    for goal in GOALS:
        best, _ = try_all(tiles, CARD, goal)
        found = fast.solve(tiles, card=CARD, goal=goal)
        assert found.proven
        assert found.value == pytest.approx(best)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_brute_force_agrees_on_five_tiles(seed: int) -> None:
    if TRIES < 10:
        pytest.skip("too slow under sanitizers")
    tiles = deal(seed, 5)
    best, _ = try_all(tiles, CARD, fast.Goal())
    assert fast.solve(tiles, card=CARD).value == best


@pytest.mark.slow
def test_brute_force_agrees_with_given_tiles() -> None:
    chance = Random(5)
    for goal in GOALS:
        for _ in range(1 + TRIES // 3):
            galaxy = random_galaxy(chance, chance.sample(BOX.tiles.ids, 9))
            tiles = [tile for tile, _ in galaxy.values()]
            laid = first_tiles(galaxy, 9 - chance.randrange(4))
            best, _ = try_all(tiles, CARD, goal, laid)
            found = fast.solve(tiles, card=CARD, goal=goal, laid=laid)
            assert found.proven
            assert found.value == pytest.approx(best)
            assert laid.items() <= found.galaxy.items()
            assert FREE.is_complete(found.galaxy)


def test_bound_never_prunes_a_better_completion() -> None:
    """The bound of a partial galaxy is never below the value of a completion."""
    chance = Random(6)
    box, tight = fast.core_box(), 0
    for goal in GOALS:
        for _ in range(10 * TRIES):
            tiles = chance.sample(BOX.tiles.ids, 9)
            found = fast.solve(tiles, card=CARD, goal=goal, nodes=300, prove=False)
            galaxy = in_order(found.galaxy, chance)
            laid = first_tiles(galaxy, 4 + chance.randrange(5))
            question = CARD, ",".join(tiles), fast.write_galaxy(laid)
            asked = box, *question, goal.totals, goal.temperature
            assert not core.can_prune(*asked, found.value - 0.01), (question, goal, found.value)
            assert core.can_prune(*asked, 1000.0)
            tight += core.can_prune(*asked, found.value)
    assert tight, "the bound was never tight"


def in_order(galaxy: Galaxy, chance: Random) -> Galaxy:
    """The same galaxy, starting at a random tile, each tile adjacent to an earlier one."""
    slots = [chance.choice(sorted(galaxy))]
    while len(slots) < len(galaxy):
        slots.append(chance.choice([slot for slot in free_beside(slots) if slot in galaxy]))
    return {slot: galaxy[slot] for slot in slots}


def random_rules(chance: Random) -> RoundRules:
    """A random card of free shape with many effects, perhaps with fixed orientation."""

    def points() -> int:
        return chance.randrange(-3, 6)

    least = sorted(chance.sample(range(1, 20), 3))
    colours = chance.sample(COLOURS, 3)
    return RoundRules(
        shape=FREE,
        turning=chance.random() < 0.6,
        cut=chance.random() < 0.5,
        tables={own: TABLES[other] for own, other in zip(COLOURS, colours, strict=True)},
        largest_only=chance.choice([None, None, 2]),
        path_factor=chance.randrange(4),
        constellations=tuple((size, points()) for size in least),
        colour_zones=ColourZones(chance.choice(COLOURS), chance.randrange(12), points()),
        balance=Balance(1 + chance.randrange(4), points()),
    )


@pytest.mark.slow
@few_or_many("tries", 6 * TRIES, 60 * TRIES)
def test_random_cards_are_solved_correctly(tries: int) -> None:
    for seed in range(tries):
        chance = Random(seed)
        box = Box(BOX.tiles, {"own": random_rules(chance)})
        turning = box.rules("own").turning
        goal = chance.choice(GOALS)
        number = chance.choice([3, 4, 9])
        galaxy = random_galaxy(chance, chance.sample(BOX.tiles.ids, number), turning=turning)
        tiles = [tile for tile, _ in galaxy.values()]
        laid = (
            first_tiles(galaxy, 7) if number == 9 else first_tiles(galaxy, chance.choice([0, 0, 1]))
        )
        best, _ = try_all(tiles, "own", goal, laid, box)
        found = fast.solve(tiles, card="own", goal=goal, laid=laid, box=box)
        assert found.proven, seed
        assert found.value == pytest.approx(best), seed


EASY = [2, 5, 24, 28, 31, 37]
"""Deals that need search, not only the bound, and are solved quickly."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", EASY[: max(1, TRIES // 2)])
def test_proven_solution_is_never_beaten(seed: int) -> None:
    tiles = sorted(deal(seed))
    best = fast.solve(tiles, card=CARD)
    assert best.proven
    assert best.value == best.bound == points(best.galaxy, CARD)
    assert FREE.is_complete(best.galaxy)
    for again in range(2):
        found = fast.solve(tiles, card=CARD, nodes=100_000, prove=False, seed=again)
        assert found.value <= best.value
    for nodes in (50, 5_000, 130_000, 180_000):
        found = fast.solve(tiles, card=CARD, nodes=nodes, seed=seed)
        assert found.value <= best.value <= found.bound
        assert found.proven == (found.value == found.bound)


def test_fixed_shapes_are_never_better_than_a_free_shape() -> None:
    for seed in range(max(1, TRIES // 2)):
        tiles = deal(seed, 6)
        free = fast.solve(tiles, card=CARD)
        assert free.proven
        assert free.value >= fast.solve(tiles).value


@pytest.mark.slow
def test_solution_is_determined_by_nodes_and_seed() -> None:
    tiles = sorted(deal(3))
    for nodes in (3_000, 400_000):  # stops in the annealing, and in the proof
        once, again = (fast.solve(tiles, card=CARD, nodes=nodes, seed=9) for _ in range(2))
        assert (once.galaxy, once.nodes, once.bound) == (again.galaxy, again.nodes, again.bound)
        assert not once.proven
    assert fast.solve(tiles, card=CARD, nodes=3_000, seed=9).nodes == 3_000


def test_complete_galaxy_is_scored() -> None:
    galaxy = random_galaxy(Random(2), deal(2))
    found = fast.solve(deal(2), card=CARD, laid=galaxy)
    assert (found.galaxy, found.proven) == (galaxy, True)
    assert found.value == points(galaxy, CARD)
