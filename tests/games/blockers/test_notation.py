"""Notation: every move round-trips, and malformed text is refused."""

from __future__ import annotations

import pytest

from tuilerie.codec import to_builtins
from tuilerie.games.blockers import GAME
from tuilerie.games.blockers.board import CELLS
from tuilerie.games.blockers.notation import (
    EXPECTED_MOVE,
    MOVES,
    TEXTS,
    Capture,
    Discard,
    Lay,
    parse_move,
    read_chance,
)
from tuilerie.games.blockers.tiles import CELLS_OF, TILES
from tuilerie.games.game import Code, Json, Refused, TilesDrawn, write_draw


def test_there_are_140_tiles_28_of_each_colour() -> None:
    assert len(CELLS_OF) == 140
    assert [len(set(tiles)) for tiles in TILES.values()] == [28] * 5


def test_every_move_round_trips() -> None:
    for tile in CELLS_OF:
        for cell in CELLS:
            for move in (Lay(tile, cell), Capture(tile, cell)):
                assert parse_move(str(move)) == move
        assert parse_move(str(Discard(tile))) == Discard(tile)


def test_every_move_in_the_lookup_tables_has_a_unique_text() -> None:
    rows = MOVES.placements.values()
    moves = [move for row in rows for _, lay, capture in row for move in (lay, capture)]
    texts = [*map(str, moves), *map(str, MOVES.discards.values())]
    assert len(texts) == len(set(texts)) == 5 * (2 * (27 * 9 + 81) + 28)
    written = [text for row in TEXTS.placements.values() for _, *pair in row for text in pair]
    assert [*written, *TEXTS.discards.values()] == texts


def test_lookup_texts_equal_the_notation() -> None:
    assert parse_move("b7-C7") == Lay(TILES["b"][6], CELLS[24])
    assert to_builtins(parse_move("k#4xD1")) == "k#4xD1"
    assert [str(parse_move(text)) for text in ("yC-C1", "g*xI9", "discard r7")] == [
        "yC-C1",
        "g*xI9",
        "discard r7",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "b7",
        "b7-",
        "-C7",
        "b7C7",
        "b7-C0",
        "b7-J7",
        "b7-c7",
        "B7-C7",
        "b0-C7",
        "bJ-C7",
        "b#-C7",
        "b#0-C7",
        "b4#-C7",
        "w7-C7",
        "b7 -C7",
        " b7-C7",
        "b7-C7 ",
        "b7-C7\n",
        "b7XC7",
        "b7--C7",
        "b7-C77",
        "b77-C7",
        "discard",
        "discard  b7",
        "discard b7 b8",
        "discardb7",
        "Discard b7",
        "discard b7\n",
        "pass",
    ],
)
def test_a_malformed_move_is_refused(text: str) -> None:
    with pytest.raises(Refused) as caught:
        GAME.parse_move(text)
    assert (caught.value.code, caught.value.rule) == (Code.MALFORMED, "bad-move")
    assert caught.value.params == {"found": text, "expected": EXPECTED_MOVE}


@pytest.mark.parametrize(
    "chance",
    [
        TilesDrawn("deal", 0, ("b7", "bC", "b#4", "b*", "b1")),
        TilesDrawn("draw", 4, ("kI",)),
        TilesDrawn("draw", 1, ()),
    ],
)
def test_every_draw_round_trips(chance: TilesDrawn) -> None:
    written = write_draw(chance)
    assert written == {"what": chance.what, "seat": chance.seat, "tiles": list(chance.tiles)}
    assert read_chance({"kind": "chance", **written}) == chance
    assert GAME.read_chance(GAME.write_chance(chance)) == chance


DRAW: dict[str, Json] = {"what": "draw", "seat": 0, "tiles": ["b7"]}


@pytest.mark.parametrize(
    ("line", "rule", "found"),
    [
        ({**DRAW, "what": "card"}, "bad-chance", "card"),
        ({}, "bad-chance", None),
        ({**DRAW, "what": ["draw"]}, "bad-chance", ["draw"]),
        ({**DRAW, "seat": "0"}, "bad-seat", "0"),
        ({**DRAW, "seat": True}, "bad-seat", True),
        ({**DRAW, "seat": None}, "bad-seat", None),
        ({**DRAW, "tiles": "b7"}, "bad-tiles", "b7"),
        ({**DRAW, "tiles": {"b7": 1}}, "bad-tiles", {"b7": 1}),
        ({**DRAW, "tiles": ["b7", "b10"]}, "unknown-tile", "b10"),
        ({**DRAW, "tiles": [7]}, "unknown-tile", 7),
        ({**DRAW, "tiles": [["b7"]]}, "unknown-tile", ["b7"]),
    ],
)
def test_a_malformed_draw_is_refused(line: dict[str, Json], rule: str, found: Json) -> None:
    with pytest.raises(Refused) as caught:
        read_chance(line)
    assert (caught.value.code, caught.value.rule) == (Code.MALFORMED, rule)
    assert caught.value.params["found"] == found
    assert caught.value.params["expected"]
