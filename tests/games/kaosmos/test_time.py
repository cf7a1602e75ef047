"""Time up: gaps are filled at random, in every shape."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.kaosmos.driver import MARTIN, OTHER, GameDriver, building, tiles_of
from tuilerie.games.game import Chance, Code, Json, Timeout
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


def test_building_ends_when_time_is_up() -> None:
    driver = building().lay(0, parse_galaxy(MARTIN)).lay(1, parse_galaxy(OTHER)).time()
    assert [type(event) for event in driver.events] == [TimeUp, Counted, Counted, RoundBegan]
    assert driver.markers(0) == (5, 4, 5, 2)


def test_gaps_are_filled_at_random_when_time_is_up() -> None:
    driver = building().lay(0, parse_galaxy(MARTIN)).act(0, "done")
    galaxy = parse_galaxy(OTHER)
    last = {slot: galaxy.pop(slot) for slot in ("b3", "c3")}
    driver.lay(1, galaxy).time()
    assert driver.events == [TimeUp(), PhaseBegan("fill", (1,))]
    assert driver.game.due(driver.state)
    assert driver.game.timer(driver.state) is None
    assert driver.refused((1, "put T16 b3 0"))[:2] == (Code.TOO_LATE, "building-over")
    fill = driver.game.chance(driver.state, lambda n: 0)
    assert isinstance(fill, Fill)
    assert [put[1] for put in fill.puts] == ["b3", "c3"]
    assert {put[0] for put in fill.puts} == {tile for tile, _ in last.values()}
    driver.fill(1, ("T17", "b3", 3), ("T16", "c3", 1))
    assert driver.events[0] == Filled(1, (), (("T17", "b3", 3), ("T16", "c3", 1)))
    filled = {**galaxy, "b3": ("T17", 3), "c3": ("T16", 1)}
    assert driver.state.counts[1].galaxy == filled


def test_fill_uses_random_order_and_orientation() -> None:
    driver = building()
    galaxy = parse_galaxy(OTHER)
    del galaxy["b3"], galaxy["c3"]
    driver.lay(0, parse_galaxy(MARTIN)).lay(1, galaxy).time()
    seen = {driver.game.chance(driver.state, Random(seed).randrange) for seed in range(400)}
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
        (Timeout(), "not-timed", {"phase": "fill"}),
    ],
)
def test_a_fill_lays_exactly_what_is_missing(
    entry: Chance | Timeout, rule: str, params: Json
) -> None:
    galaxy = parse_galaxy(OTHER)
    del galaxy["b3"], galaxy["c3"]
    driver = building().lay(0, parse_galaxy(MARTIN)).lay(1, galaxy).time()
    assert driver.refused(entry) == (Code.ILLEGAL, rule, params)


def test_clock_is_refused_without_a_timer() -> None:
    driver = GameDriver(kaos=False, draft=False, seconds=None).draw(MINE, tiles_of(OTHER))
    assert driver.game.timer(driver.state) is None
    assert driver.refused(Timeout()) == (Code.ILLEGAL, "no-timer", {})


@pytest.mark.parametrize("seconds", [30, 45, 60, 90, 120])
def test_the_timer_runs_while_building(seconds: int) -> None:
    driver = GameDriver(kaos=False, draft=False, seconds=seconds)
    assert driver.game.timer(driver.state) is None
    driver.draw(MINE, tiles_of(OTHER))
    assert driver.game.timer(driver.state) == seconds


# --- fills under the cards ------------------------------------------------------------------------


@pytest.mark.parametrize("card", [*CARDS, None])
def test_random_fill_completes_every_shape(card: str | None) -> None:
    pick = Random(str(card)).randrange
    driver = building(card)
    driver.act(0, "put T03 a1 0", "put T12 b1 0").time()
    driver.enter(driver.game.chance(driver.state, pick))
    galaxy = driver.state.galaxies[0]
    assert (galaxy["a1"], galaxy["b1"]) == (("T03", 0), ("T12", 0))  # laid tiles stay
    assert driver.state.is_complete(0)
    assert driver.state.waiting == (1,)
    driver.enter(driver.game.chance(driver.state, pick))
    assert driver.state.phase in ("card", "draw", "ingerence", "transfert")


def test_fill_does_not_use_a_tile_set_aside() -> None:
    driver = building("trou-noir").act(0, "leave T47", "put T03 a1 0").time()
    fill = driver.game.chance(driver.state, lambda n: n - 1)
    driver.enter(fill)
    assert driver.state.aside[0] == "T47"
    assert "T47" not in [tile for tile, _ in driver.state.galaxies[0].values()]
    assert driver.state.hands[0].supply == ()


@pytest.mark.parametrize("card", ["univers-paralleles", "trou-noir"])
def test_fill_leaves_out_a_random_tile_by_default(card: str) -> None:
    out = set()
    for seed in range(60):
        driver = building(card).time()
        driver.enter(driver.game.chance(driver.state, Random(seed).randrange))
        (left,) = driver.state.hands[0].supply
        assert driver.state.supplies[0] == 1
        out.add(left)
    assert out == set(MINE)


def test_derive_takes_up_disconnected_tiles() -> None:
    driver = building("derive")
    driver.act(0, "put T03 a1 0", "put T12 a2 1", "put T49 d4 0", "put T14 e4 0", "put T02 i9 0")
    driver.time()
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
    driver.fill(0, *puts)
    galaxy = driver.state.galaxies[0]
    assert galaxy == {
        "a1": ("T03", 0),
        "a2": ("T12", 1),
        **{slot: (tile, turns) for tile, slot, turns in puts},
    }
    assert len(groups(galaxy)) == 1
    assert driver.state.supplies[0] == 0


def test_derive_fills_only_next_to_laid_tiles() -> None:
    driver = building("derive").act(0, *(f"put {t} a{n} 0" for n, t in enumerate(MINE[:8], 1)))
    driver.time()
    for slot, rule in (("c1", "not-a-gap"), ("a1", "not-a-gap"), ("b8", None)):
        entry = ((MINE[8], slot, 0),)
        if rule is None:
            driver.fill(0, *entry)
        else:
            code, found, params = driver.refused(Fill("fill", 0, entry))
            assert (code, found) == (Code.ILLEGAL, rule)
            assert params == {"slot": slot, "seat": 0}
    assert driver.state.galaxies[0]["b8"] == (MINE[8], 0)


def test_derive_starts_anywhere_without_laid_tiles() -> None:
    driver = building("derive").time()
    first = driver.game.chance(driver.state, lambda n: n - 1)
    assert isinstance(first, Fill)
    assert first.puts[0][1] == FREE.slots[-1]
    driver.enter(first)
    assert driver.state.is_complete(0)


def test_gyroscope_bloque_fills_without_turning() -> None:
    driver = building("gyroscope-bloque").lay(1, parse_galaxy(OTHER)).time()
    fill = driver.game.chance(driver.state, lambda n: n - 1)
    assert isinstance(fill, Fill)
    assert {turns for _, _, turns in fill.puts} == {0}
    turned = tuple((tile, slot, 1) for tile, slot, _ in fill.puts)
    assert driver.refused(Fill("fill", 0, turned))[:2] == (Code.ILLEGAL, "orientation-fixed")
    driver.enter(fill)
