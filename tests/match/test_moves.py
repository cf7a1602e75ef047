"""Moves of persons and of bots, and the end of a game."""

from __future__ import annotations

import pytest

from tests.amounts import one_in
from tests.match.driver import LAWS, PEOPLE, Driver, started
from tests.match.galaxies import SLOTS, announced, build, building
from tuilerie import record
from tuilerie.codec import to_builtins
from tuilerie.games.game import Code, Refused
from tuilerie.match import commands as c
from tuilerie.match import facts as f
from tuilerie.match import moves
from tuilerie.match.config import Config
from tuilerie.match.evolve import evolve, fold
from tuilerie.match.table_record import record_of
from tuilerie.match.ticks import bots_due, bots_from, next_tick
from tuilerie.record import read_entry

ANA, BO = PEOPLE[:2]


def test_a_move_and_the_draw_after_it_are_one_batch() -> None:
    driver = started("genial", checks=LAWS)
    move = driver.bot_moves(0)
    assert driver.make(0, move, after=700) == ["entered", "entered"]
    action, draw = driver.table.entries[-2:]
    assert action == {"kind": "action", "seat": 0, "move": move, "ms": 700}
    assert (draw["kind"], draw["what"], draw["seat"], draw["ms"]) == ("chance", "draw", 0, 700)
    assert driver.table.actors == (1,)


def test_moves_need_a_game_in_play() -> None:
    driver = Driver("genial", Config(players=2))
    driver.sit(0, 1)
    driver.refuses(c.Make(ANA, "keep"), "not-started", Code.ILLEGAL)
    driver.refuses(c.BotMoved(0, "keep", 1), "not-started", Code.ILLEGAL)
    driver.refuses(c.Resign(ANA), "not-started", Code.ILLEGAL)
    driver.refuses(c.AskTakeback(ANA), "not-started", Code.ILLEGAL)
    driver.ready(0, 1)
    driver.do(c.Resign(ANA))
    driver.refuses(c.Make(BO, "keep"), "game-over", Code.OVER)
    driver.refuses(c.BotMoved(0, "keep", 1), "game-over", Code.OVER)
    driver.refuses(c.Resign(BO), "game-over", Code.OVER)
    driver.refuses(c.AskTakeback(BO), "game-over", Code.OVER)


def test_the_game_refuses_illegal_moves() -> None:
    driver = started("genial")
    driver.refuses(c.Make(BO, driver.bot_moves(0)), "not-your-turn", Code.NOT_YOUR_TURN)
    driver.refuses(c.Make(ANA, "hello"), "bad-move", Code.MALFORMED)
    tile = driver.state.hands[0][0]
    driver.refuses(c.Make(ANA, f"{tile} a1 a2"), "off-board", Code.ILLEGAL)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "players"),
    one_in(2, [("genial", 1), ("genial", 4), ("blockers", 3), ("kaosmos", 3)]),
)
def test_bots_play_a_game_to_its_end(game: str, players: int) -> None:
    """The table ends, and its record replays to the same result."""
    driver = Driver(game, Config(players=players, host=ANA), checks=LAWS)
    for seat in range(players):
        driver.do(c.AddBot(ANA, seat, "random"))
    driver.play_on()
    assert driver.facts[-1].kind == "finished"
    assert fold(driver.facts) == driver.table
    again = record.replay(record_of(driver.table))
    assert again.confirmed
    assert to_builtins(again.result) == to_builtins(driver.table.result)
    assert again.header.seats == tuple(f"random {seat + 1}" for seat in range(players))
    assert again.header.started == "2027-01-15T08:00:00Z"
    assert [played.ms for played in again.played] == [e["ms"] for e in driver.table.entries]
    assert next_tick(driver.table) is None
    assert bots_due(driver.table) == ()


def test_the_record_of_a_game_in_play_replays() -> None:
    driver = started("genial", seed=4)
    driver.until(lambda table: len(table.entries) == 8)
    again = record.replay(record_of(driver.table))
    assert not again.confirmed
    assert again.state == driver.state
    assert record_of(Driver("genial", Config(players=2)).table) == ""


def test_a_log_of_an_unknown_game_is_refused() -> None:
    with pytest.raises(f.BadFact, match="'chess'"):
        fold([f.Opened(0, "chess", 1, Config(players=2))])


def test_an_entry_of_unknown_kind_is_refused() -> None:
    driver = started("genial")
    with pytest.raises(Refused, match="bad-kind"):
        evolve(driver.table, f.Entered(driver.now, {"kind": "result"}))
    with pytest.raises(Refused):
        read_entry(driver.table.rules, {})


def test_a_log_begins_with_opened() -> None:
    with pytest.raises(AssertionError):
        fold([])
    with pytest.raises(AssertionError):
        evolve(None, f.Left(1, 0))


# --- bots -----------------------------------------------------------------------------------------


def test_a_bot_is_due_on_its_turn() -> None:
    driver = started("genial", 2, people=1)
    assert bots_due(driver.table) == ()
    assert driver.table.bot_level(0) is None
    driver.move(0)
    assert bots_due(driver.table) == (1,)
    assert bots_from(driver.table) == driver.table.at
    assert driver.let_bots_move(after=500)[0] == "entered"
    assert driver.table.actors == (0,)


def test_a_bots_move_is_stale_after_the_game_changed() -> None:
    driver = started("genial", 3, people=1)
    driver.move(0)
    seen, move = driver.table.number, driver.bot_moves(1)
    driver.refuses(c.BotMoved(1, move, seen - 1), "stale-move", Code.TOO_LATE)
    driver.do(c.React(ANA, "hello"))  # what is not the game does not make it stale
    driver.do(c.BotMoved(1, move, seen))
    driver.refuses(c.BotMoved(1, move, seen), "stale-move", Code.TOO_LATE)
    driver.refuses(c.BotMoved(0, move, driver.table.number), "not-a-bot", Code.TOO_LATE)
    driver.refuses(c.BotMoved(3, move, driver.table.number), "no-such-seat", Code.MALFORMED)
    driver.refuses(c.BotMoved(1, move, driver.table.number), "not-your-turn")


def test_in_simultaneous_play_only_a_bots_own_moves_make_it_stale() -> None:
    driver = announced(2, people=1)
    assert driver.table.timer is not None
    assert bots_from(driver.table) == driver.table.timer.starts_at > driver.now
    driver.now = bots_from(driver.table)
    seen, move = driver.table.number, driver.bot_moves(1)
    build(driver, 0)
    assert driver.do(c.BotMoved(1, move, seen)) == ["entered"]
    driver.refuses(c.BotMoved(1, move, seen), "stale-move")


def test_nobody_rearranges_tiles_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else one person could fill the disk. The game can still be played to its end."""
    monkeypatch.setattr(moves, "MOST_ACTIONS", 30)
    driver = building(seconds=None)
    tile = driver.state.hands[0].supply[0]
    for number in range(15):
        driver.make(0, f"put {tile} a1 {number % 2}")
        driver.make(0, f"put {tile} b2 {number % 2}")
    for move in (f"put {tile} a1 0", f"lift {tile}"):
        driver.refuses(c.Make(ANA, move), "too-many-changes", Code.TOO_LATE)
    free = [slot for slot in SLOTS if slot != "b2"]
    for slot, other in zip(free, driver.state.hands[0].supply, strict=True):
        driver.make(0, f"put {other} {slot} 0")
    driver.make(0, "done")
    build(driver, 1)
    driver.make(1, f"lift {driver.state.galaxies[1]['a1'][0]}")  # it has not acted as often
