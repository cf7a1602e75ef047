"""Notation of moves, chance entries and galaxies: round trips and refusals."""

from __future__ import annotations

import pytest

from tests.games.kaosmos.driver import MARTIN
from tuilerie.games.game import Chance, Code, Json, Refused, TilesDrawn
from tuilerie.games.kaosmos import GAME
from tuilerie.games.kaosmos.board import FREE, RING, ROW, SQUARE, Shape
from tuilerie.games.kaosmos.notation import (
    EXPECTED_MOVE,
    CardTurned,
    Done,
    Fill,
    Grab,
    KaosmosMove,
    Keep,
    LeaveOut,
    Lift,
    Put,
    Transfer,
    Turn,
    parse_galaxy,
    write_galaxy,
)

MOVES: list[tuple[str, KaosmosMove]] = [
    ("keep T01 T05 T33", Keep(("T01", "T05", "T33"))),
    ("put T01 b2 3", Put("T01", "b2", 3)),
    ("put T54 i9 0", Put("T54", "i9", 0)),
    ("lift T01", Lift("T01")),
    ("leave T07", LeaveOut("T07")),
    ("grab green blue", Grab(("green", "blue"))),
    ("grab orange", Grab(("orange",))),
    ("grab green blue orange", Grab(("green", "blue", "orange"))),
    ("done", Done()),
    ("turn b2", Turn("b2")),
    ("move green blue 2", Transfer("green", "blue", 2)),
    ("move orange green 0", Transfer("orange", "green", 0)),
    ("move blue orange 12", Transfer("blue", "orange", 12)),
]


@pytest.mark.parametrize(("text", "move"), MOVES)
def test_moves_round_trip(text: str, move: KaosmosMove) -> None:
    assert GAME.parse_move(text) == move
    assert str(move) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("keep T33 T01 T05", "keep T01 T05 T33"),
        ("grab orange blue", "grab blue orange"),
        ("  put   T01 b2\t3 ", "put T01 b2 3"),
    ],
)
def test_equivalent_texts_have_one_canonical_form(text: str, written: str) -> None:
    assert str(GAME.parse_move(text)) == written


@pytest.mark.parametrize(
    "text",
    [
        "",
        "keep",
        "keep T01 T02",
        "keep T01 T02 T03 T04",
        "keep T01 T01 T02",
        "put T01 b2",
        "put T01 b2 4",
        "put T01 b2 -1",
        "put T01 j2 0",
        "put T01 b0 0",
        "put T1 b2 0",
        "put t01 b2 0",
        "put T01 b2 ٣",
        "PUT T01 b2 0",
        "lift",
        "lift b2",
        "leave T07 T08",
        "grab",
        "grab red",
        "grab green green",
        "grab star",
        "done now",
        "turn T01",
        "move green blue",
        "move green star 1",
        "move green blue -1",
        "move green blue 02",
        "move green blue 100",
        "swap",
    ],
)
def test_malformed_move_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        GAME.parse_move(text)
    assert (refused.value.code, refused.value.rule) == (Code.MALFORMED, "bad-move")
    assert refused.value.params == {"found": text, "expected": EXPECTED_MOVE}


CHANCES: list[tuple[Json, Chance]] = [
    ({"what": "card", "card": "breche"}, CardTurned("card", "breche")),
    ({"what": "draw", "seat": 0, "tiles": ["T01", "T02"]}, TilesDrawn("draw", 0, ("T01", "T02"))),
    (
        {"what": "fill", "seat": 1, "tiles": [["T09", "c3", 2], ["T10", "i9", 0]]},
        Fill("fill", 1, (("T09", "c3", 2), ("T10", "i9", 0))),
    ),
]


@pytest.mark.parametrize(("line", "chance"), CHANCES)
def test_chance_entries_round_trip(line: Json, chance: Chance) -> None:
    assert GAME.read_chance(line) == chance
    assert GAME.write_chance(chance) == line
    assert GAME.read_chance({"kind": "chance", "ms": 12, **line}) == chance


@pytest.mark.parametrize(
    ("line", "rule", "found"),
    [
        ({}, "bad-chance", None),
        ({"what": "deal", "seat": 0, "tiles": []}, "bad-chance", "deal"),
        ({"what": "card"}, "bad-card", None),
        ({"what": "card", "card": 3}, "bad-card", 3),
        ({"what": "draw", "tiles": []}, "bad-seat", None),
        ({"what": "draw", "seat": True, "tiles": []}, "bad-seat", True),
        ({"what": "draw", "seat": 0}, "bad-tiles", None),
        ({"what": "draw", "seat": 0, "tiles": ["T1"]}, "bad-tiles", "T1"),
        ({"what": "draw", "seat": 0, "tiles": [7]}, "bad-tiles", 7),
        ({"what": "fill", "seat": 0, "tiles": "T01"}, "bad-tiles", "T01"),
        ({"what": "fill", "seat": 0, "tiles": ["T01"]}, "bad-tiles", "T01"),
        ({"what": "fill", "seat": 0, "tiles": [["T01", "c3"]]}, "bad-tiles", ["T01", "c3"]),
        ({"what": "fill", "seat": 0, "tiles": [["T", "c3", 0]]}, "bad-tiles", ["T", "c3", 0]),
        ({"what": "fill", "seat": 0, "tiles": [["T01", "j3", 0]]}, "bad-tiles", ["T01", "j3", 0]),
        ({"what": "fill", "seat": 0, "tiles": [["T01", [], 0]]}, "bad-tiles", ["T01", [], 0]),
        ({"what": "fill", "seat": 0, "tiles": [["T01", "c3", 4]]}, "bad-tiles", ["T01", "c3", 4]),
        (
            {"what": "fill", "seat": 0, "tiles": [["T01", "c3", 1.0]]},
            "bad-tiles",
            ["T01", "c3", 1.0],
        ),
    ],
)
def test_malformed_chance_entry_is_refused(line: Json, rule: str, found: Json) -> None:
    with pytest.raises(Refused) as refused:
        GAME.read_chance(line)
    assert (refused.value.code, refused.value.rule) == (Code.MALFORMED, rule)
    assert refused.value.params["found"] == found
    assert refused.value.params["expected"]


# --- galaxies -------------------------------------------------------------------------------------


def test_a_galaxy_is_read_row_by_row() -> None:
    galaxy = parse_galaxy(MARTIN)
    assert tuple(galaxy) == SQUARE.slots
    assert galaxy["a1"] == ("T03", 3)
    assert galaxy["b3"] == ("T46", 3)


def test_slots_can_be_named() -> None:
    galaxy = parse_galaxy("e5:T01/0 T02/90 e6:T03/180", FREE)
    assert galaxy == {"e5": ("T01", 0), "f5": ("T02", 1), "e6": ("T03", 2)}


def test_a_shape_with_a_hole_is_read_around_it() -> None:
    assert tuple(parse_galaxy(" ".join(f"T0{n}/0" for n in range(1, 9)), RING)) == RING.slots


@pytest.mark.parametrize("shape", [SQUARE, ROW, FREE])
def test_galaxies_round_trip(shape: Shape) -> None:
    galaxy = parse_galaxy(MARTIN, shape)
    assert parse_galaxy(write_galaxy(galaxy), shape) == galaxy
    assert write_galaxy(galaxy).startswith("a1:T03/270 b1:T12/180 c1:T49/180 ")


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("T01", "bad-galaxy"),
        ("T01/45", "bad-galaxy"),
        ("T01/360", "bad-galaxy"),
        ("b2=T01/0", "bad-galaxy"),
        ("d1:T01/0", "galaxy-slot"),
        ("c3:T01/0 T02/0", "galaxy-slot"),
        ("b2:T01/0 a2:T02/0 T03/0", "slot-twice"),
        ("T01/0 T01/90", "tile-twice"),
    ],
)
def test_malformed_galaxy_is_refused(text: str, rule: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_galaxy(text)
    assert (refused.value.code, refused.value.rule) == (Code.MALFORMED, rule)
    assert refused.value.params["found"] == text.rsplit(maxsplit=1)[-1]
