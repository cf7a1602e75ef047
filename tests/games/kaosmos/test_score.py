"""Zones, paths, bonus tiles and markers, each point with its reason."""

from __future__ import annotations

from itertools import permutations

import pytest

from tests.games.kaosmos.driver import MARTIN, OTHER
from tuilerie.games.kaosmos.board import SQUARE
from tuilerie.games.kaosmos.cards import BASIC, CARDS, PATH, TABLES, RoundRules, by_steps
from tuilerie.games.kaosmos.notation import parse_galaxy
from tuilerie.games.kaosmos.score import (
    Bonus,
    Change,
    Galaxy,
    Markers,
    count,
    count_round,
    longest_path,
)
from tuilerie.games.kaosmos.tiles import Tile, TileSet

ZERO: Markers = {"green": 0, "blue": 0, "orange": 0, "star": 0}
NOBODY = {"green": None, "blue": None, "orange": None}


def tile_set(*tiles: tuple[str, str]) -> TileSet:
    """Tiles T00, T01 … from their fields ('G1 G0 K O2') and arms."""
    made = []
    for number, (cells, arms) in enumerate(tiles):
        nw, ne, se, sw = cells.split()
        made.append(Tile(f"T{number:02}", (nw, ne, se, sw), arms))
    return TileSet(tuple(made))


def row(length: int) -> Galaxy:
    return {f"{'abcdefghi'[n]}1": (f"T{n:02}", 0) for n in range(length)}


def zones(galaxy: Galaxy, tiles: TileSet, rules: RoundRules = BASIC) -> list[tuple[str, int]]:
    return [(zone.colour, zone.planets) for zone in count(galaxy, rules, tiles).zones]


@pytest.mark.parametrize(
    ("colour", "points"),
    [
        ("green", [0, 0, 0, 1, 1, 1, 3, 3, 3, 5, 5, 5]),
        ("blue", [0, 0, 2, 2, 2, 4, 4, 4, 6, 6, 6, 6]),
        ("orange", [0, 0, 2, 2, 5, 5, 5, 7, 7, 7, 7, 7]),
    ],
)
def test_zone_scores_by_its_planets(colour: str, points: list[int]) -> None:
    assert [by_steps(TABLES[colour], planets) for planets in range(12)] == points


def test_path_scores_stars_by_its_tiles() -> None:
    assert [by_steps(PATH, tiles) for tiles in range(10)] == [0, 0, 0, 0, 1, 1, 2, 2, 2, 4]


def test_fields_of_a_colour_join_inside_a_tile_but_not_across_the_corner() -> None:
    tiles = tile_set(("G1 G1 B1 G1", ""), ("G1 O1 G1 O1", ""))
    assert zones({"a1": ("T00", 0)}, tiles) == [("green", 3), ("blue", 1)]
    assert zones({"a1": ("T01", 0)}, tiles) == [
        ("green", 1),
        ("green", 1),
        ("orange", 1),
        ("orange", 1),
    ]


@pytest.mark.parametrize(
    ("arms", "found"),
    [
        ("", [4]),
        ("N", [4]),  # a single arm cuts nothing: the zone goes around it
        ("NS", [2, 2]),
        ("NE", [3, 1]),
        ("ESW", [2, 1, 1]),
        ("NESW", [1, 1, 1, 1]),
    ],
)
def test_arms_cut_the_zones_of_a_tile(arms: str, found: list[int]) -> None:
    tiles = tile_set(("G1 G1 G1 G1", arms))
    assert [planets for _, planets in zones({"a1": ("T00", 0)}, tiles)] == found


def test_colours_always_join_across_the_edge_of_a_tile() -> None:
    # An arm that runs to the edge lies between two fields, not on it.
    tiles = tile_set(("G1 G1 G1 G1", "NESW"), ("G1 B0 B0 G1", "NESW"))
    assert zones({"a1": ("T00", 0), "b1": ("T01", 0)}, tiles) == [
        ("green", 2),
        ("green", 2),
        ("green", 1),
        ("green", 1),
        ("blue", 0),
        ("blue", 0),
    ]


def test_a_zone_that_winds_back_is_one_zone() -> None:
    # Two green fields of a1 are separate there, and connect through b1.
    tiles = tile_set(("B0 G1 G1 B0", "E"), ("G1 B0 B0 G0", ""))
    counted = count({"a1": ("T00", 0), "b1": ("T01", 0)}, BASIC, tiles)
    assert counted.zones[0].fields == (("a1", "NE"), ("a1", "SE"), ("b1", "NW"), ("b1", "SW"))
    assert counted.zones[0].planets == 3


def test_a_constellation_belongs_to_no_colour_zone() -> None:
    tiles = tile_set(("G1 K G1 K", ""), ("K K K K", "NS"))
    counted = count({"a1": ("T00", 0), "b1": ("T01", 0)}, BASIC, tiles)
    assert [(zone.colour, zone.planets) for zone in counted.zones] == [("green", 1), ("green", 1)]
    # Arms cut constellations as they cut colours.
    assert counted.constellations == (
        (("a1", "NE"), ("b1", "NW"), ("b1", "SW")),
        (("a1", "SW"),),
        (("b1", "NE"), ("b1", "SE")),
    )


def test_separate_tiles_do_not_join() -> None:
    tiles = tile_set(("G1 G1 G1 G1", "EW"), ("G1 G1 G1 G1", "EW"))
    galaxy = {"b1": ("T00", 0), "d1": ("T01", 0)}
    assert zones(galaxy, tiles) == [("green", 2), ("green", 2), ("green", 2), ("green", 2)]
    assert count(galaxy, BASIC, tiles).path.length == 1


def test_the_edge_of_the_frame_joins_nothing() -> None:
    tiles = tile_set(("G1 G1 G1 G1", "EW"), ("G1 G1 G1 G1", "EW"))
    assert count({"i1": ("T00", 0), "a2": ("T01", 0)}, BASIC, tiles).path.length == 1


def test_a_path_needs_arms_on_both_sides_of_an_edge() -> None:
    tiles = tile_set(*[("G0 G0 G0 G0", arms) for arms in ("E", "EW", "NW", "W")])
    path = count(row(4), BASIC, tiles).path
    assert path.slots == ("a1", "b1", "c1")


def test_path_continues_downward() -> None:
    tiles = tile_set(*[("G0 G0 G0 G0", arms) for arms in ("S", "N")])
    assert count({"a1": ("T00", 0), "a2": ("T01", 0)}, BASIC, tiles).path.slots == ("a1", "a2")


def test_tile_without_arms_is_not_a_path() -> None:
    tiles = tile_set(("G0 G0 G0 G0", ""), ("G0 G0 G0 G0", "N"))
    assert count({"a1": ("T00", 0)}, BASIC, tiles).path.slots == ()
    assert count(row(2), BASIC, tiles).path.slots == ("b1",)


def test_an_empty_galaxy_counts_nothing() -> None:
    counted = count({})
    assert (counted.zones, counted.constellations, counted.path.length) == ((), (), 0)
    assert counted.points == ZERO


def test_a_path_visits_no_tile_twice() -> None:
    ring = tuple(zip("abcdefgh", "bcdefgha", strict=True))
    edges = tuple((f"{one}1", f"{other}1") for one, other in ring)
    assert longest_path(edges) == tuple(f"{column}1" for column in "abcdefgh")


def test_longest_path_of_different_forms() -> None:
    # All twelve inner edges of the square: nine tiles can be visited.
    tiles = tile_set(*[("G0 G0 G0 G0", "NESW")] * 9)
    galaxy = {slot: (f"T{n:02}", 0) for n, slot in enumerate(SQUARE.slots)}
    path = count(galaxy, BASIC, tiles).path
    assert (path.length, path.points) == (9, 4)
    # A cross: only three of its five tiles lie on one path.
    cross = (("b1", "b2"), ("a2", "b2"), ("b2", "c2"), ("b2", "b3"))
    assert longest_path(cross) == ("b1", "b2", "a2")


def test_longest_path_agrees_with_brute_force() -> None:
    edges = (("a1", "b1"), ("b1", "b2"), ("a2", "b2"), ("b2", "c2"), ("c1", "c2"), ("b2", "b3"))
    slots = sorted({slot for edge in edges for slot in edge})
    joined = {*edges, *((two, one) for one, two in edges)}

    def reach(order: tuple[str, ...]) -> int:
        length = 1
        while length < len(order) and (order[length - 1], order[length]) in joined:
            length += 1
        return length

    assert len(longest_path(edges)) == max(map(reach, permutations(slots)))


def test_rotating_the_galaxy_does_not_change_the_count() -> None:
    galaxy = parse_galaxy(MARTIN)
    turned = {}
    for slot, (tile, turns) in galaxy.items():
        column, line = "abc".index(slot[0]), "123".index(slot[1])
        turned["abc"[2 - line] + "123"[column]] = (tile, (turns + 1) % 4)
    before, after = count(galaxy), count(turned)
    assert before.points == after.points
    assert sorted((z.colour, z.planets) for z in before.zones) == sorted(
        (z.colour, z.planets) for z in after.zones
    )
    assert before.path.length == after.path.length


def test_laying_order_does_not_change_the_count() -> None:
    galaxy = parse_galaxy(MARTIN)
    assert count(dict(reversed(galaxy.items()))) == count(galaxy)


# --- bonus tiles ----------------------------------------------------------------------------------

BLUE_TILES = tile_set(
    ("B2 B2 B0 B0", ""), ("B2 B1 B1 B0", ""), ("B2 B1 B0 B0", ""), ("G0 G0 G0 G0", "")
)


def blue_bonus(own: int, *others: int, rules: RoundRules = BASIC) -> Bonus:
    """Return the blue bonus of seat 0 for galaxies of single tiles with 4, 4, 3 or no planets."""
    galaxies = [{"a1": (f"T{tile:02}", 0)} for tile in (own, *others)]
    taken = {**NOBODY, "blue": 0}
    counts = count_round(galaxies, taken, [ZERO] * len(galaxies), rules, BLUE_TILES)
    return counts[0].bonuses[0]


def test_a_bonus_is_won_with_most_planets() -> None:
    assert blue_bonus(0, 2, 3) == Bonus("blue", 4, 3, True, 3)


def test_bonus_is_won_on_a_tie() -> None:
    assert blue_bonus(0, 3, 1) == Bonus("blue", 4, 4, True, 3)


def test_a_bonus_is_lost_if_any_other_has_more() -> None:
    assert blue_bonus(2, 3, 1) == Bonus("blue", 3, 4, False, -2)


def test_bonus_needs_at_least_one_planet() -> None:
    assert blue_bonus(3, 3) == Bonus("blue", 0, 0, False, -2)


def test_a_bonus_by_other_rules() -> None:
    rules = CARDS["quitte-ou-double"]
    assert blue_bonus(0, 2, rules=rules).points == 5
    assert blue_bonus(2, 0, rules=rules).points == -4


def test_the_largest_zone_is_compared_after_the_card() -> None:
    # Cut by arms the first galaxy has 1 + 1 + 1 + 1, the second 2; the card opens the arms.
    tiles = tile_set(("B1 B1 B1 B1", "NESW"), ("B2 G0 G0 G0", ""))
    galaxies = [{"a1": ("T00", 0)}, {"a1": ("T01", 0)}]
    taken = {**NOBODY, "blue": 0}
    for card, won in ((BASIC, False), (CARDS["breche"], True)):
        assert count_round(galaxies, taken, [ZERO] * 2, card, tiles)[0].bonuses[0].won is won


def test_several_bonus_tiles_are_scored_separately() -> None:
    taken = {"green": 0, "blue": 1, "orange": 0}
    counts = count_round([parse_galaxy(MARTIN), parse_galaxy(OTHER)], taken, [ZERO] * 2)
    assert [bonus.colour for bonus in counts[0].bonuses] == ["green", "orange"]
    assert [bonus.colour for bonus in counts[1].bonuses] == ["blue"]


# --- markers --------------------------------------------------------------------------------------


def test_a_marker_stops_at_30() -> None:
    before = {"green": 27, "blue": 30, "orange": 25, "star": 29}
    counted = count_round([parse_galaxy(MARTIN), {}], NOBODY, [before, ZERO])[0]
    assert counted.after == {"green": 30, "blue": 30, "orange": 30, "star": 30}
    assert counted.changes == (
        Change("zones", "green", 27, 5, 30, True),
        Change("zones", "blue", 30, 4, 30, True),
        Change("zones", "orange", 25, 5, 30, False),
        Change("path", "star", 29, 2, 30, True),
    )


def test_a_marker_does_not_fall_below_0() -> None:
    taken = {**NOBODY, "blue": 1}
    one = {**ZERO, "blue": 1}
    counted = count_round([parse_galaxy(MARTIN), {}], taken, [ZERO, one])[1]
    assert counted.changes == (Change("bonus", "blue", 1, -2, 0, True),)


def test_marker_is_clamped_after_each_step() -> None:
    # 29 + 4 is 30 after the zones, so a lost bonus leads to 28, not to 31.
    taken = {**NOBODY, "blue": 0}
    before = {**ZERO, "blue": 29}
    tiles = TileSet((*BLUE_TILES.tiles, Tile("T09", ("B2", "B2", "B2", "B2"), "")))
    galaxies = [{"a1": ("T00", 0)}, {"a1": ("T09", 0)}]
    counted = count_round(galaxies, taken, [before, ZERO], BASIC, tiles)[0]
    assert [(change.before, change.after) for change in counted.changes] == [(29, 30), (30, 28)]
    assert counted.gained("blue") == 0


def test_gained_is_the_total_advance_of_the_marker() -> None:
    counted = count_round([parse_galaxy(MARTIN), {}], NOBODY, [{**ZERO, "green": 28}, ZERO])[0]
    assert [counted.gained(colour) for colour in ("green", "blue", "orange")] == [2, 4, 5]
