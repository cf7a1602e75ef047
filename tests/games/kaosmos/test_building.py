"""Building a galaxy: what may be done, and every refusal."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.kaosmos.sitting import MARTIN, OTHER, Sitting, building, counted, tiles_of
from tuilerie.games.game import Action, Code, Json, Refused
from tuilerie.games.kaosmos.board import RING
from tuilerie.games.kaosmos.cards import CARDS
from tuilerie.games.kaosmos.events import (
    Counted,
    Grabbed,
    Lifted,
    Locked,
    Placed,
    RoundBegan,
    SetAside,
)
from tuilerie.games.kaosmos.notation import (
    Grab,
    Leave,
    Put,
    Transfer,
    parse_galaxy,
    parse_move,
)
from tuilerie.games.kaosmos.rules import bag
from tuilerie.games.kaosmos.tiles import TILES

IDS = TILES.ids
MINE = tiles_of(MARTIN)


def test_a_tile_is_laid_moved_and_turned() -> None:
    sitting = building().act(0, "put T03 b2 3")
    assert sitting.events == [Placed(0, "T03", "b2", 3, "supply", None)]
    assert sitting.state.supplies == (8, 9)
    sitting.act(0, "put T03 b2 1")
    assert sitting.events == [Placed(0, "T03", "b2", 1, "b2", None)]
    sitting.act(0, "put T03 c3 1")
    assert sitting.events == [Placed(0, "T03", "c3", 1, "b2", None)]
    assert sitting.state.galaxies[0] == {"c3": ("T03", 1)}
    assert sitting.state.supplies == (8, 9)
    assert "T03" not in sitting.state.hands[0].supply


def test_what_lay_there_goes_back_to_the_supply() -> None:
    sitting = building().act(0, "put T03 b2 0", "put T12 b2 0")
    assert sitting.events == [Placed(0, "T12", "b2", 0, "supply", "T03")]
    assert sitting.state.galaxies[0] == {"b2": ("T12", 0)}
    assert "T03" in sitting.state.hands[0].supply
    assert sitting.state.supplies == (8, 9)
    sitting.act(0, "put T03 a1 0", "put T03 b2 0")
    assert sitting.state.galaxies[0] == {"b2": ("T03", 0)}
    assert sitting.state.supplies == (8, 9)


def test_a_tile_is_lifted() -> None:
    sitting = building().act(0, "put T03 b2 0", "lift T03")
    assert sitting.events == [Lifted(0, "T03", "b2")]
    assert (sitting.state.galaxies[0], sitting.state.supplies[0]) == ({}, 9)
    assert sitting.state.hands[0].supply == tuple(sorted(MINE))


@pytest.mark.parametrize(
    ("move", "rule", "params"),
    [
        ("put T01 a1 0", "not-your-tile", {"tile": "T01"}),  # seat 1 has it
        ("put T50 a1 0", "not-your-tile", {"tile": "T50"}),  # nobody has it
        ("put T12 d1 0", "slot-outside", {"slot": "d1", "shape": "square"}),
        ("put T03 b2 0", "nothing-changes", {"tile": "T03"}),
        ("lift T12", "not-laid", {"tile": "T12"}),
        ("lift T50", "not-laid", {"tile": "T50"}),
        ("leave T12", "no-tile-left-out", {"tile": "T12"}),
        ("done", "galaxy-incomplete", {"laid": 1, "needed": 9, "shape": "square"}),
        ("turn b2", "wrong-phase", {"phase": "building", "expected": "ingerence"}),
        ("keep T12 T49 T14", "wrong-phase", {"phase": "building", "expected": "draft"}),
    ],
)
def test_what_a_builder_may_not_do(move: str, rule: str, params: Json) -> None:
    sitting = building().act(0, "put T03 b2 0")
    assert sitting.refused((0, move)) == (Code.ILLEGAL, rule, params)


def test_moves_that_no_text_can_say_are_refused_as_well() -> None:
    sitting = building().lay(0, parse_galaxy(MARTIN))
    assert sitting.refused(Action(0, Put("T03", "a1", 4))) == (
        Code.ILLEGAL,
        "bad-turns",
        {"turns": 4},
    )
    assert sitting.refused(Action(0, Grab(())))[:2] == (Code.ILLEGAL, "unknown-colour")
    assert sitting.refused(Action(0, Grab(("red",)))) == (
        Code.ILLEGAL,
        "unknown-colour",
        {"colours": ["red"]},
    )
    choosing = counted("transfert")
    assert choosing.refused(Action(0, Transfer("star", "blue", 1)))[1] == "unknown-colour"
    assert choosing.refused(Action(0, Transfer("green", "blue", -1)))[1] == "too-many-points"


@pytest.mark.parametrize("card", [None, *CARDS])
def test_exactly_the_listed_moves_are_allowed(card: str | None) -> None:
    """Every put, lift and leave of every tile, every grab and 'done' are tried."""
    shape = CARDS[card].shape if card else None
    every = [
        *(f"put {t} {c}{r} {n}" for t in IDS[:15] for c in "abd" for r in "12" for n in range(4)),
        *(f"{verb} {tile}" for verb in ("lift", "leave") for tile in IDS[:15]),
        *("grab green", "grab blue", "grab blue orange", "grab green blue orange", "done"),
    ]
    sitting = building(card)
    eight = tiles_of(MARTIN)[:8]
    slots = shape.slots if shape else ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
    complete = zip(eight, slots, strict=False)
    positions: list[tuple[str, ...]] = [(), ("put T03 a1 0", "put T14 b1 0")]
    positions.append(tuple(f"put {tile} {slot} 0" for tile, slot in complete))
    if shape is not None and shape.leaves_one:
        positions.append(("leave T12", "put T03 a1 0"))
    start = sitting.state
    for position in positions:
        sitting.state = start
        sitting.act(0, *position)
        allowed = set(map(str, sitting.game.legal(sitting.state, 0)))
        assert len(allowed) == len(sitting.game.legal(sitting.state, 0))
        for text in every:
            try:
                sitting.game.apply(sitting.state, Action(0, parse_move(text)))
            except Refused:
                assert text not in allowed
            else:
                assert text in allowed


def test_a_tile_can_be_left_out_and_taken_back() -> None:
    sitting = building("trou-noir").act(0, "leave T12")
    assert sitting.events == [SetAside(0, "T12", "supply", None)]
    assert (sitting.state.aside, sitting.state.supplies) == (("T12", None), (8, 9))
    sitting.act(0, "put T03 a1 0", "leave T03")
    assert sitting.events == [SetAside(0, "T03", "a1", "T12")]
    assert (sitting.state.aside[0], sitting.state.supplies[0]) == ("T03", 9 - 1)
    assert sitting.state.galaxies[0] == {}
    assert "T12" in sitting.state.hands[0].supply
    assert sitting.refused((0, "leave T03")) == (
        Code.ILLEGAL,
        "nothing-changes",
        {"tile": "T03"},
    )
    assert sitting.refused((0, "lift T03"))[1] == "not-laid"
    sitting.act(0, "put T03 b1 2")
    assert sitting.events == [Placed(0, "T03", "b1", 2, "aside", None)]
    assert (sitting.state.aside[0], sitting.state.supplies[0]) == (None, 8)
    assert sitting.refused(Action(0, Leave("T01")))[1] == "not-your-tile"


def test_a_tile_taken_back_can_send_another_to_the_supply() -> None:
    sitting = building("trou-noir").act(0, "leave T12", "put T03 a1 0", "put T12 a1 0")
    assert sitting.events == [Placed(0, "T12", "a1", 0, "aside", "T03")]
    assert sitting.state.supplies[0] == 8
    assert "T03" in sitting.state.hands[0].supply


def test_who_is_done_touches_nothing_more() -> None:
    sitting = building().lay(0, parse_galaxy(MARTIN)).act(0, "done")
    assert sitting.events == [Locked(0)]
    assert (sitting.state.locked, sitting.state.waiting) == ((0,), (1,))
    for move in ("put T03 a1 0", "lift T03", "leave T03", "done"):
        assert sitting.refused((0, move)) == (Code.TOO_LATE, "locked", {"seat": 0})
    assert sitting.refused((0, "turn a1"))[:2] == (Code.NOT_YOUR_TURN, "not-your-turn")


def test_who_is_done_may_still_take_bonus_tiles_once() -> None:
    sitting = building().lay(0, parse_galaxy(MARTIN)).act(0, "done")
    listed = sitting.game.legal(sitting.state, 0)
    assert len(listed) == 7
    assert all(isinstance(move, Grab) for move in listed)
    assert sitting.view(0).legal == tuple(map(str, listed))
    sitting.act(0, "grab green blue")
    assert sitting.events == [Grabbed(0, ("green", "blue"))]
    assert sitting.state.bonuses == {"green": 0, "blue": 0, "orange": None}
    assert (sitting.state.locked, sitting.state.waiting) == ((0,), (1,))
    assert sitting.refused((0, "grab orange"))[:2] == (Code.TOO_LATE, "locked")
    assert sitting.game.legal(sitting.state, 0) == ()


def test_when_the_round_is_over_no_bonus_tile_can_be_taken() -> None:
    sitting = building("ingerence").lay(0, parse_galaxy(MARTIN)).act(0, "done")
    sitting.lay(1, parse_galaxy(OTHER)).act(1, "done")
    assert sitting.state.phase == "ingerence"
    assert sitting.refused((0, "grab green"))[:2] == (Code.TOO_LATE, "building-over")
    plain = counted()
    assert plain.refused((0, "grab green"))[:2] == (Code.TOO_LATE, "building-over")


def test_before_anything_was_dealt_nobody_is_too_late() -> None:
    for sitting in (Sitting(), Sitting(kaos=False)):
        assert sitting.refused((0, "grab green"))[:2] == (Code.NOT_YOUR_TURN, "not-your-turn")


@pytest.mark.parametrize("laid", range(8))
def test_a_bonus_tile_may_be_taken_with_an_unfinished_galaxy(laid: int) -> None:
    """It is locked then, and what is missing is filled by chance when the round ends."""
    galaxy = dict(list(parse_galaxy(MARTIN).items())[:laid])
    sitting = building().lay(0, galaxy).act(0, "grab blue")
    assert sitting.events == [Grabbed(0, ("blue",)), Locked(0)]
    assert sitting.refused((0, "put T46 c3 0"))[:2] == (Code.TOO_LATE, "locked")
    sitting.lay(1, parse_galaxy(OTHER)).act(1, "done")
    assert (sitting.state.phase, sitting.state.waiting) == ("fill", (0,))
    fill = sitting.game.chance(sitting.state, Random(laid).randrange)
    sitting.enter(fill)
    counted_galaxy = sitting.count(0).galaxy
    assert len(counted_galaxy) == 9
    assert galaxy.items() <= counted_galaxy.items()
    assert [bet.colour for bet in sitting.count(0).bonuses] == ["blue"]


def test_bonus_tiles_are_taken_all_at_once() -> None:
    sitting = building().lay(0, parse_galaxy(MARTIN))
    assert [str(move) for move in sitting.game.legal(sitting.state, 0)][-8:] == [
        "grab green",
        "grab blue",
        "grab orange",
        "grab green blue",
        "grab green orange",
        "grab blue orange",
        "grab green blue orange",
        "done",
    ]
    sitting.act(0, "grab orange green")
    assert sitting.events == [Grabbed(0, ("green", "orange")), Locked(0)]
    assert sitting.state.bonuses == {"green": 0, "blue": None, "orange": 0}
    assert sitting.refused((0, "grab blue"))[:2] == (Code.TOO_LATE, "locked")


def test_who_comes_second_for_a_bonus_tile_gets_none_and_may_go_on() -> None:
    sitting = building().lay(0, parse_galaxy(MARTIN)).lay(1, parse_galaxy(OTHER))
    sitting.act(0, "grab green orange")
    assert sitting.refused((1, "grab green blue orange")) == (
        Code.TOO_LATE,
        "bonus-taken",
        {"colours": ["green", "orange"], "by": [0, 0]},
    )
    assert [str(m) for m in sitting.game.legal(sitting.state, 1)][-2:] == ["grab blue", "done"]
    sitting.act(1, "put T01 a1 2", "grab blue")
    assert sitting.state.counts[1].bonuses[0].colour == "blue"


def test_the_round_ends_when_all_are_done() -> None:
    sitting = counted()
    assert [type(event) for event in sitting.events] == [Locked, Counted, Counted, RoundBegan]
    assert sitting.events[-1] == RoundBegan(2, "right", "draw")
    state = sitting.state
    assert (state.round, state.direction, state.phase) == (2, "right", "draw")
    assert (state.galaxies, state.locked, state.supplies) == (({}, {}), (), (0, 0))
    assert state.bonuses == {"green": None, "blue": None, "orange": None}
    assert len(bag(state)) == 54
    assert state.counts[0].galaxy == parse_galaxy(MARTIN)


def test_everything_goes_back_for_the_next_round() -> None:
    sitting = building("trou-noir").act(0, "leave T02").act(1, "leave T10")
    for seat, (text, out) in enumerate(((MARTIN, "T02/180 "), (OTHER, "T10/0 "))):
        sitting.lay(seat, parse_galaxy(text.replace(out, ""), RING))
    sitting.act(0, "grab green orange").act(1, "grab blue")
    assert [len(sitting.count(seat).bonuses) for seat in (0, 1)] == [2, 1]
    assert sitting.state.bonuses == {"green": None, "blue": None, "orange": None}
    assert sitting.state.aside == (None, None)
    assert sitting.state.card is None
    assert sitting.state.cards == ("trou-noir",)
    assert sitting.view(0).supply == ()
