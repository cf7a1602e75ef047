"""When the glass is empty: luck fills what is missing, in every shape."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.kaosmos.sitting import MARTIN, OTHER, Sitting, building, tiles_of
from tuilerie.games.game import Chance, Clock, Code, Json
from tuilerie.games.kaosmos.board import FREE, groups
from tuilerie.games.kaosmos.cards import CARDS
from tuilerie.games.kaosmos.events import (
    Counted,
    Filled,
    PhaseBegan,
    RoundBegan,
    TimeUp,
)
from tuilerie.games.kaosmos.notation import (
    CardTurned,
    Fill,
    parse_galaxy,
)

MINE = tiles_of(MARTIN)


def test_the_round_ends_when_the_glass_is_empty() -> None:
    sitting = building().lay(0, parse_galaxy(MARTIN)).lay(1, parse_galaxy(OTHER)).time()
    assert [type(event) for event in sitting.events] == [TimeUp, Counted, Counted, RoundBegan]
    assert sitting.markers(0) == (5, 4, 5, 2)


def test_what_is_not_laid_in_time_is_filled_by_luck() -> None:
    sitting = building().lay(0, parse_galaxy(MARTIN)).act(0, "done")
    galaxy = parse_galaxy(OTHER)
    last = {slot: galaxy.pop(slot) for slot in ("b3", "c3")}
    sitting.lay(1, galaxy).time()
    assert sitting.events == [TimeUp(), PhaseBegan("fill", (1,))]
    assert sitting.game.due(sitting.state)
    assert sitting.game.glass(sitting.state) is None
    assert sitting.refused((1, "put T16 b3 0"))[:2] == (Code.TOO_LATE, "building-over")
    fill = sitting.game.chance(sitting.state, lambda n: 0)
    assert isinstance(fill, Fill)
    assert [put[1] for put in fill.puts] == ["b3", "c3"]
    assert {put[0] for put in fill.puts} == {tile for tile, _ in last.values()}
    sitting.fill(1, ("T17", "b3", 3), ("T16", "c3", 1))
    assert sitting.events[0] == Filled(1, (), (("T17", "b3", 3), ("T16", "c3", 1)))
    filled = {**galaxy, "b3": ("T17", 3), "c3": ("T16", 1)}
    assert sitting.state.counts[1].galaxy == filled


def test_chance_fills_in_any_order_and_orientation() -> None:
    sitting = building()
    galaxy = parse_galaxy(OTHER)
    del galaxy["b3"], galaxy["c3"]
    sitting.lay(0, parse_galaxy(MARTIN)).lay(1, galaxy).time()
    seen = {sitting.game.chance(sitting.state, Random(seed).randrange) for seed in range(400)}
    assert len(seen) == 2 * 4 * 4


@pytest.mark.parametrize(
    ("entry", "rule", "params"),
    [
        (Fill("fill", 0, (("T16", "c3", 0),)), "not-due", {"what": "fill", "phase": "fill"}),
        (Fill("fill", 1, ()), "wrong-count", {"found": 0, "expected": 2}),
        (
            Fill("fill", 1, (("T16", "c3", 0), ("T16", "b3", 0))),
            "not-in-supply",
            {"tile": "T16", "seat": 1},
        ),
        (
            Fill("fill", 1, (("T01", "c3", 0), ("T16", "b3", 0))),
            "not-in-supply",
            {"tile": "T01", "seat": 1},
        ),
        (
            Fill("fill", 1, (("T17", "c3", 0), ("T16", "c3", 0))),
            "not-a-gap",
            {"slot": "c3", "seat": 1},
        ),
        (
            Fill("fill", 1, (("T17", "a1", 0), ("T16", "c3", 0))),
            "not-a-gap",
            {"slot": "a1", "seat": 1},
        ),
        (Fill("fill", 1, (("T17", "c3", 4), ("T16", "b3", 0))), "bad-turns", {"turns": 4}),
        (CardTurned("card", "breche"), "not-due", {"what": "card", "phase": "fill"}),
        (Clock(), "not-timed", {"phase": "fill"}),
    ],
)
def test_a_fill_lays_exactly_what_is_missing(
    entry: Chance | Clock, rule: str, params: Json
) -> None:
    galaxy = parse_galaxy(OTHER)
    del galaxy["b3"], galaxy["c3"]
    sitting = building().lay(0, parse_galaxy(MARTIN)).lay(1, galaxy).time()
    assert sitting.refused(entry) == (Code.ILLEGAL, rule, params)


def test_time_says_nothing_where_there_is_no_glass() -> None:
    sitting = Sitting(kaos=False, draft=False, seconds=None).draw(MINE, tiles_of(OTHER))
    assert sitting.game.glass(sitting.state) is None
    assert sitting.refused(Clock()) == (Code.ILLEGAL, "no-glass", {})


@pytest.mark.parametrize("seconds", [30, 45, 60, 90, 120])
def test_the_glass_runs_while_building(seconds: int) -> None:
    sitting = Sitting(kaos=False, draft=False, seconds=seconds)
    assert sitting.game.glass(sitting.state) is None
    sitting.draw(MINE, tiles_of(OTHER))
    assert sitting.game.glass(sitting.state) == seconds


# --- fills under the cards ------------------------------------------------------------------------


@pytest.mark.parametrize("card", [*CARDS, None])
def test_luck_completes_every_shape(card: str | None) -> None:
    pick = Random(str(card)).randrange
    sitting = building(card)
    sitting.act(0, "put T03 a1 0", "put T12 b1 0").time()
    sitting.enter(sitting.game.chance(sitting.state, pick))
    galaxy = sitting.state.galaxies[0]
    assert (galaxy["a1"], galaxy["b1"]) == (("T03", 0), ("T12", 0))  # what lay stays as it was
    assert sitting.state.is_complete(0)
    assert sitting.state.waiting == (1,)
    sitting.enter(sitting.game.chance(sitting.state, pick))
    assert sitting.state.phase in ("card", "draw", "ingerence", "transfert")


def test_a_fill_leaves_a_tile_set_aside_alone() -> None:
    sitting = building("trou-noir").act(0, "leave T47", "put T03 a1 0").time()
    fill = sitting.game.chance(sitting.state, lambda n: n - 1)
    sitting.enter(fill)
    assert sitting.state.aside[0] == "T47"
    assert "T47" not in [tile for tile, _ in sitting.state.galaxies[0].values()]
    assert sitting.state.hands[0].supply == ()


@pytest.mark.parametrize("card", ["univers-paralleles", "trou-noir"])
def test_luck_chooses_the_tile_left_out_where_nobody_did(card: str) -> None:
    out = set()
    for seed in range(60):
        sitting = building(card).time()
        sitting.enter(sitting.game.chance(sitting.state, Random(seed).randrange))
        (left,) = sitting.state.hands[0].supply
        assert sitting.state.supplies[0] == 1
        out.add(left)
    assert out == set(MINE)


def test_derive_takes_up_what_does_not_hang_together() -> None:
    sitting = building("derive")
    sitting.act(0, "put T03 a1 0", "put T12 a2 1", "put T49 d4 0", "put T14 e4 0", "put T02 i9 0")
    sitting.time()
    # Two groups of two: the one with the first slot in reading order stays.
    puts = (
        ("T49", "b1", 3),
        ("T14", "c1", 0),
        ("T02", "d1", 0),
        ("T06", "e1", 0),
        ("T26", "f1", 0),
        ("T46", "g1", 0),
        ("T47", "a3", 2),
    )
    sitting.fill(0, *puts)
    galaxy = sitting.state.galaxies[0]
    assert galaxy == {
        "a1": ("T03", 0),
        "a2": ("T12", 1),
        **{slot: (tile, turns) for tile, slot, turns in puts},
    }
    assert len(groups(galaxy)) == 1
    assert sitting.state.supplies[0] == 0


def test_derive_fills_only_beside_what_lies() -> None:
    sitting = building("derive").act(0, *(f"put {t} a{n} 0" for n, t in enumerate(MINE[:8], 1)))
    sitting.time()
    for slot, rule in (("c1", "not-a-gap"), ("a1", "not-a-gap"), ("b8", None)):
        entry = ((MINE[8], slot, 0),)
        if rule is None:
            sitting.fill(0, *entry)
        else:
            code, found, params = sitting.refused(Fill("fill", 0, entry))
            assert (code, found) == (Code.ILLEGAL, rule)
            assert params == {"slot": slot, "seat": 0}
    assert sitting.state.galaxies[0]["b8"] == (MINE[8], 0)


def test_derive_begins_anywhere_where_nothing_lies() -> None:
    sitting = building("derive").time()
    first = sitting.game.chance(sitting.state, lambda n: n - 1)
    assert isinstance(first, Fill)
    assert first.puts[0][1] == FREE.slots[-1]
    sitting.enter(first)
    assert sitting.state.is_complete(0)


def test_gyroscope_bloque_fills_without_turning() -> None:
    sitting = building("gyroscope-bloque").lay(1, parse_galaxy(OTHER)).time()
    fill = sitting.game.chance(sitting.state, lambda n: n - 1)
    assert isinstance(fill, Fill)
    assert {turns for _, _, turns in fill.puts} == {0}
    turned = tuple((tile, slot, 1) for tile, slot, _ in fill.puts)
    assert sitting.refused(Fill("fill", 0, turned))[:2] == (Code.ILLEGAL, "orientation-fixed")
    sitting.enter(fill)
