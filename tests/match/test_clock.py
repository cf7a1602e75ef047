"""Turn clocks: none, per move, per game with increment; and what happens when time is up."""

from __future__ import annotations

import pytest

from tests.match.driver import LAWS, PEOPLE, Driver, started
from tests.match.galaxies import build, building
from tuilerie.games.game import Code, Json
from tuilerie.match import commands as c
from tuilerie.match import facts as f
from tuilerie.match.clock import (
    CLOSING,
    SeatClock,
    deadline,
    fresh,
    in_time,
    made_at,
    running,
    stopped,
)
from tuilerie.match.config import Clock, PerGame, PerMove
from tuilerie.match.ticks import bots_due, next_tick

ANA, BO = PEOPLE[:2]


def clock(driver: Driver, seat: int) -> SeatClock:
    assert driver.table.clock is not None
    return driver.table.clock[seat]


def deadlines(driver: Driver) -> list[int | None]:
    """When each seat's time is over, from now; as everybody sees it."""
    shown = driver.views[None].clock
    assert shown is not None
    return [None if each.deadline is None else each.deadline - driver.now for each in shown]


def table(rule: Clock, game: str = "genial", players: int = 2, **config: Json) -> Driver:
    return started(game, players, players, checks=LAWS, clock=rule, **config)


# --- as values ------------------------------------------------------------------------------------


def test_a_clock_per_move_restarts_with_each_decision() -> None:
    rule = PerMove(30)
    (idle,) = fresh(rule, 1)
    assert deadline(rule, idle) is None
    runs = running(idle, 1000)
    assert deadline(rule, runs) == 31_000
    assert running(runs, 2000) is runs
    assert stopped(rule, runs, 20_000, decided=True) == idle
    assert stopped(rule, idle, 20_000, decided=True) is idle


def test_a_clock_per_game_counts_down_and_gets_increments() -> None:
    rule = PerGame(60, 5)
    runs = running(fresh(rule, 1)[0], 1000)
    assert deadline(rule, runs) == 61_000
    assert stopped(rule, runs, 11_000, decided=True) == SeatClock(55_000)
    assert stopped(rule, runs, 11_000, decided=False) == SeatClock(50_000)
    assert stopped(rule, runs, 99_000, decided=True) == SeatClock(5_000)


@pytest.mark.parametrize(
    ("arrived", "pressed", "rtt", "good"),
    [
        (1000, None, None, True),
        (1001, 1000, None, False),  # a way that nobody has measured gives no grace
        (1080, 1000, 80, True),
        (1081, 1000, 80, False),
        (1150, 1000, 300, True),
        (1151, 1000, 300, False),
        (1080, 1001, 80, False),  # it was on its way in time, but was made too late
        (1080, None, 80, False),
        (1001, 900, -50, False),
    ],
)
def test_a_late_move_counts_only_within_its_round_trip(
    arrived: int, pressed: int | None, rtt: int | None, good: bool
) -> None:
    assert in_time(1000, arrived, pressed, rtt) is good


# --- per move -------------------------------------------------------------------------------------


def test_the_clock_of_the_seat_on_turn_runs() -> None:
    driver = table(PerMove(30))
    assert deadlines(driver) == [30_000, None]
    driver.move(0, after=12_000)
    assert deadlines(driver) == [None, 30_000]
    assert next_tick(driver.table) == driver.now + 30_000 + CLOSING


def test_without_a_clock_nothing_is_shown_or_due() -> None:
    driver = started("genial", checks=LAWS)
    assert driver.table.clock is None
    assert driver.views[0].clock is None
    assert next_tick(driver.table) is None
    assert driver.do(c.Tick(), after=10**9) == []


def test_when_time_is_up_a_bot_makes_this_move_only() -> None:
    driver = table(PerMove(30), level="random")
    assert driver.do(c.Tick(), after=30_000 + CLOSING - 1) == []
    assert driver.do(c.Tick(), after=1) == ["flagged"]
    assert bots_due(driver.table) == (0,)
    assert driver.table.bot_level(0) == "random"
    assert next_tick(driver.table) is None
    driver.refuses(c.Make(ANA, driver.bot_moves(0)), "time-is-up", Code.TOO_LATE)
    assert driver.let_bots_move(after=900)[0] == "entered"
    assert not driver.table.is_flagged(0)
    assert deadlines(driver) == [None, 30_000]
    driver.move(1)
    assert driver.move(0)[0] == "entered"


def test_a_late_move_counts_if_it_was_made_in_time() -> None:
    driver = table(PerMove(30))
    move, ends_at = driver.bot_moves(0), driver.now + 30_000
    driver.now = ends_at + 100
    driver.refuses(c.Make(ANA, move), "time-is-up", Code.TOO_LATE)
    driver.refuses(c.Make(ANA, move, pressed=ends_at + 1, rtt=120), "time-is-up")
    assert driver.make(0, move, pressed=ends_at, rtt=120)[0] == "entered"


def test_a_late_tick_makes_no_difference() -> None:
    driver = table(PerMove(30))
    driver.now += 31_000
    driver.refuses(c.Make(ANA, driver.bot_moves(0), pressed=driver.now, rtt=50), "time-is-up")
    assert driver.do(c.React(BO, "thinking")) == ["flagged", "reacted"]


def test_each_action_of_a_turn_has_its_own_time() -> None:
    """A seat that may act again at once gets new time."""
    driver = table(PerMove(30), players=1)
    driver.until(lambda table: table.can_take_back(0))
    assert driver.table.actors == (0,)
    assert deadlines(driver) == [30_000]


def test_bots_have_no_clock() -> None:
    driver = started("genial", 2, people=1, checks=LAWS, clock=PerMove(30))
    driver.move(0)
    assert deadlines(driver) == [None, None]


# --- per game -------------------------------------------------------------------------------------


def test_time_is_used_up_over_the_game() -> None:
    driver = table(PerGame(60, 5))
    driver.move(0, after=20_000)
    assert clock(driver, 0) == SeatClock(45_000)
    driver.move(1, after=1_000)
    assert deadlines(driver) == [45_000, None]
    assert clock(driver, 1) == SeatClock(64_000)


def test_when_the_time_for_the_game_is_up_a_bot_plays_the_rest() -> None:
    driver = table(PerGame(60))
    assert driver.do(c.Tick(), after=60_000 + CLOSING) == ["flagged", "taken-over"]
    assert driver.last(f.TakenOver) == f.TakenOver(driver.now, 0, "greedy", True)
    assert bots_due(driver.table) == (0,)
    assert clock(driver, 0) == SeatClock(0)
    driver.let_bots_move()
    driver.move(1)
    assert bots_due(driver.table) == (0,)
    driver.refuses(c.Make(ANA, driver.bot_moves(0)), "taken-over", Code.TOO_LATE)
    driver.do(c.Leave(ANA))
    assert driver.do(c.Return(ANA)) == ["returned"], "the seat is not handed back"


# --- where seats act together ---------------------------------------------------------------------


def test_all_clocks_run_if_all_may_act() -> None:
    driver = table(PerMove(30), "kaosmos", 3)
    assert deadlines(driver) == [None] * 3, "all read the card first"
    for person in PEOPLE[:3]:
        driver.do(c.SeeCount(person))
    assert deadlines(driver) == [30_000] * 3
    driver.move(1, after=10_000)
    assert deadlines(driver) == [20_000, None, 20_000]
    driver.move(0)
    driver.move(2)
    assert deadlines(driver) == [30_000] * 3, "the packets were passed on: another question"


def test_clocks_stop_while_a_timer_runs() -> None:
    driver = building(2, clock=PerMove(10), checks=LAWS)
    assert deadlines(driver) == [None, None]
    build(driver, 0)
    assert driver.do(c.Tick(), after=20_000) == []


def test_building_without_a_timer_is_one_decision() -> None:
    driver = building(2, seconds=None, clock=PerGame(60, 5), checks=LAWS, takeover_after=None)
    build(driver, 0)
    driver.now += 10_000
    assert deadlines(driver) == [50_000, 50_000]
    driver.make(0, "done")
    assert clock(driver, 0) == SeatClock(55_000)
    build(driver, 1)
    driver.make(1, "done", after=5_000)
    # The next round is dealt: everybody has a new decision, once they have seen the count.
    assert deadlines(driver) == [None, None]
    driver.do(c.SeeCount(PEOPLE[0]), after=30_000)
    assert deadlines(driver) == [55_000, None], "the count is on nobody's clock"
    driver.do(c.SeeCount(PEOPLE[1]), after=7_000)
    assert deadlines(driver) == [48_000, 50_000]


def test_a_bot_completes_the_galaxy_when_time_is_up() -> None:
    driver = building(2, seconds=None, clock=PerMove(60), checks=LAWS)
    build(driver, 1)
    driver.do(c.Tick(), after=60_000 + CLOSING)
    assert [driver.table.is_flagged(seat) for seat in (0, 1)] == [True, True]
    while driver.state.round == 1:
        assert driver.let_bots_move() or driver.tick()
    assert [driver.table.is_flagged(seat) for seat in (0, 1)] == [False, False]
    assert driver.tick() == ["count-ended"]
    assert deadlines(driver) == [60_000, 60_000]


# --- while no server runs -------------------------------------------------------------------------

HOUR = 3_600_000


@pytest.mark.parametrize("rule", [PerMove(60), PerGame(60, 5)])
def test_an_hour_of_downtime_is_not_charged_to_clocks(rule: Clock) -> None:
    driver = table(rule)
    driver.now += 10_000
    down = driver.now
    driver.now += HOUR
    assert driver.do(c.GiveBack(((down, driver.now),))) == ["interrupted"]
    assert [each for each in deadlines(driver) if each is not None] == [50_000]
    assert driver.do(c.Tick(), after=50_000 + CLOSING - 1) == []
    assert "flagged" in driver.do(c.Tick(), after=1)


def test_only_downtime_since_the_last_fact_is_given_back() -> None:
    driver = table(PerMove(60))
    start = driver.now
    driver.now += 10_000
    ended = driver.now
    driver.now += 5_000
    outages = ((start - HOUR, start - 1), (start - 1_000, ended))
    assert driver.do(c.GiveBack(outages)) == ["interrupted"]
    assert [each for each in deadlines(driver) if each is not None] == [55_000]
    assert driver.do(c.GiveBack(outages)) == [], "once"


def test_downtime_is_no_fact_where_nothing_is_due() -> None:
    driver = started("genial", 2, 2, checks=LAWS, takeover_after=None)
    driver.now += HOUR
    assert driver.do(c.GiveBack(((driver.now - HOUR, driver.now),))) == []


def test_downtime_stops_the_timer_of_a_galaxy() -> None:
    driver = building(2)
    before = driver.table.timer
    assert before is not None
    down = driver.now
    driver.now += HOUR
    assert driver.do(c.GiveBack(((down, driver.now),))) == ["interrupted"]
    after = driver.table.timer
    assert after is not None
    assert (after.starts_at, after.ends_at) == (before.starts_at + HOUR, before.ends_at + HOUR)


@pytest.mark.parametrize(
    ("pressed", "rtt", "made"),
    [
        (-30, 60, -30),  # believable
        (-61, 60, -60),  # not earlier than the way there and back
        (-10, 60, -18),  # not later than three tenths of it
        (50, 60, -18),  # not in the future
        (-400, 380, -150),  # never trusted further than 150 ms
        (None, 60, -18),
        (None, None, 0),
        (-50, None, 0),
        (-50, -7, 0),
    ],
)
def test_a_move_is_backdated_within_its_way_only(
    pressed: int | None, rtt: int | None, made: int
) -> None:
    arrived = 1_000_000
    pressed_at = None if pressed is None else arrived + pressed
    assert made_at(pressed_at, arrived, rtt) == arrived + made
