"""Data files of tiles and cards: the default set, and faults in custom sets."""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib import resources
from typing import Any

import pytest

from tuilerie.games import kaosmos
from tuilerie.games.game import Json
from tuilerie.games.kaosmos import Kaosmos
from tuilerie.games.kaosmos.board import SHAPES
from tuilerie.games.kaosmos.box import check_set
from tuilerie.games.kaosmos.cards import (
    CARDS,
    EFFECTS,
    SOURCES,
    TABLES,
    read_cards,
    read_sources,
)
from tuilerie.games.kaosmos.files import BadSet, SetFault
from tuilerie.games.kaosmos.tiles import TILES, Tile, read_tiles


def packaged(name: str) -> str:
    return resources.files(kaosmos).joinpath(name).read_text("utf-8")


TILE_LINES = packaged("tiles.json").splitlines()
CARD_LINES = packaged("cards.json").splitlines()

Summary = tuple[int, int, str, dict[str, Any]]


def summaries(faults: list[SetFault]) -> list[Summary]:
    assert all(fault.name == "mine.json" for fault in faults)
    return [(fault.line, fault.column, fault.code, dict(fault.params)) for fault in faults]


def check_tile_line(line: str, index: int = 1) -> list[Summary]:
    """Return the faults of the default tiles with one line replaced."""
    lines = [*TILE_LINES]
    lines[index] = line
    return summaries(check_set("\n".join(lines), "mine.json"))


def check_card_line(card: Json) -> list[Summary]:
    """Return the faults of the default cards with the first one replaced."""
    lines = [*CARD_LINES]
    lines[1] = (card if isinstance(card, str) else json.dumps(card)) + ","
    return summaries(check_set("\n".join(lines), "mine.json"))


# --- the default set ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tiles.json", "cards.json"])
def test_default_files_are_valid(name: str) -> None:
    assert check_set(packaged(name), name) == []


def test_default_tiles_match_the_published_totals() -> None:
    assert TILES.ids == tuple(f"T{number:02}" for number in range(1, 55))
    planets = [tile.planets for tile in TILES.tiles]
    assert [sum(each[c] for each in planets) for c in ("green", "blue", "orange")] == [66, 36, 30]
    assert sum(tile.cells.count("K") for tile in TILES.tiles) == 26
    assert len({tile.pattern for tile in TILES.tiles}) == 54


def test_turning_a_tile_rotates_fields_and_arms() -> None:
    tile = Tile("T00", ("G0", "B1", "O2", "K"), "NE")
    assert tile.turned(0) is tile
    assert tile.turned(1) == Tile("T00", ("K", "G0", "B1", "O2"), "ES")
    assert tile.turned(2) == Tile("T00", ("O2", "K", "G0", "B1"), "SW")
    assert tile.turned(3) == Tile("T00", ("B1", "O2", "K", "G0"), "NW")
    assert tile.turned(4) == tile
    assert {tile.turned(turns).pattern for turns in range(4)} == {tile.pattern}


def test_every_effect_is_used_by_a_default_card() -> None:
    used = {json.loads(line.rstrip(","))["effect"] for line in CARD_LINES[1:-1]}
    assert used == set(EFFECTS)


def test_custom_cards_can_have_other_amounts() -> None:
    cards = read_cards(
        """[
        {"id": "a", "effect": "tables", "uses": {"blue": "green"}},
        {"id": "b", "effect": "time", "factor": [3, 2]},
        {"id": "c", "effect": "bonus", "won": 10, "lost": 0},
        {"id": "d", "effect": "colour-zones", "colour": "blue", "planets": 0, "points": -1},
        {"id": "e", "effect": "shape", "shape": "square"}
        ]"""
    )
    assert cards["a"].tables == {**TABLES, "blue": TABLES["green"]}
    assert cards["b"].time == (3, 2)
    assert (cards["c"].bonus_won, cards["c"].bonus_lost) == (10, 0)
    assert asdict(cards["d"])["colour_zones"] == {"colour": "blue", "planets": 0, "points": -1}
    assert cards["e"].shape is SHAPES["square"]


# --- faults in tiles ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "faults"),
    [
        ("7,", [(2, 1, "entry-not-object", {"found": "whole number"})]),
        (
            '{"id": "T01", "cells": ["B1", "B1", "B0", "B0"]},',
            [(2, 1, "key-missing", {"key": "arms"})],
        ),
        (
            '{"id": "T01", "cells": ["B1", "B1", "B0", "B0"], "arms": "", "name": "x"},',
            [(2, 62, "key-unknown", {"key": "name", "expected": ["id", "cells", "arms"]})],
        ),
        (
            '{"id": "T01", "id": "T01", "cells": ["B1", "B1", "B0", "B0"], "arms": ""},',
            [(2, 15, "key-twice", {"key": "id"})],
        ),
        (
            '{"id": 1, "cells": "B1", "arms": ["N"]},',
            [
                (2, 8, "wrong-type", {"key": "id", "found": "whole number", "expected": "text"}),
                (2, 20, "wrong-type", {"key": "cells", "found": "text", "expected": "list"}),
                (2, 34, "wrong-type", {"key": "arms", "found": "list", "expected": "text"}),
            ],
        ),
        (
            '{"id": "T1", "cells": ["B1", "B1", "B0", "B0"], "arms": ""},',
            [(2, 8, "bad-id", {"found": "T1", "expected": "T00–T99"})],
        ),
        (
            '{"id": "T60", "cells": ["B1", "B1", "B0"], "arms": ""},',
            [(2, 24, "cells-count", {"found": 3, "expected": 4})],
        ),
        (
            '{"id": "T60", "cells": ["B1", "B3", "X", 4], "arms": "NN?"},',
            [
                (2, 31, "field-unknown", {"found": "B3"}),
                (2, 37, "field-unknown", {"found": "X"}),
                (2, 42, "field-unknown", {"found": 4}),
                (2, 56, "arm-twice", {"found": "N"}),
                (2, 57, "arm-unknown", {"found": "?", "expected": ["N", "E", "S", "W"]}),
            ],
        ),
        (
            '{"id": "T02", "cells": ["B1", "B1", "B0", "B0"], "arms": ""},',
            [(3, 8, "id-twice", {"id": "T02", "first": 2})],
        ),
    ],
)
def test_every_fault_of_a_tile_is_found(line: str, faults: list[Summary]) -> None:
    found = check_tile_line(line)
    fields = ["G0", "G1", "G2", "B0", "B1", "B2", "O0", "O1", "O2", "K"]
    for _, _, code, params in faults:
        if code == "field-unknown":
            params["expected"] = fields
    assert found == faults


def test_duplicate_tile_is_a_warning() -> None:
    # T54 turned by a quarter, under another name.
    line = '{"id": "T60", "cells": ["O2", "O1", "K", "K"], "arms": "ES"},'
    lines = [*TILE_LINES]
    lines[1] = line
    faults = check_set("\n".join(lines), "mine.json")
    assert summaries(faults) == [(55, 1, "tiles-equal", {"id": "T54", "other": "T60", "line": 2})]
    assert faults[0].warning
    assert len(read_tiles("\n".join(lines)).ids) == 54


def test_a_set_needs_54_tiles() -> None:
    shorter = "\n".join([*TILE_LINES[:10], TILE_LINES[10].rstrip(","), "]"])
    assert summaries(check_set(shorter, "mine.json")) == [
        (12, 2, "too-few-tiles", {"found": 10, "needed": 54})
    ]
    with pytest.raises(BadSet) as bad:
        read_tiles(shorter, "mine.json")
    assert summaries(list(bad.value.faults)) == summaries(check_set(shorter, "mine.json"))


def test_faults_are_reported_in_line_order() -> None:
    lines = [*TILE_LINES]
    lines[30] = lines[30].replace('"id"', '"name"')
    lines[5] = lines[5].replace("T05", "T5")
    lines[40] = lines[40].replace("}", "")
    assert [
        (line, code) for line, _, code, _ in summaries(check_set("\n".join(lines), "mine.json"))
    ] == [
        (6, "bad-id"),
        (31, "key-missing"),
        (31, "key-unknown"),
        (42, "json"),
        (56, "too-few-tiles"),
    ]


# --- invalid JSON ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "column", "expected", "found"),
    [
        ("", 1, 1, "[", "end of file"),
        ("{}]", 1, 1, "[", "{"),
        ("[", 1, 2, "a value", "end of file"),
        ("[\n1", 2, 2, ", or ]", "end of file"),
        ("[1,]", 1, 4, "a value", "]"),
        ("[1] x", 1, 5, "end of file", "x"),
        ("[tru]", 1, 2, "a value", "t"),
        ("['a']", 1, 2, "a value", "'"),
        ('["a\n"]', 1, 2, "a value", '"'),
        ("[{1: 2}]", 1, 3, "a key in quotes", "1"),
        ('[{"a" 2}]', 1, 7, ":", "2"),
        ('[{"a": 2 "b": 3}]', 1, 10, ", or }", '"'),
        ('[{"a": 2,}]', 1, 10, "a key in quotes", "}"),
        ("[[1 2]]", 1, 5, ", or ]", "2"),
        ("[[1,]]", 1, 5, "a value", "]"),
        ("[" * 20, 1, 10, "fewer levels", "["),
        ("[1" + "0" * 20 + "]", 1, 17, ", or ]", "0"),
    ],
)
def test_invalid_json_reports_its_position(
    text: str, line: int, column: int, expected: str, found: str
) -> None:
    assert summaries(check_set(text, "mine.json")) == [
        (line, column, "json", {"expected": expected, "found": found})
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [('{"a": 1}', "object"), ("1", "whole number"), (' "x"\n', "text"), ("null", "null")],
)
def test_json_that_is_no_list_is_refused_once(text: str, found: str) -> None:
    faults = check_set(text, "mine.json")
    assert [(fault.line, fault.code, fault.params) for fault in faults] == [
        (1, "not-a-list", {"found": found})
    ]


def test_parsing_resumes_after_invalid_json() -> None:
    lines = [*TILE_LINES]
    lines[0] = ""  # no bracket
    lines[3] = lines[3].rstrip(",")  # no comma
    lines[7] = lines[7].replace(":", "", 1)
    lines[9] = lines[9].replace("T09", "T9")
    assert summaries(check_set("\n".join(lines), "mine.json")) == [
        (2, 1, "json", {"expected": "[", "found": "{"}),
        (5, 1, "json", {"expected": ", or ]", "found": "{"}),
        (8, 7, "json", {"expected": ":", "found": '"'}),
        (10, 8, "bad-id", {"found": "T9", "expected": "T00–T99"}),
        (56, 2, "too-few-tiles", {"found": 53, "needed": 54}),
    ]


@pytest.mark.parametrize("text", ["[]", "[1, null, true, 2.5]", '[{"id": "T01"}, {}]', "[[], [1]]"])
def test_file_of_neither_tiles_nor_cards_is_a_fault(text: str) -> None:
    assert summaries(check_set(text, "mine.json")) == [(1, 1, "not-a-set", {})]


def test_byte_order_mark_is_accepted() -> None:
    assert check_set("\ufeff" + packaged("tiles.json"), "mine.json") == []


def test_unencodable_text_is_reported() -> None:
    line = '{"id": "\\ud800", "cells": ["B1", "B1", "B0", "B0"], "arms": ""},'
    assert check_tile_line(line) == [(2, 8, "bad-id", {"found": "?", "expected": "T00–T99"})]


# --- faults in cards ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "faults"),
    [
        ("[]", [(2, 1, "entry-not-object", {"found": "list"})]),
        ("null", [(2, 1, "entry-not-object", {"found": "null"})]),
        ('{"id": "x"}', [(2, 1, "key-missing", {"key": "effect"})]),
        (
            '{"effect": "magic", "power": 3}',
            [
                (2, 1, "key-missing", {"key": "id"}),
                (2, 12, "effect-unknown", {"found": "magic", "expected": list(EFFECTS)}),
            ],
        ),
        (
            '{"id": "x", "effect": true}',
            [
                (
                    2,
                    23,
                    "wrong-type",
                    {"key": "effect", "found": "true/false", "expected": "text"},
                )
            ],
        ),
        (
            '{"id": "X y", "effect": "no-draft"}',
            [(2, 8, "bad-id", {"found": "X y", "expected": "trou-noir"})],
        ),
        (
            '{"id": "derive", "effect": "no-draft"}',
            [(4, 8, "id-twice", {"id": "derive", "first": 2})],
        ),
        (
            '{"id": "x", "effect": "no-draft", "points": 1}',
            [(2, 35, "key-unknown", {"key": "points", "expected": ["id", "effect", "source"]})],
        ),
        ('{"id": "x", "effect": "path"}', [(2, 1, "key-missing", {"key": "factor"})]),
        ('{"id": "x", "effect": "no-draft", "source": "hinted"}', []),
        (
            '{"id": "x", "effect": "no-draft", "source": "rumour"}',
            [
                (
                    2,
                    45,
                    "value-unknown",
                    {"key": "source", "found": "rumour", "expected": list(SOURCES)},
                )
            ],
        ),
        (
            '{"id": "x", "effect": "no-draft", "source": null}',
            [(2, 45, "wrong-type", {"key": "source", "found": "null", "expected": "text"})],
        ),
        (
            '{"id": "x", "effect": "path", "factor": 2.5}',
            [
                (
                    2,
                    41,
                    "wrong-type",
                    {"key": "factor", "found": "number", "expected": "whole number"},
                )
            ],
        ),
        (
            '{"id": "x", "effect": "bonus", "won": -1, "lost": 1}',
            [
                (2, 39, "out-of-range", {"key": "won", "found": -1, "least": 0, "most": 30}),
                (2, 51, "out-of-range", {"key": "lost", "found": 1, "least": -30, "most": 0}),
            ],
        ),
        (
            '{"id": "x", "effect": "shape", "shape": "star"}',
            [
                (
                    2,
                    41,
                    "value-unknown",
                    {"key": "shape", "found": "star", "expected": list(SHAPES)},
                )
            ],
        ),
        (
            '{"id": "x", "effect": "time", "factor": [1, 2, 3]}',
            [
                (
                    2,
                    41,
                    "wrong-type",
                    {"key": "factor", "found": [1, 2, 3], "expected": "two numbers"},
                )
            ],
        ),
        (
            '{"id": "x", "effect": "time", "factor": {"a": 1}}',
            [
                (
                    2,
                    41,
                    "wrong-type",
                    {"key": "factor", "found": {"a": 1}, "expected": "two numbers"},
                )
            ],
        ),
        (
            '{"id": "x", "effect": "time", "factor": [0, 101]}',
            [
                (2, 42, "out-of-range", {"key": "factor", "found": 0, "least": 1, "most": 100}),
                (2, 45, "out-of-range", {"key": "factor", "found": 101, "least": 1, "most": 100}),
            ],
        ),
        (
            '{"id": "x", "effect": "constellation-sizes", "points": 3}',
            [
                (
                    2,
                    56,
                    "wrong-type",
                    {"key": "points", "found": "whole number", "expected": "list"},
                )
            ],
        ),
        (
            '{"id": "x", "effect": "constellation-sizes", "points": [[2, 1], [2, 3], [1, 1]]}',
            [
                (2, 65, "not-rising", {"key": "points", "found": [2, 3]}),
                (2, 73, "not-rising", {"key": "points", "found": [1, 1]}),
            ],
        ),
        (
            '{"id": "x", "effect": "constellation-sizes", "points": [[0, 1], [2, 31]]}',
            [
                (2, 58, "out-of-range", {"key": "points", "found": 0, "least": 1, "most": 36}),
                (2, 69, "out-of-range", {"key": "points", "found": 31, "least": -30, "most": 30}),
            ],
        ),
        (
            '{"id": "x", "effect": "tables", "uses": "green"}',
            [(2, 41, "wrong-type", {"key": "uses", "found": "text", "expected": "object"})],
        ),
        (
            '{"id": "x", "effect": "tables", "uses": {"red": "green", "blue": "star"}}',
            [
                (2, 42, "value-unknown", {"key": "uses", "found": "red"}),
                (2, 66, "value-unknown", {"key": "uses", "found": "star"}),
            ],
        ),
    ],
)
def test_every_fault_of_a_card_is_found(card: str, faults: list[Summary]) -> None:
    for _, _, code, params in faults:
        if code == "value-unknown":
            params.setdefault("expected", ["green", "blue", "orange"])
    assert check_card_line(card) == faults


def test_a_set_needs_five_cards() -> None:
    text = "\n".join([*CARD_LINES[:4], CARD_LINES[4].rstrip(","), "]"])
    assert summaries(check_set(text, "mine.json")) == [
        (6, 2, "too-few-cards", {"found": 4, "needed": 5})
    ]
    with pytest.raises(BadSet):
        read_cards(text)


def test_card_source_is_optional_and_has_no_effect() -> None:
    cards = [json.loads(line.rstrip(",")) for line in CARD_LINES[1:-1]]
    for card in cards:
        assert card.pop("source") in SOURCES
    text = "\ufeff" + json.dumps(cards)
    assert check_set(text, "mine.json") == []
    assert read_cards(text) == CARDS
    assert read_sources(text) == {}
    assert Kaosmos(cards=read_cards(text)).edition is None, "the same box"


def test_default_cards_are_read_from_their_file() -> None:
    assert read_cards(packaged("cards.json")) == CARDS
    assert read_tiles(packaged("tiles.json")) == TILES
