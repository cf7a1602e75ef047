"""Each of the twenty Kaos cards, at the table."""

from __future__ import annotations

import pytest

from tests.games.kaosmos.sitting import MARTIN, OTHER, Sitting, building, counted, tiles_of
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


# --- cards that bend the shape --------------------------------------------------------------------


def test_une_dimension_is_one_row_of_nine() -> None:
    sitting = building("une-dimension")
    assert sitting.refused((0, "put T03 a2 0"))[:2] == (Code.ILLEGAL, "slot-outside")
    # Tiles beside each other in the row: T03, T12, T49 … with their arms E and W.
    sitting.lay(0, parse_galaxy(MARTIN, ROW)).act(0, "done")
    assert sorted(sitting.state.galaxies[0]) == [f"{column}1" for column in "abcdefghi"]
    assert sitting.state.locked == (0,)


def test_une_dimension_counts_along_the_row() -> None:
    # T52 has arms E and W and B1 over B0 on its left: in a row its blue zones are apart.
    counted_row = count(parse_galaxy("T52/0 T19/0 T21/0 T41/0", ROW), CARDS["une-dimension"])
    assert counted_row.path.slots == ("a1", "b1", "c1", "d1")
    assert counted_row.points["star"] == 1


def test_univers_paralleles_is_two_separate_squares() -> None:
    sitting = building("univers-paralleles")
    assert sitting.refused((0, "put T03 c1 0"))[:2] == (Code.ILLEGAL, "slot-outside")
    assert sitting.refused((0, "put T03 a3 0"))[:2] == (Code.ILLEGAL, "slot-outside")
    eight = " ".join(MARTIN.replace("· ", "").split()[:8])
    sitting.lay(0, parse_galaxy(eight, TWINS))
    assert sitting.state.is_complete(0)
    assert sitting.state.hands[0].supply == ("T47",)  # the one left out, with no more to say
    sitting.act(0, "done")


def test_univers_paralleles_never_joins_its_squares() -> None:
    # b1 and d1 have nothing between them but space.
    tiles = tile_set(("G1 G1 G1 G1", "EW"), ("G1 G1 G1 G1", "EW"))
    galaxy = {"b1": ("T00", 0), "d1": ("T01", 0)}
    counted_twins = count(galaxy, CARDS["univers-paralleles"], tiles)
    assert [zone.planets for zone in counted_twins.zones] == [2, 2, 2, 2]
    assert counted_twins.path.length == 1


def test_derive_takes_any_shape_that_hangs_together() -> None:
    sitting = building("derive")
    slots = ("e5", "e6", "e7", "f7", "g7", "g8", "g9", "h9", "i9")
    for tile, slot in zip(MINE[:8], slots, strict=False):
        sitting.act(0, f"put {tile} {slot} 0")
    assert sitting.refused((0, "done")) == (
        Code.ILLEGAL,
        "galaxy-incomplete",
        {"laid": 8, "needed": 9, "shape": "free"},
    )
    sitting.act(0, f"put {MINE[8]} a1 0")  # nine lie, but one of them alone
    assert sitting.refused((0, "done"))[1] == "galaxy-incomplete"
    sitting.act(0, f"put {MINE[8]} i9 0", "done")
    assert sitting.state.locked == (0,)


def test_trou_noir_leaves_the_centre_empty() -> None:
    sitting = building("trou-noir")
    assert sitting.refused((0, "put T03 b2 0")) == (
        Code.ILLEGAL,
        "slot-outside",
        {"slot": "b2", "shape": "ring"},
    )
    sitting.act(0, "leave T02")
    eight = MARTIN.replace("· ", "").replace("T02/180 ", "")
    sitting.lay(0, parse_galaxy(eight, RING)).act(0, "done")
    assert (sitting.state.aside[0], sitting.state.supplies[0]) == ("T02", 0)


def test_eight_tiles_complete_a_shape_of_eight_without_a_word_on_the_ninth() -> None:
    sitting = building("trou-noir")
    eight = " ".join(f"{tile}/0" for tile in MINE[:8])
    sitting.lay(0, parse_galaxy(eight, RING)).act(0, "done")
    assert (sitting.state.aside[0], sitting.state.supplies[0]) == (None, 1)


def test_of_two_equal_parts_the_one_with_the_highest_then_the_leftmost_tile_stays() -> None:
    assert groups(["a3", "b3", "d2", "d3"])[0] == ("d2", "d3")
    assert groups(["c1", "c2", "a2", "a1"])[0] == ("a1", "a2")


# --- cards that change the time, the draft or the hand --------------------------------------------


def test_temps_contracte_takes_a_third_of_the_time() -> None:
    assert building("temps-contracte").state.glass == 40
    assert building("loterie").state.glass == 60
    shorter = Sitting(draft=False, seconds=45).card("temps-contracte")
    assert shorter.draw(MINE, tiles_of(OTHER)).state.glass == 30
    without = Sitting(draft=False, seconds=None).card("temps-contracte")
    assert without.draw(MINE, tiles_of(OTHER)).state.glass is None


def test_gyroscope_bloque_leaves_tiles_as_they_come() -> None:
    sitting = building("gyroscope-bloque")
    assert sitting.refused((0, "put T03 a1 1")) == (
        Code.ILLEGAL,
        "orientation-fixed",
        {"tile": "T03"},
    )
    sitting.act(0, "put T03 a1 0")
    assert all(move.endswith(" 0") for move in sitting.view(0).legal if move.startswith("put"))
    # All puts but one, one tile to lift, and seven ways to take bonus tiles.
    assert len(sitting.view(0).legal) == 9 * 9 - 1 + 1 + 7


def test_loterie_has_no_draft() -> None:
    sitting = Sitting().card("loterie").draw(MINE, tiles_of(OTHER))
    assert sitting.state.phase == "building"
    assert sitting.state.hands[0].supply == tuple(sorted(MINE))
    assert Sitting().card("breche").draw(MINE, tiles_of(OTHER)).state.phase == "draft"


# --- cards that change the count ------------------------------------------------------------------


def test_constellation_gives_a_star_for_each_of_its_zones() -> None:
    sitting = counted("constellation")
    assert sitting.count(0).kaos == (
        Gain("constellation-sizes", "star", 1, (("c1", "NW"),)),
        Gain("constellation-sizes", "star", 1, (("b3", "NE"), ("c3", "NW"))),
    )
    assert sitting.markers(0) == (5, 4, 5, 2 + 2)


def test_vide_sideral_gives_stars_by_the_size_of_constellations() -> None:
    sitting = counted("vide-sideral")
    assert sitting.count(0).kaos == (
        Gain("constellation-sizes", "star", 1, (("b3", "NE"), ("c3", "NW"))),
    )
    assert sitting.markers(0) == (5, 4, 5, 2 + 1)


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
    sitting = counted(card)
    gains = sitting.count(0).kaos
    assert {(gain.reason, gain.marker, gain.points) for gain in gains} == {
        ("colour-zones", colour, 1)
    }
    assert tuple(len(gain.fields) for gain in gains) == fields
    assert sitting.markers(0) == markers


def test_mutation_exchanges_the_tables_of_green_and_orange() -> None:
    sitting = counted("mutation")
    worth = {(z.colour, z.planets): z.points for z in sitting.count(0).count.zones}
    assert worth["green", 9] == 7
    assert worth["green", 2] == 2
    assert worth["orange", 4] == 1
    assert worth["blue", 3] == 2
    assert sitting.markers(0) == (9, 4, 1, 2)


def test_pluie_d_asteroides_doubles_the_path() -> None:
    sitting = counted("pluie-d-asteroides")
    assert sitting.count(0).count.path.points == 4
    assert [(c.step, c.points) for c in sitting.count(0).changes if c.marker == "star"] == [
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
    assert counted("breche").count(0).count.path.length == 7  # the path itself is as ever


def test_quitte_ou_double_raises_the_stake() -> None:
    for colour, won, points in (("green", True, 5), ("orange", False, -4)):
        sitting = building("quitte-ou-double").with_markers((9, 9, 9, 9), (9, 9, 9, 9))
        sitting.lay(0, parse_galaxy(MARTIN)).lay(1, parse_galaxy(OTHER))
        seat = 0 if won else 1
        sitting.act(seat, f"grab {colour}").act(1 - seat, "done")
        bonus = sitting.count(seat).bonuses[0]
        assert (bonus.won, bonus.points) == (won, points)


def test_equilibre_rewards_three_colours_that_all_score() -> None:
    sitting = counted("equilibre")
    assert sitting.count(0).kaos == (Gain("balance", "star", 3, ()),)
    assert sitting.markers(0) == (5, 4, 5, 2 + 3)


@pytest.mark.parametrize(
    ("greens", "stars"),
    [
        (("G2 G1 B2 O2", "G0 G0 G0 G0"), 0),  # three green planets bring one point only
        (("G2 G2 B2 O2", "G2 G0 G0 G0"), 3),  # six bring three
        (("G2 G2 B2 O1", "G2 G0 G0 G0"), 0),  # one orange planet brings nothing
    ],
)
def test_equilibre_needs_two_points_in_each_colour(greens: tuple[str, str], stars: int) -> None:
    tiles, rules = tile_set((greens[0], ""), (greens[1], "")), CARDS["equilibre"]
    gains = kaos_gains(count({"a1": ("T00", 0), "b1": ("T01", 0)}, rules, tiles), rules)
    assert sum(gain.points for gain in gains) == stars


def test_equilibre_looks_at_the_table_and_not_at_what_the_end_of_the_track_leaves() -> None:
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
    sitting = counted("supernova")
    assert [(z.colour, z.planets, z.points) for z in sitting.count(0).count.zones if z.points] == [
        ("green", 9, 5),
        ("blue", 3, 2),  # not the other of two planets
        ("orange", 4, 5),
    ]
    gains = sitting.count(0).kaos
    assert [(gain.reason, gain.marker, gain.points) for gain in gains] == [
        ("largest-only", "green", 2),
        ("largest-only", "blue", 2),
        ("largest-only", "orange", 2),
    ]
    assert [change.step for change in sitting.count(0).changes] == [
        *["zones"] * 3,
        "path",
        *["kaos"] * 3,
    ]
    assert sitting.markers(0) == (7, 4, 7, 2)


def test_supernova_gives_nothing_for_a_zone_that_does_not_score() -> None:
    tiles, rules = tile_set(("G1 G1 B1 B0", "")), CARDS["supernova"]
    assert kaos_gains(count({"a1": ("T00", 0)}, rules, tiles), rules) == ()


# --- cards with a choice --------------------------------------------------------------------------


def interfering(players: int = 2, rounds: int = 1) -> Sitting:
    """All have finished; everyone must pick a tile to turn."""
    sitting = Sitting(players, draft=False)
    first = list(CARDS)
    first.remove("ingerence")
    plain = [card for card in first if CARDS[card].shape == BASIC.shape and card != "transfert"]
    ids = sitting.state.box.tiles.ids
    for number in range(rounds):
        sitting.card("ingerence" if number == rounds - 1 else plain[number])
        sitting.draw(*(ids[seat * 9 : seat * 9 + 9] for seat in range(players)))
        for seat in range(players):
            own = " ".join(f"{tile}/0" for tile in ids[seat * 9 : seat * 9 + 9])
            sitting.lay(seat, parse_galaxy(own)).act(seat, "done")
    return sitting


def test_ingerence_turns_a_tile_of_the_next_player() -> None:
    sitting = interfering(3)
    assert (sitting.state.phase, sitting.state.waiting) == ("ingerence", (0, 1, 2))
    assert sitting.view(0).legal == tuple(f"turn {slot}" for slot in sorted_slots())
    sitting.act(2, "turn c3")
    assert sitting.events == [Chosen(2, "turn c3")]
    assert sitting.view(2).choice == "turn c3"
    assert sitting.view(0).choice is None
    sitting.act(0, "turn b2").act(1, "turn a1")
    # Round 1 passes to the left: 0 picks from 1, 1 from 2, 2 from 0.
    assert sitting.events[1] == Turned(
        (
            Turning(0, 1, "b2", "T14", 1),
            Turning(1, 2, "a1", "T19", 1),
            Turning(2, 0, "c3", "T09", 1),
        )
    )
    counts = sitting.state.counts
    assert counts[1].galaxy["b2"] == ("T14", 1)
    assert [hand.choice for hand in sitting.state.hands] == [None] * 3


def sorted_slots() -> list[str]:
    return [column + line for line in "123" for column in "abc"]


def test_ingerence_follows_the_direction_of_the_round() -> None:
    sitting = interfering(3, rounds=2)
    sitting.act(0, "turn a1").act(1, "turn a1").act(2, "turn a1")
    turned = sitting.events[1]
    assert isinstance(turned, Turned)
    assert [(each.by, each.owner) for each in turned.tiles] == [(0, 2), (1, 0), (2, 1)]


def test_ingerence_turns_all_tiles_before_the_count() -> None:
    sitting = building("ingerence")
    sitting.lay(0, parse_galaxy(MARTIN)).act(0, "done")
    sitting.lay(1, parse_galaxy(OTHER)).act(1, "done")
    sitting.act(0, "turn a1").act(1, "turn c2")
    turned = {**parse_galaxy(MARTIN), "c2": ("T06", 1)}
    assert sitting.count(0).count == count(turned)
    assert sitting.count(0).count != count(parse_galaxy(MARTIN))


def test_ingerence_refuses_what_is_not_there_and_a_second_choice() -> None:
    sitting = interfering()
    assert sitting.refused((0, "turn d1")) == (
        Code.ILLEGAL,
        "no-tile-there",
        {"slot": "d1", "seat": 1},
    )
    sitting.act(0, "turn a1")
    assert sitting.refused((0, "turn a2"))[:2] == (Code.NOT_YOUR_TURN, "not-your-turn")
    assert sitting.refused((1, "put T10 a1 1"))[:2] == (Code.TOO_LATE, "building-over")
    assert sitting.refused((1, "move green blue 0"))[:2] == (Code.ILLEGAL, "wrong-phase")


def test_ingerence_comes_after_the_fill() -> None:
    sitting = building("ingerence").lay(0, parse_galaxy(MARTIN)).time()
    assert sitting.state.phase == "fill"
    sitting.enter(sitting.game.chance(sitting.state, lambda n: 0))
    assert sitting.state.phase == "ingerence"


def test_transfert_moves_points_of_this_round() -> None:
    sitting = counted("transfert")
    assert (sitting.state.phase, sitting.state.waiting) == ("transfert", (0, 1))
    sitting.act(0, "move orange blue 2")
    assert sitting.events == [Chosen(0, "move orange blue 2")]
    assert sitting.markers(0) == (5, 4, 5, 2)  # nothing is shown before all have chosen
    before = sitting.markers(1)
    sitting.act(1, "move blue green 0")
    assert sitting.events[1:3] == [
        Transferred(0, "orange", "blue", 2, 3, 6),
        Transferred(1, "blue", "green", 0, before[1], before[0]),
    ]
    assert sitting.markers(0) == (5, 6, 3, 2)
    assert sitting.markers(1) == before
    assert (sitting.state.round, sitting.state.phase) == (2, "card")


def test_transfert_offers_what_was_gained_up_to_three() -> None:
    sitting = building("transfert").with_markers((28, 0, 0, 0), (0, 0, 0, 0))
    sitting.lay(0, parse_galaxy(MARTIN)).act(0, "done")
    sitting.lay(1, parse_galaxy(OTHER)).act(1, "done")
    # Green went from 28 to 30 only, so two of its five points can be moved.
    legal = sitting.view(0).legal
    assert legal == (
        "move green blue 0",
        *(f"move green {target} {n}" for target in ("blue", "orange") for n in (1, 2)),
        *(f"move blue {target} {n}" for target in ("green", "orange") for n in (1, 2, 3)),
        *(f"move orange {target} {n}" for target in ("green", "blue") for n in (1, 2, 3)),
    )
    assert sitting.refused((0, "move green blue 3")) == (
        Code.ILLEGAL,
        "too-many-points",
        {"source": "green", "points": 3, "most": 2},
    )
    assert sitting.refused((0, "move orange blue 4"))[1] == "too-many-points"
    assert sitting.refused((0, "move blue blue 1")) == (
        Code.ILLEGAL,
        "same-colour",
        {"colour": "blue"},
    )
    # What would go beyond 30 is lost.
    sitting.act(0, "move orange green 3").act(1, "move green blue 0")
    assert sitting.markers(0) == (30, 4, 2, 2)


def test_transfert_asks_only_who_gained_something() -> None:
    sitting = building("transfert").with_markers((0, 0, 0, 0), (30, 30, 30, 0))
    sitting.lay(0, parse_galaxy(MARTIN)).act(0, "done")
    sitting.lay(1, parse_galaxy(OTHER)).act(1, "done")
    assert sitting.events[-1] == PhaseBegan("transfert", (0,))
    assert sitting.refused((1, "move green blue 0"))[:2] == (Code.NOT_YOUR_TURN, "not-your-turn")
    sitting.act(0, "move green blue 1")
    assert sitting.markers(1)[:3] == (30, 30, 30)
    assert sitting.state.round == 2


def test_transfert_is_left_out_where_nobody_gained() -> None:
    sitting = building("transfert").with_markers((30, 30, 30, 0), (30, 30, 30, 0))
    sitting.lay(0, parse_galaxy(MARTIN)).act(0, "done")
    sitting.lay(1, parse_galaxy(OTHER)).act(1, "done")
    assert (sitting.state.round, sitting.state.phase) == (2, "card")
