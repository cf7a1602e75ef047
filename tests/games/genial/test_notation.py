"""Notation: every move round-trips, and malformed text is refused."""

import pytest

from tests.games.genial.helpers import position
from tuilerie.games.game import Code, Refused, TilesDrawn
from tuilerie.games.genial import GAME
from tuilerie.games.genial.notation import parse_move
from tuilerie.games.genial.rules import legal
from tuilerie.games.genial.tiles import TILES


def test_every_placement_round_trips() -> None:
    hand = " ".join(TILES[:6])
    for players in (2, 3, 4):
        for move in legal(position(hand, players=players), 0):
            assert parse_move(str(move)) == move


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("BR h9 h8", "RB h8 h9"),
        ("RB h8 h9", "RB h8 h9"),
        ("RR h9 h8", "RR h8 h9"),
        ("RR h10 h9", "RR h9 h10"),
        ("  OP   a1  a2 ", "PO a2 a1"),
        ("swap", "swap"),
        ("keep", "keep"),
    ],
)
def test_equivalent_texts_have_one_canonical_form(text: str, canonical: str) -> None:
    assert str(parse_move(text)) == canonical


@pytest.mark.parametrize(
    "text",
    ["", "RB", "RB h8", "RX h8 h9", "R h8 h9", "RB h8 h16", "RB h0 h1", "RB p8 p9", "SWAP",
     "rb h8 h9", "RB h8 h9 h10", "swap now", "RB h08 h9", "BRR h8 h9"],
)  # fmt: skip
def test_malformed_move_is_refused(text: str) -> None:
    with pytest.raises(Refused) as caught:
        parse_move(text)
    assert caught.value.code is Code.MALFORMED
    assert caught.value.params["found"] == text
    assert "h8" in caught.value.params["expected"]


def test_chance_entries_round_trip() -> None:
    chance = TilesDrawn("draw", 1, ("RB", "OO"))
    assert GAME.read_chance(GAME.write_chance(chance)) == chance
    other_way = {"what": "deal", "seat": 0, "tiles": ["BR", "YG"]}
    assert GAME.read_chance(other_way) == TilesDrawn("deal", 0, ("RB", "YG"))


@pytest.mark.parametrize(
    ("entry", "rule"),
    [
        ({"what": "card", "seat": 0, "tiles": []}, "bad-chance"),
        ({"seat": 0, "tiles": []}, "bad-chance"),
        ({"what": "draw", "tiles": ["RB"]}, "bad-seat"),
        ({"what": "draw", "seat": True, "tiles": ["RB"]}, "bad-seat"),
        ({"what": "draw", "seat": 0, "tiles": "RB"}, "bad-tiles"),
        ({"what": "draw", "seat": 0, "tiles": ["RX"]}, "unknown-tile"),
        ({"what": "draw", "seat": 0, "tiles": [7]}, "unknown-tile"),
    ],
)
def test_malformed_draw_is_refused(entry: dict[str, object], rule: str) -> None:
    with pytest.raises(Refused) as caught:
        GAME.read_chance(entry)
    assert caught.value.rule == rule
