"""Each of the twenty Kaos cards in play."""

from __future__ import annotations

import pytest

from tests.games.kaosmos.driver import MARTIN, OTHER, GameDriver, building, counted, tiles_of
from tests.games.kaosmos.test_score import tile_set
from tuilerie.games.game import Code
from tuilerie.games.kaosmos.board import RING, ROW, TWINS, groups
from tuilerie.games.kaosmos.cards import BASIC, CARDS
from tuilerie.games.kaosmos.events import Chosen, PhaseBegan, Transferred, Turned, Turning
from tuilerie.games.kaosmos.notation import parse_galaxy
from tuilerie.games.kaosmos.score import Gain, count, count_round, kaos_gains

MINE = tiles_of(MARTIN)


def test_there_are_twenty_cards_and_each_changes_something() -> None:
    assert len(CARDS) == 20
    assert all(rules != BASIC for rules in CARDS.values())
    different = list(CARDS.values())
    assert all(rules not in different[:place] for place, rules in enumerate(different))


# --- cards that change the shape ------------------------------------------------------------------


def test_une_dimension_is_one_row_of_nine() -> None:
    driver = building("une-dimension")
    assert driver.refused((0, "put T03 a2 0"))[:2] == (Code.ILLEGAL, "slot-outside")
    # Tiles beside each other in the row: T03, T12, T49 … with their arms E and W.
    driver.lay(0, parse_galaxy(MARTIN, ROW)).act(0, "done")
    assert sorted(driver.state.galaxies[0]) == [f"{column}1" for column in "abcdefghi"]
    assert driver.state.locked == (0,)


def test_une_dimension_counts_along_the_row() -> None:
    # T52 has arms E and W and B1 over B0 on its left: in a row its blue zones are apart.
    counted_row = count(parse_galaxy("T52/0 T19/0 T21/0 T41/0", ROW), CARDS["une-dimension"])
    assert counted_row.path.slots == ("a1", "b1", "c1", "d1")
    assert counted_row.points["star"] == 1


def test_univers_paralleles_is_two_separate_squares() -> None:
    driver = building("univers-paralleles")
    assert driver.refused((0, "put T03 c1 0"))[:2] == (Code.ILLEGAL, "slot-outside")
    assert driver.refused((0, "put T03 a3 0"))[:2] == (Code.ILLEGAL, "slot-outside")
    eight = " ".join(MARTIN.replace("· ", "").split()[:8])
    driver.lay(0, parse_galaxy(eight, TWINS))
    assert driver.state.is_complete(0)
    assert driver.state.hands[0].supply == ("T47",)  # the one left out
    driver.act(0, "done")


def test_univers_paralleles_never_joins_its_squares() -> None:
    # b1 and d1 have nothing between them but space.
    tiles = tile_set(("G1 G1 G1 G1", "EW"), ("G1 G1 G1 G1", "EW"))
    galaxy = {"b1": ("T00", 0), "d1": ("T01", 0)}
    counted_twins = count(galaxy, CARDS["univers-paralleles"], tiles)
    assert [zone.planets for zone in counted_twins.zones] == [2, 2, 2, 2]
    assert counted_twins.path.length == 1


def test_derive_accepts_any_connected_shape() -> None:
    driver = building("derive")
    slots = ("e5", "e6", "e7", "f7", "g7", "g8", "g9", "h9", "i9")
    for tile, slot in zip(MINE[:8], slots, strict=False):
        driver.act(0, f"put {tile} {slot} 0")
    assert driver.refused((0, "done")) == (
        Code.ILLEGAL,
        "galaxy-incomplete",
        {"laid": 8, "needed": 9, "shape": "free"},
    )
    driver.act(0, f"put {MINE[8]} a1 0")  # nine are laid, but one is disconnected
    assert driver.refused((0, "done"))[1] == "galaxy-incomplete"
    driver.act(0, f"put {MINE[8]} i9 0", "done")
    assert driver.state.locked == (0,)


def test_trou_noir_leaves_the_centre_empty() -> None:
    driver = building("trou-noir")
    assert driver.refused((0, "put T03 b2 0")) == (
        Code.ILLEGAL,
        "slot-outside",
        {"slot": "b2", "shape": "ring"},
    )
    driver.act(0, "leave T02")
    eight = MARTIN.replace("· ", "").replace("T02/180 ", "")
    driver.lay(0, parse_galaxy(eight, RING)).act(0, "done")
    assert (driver.state.aside[0], driver.state.supplies[0]) == ("T02", 0)


def test_eight_tiles_complete_a_shape_of_eight_without_leave() -> None:
    driver = building("trou-noir")
    eight = " ".join(f"{tile}/0" for tile in MINE[:8])
    driver.lay(0, parse_galaxy(eight, RING)).act(0, "done")
    assert (driver.state.aside[0], driver.state.supplies[0]) == (None, 1)


def test_of_two_equal_groups_the_topmost_then_leftmost_stays() -> None:
    assert groups(["a3", "b3", "d2", "d3"])[0] == ("d2", "d3")
    assert groups(["c1", "c2", "a2", "a1"])[0] == ("a1", "a2")


# --- cards that change the time, the draft or the hand --------------------------------------------


def test_temps_contracte_takes_a_third_of_the_time() -> None:
    assert building("temps-contracte").state.timer == 40
    assert building("loterie").state.timer == 60
    shorter = GameDriver(draft=False, seconds=45).card("temps-contracte")
    assert shorter.draw(MINE, tiles_of(OTHER)).state.timer == 30
    without = GameDriver(draft=False, seconds=None).card("temps-contracte")
    assert without.draw(MINE, tiles_of(OTHER)).state.timer is None


def test_gyroscope_bloque_forbids_turning() -> None:
    driver = building("gyroscope-bloque")
    assert driver.refused((0, "put T03 a1 1")) == (
        Code.ILLEGAL,
        "orientation-fixed",
        {"tile": "T03"},
    )
    driver.act(0, "put T03 a1 0")
    assert all(move.endswith(" 0") for move in driver.view(0).legal if move.startswith("put"))
    # All puts but one, one tile to lift, and seven ways to take bonus tiles.
    assert len(driver.view(0).legal) == 9 * 9 - 1 + 1 + 7


def test_loterie_has_no_draft() -> None:
    driver = GameDriver().card("loterie").draw(MINE, tiles_of(OTHER))
    assert driver.state.phase == "building"
    assert driver.state.hands[0].supply == tuple(sorted(MINE))
    assert GameDriver().card("breche").draw(MINE, tiles_of(OTHER)).state.phase == "draft"


# --- cards that change the count ------------------------------------------------------------------


def test_constellation_gives_a_star_for_each_of_its_zones() -> None:
    driver = counted("constellation")
    assert driver.count(0).kaos == (
        Gain("constellation-sizes", "star", 1, (("c1", "NW"),)),
        Gain("constellation-sizes", "star", 1, (("b3", "NE"), ("c3", "NW"))),
    )
    assert driver.markers(0) == (5, 4, 5, 2 + 2)


def test_vide_sideral_gives_stars_by_the_size_of_constellations() -> None:
    driver = counted("vide-sideral")
    assert driver.count(0).kaos == (
        Gain("constellation-sizes", "star", 1, (("b3", "NE"), ("c3", "NW"))),
    )
    assert driver.markers(0) == (5, 4, 5, 2 + 1)


@pytest.mark.parametrize(
    ("first", "second", "stars"),
    [
        ("K G0 G0 G0", "G0 G0 G0 G0", 0),
        ("K K G0 G0", "G0 G0 G0 G0", 1),
        ("K K K G0", "G0 G0 G0 G0", 2),
        ("K K K K", "G0 G0 G0 G0", 3),
        ("K K K K", "K G0 G0 G0", 5),
        ("K K K K", "K K K K", 5),
    ],
)
def test_vide_sideral_has_four_steps(first: str, second: str, stars: int) -> None:
    tiles, rules = tile_set((first, ""), (second, "")), CARDS["vide-sideral"]
    gains = kaos_gains(count({"a1": ("T00", 0), "b1": ("T01", 0)}, rules, tiles), rules)
    assert sum(gain.points for gain in gains) == stars


@pytest.mark.parametrize(
    ("card", "colour", "fields", "markers"),
    [
        ("floraison", "green", (16, 1), (5 + 2, 4, 5, 2)),
        ("grand-gel", "blue", (3, 1, 1), (5, 4 + 3, 5, 2)),
        ("vent-de-sable", "orange", (6, 3), (5, 4, 5 + 2, 2)),  # two zones have no planet
    ],
)
def test_zones_of_a_colour_with_a_planet_give_one_more(
    card: str, colour: str, fields: tuple[int, ...], markers: tuple[int, ...]
) -> None:
    driver = counted(card)
    gains = driver.count(0).kaos
    assert {(gain.reason, gain.marker, gain.points) for gain in gains} == {
        ("colour-zones", colour, 1)
    }
    assert tuple(len(gain.fields) for gain in gains) == fields
    assert driver.markers(0) == markers


def test_mutation_exchanges_the_tables_of_green_and_orange() -> None:
    driver = counted("mutation")
    worth = {(z.colour, z.planets): z.points for z in driver.count(0).count.zones}
    assert worth["green", 9] == 7
    assert worth["green", 2] == 2
    assert worth["orange", 4] == 1
    assert worth["blue", 3] == 2
    assert driver.markers(0) == (9, 4, 1, 2)


def test_pluie_d_asteroides_doubles_the_path() -> None:
    driver = counted("pluie-d-asteroides")
    assert driver.count(0).count.path.points == 4
    assert [(c.step, c.points) for c in driver.count(0).changes if c.marker == "star"] == [
        ("path", 4)
    ]


def test_breche_lets_zones_cross_the_arms() -> None:
    zones = counted("breche").count(0).count.zones
    found = [(zone.colour, zone.planets) for zone in zones]
    # In c2 the single blue joins the zone of three; in c1 the two orange fields become one zone.
    assert found == [
        ("green", 9),
        ("green", 2),
        ("blue", 4),
        ("blue", 2),
        ("orange", 4),
        ("orange", 1),
        ("orange", 0),
    ]
    assert counted("breche").count(0).count.path.length == 7  # the path is unchanged


def test_quitte_ou_double_raises_the_stake() -> None:
    for colour, won, points in (("green", True, 5), ("orange", False, -4)):
        driver = building("quitte-ou-double").with_markers((9, 9, 9, 9), (9, 9, 9, 9))
        driver.lay(0, parse_galaxy(MARTIN)).lay(1, parse_galaxy(OTHER))
        seat = 0 if won else 1
        driver.act(seat, f"grab {colour}").act(1 - seat, "done")
        bonus = driver.count(seat).bonuses[0]
        assert (bonus.won, bonus.points) == (won, points)


def test_equilibre_rewards_three_colours_that_all_score() -> None:
    driver = counted("equilibre")
    assert driver.count(0).kaos == (Gain("balance", "star", 3, ()),)
    assert driver.markers(0) == (5, 4, 5, 2 + 3)


@pytest.mark.parametrize(
    ("greens", "stars"),
    [
        (("G2 G1 B2 O2", "G0 G0 G0 G0"), 0),  # three green planets score one point only
        (("G2 G2 B2 O2", "G2 G0 G0 G0"), 3),  # six score three
        (("G2 G2 B2 O1", "G2 G0 G0 G0"), 0),  # one orange planet scores nothing
    ],
)
def test_equilibre_needs_two_points_in_each_colour(greens: tuple[str, str], stars: int) -> None:
    tiles, rules = tile_set((greens[0], ""), (greens[1], "")), CARDS["equilibre"]
    gains = kaos_gains(count({"a1": ("T00", 0), "b1": ("T01", 0)}, rules, tiles), rules)
    assert sum(gain.points for gain in gains) == stars


def test_equilibre_uses_zone_points_before_clamping() -> None:
    tiles, rules = tile_set(("G2 G2 B2 O2", ""), ("G2 G0 G0 G0", "")), CARDS["equilibre"]
    galaxy = {"a1": ("T00", 0), "b1": ("T01", 0)}
    before = {"green": 30, "blue": 30, "orange": 30, "star": 0}
    takers = dict.fromkeys(("green", "blue", "orange"))
    mine, _ = count_round([galaxy, {}], takers, [before, before], rules, tiles)
    assert mine.after == {"green": 30, "blue": 30, "orange": 30, "star": 3}


def test_supernova_scores_one_of_two_equal_zones() -> None:
    tiles, rules = tile_set(("B2 G0 O0 G0", ""), ("G0 B2 G0 O0", "")), CARDS["supernova"]
    counted_twice = count({"a1": ("T00", 0), "b1": ("T01", 0)}, rules, tiles)
    assert [z.points for z in counted_twice.zones if z.planets] == [2, 0]
    assert [gain.points for gain in kaos_gains(counted_twice, rules)] == [2]


def test_supernova_counts_only_the_largest_zone_of_each_colour() -> None:
    driver = counted("supernova")
    assert [(z.colour, z.planets, z.points) for z in driver.count(0).count.zones if z.points] == [
        ("green", 9, 5),
        ("blue", 3, 2),  # not the other of two planets
        ("orange", 4, 5),
    ]
    gains = driver.count(0).kaos
    assert [(gain.reason, gain.marker, gain.points) for gain in gains] == [
        ("largest-only", "green", 2),
        ("largest-only", "blue", 2),
        ("largest-only", "orange", 2),
    ]
    assert [change.step for change in driver.count(0).changes] == [
        *["zones"] * 3,
        "path",
        *["kaos"] * 3,
    ]
    assert driver.markers(0) == (7, 4, 7, 2)


def test_supernova_gives_no_extra_for_a_zone_without_points() -> None:
    tiles, rules = tile_set(("G1 G1 B1 B0", "")), CARDS["supernova"]
    assert kaos_gains(count({"a1": ("T00", 0)}, rules, tiles), rules) == ()


# --- cards with a choice --------------------------------------------------------------------------


def interfering(players: int = 2, rounds: int = 1) -> GameDriver:
    """Everyone is done and must pick a tile to turn."""
    driver = GameDriver(players, draft=False)
    first = list(CARDS)
    first.remove("ingerence")
    plain = [card for card in first if CARDS[card].shape == BASIC.shape and card != "transfert"]
    ids = driver.state.box.tiles.ids
    for number in range(rounds):
        driver.card("ingerence" if number == rounds - 1 else plain[number])
        driver.draw(*(ids[seat * 9 : seat * 9 + 9] for seat in range(players)))
        for seat in range(players):
            own = " ".join(f"{tile}/0" for tile in ids[seat * 9 : seat * 9 + 9])
            driver.lay(seat, parse_galaxy(own)).act(seat, "done")
    return driver


def test_ingerence_turns_a_tile_of_the_next_player() -> None:
    driver = interfering(3)
    assert (driver.state.phase, driver.state.waiting) == ("ingerence", (0, 1, 2))
    assert driver.view(0).legal == tuple(f"turn {slot}" for slot in sorted_slots())
    driver.act(2, "turn c3")
    assert driver.events == [Chosen(2, "turn c3")]
    assert driver.view(2).choice == "turn c3"
    assert driver.view(0).choice is None
    driver.act(0, "turn b2").act(1, "turn a1")
    # Round 1 passes to the left: 0 picks from 1, 1 from 2, 2 from 0.
    assert driver.events[1] == Turned(
        (
            Turning(0, 1, "b2", "T14", 1),
            Turning(1, 2, "a1", "T19", 1),
            Turning(2, 0, "c3", "T09", 1),
        )
    )
    counts = driver.state.counts
    assert counts[1].galaxy["b2"] == ("T14", 1)
    assert [hand.choice for hand in driver.state.hands] == [None] * 3


def sorted_slots() -> list[str]:
    return [column + line for line in "123" for column in "abc"]


def test_ingerence_follows_the_direction_of_the_round() -> None:
    driver = interfering(3, rounds=2)
    driver.act(0, "turn a1").act(1, "turn a1").act(2, "turn a1")
    turned = driver.events[1]
    assert isinstance(turned, Turned)
    assert [(each.by, each.owner) for each in turned.tiles] == [(0, 2), (1, 0), (2, 1)]


def test_ingerence_turns_all_tiles_before_the_count() -> None:
    driver = building("ingerence")
    driver.lay(0, parse_galaxy(MARTIN)).act(0, "done")
    driver.lay(1, parse_galaxy(OTHER)).act(1, "done")
    driver.act(0, "turn a1").act(1, "turn c2")
    turned = {**parse_galaxy(MARTIN), "c2": ("T06", 1)}
    assert driver.count(0).count == count(turned)
    assert driver.count(0).count != count(parse_galaxy(MARTIN))


def test_ingerence_refuses_an_empty_slot_and_a_second_choice() -> None:
    driver = interfering()
    assert driver.refused((0, "turn d1")) == (
        Code.ILLEGAL,
        "no-tile-there",
        {"slot": "d1", "seat": 1},
    )
    driver.act(0, "turn a1")
    assert driver.refused((0, "turn a2"))[:2] == (Code.NOT_YOUR_TURN, "not-your-turn")
    assert driver.refused((1, "put T10 a1 1"))[:2] == (Code.TOO_LATE, "building-over")
    assert driver.refused((1, "move green blue 0"))[:2] == (Code.ILLEGAL, "wrong-phase")


def test_ingerence_comes_after_the_fill() -> None:
    driver = building("ingerence").lay(0, parse_galaxy(MARTIN)).time()
    assert driver.state.phase == "fill"
    driver.enter(driver.game.chance(driver.state, lambda n: 0))
    assert driver.state.phase == "ingerence"


def test_transfert_moves_points_of_this_round() -> None:
    driver = counted("transfert")
    assert (driver.state.phase, driver.state.waiting) == ("transfert", (0, 1))
    driver.act(0, "move orange blue 2")
    assert driver.events == [Chosen(0, "move orange blue 2")]
    assert driver.markers(0) == (5, 4, 5, 2)  # choices are hidden until everyone has chosen
    before = driver.markers(1)
    driver.act(1, "move blue green 0")
    assert driver.events[1:3] == [
        Transferred(0, "orange", "blue", 2, 3, 6),
        Transferred(1, "blue", "green", 0, before[1], before[0]),
    ]
    assert driver.markers(0) == (5, 6, 3, 2)
    assert driver.markers(1) == before
    assert (driver.state.round, driver.state.phase) == (2, "card")


def test_transfert_offers_what_was_gained_up_to_three() -> None:
    driver = building("transfert").with_markers((28, 0, 0, 0), (0, 0, 0, 0))
    driver.lay(0, parse_galaxy(MARTIN)).act(0, "done")
    driver.lay(1, parse_galaxy(OTHER)).act(1, "done")
    # Green went from 28 to 30 only, so two of its five points can be moved.
    legal = driver.view(0).legal
    assert legal == (
        "move green blue 0",
        *(f"move green {target} {n}" for target in ("blue", "orange") for n in (1, 2)),
        *(f"move blue {target} {n}" for target in ("green", "orange") for n in (1, 2, 3)),
        *(f"move orange {target} {n}" for target in ("green", "blue") for n in (1, 2, 3)),
    )
    assert driver.refused((0, "move green blue 3")) == (
        Code.ILLEGAL,
        "too-many-points",
        {"source": "green", "points": 3, "most": 2},
    )
    assert driver.refused((0, "move orange blue 4"))[1] == "too-many-points"
    assert driver.refused((0, "move blue blue 1")) == (
        Code.ILLEGAL,
        "same-colour",
        {"colour": "blue"},
    )
    # What would go beyond 30 is lost.
    driver.act(0, "move orange green 3").act(1, "move green blue 0")
    assert driver.markers(0) == (30, 4, 2, 2)


def test_transfert_waits_only_for_seats_with_gains() -> None:
    driver = building("transfert").with_markers((0, 0, 0, 0), (30, 30, 30, 0))
    driver.lay(0, parse_galaxy(MARTIN)).act(0, "done")
    driver.lay(1, parse_galaxy(OTHER)).act(1, "done")
    assert driver.events[-1] == PhaseBegan("transfert", (0,))
    assert driver.refused((1, "move green blue 0"))[:2] == (Code.NOT_YOUR_TURN, "not-your-turn")
    driver.act(0, "move green blue 1")
    assert driver.markers(1)[:3] == (30, 30, 30)
    assert driver.state.round == 2


def test_transfert_is_skipped_without_gains() -> None:
    driver = building("transfert").with_markers((30, 30, 30, 0), (30, 30, 30, 0))
    driver.lay(0, parse_galaxy(MARTIN)).act(0, "done")
    driver.lay(1, parse_galaxy(OTHER)).act(1, "done")
    assert (driver.state.round, driver.state.phase) == (2, "card")
