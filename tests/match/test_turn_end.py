"""The end of a turn: a turn can be held open, and its action undone until it ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.match.driver import LAWS, PEOPLE, Driver, started
from tests.match.galaxies import building
from tuilerie.games.game import Code, Json
from tuilerie.match import commands as c
from tuilerie.match import facts as f
from tuilerie.match.clock import CLOSING
from tuilerie.match.config import PerGame, PerMove
from tuilerie.match.table import MOST_BESIDE, Table
from tuilerie.match.table_record import record_of
from tuilerie.match.ticks import bots_due, next_tick
from tuilerie.match.view import view

ANA, BO = PEOPLE[:2]
HOLD = 3_000


def held(game: str = "blockers", people: int = 2, hold: int = HOLD, **config: Json) -> Driver:
    """A table where the first player has placed a tile and may still undo it."""
    driver = started(game, 2, people, checks=LAWS, options={"first": 0}, **config)
    move = driver.bot_moves(0)
    assert driver.do(c.Make(ANA, move, hold=hold)) == ["turn-held", "entered"]
    return driver


def reached(condition: Callable[[Table], bool], **config: Json) -> Driver:
    """A game of Génial! that is played well until the condition holds."""
    for seed in range(50):
        driver = started("genial", 2, 2, seed=seed, **config)
        while driver.table.result is None:
            if condition(driver.table):
                return driver
            (seat,) = driver.table.actors
            driver.make(seat, driver.bot_moves(seat, "greedy"))
    raise AssertionError("never reached")


@pytest.mark.parametrize("game", ["genial", "blockers"])
def test_tiles_are_drawn_when_the_turn_is_ended(game: str) -> None:
    driver = held(game)
    before = driver.state
    assert [driver.views[seat].can_undo for seat in (0, 1, None)] == [True, False, False]
    assert driver.views[1].held == driver.table.held, "others see that it can be undone"
    move = driver.table.entries[-1]["move"]
    driver.refuses(c.Make(BO, move), "turn-not-ended", Code.NOT_YOUR_TURN)
    assert driver.do(c.EndTurn(BO)) == []
    assert driver.do(c.EndTurn(ANA), after=500) == ["turn-ended", "entered"]
    assert driver.state.hands if game == "genial" else driver.state.racks
    assert driver.state != before
    assert driver.table.actors == (1,)
    assert driver.table.held is None
    driver.refuses(c.Undo(ANA), "no-undo", Code.TOO_LATE)
    assert driver.do(c.EndTurn(ANA)) == [], "it has ended: nothing happens"


def test_a_turn_ends_by_itself() -> None:
    driver = held()
    assert next_tick(driver.table) == driver.now + HOLD + CLOSING
    assert driver.do(c.Tick(), after=HOLD + CLOSING - 1) == []
    assert driver.do(c.Tick(), after=1) == ["turn-ended", "entered"]
    assert driver.table.actors == (1,)


@pytest.mark.parametrize("game", ["genial", "blockers"])
def test_the_action_can_be_undone_until_then(game: str) -> None:
    driver = held(game)
    entries = driver.table.entries
    driver.refuses(c.Undo(BO), "no-undo", Code.TOO_LATE)
    assert driver.do(c.Undo(ANA), after=HOLD) == ["taken-back"]
    assert driver.table.entries == entries[:-1]
    assert driver.table.actors == (0,)
    assert driver.views[0].held is None
    assert driver.do(c.Make(ANA, driver.bot_moves(0)))[0] == "entered"


def test_without_a_wish_a_turn_ends_at_once() -> None:
    driver = started("blockers", 2, 2, checks=LAWS, options={"first": 0})
    assert driver.move(0) == ["entered", "entered"]
    assert driver.table.actors == (1,)


def test_a_record_holds_nothing_of_it() -> None:
    driver = held()
    driver.do(c.Undo(ANA))
    driver.do(c.Make(ANA, driver.bot_moves(0), hold=HOLD))
    driver.do(c.EndTurn(ANA))
    quick = started("blockers", 2, 2, options={"first": 0})
    lines = record_of(driver.table).splitlines()
    assert len(lines) == len(record_of(quick.table).splitlines()) + 2
    assert all('"kind"' in line for line in lines[1:])
    assert "held" not in record_of(driver.table)


def test_bots_wait_for_the_end_of_a_turn() -> None:
    driver = held(people=1)
    assert bots_due(driver.table) == ()
    driver.do(c.EndTurn(ANA))
    assert bots_due(driver.table) == (1,)


@pytest.mark.parametrize("rule", [PerMove(20), PerGame(60, 5)])
def test_the_clock_runs_until_the_turn_ends(rule: PerMove | PerGame) -> None:
    driver = held(clock=rule)
    started_at = driver.table.clock[0].since  # type: ignore[index]
    assert started_at is not None
    driver.do(c.Undo(ANA), after=1_000)
    assert driver.table.clock[0].since == started_at  # type: ignore[index]
    driver.do(c.Make(ANA, driver.bot_moves(0), hold=HOLD), after=1_000)
    assert driver.table.clock[0].since == started_at  # type: ignore[index]
    assert driver.table.clock[1].since is None  # type: ignore[index]
    driver.do(c.EndTurn(ANA), after=1_000)
    own, other = driver.table.clock or ()
    assert own.since is None
    assert own.left == (None if isinstance(rule, PerMove) else 60_000 - 3_000 + 5_000)
    assert other.since == driver.now


def test_a_turn_ends_when_time_is_up() -> None:
    driver = held(clock=PerMove(20), hold=3_600_000)
    kinds = driver.do(c.Tick(), after=20_000 + CLOSING)
    assert kinds[:3] == ["flagged", "turn-ended", "entered"]
    assert driver.table.actors == (1,)


def test_a_turn_ends_when_a_bot_takes_over() -> None:
    driver = held(hold=3_600_000)
    driver.do(c.Leave(ANA))
    kinds = driver.tick()
    assert kinds[:2] == ["taken-over", "turn-ended"]
    assert driver.table.actors == (1,)


def test_downtime_does_not_end_a_turn() -> None:
    driver = held()
    down, back = driver.now, driver.now + 60_000
    driver.now = back
    assert driver.do(c.GiveBack(((down, back),))) == ["interrupted"]
    assert driver.table.held == replace(driver.table.held, ends_at=back + HOLD)  # type: ignore[type-var]
    assert driver.do(c.Undo(ANA)) == ["taken-back"]


def test_what_is_shown_cannot_be_undone() -> None:
    driver = reached(lambda table: table.game_state.phase == "swap")
    (seat,) = driver.table.actors
    assert driver.table.can_undo(seat), "the turn has not ended: the tile can be taken back"
    assert "turn-held" not in driver.do(c.Make(PEOPLE[seat], "swap", hold=HOLD))


def test_a_move_that_ends_the_game_ends_it() -> None:
    driver = started("blockers", 2, 2)
    while driver.table.result is None:
        (seat,) = driver.table.actors
        driver.do(c.Make(PEOPLE[seat], driver.bot_moves(seat), hold=HOLD))
        driver.do(c.EndTurn(PEOPLE[seat]))
    assert driver.table.held is None
    assert [fact.kind for fact in driver.facts[-2:]] == ["entered", "finished"]


def bonus(table: Table) -> bool:
    return bool(table.game_state.bonus) and table.game_state.phase == "place"


def test_within_a_turn_each_tile_can_be_undone() -> None:
    driver = reached(bonus)
    (seat,) = driver.table.actors
    assert view(driver.table, seat).can_undo
    assert driver.do(c.Undo(PEOPLE[seat])) == ["taken-back"]
    assert driver.table.actors == (seat,)


def test_with_a_clock_only_the_end_of_a_turn_can_be_undone() -> None:
    """Another action has renewed the time, and its increment must not be earned twice."""
    driver = reached(bonus, clock=PerGame(6_000, 5))
    (seat,) = driver.table.actors
    driver.refuses(c.Undo(PEOPLE[seat]), "no-undo")


def test_undoing_for_ever_does_not_fill_the_log() -> None:
    driver = held()
    driver.table = replace(driver.table, number=driver.table.number + MOST_BESIDE)
    driver.refuses(c.Undo(ANA), "too-many-changes")


def test_nobody_holds_a_galaxy() -> None:
    driver = building()
    tile = driver.state.hands[0].supply[0]
    assert driver.do(c.Make(ANA, f"put {tile} a1 0", hold=HOLD)) == ["entered"]


def test_resigning_ends_what_is_held() -> None:
    driver = held()
    assert driver.do(c.Resign(ANA)) == ["resigned", "finished"]
    assert driver.table.held is None


# --- hints ----------------------------------------------------------------------------------------


def test_a_hint_marks_the_game() -> None:
    driver = started("blockers", 3, 1, checks=LAWS, options={"first": 0})
    assert not driver.views[None].assisted
    assert driver.do(c.Hint(ANA)) == ["hinted"]
    assert driver.views[None].assisted
    assert driver.do(c.Hint(ANA)) == [], "once is enough"
    assert driver.last(f.Hinted).seat == 0
    driver.do(c.Make(ANA, driver.bot_moves(0), hold=HOLD))
    driver.refuses(c.Hint(ANA), "hint-not-now", Code.NOT_YOUR_TURN)


def test_there_are_no_hints_against_people() -> None:
    driver = started("blockers", 3, 2, options={"first": 0})
    driver.refuses(c.Hint(ANA), "no-hint", Code.ILLEGAL)
    driver.do(c.Resign(BO))
    driver.refuses(c.Hint(ANA), "no-hint", Code.ILLEGAL)
