"""The timer of Kaosmos: announced ahead, the same for all, fair to slow connections."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.match.driver import LAWS, PEOPLE, Driver, as_bytes, started
from tests.match.galaxies import announced, build, building, racing
from tuilerie.games.game import Code, Json
from tuilerie.match import commands as c
from tuilerie.match import facts as f
from tuilerie.match.evolve import evolve
from tuilerie.match.table import Table, TimerState
from tuilerie.match.ticks import bots_due, next_tick
from tuilerie.match.view import table_event, view

ANA, BO = PEOPLE[:2]


def ends_at(driver: Driver) -> int:
    assert driver.table.timer is not None
    return driver.table.timer.ends_at


def any_put(driver: Driver, seat: int, slot: str = "a1") -> str:
    return f"put {driver.state.hands[seat].supply[0]} {slot} 0"


def test_a_timer_is_announced_three_seconds_ahead() -> None:
    driver = announced(checks=LAWS)
    turned = driver.last(f.TimerAnnounced)
    assert turned == f.TimerAnnounced(driver.now, driver.now + 3000, driver.now + 63_000)
    assert driver.views[None].timer == TimerState(turned.starts_at, turned.ends_at, started=False)


def test_moves_before_the_timer_starts_are_refused() -> None:
    driver = announced(2, people=1)
    driver.now += 2999
    refused = driver.refuses(c.Make(ANA, any_put(driver, 0)), "not-yet", Code.NOT_YOUR_TURN)
    assert refused.params == {"ms": 1}
    driver.refuses(c.BotMoved(1, any_put(driver, 1), driver.table.number), "not-yet")
    assert driver.make(0, any_put(driver, 0), after=1) == ["timer-started", "entered"]


@pytest.mark.parametrize(
    "options",
    [
        {"kaos": False},  # the last three of a draft are taken unseen
        {"kaos": False, "draft": False},
    ],
)
def test_tiles_lie_face_down_until_the_timer_starts(options: Mapping[str, Json]) -> None:
    driver = started("kaosmos", 3, 3, options=options, checks=LAWS)
    driver.until(lambda table: table.timer is not None)
    shown = {seat: view(driver.table, seat) for seat in driver.viewers}
    assert {each.play.phase for each in shown.values()} == {"ready"}
    for seat in range(3):
        play = shown[seat].play
        assert (play.supply, play.legal, play.actors) == ((), (), ())
        assert play.supplies == (9, 9, 9), "that they lie there is seen"
        sent = as_bytes([shown[seat], [table_event(*step[1:], seat) for step in steps_of(driver)]])
        unseen = set(driver.state.hands[seat].supply) - {
            tile for tiles in driver.state.hands[seat].seen for tile in tiles
        }
        assert unseen, "some tiles the seat has never seen"
        assert not [tile for tile in unseen if tile.encode() in sent]
    assert next_tick(driver.table) == driver.table.timer.starts_at  # type: ignore[union-attr]
    assert driver.tick() == ["timer-started"]
    for seat in range(3):
        play = driver.views[seat].play
        assert play.phase == "building"
        assert play.supply == driver.state.hands[seat].supply
        assert play.legal


def steps_of(driver: Driver) -> list[tuple[Table, f.Fact, Table]]:
    """Each fact between the tables before and after it."""
    table, steps = evolve(None, driver.facts[0]), []
    for fact in driver.facts[1:]:
        before, table = table, evolve(table, fact)
        steps.append((before, fact, table))
    return steps


def test_resigning_does_not_turn_tiles_face_down() -> None:
    for driver in (announced(checks=LAWS), building(checks=LAWS)):
        driver.do(c.Resign(BO))
        assert driver.table.result is not None
        assert not driver.table.is_face_down
        play = driver.views[0].play
        assert (play.phase, len(play.supply)) == ("building", 9), "the game lies open as it was"


def test_a_timer_that_starts_late_ends_later() -> None:
    """After a restart of the server tiles are turned up with the whole time left."""
    driver = announced(checks=LAWS)
    assert driver.do(c.Tick(), after=100_000) == ["timer-started"]
    assert driver.table.timer == TimerState(driver.now, driver.now + 60_000, started=True)
    assert driver.make(0, any_put(driver, 0), after=59_000) == ["entered"]


def test_bots_do_not_think_before_the_timer_starts() -> None:
    driver = announced(2, people=1)
    assert bots_due(driver.table) == ()
    driver.tick()
    assert bots_due(driver.table) == (1,)


def test_without_a_timer_tiles_are_seen_at_once() -> None:
    driver = announced(seconds=None)
    assert view(driver.table, 0).play.supply == driver.state.hands[0].supply


@pytest.mark.parametrize(
    ("late", "pressed", "rtt", "taken"),
    [
        (0, None, None, True),
        (1, None, None, False),
        (100, -1, 100, True),
        (100, 0, 100, True),
        (100, 1, 100, False),
        (101, 0, 100, False),
        (150, 0, 400, True),
        (150, 1, 400, False),
        (151, -500, 400, False),  # the longest grace
        (150, None, 500, True),  # no way there is shorter than three tenths of both
        (100, None, 200, False),
    ],
)
def test_a_move_made_in_time_may_arrive_a_little_late(
    late: int, pressed: int | None, rtt: int | None, taken: bool
) -> None:
    driver = building()
    driver.now = ends_at(driver) + late
    pressed_at = None if pressed is None else ends_at(driver) + pressed
    command = c.Make(ANA, any_put(driver, 0), pressed_at, rtt)
    if taken:
        assert driver.do(command) == ["entered"]
    else:
        driver.refuses(command, "time-is-up", Code.TOO_LATE)


def test_a_timed_phase_closes_a_quarter_of_a_second_after_its_end() -> None:
    driver = building(checks=LAWS)
    build(driver, 0)
    assert next_tick(driver.table) == ends_at(driver) + 250
    driver.now = ends_at(driver)
    assert driver.do(c.Tick(), after=249) == []
    kinds = driver.do(c.Tick(), after=1)
    entries = [fact.entry for fact in driver.facts if isinstance(fact, f.Entered)]
    closed = next(at for at, entry in enumerate(entries) if entry["kind"] == "clock")
    assert entries[closed]["ms"] == 3000 + 60_000 + 250
    assert entries[closed + 1]["what"] == "fill"
    assert kinds[-1] == "count-began", "the next round waits until all have seen the count"
    assert driver.do(c.SeeCount(ANA), after=20_000) == ["count-seen"]
    seen = driver.do(c.SeeCount(BO), after=20_000)
    assert seen == ["count-seen", "count-ended", "timer-announced"]
    assert ends_at(driver) == driver.now + 3_000 + 60_000


def test_the_first_card_is_read_before_the_timer_is_announced() -> None:
    driver = started("kaosmos", 2, 2, options={"draft": False}, checks=LAWS)
    assert driver.views[None].play.card is not None
    assert driver.table.count is not None
    assert driver.table.timer is None
    assert driver.do(c.SeeCount(ANA), after=20_000) == ["count-seen"]
    seen = driver.do(c.SeeCount(BO), after=20_000)
    assert seen == ["count-seen", "count-ended", "timer-announced"]


def test_a_timer_stops_when_all_have_finished() -> None:
    driver = racing(checks=LAWS)
    first = ends_at(driver)
    driver.make(0, "done")
    assert driver.table.timer is not None
    assert driver.make(1, "grab green")[-1] == "count-began"
    assert driver.table.timer is None
    assert driver.tick() == ["count-ended", "timer-announced"], "nobody waits for ever"
    assert ends_at(driver) > first


def test_a_late_tick_makes_no_difference() -> None:
    driver = building()
    late = c.Make(ANA, any_put(driver, 0))
    driver.now = ends_at(driver) + 250
    # The next round has begun by then, and has not started.
    driver.refuses(late, "not-yet")
    assert driver.do(c.React(BO, "oops"))[-1] == "reacted"
    assert driver.state.round == 2


def test_a_table_can_play_without_a_timer() -> None:
    driver = building(seconds=None, checks=LAWS)
    assert driver.table.timer is None
    assert driver.make(0, any_put(driver, 0)) == ["entered"]
    assert next_tick(driver.table) is None
