"""The worked examples of the rulebook."""

from __future__ import annotations

from tests.games.kaosmos.driver import MARTIN, building, counted
from tuilerie.games.kaosmos.notation import parse_galaxy
from tuilerie.games.kaosmos.score import Bonus, Change, count, final

DESERT_OF_EIGHT = "T51/270 T49/90 T38/270 · T22/90 T10/270 T54/90 · T26/90 T20/270 T37/180"
HARDLY_A_DESERT = "T01/0 T02/0 T03/0 · T04/0 T05/0 T06/0 · T07/0 T08/0 T11/0"
ICE_OF_SEVEN = "T20/90 T06/270 T32/0 · T19/0 T45/0 T01/90 · T33/180 T46/270 T05/90"
ICE_OF_SIX = "T21/270 T52/180 T42/0 · T07/180 T47/90 T51/180 · T17/180 T40/270 T04/180"


def test_zones_of_martins_galaxy() -> None:
    zones = count(parse_galaxy(MARTIN)).zones
    assert [(zone.colour, zone.planets, zone.points) for zone in zones] == [
        ("green", 9, 5),
        ("green", 2, 0),
        ("blue", 3, 2),
        ("blue", 2, 2),
        ("blue", 1, 0),
        ("orange", 4, 5),
        ("orange", 1, 0),
        ("orange", 0, 0),
        ("orange", 0, 0),
    ]


def test_fields_of_martins_zones() -> None:
    zones = count(parse_galaxy(MARTIN)).zones
    assert zones[1].fields == (("c1", "NE"),)
    assert zones[2].fields == (("c2", "NE"), ("c2", "SE"), ("c3", "NE"))
    assert zones[6].fields == (("b1", "SE"), ("c1", "SW"), ("c2", "NW"))


def test_martins_longest_path_excludes_its_branch() -> None:
    path = count(parse_galaxy(MARTIN)).path
    assert path.slots == ("b1", "c1", "c2", "c3", "b3", "b2", "a2")  # a3 is a branch at b3
    assert (path.length, path.points) == (7, 2)


def test_markers_after_martins_count() -> None:
    driver = counted()
    assert driver.markers(0) == (5, 4, 5, 2)
    assert driver.count(0).changes == (
        Change("zones", "green", 0, 5, 5, False),
        Change("zones", "blue", 0, 4, 4, False),
        Change("zones", "orange", 0, 5, 5, False),
        Change("path", "star", 0, 2, 2, False),
    )


def test_martin_wins_the_desert_bonus_with_eight_planets() -> None:
    driver = building(one=DESERT_OF_EIGHT, other=HARDLY_A_DESERT)
    driver.lay(0, parse_galaxy(DESERT_OF_EIGHT)).act(0, "grab orange")
    driver.lay(1, parse_galaxy(HARDLY_A_DESERT)).act(1, "done")
    assert driver.count(0).bonuses == (Bonus("orange", 8, 1, True, 3),)
    assert driver.count(0).changes[-1] == Change("bonus", "orange", 13, 3, 16, False)


def test_martin_loses_the_ice_bonus_with_six_planets_to_seven() -> None:
    driver = building(one=ICE_OF_SIX, other=ICE_OF_SEVEN)
    driver.lay(0, parse_galaxy(ICE_OF_SIX)).act(0, "grab blue")
    driver.lay(1, parse_galaxy(ICE_OF_SEVEN)).act(1, "done")
    assert driver.count(0).bonuses == (Bonus("blue", 6, 7, False, -2),)
    assert driver.markers(0)[1] == 4 + 2 - 2


def test_the_lower_star_wins_the_tie_at_23() -> None:
    martin = {"green": 25, "blue": 17, "orange": 23, "star": 6}
    sophie = {"green": 18, "blue": 20, "orange": 17, "star": 4}
    pierre = {"green": 18, "blue": 19, "orange": 24, "star": 5}
    result = final((martin, sophie, pierre))
    assert [score["score"] for score in result.scores] == [23, 21, 23]
    assert result.places == (2, 3, 1)
    assert result.reason == "five-rounds"
    assert result.scores[0] == {**martin, "score": 23}


def test_a_tie_with_the_same_star_is_shared() -> None:
    one = {"green": 10, "blue": 12, "orange": 14, "star": 5}
    two = {"green": 13, "blue": 10, "orange": 11, "star": 5}
    low = {"green": 9, "blue": 9, "orange": 9, "star": 0}
    assert final((one, low, two)).places == (1, 3, 1)
