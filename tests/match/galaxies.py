"""Kaosmos tables in the building phase, for tests of clocks and timers."""

from __future__ import annotations

from collections.abc import Sequence

from tests.match.driver import Check, Driver, started
from tuilerie.games.game import Json, Seat

PLAIN = {"kaos": False, "draft": False}
"""The game for beginners: nine tiles each, and building begins."""

SLOTS = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")


def announced(
    players: int = 2,
    people: int | None = None,
    seconds: int | None = 60,
    checks: Sequence[Check] = (),
    **config: Json,
) -> Driver:
    """A table where building was announced but has not started."""
    options = {**PLAIN, "seconds": seconds}
    people = players if people is None else people
    return started("kaosmos", players, people, checks=checks, options=options, **config)


def building(players: int = 2, seconds: int | None = 60, **config: Json) -> Driver:
    """A table where building has just started."""
    driver = announced(players, seconds=seconds, **config)
    if driver.table.timer is not None:
        assert driver.tick() == ["timer-started"]
    return driver


def build(driver: Driver, *seats: Seat) -> None:
    """Complete the galaxies of these seats, in no time."""
    for seat in seats:
        for slot, tile in zip(SLOTS, driver.state.hands[seat].supply, strict=True):
            driver.make(seat, f"put {tile} {slot} 0")


def racing(players: int = 2, seconds: int | None = 60, **config: Json) -> Driver:
    """A table where all galaxies are complete and nobody has finished."""
    driver = building(players, seconds, **config)
    build(driver, *range(players))
    return driver
