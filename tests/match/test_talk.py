"""Resigning, rematches and reactions."""

from __future__ import annotations

import pytest

from tests.match.driver import LAWS, NAMES, PEOPLE, Driver, started
from tuilerie import record
from tuilerie.games.game import Code, Result
from tuilerie.language import LANGUAGES, Language
from tuilerie.match import commands as c
from tuilerie.match import facts as f
from tuilerie.match.config import PerGame
from tuilerie.match.evolve import fold
from tuilerie.match.rematch import rematch
from tuilerie.match.table_record import record_of
from tuilerie.match.ticks import bots_due

ANA, BO, CY, DI = PEOPLE[:4]


# --- giving up ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_resigning_with_two_seats_gives_the_win_to_the_other(seat: int) -> None:
    driver = started("genial", checks=LAWS)
    driver.move(0)
    assert driver.do(c.Resign(PEOPLE[seat])) == ["resigned", "finished"]
    assert driver.table.result == Result("resigned", (2, 1) if seat == 0 else (1, 2), ())
    assert driver.table.actors == ()
    assert driver.views[None].result == driver.table.result
    again = record.replay(record_of(driver.table))
    assert not again.confirmed, "its record has no result"
    assert again.state == driver.state


def test_resigning_a_solo_game_ends_it() -> None:
    driver = started("genial", 1, people=1)
    driver.do(c.Resign(ANA))
    assert driver.table.result == Result("resigned", (1,), ())


def test_after_resigning_among_more_a_bot_plays_to_the_end() -> None:
    driver = started("genial", 3, people=3, checks=LAWS)
    assert driver.do(c.Resign(ANA)) == ["resigned", "taken-over"]
    assert driver.last(f.TakenOver) == f.TakenOver(driver.now, 0, "greedy", True)
    assert bots_due(driver.table) == (0,)
    driver.refuses(c.Resign(ANA), "already-resigned", Code.TOO_LATE)
    driver.refuses(c.Make(ANA, driver.bot_moves(0)), "taken-over", Code.TOO_LATE)
    assert driver.views[1].seats[0].resigned
    assert driver.views[1].seats[0].for_good


def test_a_player_who_resigned_ranks_last() -> None:
    """However well the bot did; the record keeps the game's own ranks."""
    firsts = 0
    for seed in range(3):
        driver = started("blockers", 3, people=2, seed=seed, level="random")
        driver.do(c.Resign(ANA))
        driver.do(c.Resign(BO))
        driver.play_on()
        assert driver.table.result is not None
        own = driver.table.rules.result(driver.state)
        assert own is not None
        assert driver.table.result.places == (2, 2, 1)
        assert driver.table.result.scores == own.scores
        firsts += own.places[2] == 1
        again = record.replay(record_of(driver.table))
        assert again.result == own
        assert again.confirmed
    assert firsts < 3, "a bot that plays for somebody won at least once"


def test_a_player_who_lost_on_time_can_resign() -> None:
    driver = started("genial", 3, people=3, checks=LAWS, clock=PerGame(10))
    driver.tick()
    assert driver.do(c.Resign(ANA)) == ["resigned"]


# --- playing again --------------------------------------------------------------------------------


def finished(players: int = 3, people: int = 3) -> Driver:
    """A table whose game is over."""
    driver = started("blockers", players, people, options={"scoring": "uptown"})
    while driver.table.result is None:
        if not driver.let_bots_move():
            driver.move(driver.table.actors[0])
    driver.look(LAWS)
    return driver


def test_a_rematch_needs_everybody_present() -> None:
    driver = finished()
    assert driver.do(c.AskRematch(ANA)) == ["rematch-asked"]
    assert driver.do(c.AskRematch(ANA)) == []
    driver.do(c.AskRematch(BO))
    assert not driver.table.rematch_agreed
    driver.refuses(c.Rematch("next"), "no-rematch", Code.TOO_LATE)
    driver.do(c.Leave(CY))
    assert driver.table.rematch_agreed
    assert driver.do(c.Rematch("next")) == ["rematched"]
    assert driver.views[None].rematch == "next"
    assert driver.views[2].votes == (0, 1)
    driver.refuses(c.Rematch("another"), "no-rematch", Code.TOO_LATE)


def test_a_rematch_needs_a_finished_game() -> None:
    started("genial").refuses(c.AskRematch(ANA), "not-finished", Code.ILLEGAL)


def test_no_rematch_at_an_empty_table() -> None:
    driver = finished(2, 2)
    driver.do(c.Leave(ANA))
    driver.do(c.Leave(BO))
    assert not driver.table.rematch_agreed


def test_a_rematch_rotates_the_seats() -> None:
    driver = finished(4, 3)
    for player in (ANA, BO, CY):
        driver.do(c.AskRematch(player))
    facts = rematch(driver.table, driver.now, driver.pick)
    table = fold(facts)
    assert table.config == driver.table.config
    assert [place.name for place in table.seats] == ["Bo", "Cy", "random 3", "Ana"]
    assert table.names == ("Bo", "Cy", "random 3", "Ana")
    assert table.is_playing
    assert table.host == driver.table.host == ANA
    assert [f.from_json(f.to_json(fact)) for fact in facts] == list(facts)
    assert table.started_at == driver.now


def test_a_person_who_left_gets_no_seat_at_the_rematch() -> None:
    driver = finished()
    driver.do(c.Leave(BO))
    table = fold(rematch(driver.table, driver.now, driver.pick))
    assert [place.kind for place in table.seats] == ["open", "person", "person"]
    assert [place.ready for place in table.seats] == [False, True, True]
    assert not table.is_playing


# --- reactions ------------------------------------------------------------------------------------


def test_a_reaction_is_sent_but_not_part_of_the_view() -> None:
    driver = Driver("genial", started("genial").table.config, checks=LAWS)
    driver.sit(0)
    before = driver.views[None]
    assert driver.do(c.React(ANA, "well-played")) == ["reacted"]
    after = driver.views[None]
    assert (after.number, after.seats) == (before.number + 1, before.seats)


def test_unknown_reactions_are_refused() -> None:
    driver = started("genial")
    driver.refuses(c.React(ANA, "you fool"), "unknown-reaction", Code.MALFORMED)
    assert driver.views[0].reactions == c.REACTIONS


def test_reactions_are_limited_to_three_in_ten_seconds() -> None:
    driver = started("genial")
    for reaction in ("hello", "wow", "oops"):
        driver.do(c.React(ANA, reaction), after=1000)
    refused = driver.refuses(c.React(ANA, "sorry"), "too-many-reactions", Code.TOO_LATE)
    assert refused.params == {"seconds": 8}
    driver.do(c.React(BO, "laugh"))
    driver.now += 7_999
    assert driver.refuses(c.React(ANA, "sorry"), "too-many-reactions").params == {"seconds": 1}
    assert driver.do(c.React(ANA, "sorry"), after=1) == ["reacted"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_reaction_is_translated(lang: str) -> None:
    language = Language(lang)
    said = [language.say(f"reaction.{reaction}") for reaction in c.REACTIONS]
    assert len(set(said)) == len(c.REACTIONS)


def test_names_are_given_in_the_record() -> None:
    driver = started("genial", 2)
    assert driver.table.names == NAMES[:2]
