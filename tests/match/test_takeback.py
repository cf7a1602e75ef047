"""Taking back: one's own last action, with everybody's consent, where nothing was revealed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.match.driver import LAWS, PEOPLE, Driver, started
from tests.match.galaxies import build, building
from tuilerie.games.game import Code
from tuilerie.match import commands as c
from tuilerie.match import evolve
from tuilerie.match import facts as f
from tuilerie.match.evolve import fold
from tuilerie.match.ticks import TAKEBACK_WAIT, bots_due, next_tick

ANA, BO, CY = PEOPLE[:3]


def takeable(players: int = 3, people: int = 3) -> tuple[Driver, int]:
    """A table whose last entry is an action of a person, who may ask to take it back."""
    driver = started("blockers", players, people)

    def found() -> int | None:
        seats = range(people)
        return next((seat for seat in seats if driver.table.can_take_back(seat)), None)

    while (seat := found()) is None:
        actor = driver.table.actors[0]
        if driver.table.bot_level(actor):
            driver.let_bots_move()
        else:
            driver.move(actor, after=100)
    driver.look(LAWS)  # from here on
    return driver, seat


def others(seat: int) -> list[int]:
    return [each for each in range(3) if each != seat]


def test_all_others_must_agree() -> None:
    driver, seat = takeable()
    before = driver.table.entries
    assert driver.views[seat].can_takeback
    assert driver.do(c.AskTakeback(PEOPLE[seat])) == ["takeback-asked"]
    shown = driver.views[None].takeback
    assert shown is not None
    assert (shown.seat, shown.agreed, list(shown.silent)) == (seat, (), others(seat))
    first, second = others(seat)
    assert driver.do(c.AnswerTakeback(PEOPLE[first], True)) == ["takeback-answered"]
    done = driver.do(c.AnswerTakeback(PEOPLE[second], True))
    assert done == ["takeback-answered", "taken-back"]
    assert driver.table.entries == before[:-1]
    assert driver.table.actors == (seat,)
    assert driver.table.takeback is None
    assert driver.move(seat)[0] == "entered"


def test_a_takeback_replays_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a log with many of them would take quadratic time to load."""
    driver, seat = takeable()
    log = driver.facts
    driver.do(c.AskTakeback(PEOPLE[seat]))
    for other in others(seat):
        driver.do(c.AnswerTakeback(PEOPLE[other], True))
    state, table = driver.state, driver.table
    assert fold(log).game_state == state
    replayed = evolve._replayed(table, table.entries)
    assert replayed == state, "the state that was kept is the one that a replay makes"
    monkeypatch.setattr(evolve, "_replayed", None)
    assert fold(log).game_state == state


def test_two_takebacks_in_a_row_replay_the_game() -> None:
    driver, _ = takeable()
    table = driver.table
    kept = evolve.evolve(table, f.TakenBack(table.at, len(table.entries) - 1))
    again = evolve.evolve(kept, f.TakenBack(table.at, len(kept.entries) - 1))
    assert again.game_state == evolve._replayed(table, table.entries[:-2])
    assert len(again.entries) == len(table.entries) - 2


def test_one_refusal_ends_a_takeback() -> None:
    driver, seat = takeable()
    before = driver.state
    driver.do(c.AskTakeback(PEOPLE[seat]))
    first, second = others(seat)
    assert driver.do(c.AnswerTakeback(PEOPLE[first], False)) == ["takeback-answered"]
    assert driver.table.takeback is None
    assert driver.state == before
    driver.refuses(c.AnswerTakeback(PEOPLE[second], True), "nothing-asked", Code.TOO_LATE)
    assert driver.do(c.AskTakeback(PEOPLE[seat])) == ["takeback-asked"], "one may ask again"


def test_no_answer_refuses_a_takeback() -> None:
    driver, seat = takeable()
    driver.do(c.AskTakeback(PEOPLE[seat]))
    driver.do(c.AnswerTakeback(PEOPLE[others(seat)[0]], True))
    assert next_tick(driver.table) == driver.now + TAKEBACK_WAIT
    assert driver.tick() == ["takeback-answered"]
    assert driver.last(f.TakebackAnswered).seat == others(seat)[1]
    assert driver.table.takeback is None


def test_moving_refuses_a_takeback() -> None:
    driver, seat = takeable()
    driver.do(c.AskTakeback(PEOPLE[seat]))
    driver.move(driver.table.actors[0])
    assert driver.table.takeback is None


def test_an_answer_without_a_request_is_refused() -> None:
    driver, seat = takeable()
    driver.refuses(c.AnswerTakeback(ANA, True), "nothing-asked")
    driver.do(c.AskTakeback(PEOPLE[seat]))
    driver.refuses(c.AnswerTakeback(PEOPLE[seat], True), "nothing-asked", Code.TOO_LATE)
    first = others(seat)[0]
    driver.refuses(c.AskTakeback(PEOPLE[seat]), "takeback-pending", Code.TOO_LATE)
    driver.refuses(c.AskTakeback(PEOPLE[first]), "takeback-pending", Code.TOO_LATE)
    driver.do(c.AnswerTakeback(PEOPLE[first], True))
    driver.refuses(c.AnswerTakeback(PEOPLE[first], True), "nothing-asked")


def before_a_bot() -> tuple[Driver, int]:
    """A table where one of two persons may take back, and a bot is next."""
    driver, seat = takeable(3, people=2)
    if driver.table.actors != (2,):
        seat = driver.table.actors[0]
        driver.move(seat)
    assert driver.table.actors == (2,)
    assert driver.table.can_take_back(seat)
    return driver, seat


def test_bots_agree_to_a_takeback_and_wait() -> None:
    driver, seat = before_a_bot()
    assert bots_due(driver.table) == (2,)
    driver.do(c.AskTakeback(PEOPLE[seat]))
    assert bots_due(driver.table) == ()
    late = c.BotMoved(2, driver.bot_moves(2), driver.table.number)
    driver.refuses(late, "takeback-pending", Code.TOO_LATE)
    assert driver.do(c.AnswerTakeback(PEOPLE[1 - seat], True))[-1] == "taken-back"


def test_a_bots_move_from_before_a_takeback_is_stale() -> None:
    driver, seat = before_a_bot()
    late = c.BotMoved(2, driver.bot_moves(2), driver.table.number)
    driver.do(c.AskTakeback(PEOPLE[seat]))
    driver.do(c.AnswerTakeback(PEOPLE[1 - seat], True))
    driver.refuses(late, "stale-move")


def test_a_takeback_against_bots_needs_no_consent() -> None:
    driver, seat = takeable(3, people=1)
    assert driver.do(c.AskTakeback(PEOPLE[seat])) == ["takeback-asked", "taken-back"]


def test_a_takeover_of_the_last_to_answer_agrees_to_the_takeback() -> None:
    driver, seat = takeable()
    first, second = others(seat)
    driver.do(c.AskTakeback(PEOPLE[seat]))
    driver.do(c.AnswerTakeback(PEOPLE[first], True))
    assert driver.do(c.Resign(PEOPLE[second])) == ["resigned", "taken-over", "taken-back"]


def test_no_takeback_after_a_draw_or_anothers_move() -> None:
    driver = started("genial", checks=LAWS)
    driver.refuses(c.AskTakeback(ANA), "no-takeback", Code.ILLEGAL)
    driver.move(0)  # and the draw after it
    driver.refuses(c.AskTakeback(ANA), "no-takeback", Code.ILLEGAL)
    driver, seat = takeable()
    driver.refuses(c.AskTakeback(PEOPLE[others(seat)[0]]), "no-takeback")
    driver.move(driver.table.actors[0])
    driver.refuses(c.AskTakeback(PEOPLE[seat]), "no-takeback")


def test_a_bots_move_cannot_be_taken_back() -> None:
    driver, seat = takeable()
    driver.do(c.Resign(PEOPLE[seat]))
    driver.refuses(c.AskTakeback(PEOPLE[seat]), "no-takeback")


def test_building_cannot_be_taken_back() -> None:
    driver = building()
    build(driver, 0)
    driver.refuses(c.AskTakeback(ANA), "no-takeback")


def test_a_revealing_move_cannot_be_taken_back() -> None:
    """A discard shows the rack, also where no draw comes after it."""
    driver, seat = takeable()
    *rest, last = driver.table.entries
    assert driver.table.can_take_back(seat)
    shown = replace(driver.table, entries=(*rest, {**last, "move": "discard b7"}))
    assert not shown.can_take_back(seat)
