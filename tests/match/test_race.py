"""Which moves race, and in which order they are decided."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.match.driver import LAWS, PEOPLE
from tests.match.galaxies import announced, building, racing
from tuilerie.games.game import Code
from tuilerie.match import commands as c
from tuilerie.match.race import drawn, is_racing, mover

ANA, BO, CY = PEOPLE[:3]


def test_the_order_is_drawn_by_lot() -> None:
    random = Random(3)
    orders = Counter(tuple(drawn("abc", random.randrange)) for _ in range(6_000))
    assert len(orders) == 6
    assert all(900 < count < 1_100 for count in orders.values()), orders


def test_a_grab_races() -> None:
    driver = racing(3)
    assert is_racing(driver.table, c.Make(ANA, "grab green"), 0)
    assert is_racing(driver.table, c.BotMoved(1, "grab green blue", 1), 1)


@pytest.mark.parametrize("move", ["done", "put 1 a1 0", "nonsense", "grab pink", "grab"])
def test_other_moves_do_not_race(move: str) -> None:
    assert not is_racing(racing(3).table, c.Make(ANA, move), 0)


def test_illegal_moves_do_not_race() -> None:
    driver = racing(3)
    driver.make(1, "grab green")
    assert not is_racing(driver.table, c.Make(ANA, "grab green"), 0)
    assert is_racing(driver.table, c.Make(ANA, "grab blue"), 0)


def test_nothing_races_before_the_timer_starts() -> None:
    """Else the time of a refusal would depend on tiles that lie face down."""
    assert not is_racing(announced(2).table, c.Make(ANA, "grab green"), 0)
    assert not is_racing(building(2).table, c.Make(ANA, "done"), 0)


def test_the_last_done_races_with_seats_that_may_take_a_bonus_tile() -> None:
    driver = racing(2)
    driver.make(0, "done")
    assert is_racing(driver.table, c.Make(BO, "done"), 1)
    driver = racing(2)
    driver.make(0, "grab green")
    assert not is_racing(driver.table, c.Make(BO, "done"), 1), "nobody could take one"


def test_only_moves_have_a_mover() -> None:
    table = racing(2).table
    assert mover(table, c.Make(BO, "done")) == 1
    assert mover(table, c.BotMoved(0, "done", 1)) == 0
    assert mover(table, c.Make("nobody", "done")) is None
    assert mover(table, c.Tick()) is None


def test_the_first_gets_the_tile_and_the_others_play_on() -> None:
    driver = racing(2, checks=LAWS)
    assert driver.make(0, "grab green") == ["entered"]
    driver.refuses(c.Make(BO, "grab green"), "bonus-taken", Code.TOO_LATE)
    driver.refuses(c.Make(ANA, "done"), "locked", Code.TOO_LATE)
    assert driver.table.actors == (1,)
    assert driver.make(1, "grab blue")[0] == "entered"
