"""Building a galaxy: legal moves and every refusal."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.kaosmos.driver import MARTIN, OTHER, GameDriver, building, counted, tiles_of
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
    LeaveOut,
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
    driver = building().act(0, "put T03 b2 3")
    assert driver.events == [Placed(0, "T03", "b2", 3, "supply", None)]
    assert driver.state.supplies == (8, 9)
    driver.act(0, "put T03 b2 1")
    assert driver.events == [Placed(0, "T03", "b2", 1, "b2", None)]
    driver.act(0, "put T03 c3 1")
    assert driver.events == [Placed(0, "T03", "c3", 1, "b2", None)]
    assert driver.state.galaxies[0] == {"c3": ("T03", 1)}
    assert driver.state.supplies == (8, 9)
    assert "T03" not in driver.state.hands[0].supply


def test_displaced_tile_goes_back_to_the_supply() -> None:
    driver = building().act(0, "put T03 b2 0", "put T12 b2 0")
    assert driver.events == [Placed(0, "T12", "b2", 0, "supply", "T03")]
    assert driver.state.galaxies[0] == {"b2": ("T12", 0)}
    assert "T03" in driver.state.hands[0].supply
    assert driver.state.supplies == (8, 9)
    driver.act(0, "put T03 a1 0", "put T03 b2 0")
    assert driver.state.galaxies[0] == {"b2": ("T03", 0)}
    assert driver.state.supplies == (8, 9)


def test_a_tile_is_lifted() -> None:
    driver = building().act(0, "put T03 b2 0", "lift T03")
    assert driver.events == [Lifted(0, "T03", "b2")]
    assert (driver.state.galaxies[0], driver.state.supplies[0]) == ({}, 9)
    assert driver.state.hands[0].supply == tuple(sorted(MINE))


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
def test_illegal_building_moves_name_the_rule(move: str, rule: str, params: Json) -> None:
    driver = building().act(0, "put T03 b2 0")
    assert driver.refused((0, move)) == (Code.ILLEGAL, rule, params)


def test_moves_without_a_notation_are_refused() -> None:
    driver = building().lay(0, parse_galaxy(MARTIN))
    assert driver.refused(Action(0, Put("T03", "a1", 4))) == (
        Code.ILLEGAL,
        "bad-turns",
        {"turns": 4},
    )
    assert driver.refused(Action(0, Grab(())))[:2] == (Code.ILLEGAL, "unknown-colour")
    assert driver.refused(Action(0, Grab(("red",)))) == (
        Code.ILLEGAL,
        "unknown-colour",
        {"colours": ["red"]},
    )
    choosing = counted("transfert")
    assert choosing.refused(Action(0, Transfer("star", "blue", 1)))[1] == "unknown-colour"
    assert choosing.refused(Action(0, Transfer("green", "blue", -1)))[1] == "too-many-points"


@pytest.mark.parametrize("card", [None, *CARDS])
def test_exactly_the_listed_moves_are_allowed(card: str | None) -> None:
    """Tries every put, lift and leave of every tile, every grab and 'done'."""
    shape = CARDS[card].shape if card else None
    every = [
        *(f"put {t} {c}{r} {n}" for t in IDS[:15] for c in "abd" for r in "12" for n in range(4)),
        *(f"{verb} {tile}" for verb in ("lift", "leave") for tile in IDS[:15]),
        *("grab green", "grab blue", "grab blue orange", "grab green blue orange", "done"),
    ]
    driver = building(card)
    eight = tiles_of(MARTIN)[:8]
    slots = shape.slots if shape else ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
    complete = zip(eight, slots, strict=False)
    positions: list[tuple[str, ...]] = [(), ("put T03 a1 0", "put T14 b1 0")]
    positions.append(tuple(f"put {tile} {slot} 0" for tile, slot in complete))
    if shape is not None and shape.leaves_one:
        positions.append(("leave T12", "put T03 a1 0"))
    start = driver.state
    for position in positions:
        driver.state = start
        driver.act(0, *position)
        allowed = set(map(str, driver.game.legal(driver.state, 0)))
        assert len(allowed) == len(driver.game.legal(driver.state, 0))
        for text in every:
            try:
                driver.game.apply(driver.state, Action(0, parse_move(text)))
            except Refused:
                assert text not in allowed
            else:
                assert text in allowed


def test_tile_can_be_set_aside_and_taken_back() -> None:
    driver = building("trou-noir").act(0, "leave T12")
    assert driver.events == [SetAside(0, "T12", "supply", None)]
    assert (driver.state.aside, driver.state.supplies) == (("T12", None), (8, 9))
    driver.act(0, "put T03 a1 0", "leave T03")
    assert driver.events == [SetAside(0, "T03", "a1", "T12")]
    assert (driver.state.aside[0], driver.state.supplies[0]) == ("T03", 9 - 1)
    assert driver.state.galaxies[0] == {}
    assert "T12" in driver.state.hands[0].supply
    assert driver.refused((0, "leave T03")) == (
        Code.ILLEGAL,
        "nothing-changes",
        {"tile": "T03"},
    )
    assert driver.refused((0, "lift T03"))[1] == "not-laid"
    driver.act(0, "put T03 b1 2")
    assert driver.events == [Placed(0, "T03", "b1", 2, "aside", None)]
    assert (driver.state.aside[0], driver.state.supplies[0]) == (None, 8)
    assert driver.refused(Action(0, LeaveOut("T01")))[1] == "not-your-tile"


def test_tile_from_aside_can_displace_another() -> None:
    driver = building("trou-noir").act(0, "leave T12", "put T03 a1 0", "put T12 a1 0")
    assert driver.events == [Placed(0, "T12", "a1", 0, "aside", "T03")]
    assert driver.state.supplies[0] == 8
    assert "T03" in driver.state.hands[0].supply


def test_galaxy_is_locked_after_done() -> None:
    driver = building().lay(0, parse_galaxy(MARTIN)).act(0, "done")
    assert driver.events == [Locked(0)]
    assert (driver.state.locked, driver.state.waiting) == ((0,), (1,))
    for move in ("put T03 a1 0", "lift T03", "leave T03", "done"):
        assert driver.refused((0, move)) == (Code.TOO_LATE, "locked", {"seat": 0})
    assert driver.refused((0, "turn a1"))[:2] == (Code.NOT_YOUR_TURN, "not-your-turn")


def test_bonus_tiles_can_be_taken_once_after_done() -> None:
    driver = building().lay(0, parse_galaxy(MARTIN)).act(0, "done")
    listed = driver.game.legal(driver.state, 0)
    assert len(listed) == 7
    assert all(isinstance(move, Grab) for move in listed)
    assert driver.view(0).legal == tuple(map(str, listed))
    driver.act(0, "grab green blue")
    assert driver.events == [Grabbed(0, ("green", "blue"))]
    assert driver.state.bonuses == {"green": 0, "blue": 0, "orange": None}
    assert (driver.state.locked, driver.state.waiting) == ((0,), (1,))
    assert driver.refused((0, "grab orange"))[:2] == (Code.TOO_LATE, "locked")
    assert driver.game.legal(driver.state, 0) == ()


def test_bonus_tiles_cannot_be_taken_after_the_round() -> None:
    driver = building("ingerence").lay(0, parse_galaxy(MARTIN)).act(0, "done")
    driver.lay(1, parse_galaxy(OTHER)).act(1, "done")
    assert driver.state.phase == "ingerence"
    assert driver.refused((0, "grab green"))[:2] == (Code.TOO_LATE, "building-over")
    plain = counted()
    assert plain.refused((0, "grab green"))[:2] == (Code.TOO_LATE, "building-over")


def test_building_move_before_the_first_deal_is_not_too_late() -> None:
    for driver in (GameDriver(), GameDriver(kaos=False)):
        assert driver.refused((0, "grab green"))[:2] == (Code.NOT_YOUR_TURN, "not-your-turn")


@pytest.mark.parametrize("laid", range(8))
def test_bonus_tile_can_be_taken_with_an_incomplete_galaxy(laid: int) -> None:
    """The galaxy is locked, and its gaps are filled at random when the round ends."""
    galaxy = dict(list(parse_galaxy(MARTIN).items())[:laid])
    driver = building().lay(0, galaxy).act(0, "grab blue")
    assert driver.events == [Grabbed(0, ("blue",)), Locked(0)]
    assert driver.refused((0, "put T46 c3 0"))[:2] == (Code.TOO_LATE, "locked")
    driver.lay(1, parse_galaxy(OTHER)).act(1, "done")
    assert (driver.state.phase, driver.state.waiting) == ("fill", (0,))
    fill = driver.game.chance(driver.state, Random(laid).randrange)
    driver.enter(fill)
    counted_galaxy = driver.count(0).galaxy
    assert len(counted_galaxy) == 9
    assert galaxy.items() <= counted_galaxy.items()
    assert [bet.colour for bet in driver.count(0).bonuses] == ["blue"]


def test_bonus_tiles_are_taken_all_at_once() -> None:
    driver = building().lay(0, parse_galaxy(MARTIN))
    assert [str(move) for move in driver.game.legal(driver.state, 0)][-8:] == [
        "grab green",
        "grab blue",
        "grab orange",
        "grab green blue",
        "grab green orange",
        "grab blue orange",
        "grab green blue orange",
        "done",
    ]
    driver.act(0, "grab orange green")
    assert driver.events == [Grabbed(0, ("green", "orange")), Locked(0)]
    assert driver.state.bonuses == {"green": 0, "blue": None, "orange": 0}
    assert driver.refused((0, "grab blue"))[:2] == (Code.TOO_LATE, "locked")


def test_second_player_for_a_bonus_tile_gets_none_and_is_not_locked() -> None:
    driver = building().lay(0, parse_galaxy(MARTIN)).lay(1, parse_galaxy(OTHER))
    driver.act(0, "grab green orange")
    assert driver.refused((1, "grab green blue orange")) == (
        Code.TOO_LATE,
        "bonus-taken",
        {"colours": ["green", "orange"], "by": [0, 0]},
    )
    assert [str(m) for m in driver.game.legal(driver.state, 1)][-2:] == ["grab blue", "done"]
    driver.act(1, "put T01 a1 2", "grab blue")
    assert driver.state.counts[1].bonuses[0].colour == "blue"


def test_round_ends_when_everyone_is_done() -> None:
    driver = counted()
    assert [type(event) for event in driver.events] == [Locked, Counted, Counted, RoundBegan]
    assert driver.events[-1] == RoundBegan(2, "right", "draw")
    state = driver.state
    assert (state.round, state.direction, state.phase) == (2, "right", "draw")
    assert (state.galaxies, state.locked, state.supplies) == (({}, {}), (), (0, 0))
    assert state.bonuses == {"green": None, "blue": None, "orange": None}
    assert len(bag(state)) == 54
    assert state.counts[0].galaxy == parse_galaxy(MARTIN)


def test_tiles_and_bonus_tiles_return_for_the_next_round() -> None:
    driver = building("trou-noir").act(0, "leave T02").act(1, "leave T10")
    for seat, (text, out) in enumerate(((MARTIN, "T02/180 "), (OTHER, "T10/0 "))):
        driver.lay(seat, parse_galaxy(text.replace(out, ""), RING))
    driver.act(0, "grab green orange").act(1, "grab blue")
    assert [len(driver.count(seat).bonuses) for seat in (0, 1)] == [2, 1]
    assert driver.state.bonuses == {"green": None, "blue": None, "orange": None}
    assert driver.state.aside == (None, None)
    assert driver.state.card is None
    assert driver.state.cards == ("trou-noir",)
    assert driver.view(0).supply == ()
