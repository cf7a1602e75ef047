"""The race for bonus tiles: fair to slow ways, the same for every node and every replay."""

from __future__ import annotations

from random import Random

import pytest

from tests.match.driver import LAWS, PEOPLE, Driver, as_bytes, started
from tests.match.galaxies import PLAIN, racing
from tuilerie.games.game import Code
from tuilerie.match import commands as c
from tuilerie.match import facts as f
from tuilerie.match.config import PerGame
from tuilerie.match.evolve import evolve, fold
from tuilerie.match.race import HOLD, Claim, in_order, made_at
from tuilerie.match.ticks import bots_due, next_tick
from tuilerie.match.view import event, view

ANA, BO, CY = PEOPLE[:3]
WON = ("claim-settled", "entered")


# --- when a move was made -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pressed", "rtt", "made"),
    [
        (-30, 60, -30),  # believable
        (-59, 60, -59),
        (-61, 60, -60),  # not earlier than the way there and back
        (-10, 60, -18),  # not later than three tenths of it
        (50, 60, -18),  # not in the future
        (-200, 180, -120),  # never trusted further than 120 ms
        (-100, 180, -100),
        (None, 60, -18),
        (None, None, 0),
        (-50, None, 0),
        (-50, 0, 0),
        (-50, -7, 0),
        (-10, 500, -120),  # a way so slow that all that is trusted is still too little
        (None, 500, -120),
    ],
)
def test_a_claim_counts_from_when_it_was_made(
    pressed: int | None, rtt: int | None, made: int
) -> None:
    arrived = 1_000_000
    told = None if pressed is None else arrived + pressed
    assert made_at(told, arrived, rtt) == arrived + made


def claim(seat: int, made: int, number: int = 7) -> Claim:
    return Claim(number, seat, "grab green", None, made, None)


def test_equal_times_go_by_seat_from_one_that_the_log_decides() -> None:
    """No seat is always first: the number of the first claim turns the order."""
    for number in range(8):
        claims = tuple(claim(seat, 50, number + seat) for seat in range(4))
        order = [each.seat for each in in_order(claims, 4)]
        assert order == [(number + step) % 4 for step in range(4)]


def test_earlier_goes_before_any_seat() -> None:
    claims = (claim(0, 52), claim(1, 50), claim(2, 51))
    assert [each.seat for each in in_order(claims, 3)] == [1, 2, 0]


# --- fairness: four players with ways of 20, 50, 90 and 180 ms ------------------------------------

RTTS = (20, 50, 90, 180)


def race(random: Random, apart: float, hold: int | None, cheat: int | None) -> tuple[int, int]:
    """Who pressed first and who won, in one race with jittered, lopsided ways and device clocks
    that are a little wrong. `hold` `None`: by arrival alone."""
    pressed = [random.expovariate(1 / apart) for _ in RTTS]
    claims = []
    for seat, rtt in enumerate(RTTS):
        way = rtt * random.uniform(0.4, 0.6) + random.expovariate(10 / rtt)
        arrived = pressed[seat] + way
        told = arrived - 10_000 if seat == cheat else pressed[seat] + random.gauss(0, 10)
        trusted = (None, None) if hold is None else (int(told), rtt)
        claims.append(Claim(1, seat, "grab green", trusted[0], int(arrived), trusted[1]))
    opened = min(each.arrived for each in claims)
    held = tuple(each for each in claims if each.arrived <= opened + (hold or 0))
    return pressed.index(min(pressed)), next(iter(in_order(held, len(RTTS)))).seat


def rates(apart: float, hold: int | None = HOLD, cheat: int | None = None) -> tuple[float, ...]:
    """How often the true first wins, and each seat's share of wins."""
    random, races = Random(7), 4000
    found = [race(random, apart, hold, cheat) for _ in range(races)]
    right = sum(first == winner for first, winner in found) / races
    wins = (sum(winner == seat for _, winner in found) / races for seat in range(len(RTTS)))
    return (right, *wins)


@pytest.mark.parametrize(
    ("apart", "right", "share"), [(60, 0.8, 0.19), (200, 0.92, 0.21)], ids=["close", "apart"]
)
def test_the_first_to_press_wins_wherever_they_live(
    apart: float, right: float, share: float
) -> None:
    ours, by_arrival = rates(apart), rates(apart, hold=None)
    assert ours[0] > right > by_arrival[0] + 0.15
    assert ours[4] > share > by_arrival[4] + 0.1, "the slowest way wins about its quarter"


def test_the_hold_is_as_long_as_it_helps() -> None:
    short, ours, long = (rates(60, hold=hold)[0] for hold in (60, HOLD, 180))
    assert ours > short + 0.05
    assert abs(long - ours) < 0.02


@pytest.mark.parametrize("cheat", [0, 3])
def test_a_cheat_gains_little(cheat: int) -> None:
    """Who always says the earliest time does not win half as often again as is fair on a fast way,
    nor more than two races in five on a slow one."""
    assert rates(60, cheat=cheat)[1 + cheat] < (0.375, 0, 0, 0.4)[cheat]


# --- at the table ---------------------------------------------------------------------------------


def grab(driver: Driver, seat: int, colours: str, pressed: int = 0, rtt: int = 200) -> list[str]:
    """A grab that was made so many ms before now."""
    return driver.make(seat, f"grab {colours}", 0, driver.now - pressed, rtt)


def test_a_grab_is_held_then_granted() -> None:
    driver = racing(checks=LAWS)
    assert grab(driver, 0, "green") == ["claimed"]
    assert driver.state.bonuses["green"] is None
    assert next_tick(driver.table) == driver.now + 120
    assert driver.do(c.Tick(), after=119) == []
    assert driver.do(c.Tick(), after=1) == ["claim-settled", "entered"]
    assert driver.state.bonuses["green"] == 0
    assert driver.table.claims == ()


def test_who_pressed_first_gets_it_though_it_arrived_later() -> None:
    driver = racing(3, checks=LAWS)
    grab(driver, 0, "green", pressed=60)
    driver.now += 50
    grab(driver, 1, "green blue", pressed=115)
    driver.now += 50
    grab(driver, 2, "orange", pressed=60)
    assert driver.tick() == [*WON, "claim-settled", *WON]
    assert driver.state.bonuses == {"green": 1, "blue": 1, "orange": 2}
    lost = next(x for x in driver.facts if isinstance(x, f.ClaimSettled) and not x.won)
    assert (lost.seat, lost.rule) == (0, "bonus-taken")
    assert lost.params == {"colours": ["green"], "by": [1]}


def test_who_loses_is_not_locked() -> None:
    driver = racing(checks=LAWS)
    grab(driver, 0, "green", pressed=100)
    grab(driver, 1, "green", pressed=90)
    driver.tick()
    assert driver.state.bonuses["green"] == 0
    assert driver.table.actors == (1,)
    assert grab(driver, 1, "blue") == ["claimed"]
    driver.refuses(c.Make(ANA, "done"), "locked", Code.TOO_LATE)


def test_who_is_done_takes_part_in_the_race() -> None:
    driver = racing(3, checks=LAWS)
    driver.make(0, "done")
    grab(driver, 1, "green", pressed=20)
    grab(driver, 0, "green blue", pressed=50)
    assert driver.tick() == [*WON, "claim-settled"]
    assert driver.state.bonuses == {"green": 0, "blue": 0, "orange": None}
    driver.refuses(c.Make(ANA, "grab orange"), "locked", Code.TOO_LATE)


@pytest.mark.parametrize(("pressed", "bonus"), [(90, 0), (0, None)])
def test_the_last_done_waits_for_a_grab_that_was_made_before_it(
    pressed: int, bonus: int | None
) -> None:
    """Who is done may reach for a bonus tile at the moment at which another ends the round."""
    driver = racing(checks=LAWS)
    driver.make(0, "done")
    assert driver.make(1, "done", 0, driver.now - 60, 200) == ["claimed"]
    driver.refuses(c.Make(BO, "done"), "claim-pending")
    driver.now += 10
    grab(driver, 0, "green", pressed=10 + pressed)
    driver.tick()
    assert driver.state.round == 2
    taken = [bet.colour for bet in driver.state.counts[0].bonuses]
    assert taken == ([] if bonus is None else ["green"])
    settled = [fact for fact in driver.facts if isinstance(fact, f.ClaimSettled)]
    assert {fact.seat: fact.won for fact in settled} == {0: bonus is not None, 1: True}
    lost = [fact.rule for fact in settled if not fact.won]
    assert lost == ([] if bonus is not None else ["building-over"])


def test_the_last_done_waits_for_nobody_who_could_take_nothing() -> None:
    driver = racing(checks=LAWS)
    grab(driver, 0, "green")
    driver.tick()
    assert "claimed" not in driver.make(1, "done")
    assert driver.state.round == 2


def test_a_last_done_that_was_made_in_time_costs_nobody_the_game() -> None:
    """It is settled after the moment at which the clock would have been over."""
    driver = racing(seconds=None, clock=PerGame(60), checks=LAWS)
    driver.make(0, "done")
    over = driver.table.clock[1].since + 60_000  # type: ignore[index,operator]
    driver.now = over + 140
    assert driver.make(1, "done", 0, over - 5, 150) == ["claimed"]
    driver.tick()
    assert driver.state.round == 2
    assert driver.table.seats[1].bot is None


def test_while_a_claim_stands_the_seat_waits() -> None:
    driver = racing()
    grab(driver, 0, "green")
    driver.refuses(c.Make(ANA, "done"), "claim-pending", Code.NOT_YOUR_TURN)
    driver.refuses(c.Make(ANA, "grab blue"), "claim-pending", Code.NOT_YOUR_TURN)
    assert driver.make(1, "done") == ["entered"]
    assert driver.tick()[:2] == ["claim-settled", "entered"]
    assert driver.state.round == 2


def test_what_is_not_allowed_is_refused_at_once() -> None:
    driver = racing(3)
    driver.refuses(c.Make(BO, "grab pink"), "bad-move")
    grab(driver, 1, "green")
    driver.tick()
    driver.refuses(c.Make(CY, "grab green"), "bonus-taken", Code.TOO_LATE)


def test_a_claim_after_the_hold_is_another_race() -> None:
    """However late the tick is, and whatever the claim says."""
    driver = racing()
    grab(driver, 0, "green", pressed=0)
    driver.now += 121
    driver.refuses(c.Make(BO, "grab green", driver.now - 120, 500), "bonus-taken")
    assert grab(driver, 1, "blue") == ["claim-settled", "entered", "claimed"]


def test_a_claim_made_in_time_is_settled_before_the_glass_is_closed() -> None:
    driver = racing(checks=LAWS)
    assert driver.table.glass is not None
    ends_at = driver.table.glass.ends_at
    driver.now = ends_at + 150
    driver.make(0, "grab green", 0, ends_at, 400)
    assert next_tick(driver.table) == ends_at + 270
    assert driver.do(c.Tick(), after=119) == []
    kinds = driver.do(c.Tick(), after=1)
    assert kinds[:3] == ["claim-settled", "entered", "entered"]
    entries = driver.table.entries
    assert [entry["kind"] for entry in entries if entry["kind"] != "chance"][-2:] == [
        "action",
        "clock",
    ]


def test_without_a_glass_the_race_is_the_same() -> None:
    driver = racing(seconds=None, checks=LAWS)
    grab(driver, 0, "green", pressed=60)
    driver.now += 50
    grab(driver, 1, "green", pressed=119)
    assert driver.tick() == ["claim-settled", "entered", "claim-settled"]
    assert driver.state.bonuses["green"] == 1


def test_bots_race_as_people_do() -> None:
    options = {**PLAIN, "seconds": None}
    driver = started("kaosmos", 2, people=1, options=options, checks=LAWS)
    while not driver.state.is_complete(1):
        driver.let_bots_move()
    assert driver.do(c.BotMoved(1, "grab green", driver.table.number)) == ["claimed"]
    assert bots_due(driver.table) == ()
    driver.refuses(c.BotMoved(1, "done", driver.table.number), "claim-pending")
    assert driver.last(f.Claimed) == f.Claimed(driver.now, 1, "grab green", None, driver.now, None)
    driver.tick()
    assert driver.state.bonuses["green"] == 1


def test_a_claim_is_quiet_to_others_until_it_is_settled() -> None:
    """Nobody can press because another did: they do not hear who claimed what."""
    driver = racing(3)
    heard = []
    for seat, colours in ((0, "green"), (1, "blue orange")):
        claimed = f.Claimed(driver.now, seat, f"grab {colours}", None, driver.now, 7)
        after = evolve(driver.table, claimed)
        heard.append(as_bytes(event(driver.table, claimed, after, 2)))
        assert view(after, 2).claim is None
        assert view(after, None).claim is None
        assert view(after, seat).claim == f"grab {colours}"
        assert event(driver.table, claimed, after, seat).kind == "claimed"
    assert heard[0] == heard[1]
    assert b"quiet" in heard[0]


def test_a_race_is_settled_alike_by_every_replay() -> None:
    """The log alone decides: a table that was folded from its JSON settles to the same facts."""
    driver = racing(4)
    for seat, ago in enumerate((40, 90, 90, 10)):
        grab(driver, seat, "green orange" if seat % 2 else "green", pressed=ago)
        driver.now += 7
    again = racing(4)
    again.table = fold(f.from_json(f.to_json(fact)) for fact in driver.facts)
    again.now = driver.now
    assert driver.tick() == again.tick()
    assert driver.table == again.table
    assert driver.state.bonuses["green"] is not None
