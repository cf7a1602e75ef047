"""Leaving and returning, and the bot that takes over."""

from __future__ import annotations

from tests.match.driver import LAWS, PEOPLE, Driver, started
from tuilerie.games.game import Code, Json
from tuilerie.match import commands as c
from tuilerie.match import facts as f
from tuilerie.match.config import Config
from tuilerie.match.ticks import bots_due, next_tick

ANA, BO, CY = PEOPLE[:3]


def table(players: int = 3, people: int = 3, **config: Json) -> Driver:
    config.setdefault("takeover_after", 60)
    return started("genial", players, people, checks=LAWS, **config)


def test_a_bot_takes_over_for_a_person_away_too_long() -> None:
    driver = table(level="random")
    assert driver.do(c.Leave(ANA)) == ["left"]
    assert driver.do(c.Leave(ANA), after=5) == []
    assert driver.views[1].seats[0].away
    assert next_tick(driver.table) == driver.now - 5 + 60_000
    assert bots_due(driver.table) == ()
    assert driver.tick() == ["taken-over"]
    assert driver.last(f.TakenOver) == f.TakenOver(driver.now, 0, "random", False)
    assert bots_due(driver.table) == (0,)
    assert next_tick(driver.table) is None
    assert driver.let_bots_move()[0] == "entered"


def test_a_returning_person_gets_the_seat_back() -> None:
    driver = table()
    driver.do(c.Leave(ANA))
    driver.tick()
    seen, move = driver.table.number, driver.bot_moves(0)
    assert driver.do(c.Return(ANA)) == ["returned", "handed-back"]
    driver.refuses(c.BotMoved(0, move, seen), "not-a-bot", Code.TOO_LATE)
    assert driver.make(0, move)[0] == "entered"
    assert driver.do(c.Return(ANA)) == []


def test_a_person_back_in_time_keeps_the_seat() -> None:
    driver = table()
    driver.do(c.Leave(ANA))
    assert driver.do(c.Return(ANA), after=59_000) == ["returned"]
    assert next_tick(driver.table) is None


def test_any_action_marks_a_person_as_back() -> None:
    driver = table()
    driver.do(c.Leave(ANA))
    driver.tick()
    assert driver.move(0)[:3] == ["returned", "handed-back", "entered"]
    driver.do(c.Leave(BO))
    assert driver.do(c.React(BO, "hello")) == ["returned", "reacted"]


def test_bots_do_not_take_over_an_empty_table() -> None:
    """Both browsers are closed, and the game continues the next day."""
    driver = table(2, 2)
    driver.do(c.Leave(ANA))
    driver.do(c.Leave(BO), after=30_000)
    assert next_tick(driver.table) is None
    assert driver.do(c.Tick(), after=24 * 3600 * 1000) == []
    assert driver.do(c.Return(BO)) == ["returned"]
    assert next_tick(driver.table) == driver.now + 60_000, "Ana has time from now on"
    assert driver.do(c.Return(ANA), after=50_000) == ["returned"]
    assert driver.move(0)[0] == "entered"


def test_a_person_who_resigned_does_not_count_as_waiting() -> None:
    driver = table()
    driver.do(c.Resign(CY))
    driver.do(c.Leave(ANA))
    driver.do(c.Leave(BO))
    assert next_tick(driver.table) is None


def test_without_takeover_nobody_is_replaced() -> None:
    driver = table(takeover_after=None)
    driver.do(c.Leave(ANA))
    assert next_tick(driver.table) is None


def test_before_the_start_an_absent_person_loses_the_seat() -> None:
    driver = Driver("genial", Config(players=3, takeover_after=60), checks=LAWS)
    driver.sit(0, 1)
    driver.ready(0, 1)
    driver.do(c.Leave(ANA))
    assert not driver.table.seats[0].ready
    assert driver.tick() == ["vacated"]
    assert driver.table.host == BO
    driver.do(c.Leave(BO))
    assert next_tick(driver.table) is None
    driver.do(c.Sit(CY, 2, "Cy"), after=10**9)
    assert next_tick(driver.table) == driver.now + 60_000


def test_a_person_who_left_is_not_ready() -> None:
    driver = Driver("genial", Config(players=2), checks=LAWS)
    driver.sit(0, 1)
    driver.ready(0)
    driver.do(c.Leave(ANA))
    assert driver.do(c.SetReady(BO, True)) == ["readied"]
    assert driver.do(c.Begin(ANA))[:3] == ["returned", "readied", "started"]


def test_after_the_end_nobody_is_replaced() -> None:
    driver = table(2, 2)
    driver.do(c.Resign(ANA))
    assert driver.do(c.Leave(ANA)) == ["left"]
    assert next_tick(driver.table) is None
