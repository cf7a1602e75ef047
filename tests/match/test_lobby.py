"""Before the start: seats, bots, who is ready, and how a game begins."""

from __future__ import annotations

import pytest

from tests.match.driver import LAWS, PEOPLE, Driver, started
from tuilerie.games.game import Code, Json, Refused
from tuilerie.match import commands as c
from tuilerie.match import facts as f
from tuilerie.match.config import Config
from tuilerie.match.decide import decide

ANA, BO, CY = PEOPLE[:3]


def table(players: int = 3, **config: Json) -> Driver:
    return Driver("genial", Config(players=players, **config), checks=LAWS)


def kinds(driver: Driver) -> list[str]:
    return [place.kind for place in driver.table.seats]


# --- sitting down ---------------------------------------------------------------------------------


def test_people_take_seats() -> None:
    driver = table()
    assert driver.do(c.Sit(ANA, 1, " Ana ")) == ["seated"]
    assert driver.do(c.Sit(BO, None, "Bo")) == ["seated"]
    assert kinds(driver) == ["person", "person", "open"]
    assert [place.name for place in driver.table.seats] == ["Bo", "Ana", ""]
    assert driver.table.seat_of(ANA) == 1
    assert driver.table.seat_of(CY) is None


def test_a_taken_seat_is_refused() -> None:
    driver = table(2)
    driver.sit(0)
    driver.refuses(c.Sit(BO, 0, "Bo"), "seat-taken", Code.TOO_LATE)
    driver.refuses(c.Sit(ANA, 1, "Ana"), "already-seated", Code.ILLEGAL)
    driver.sit(1)
    driver.refuses(c.Sit(CY, None, "Cy"), "table-full", Code.TOO_LATE)


@pytest.mark.parametrize("seat", [-1, 3])
def test_a_seat_must_exist(seat: int) -> None:
    driver = table()
    assert driver.refuses(c.Sit(ANA, seat, "Ana"), "no-such-seat").params["expected"] == 3


@pytest.mark.parametrize("name", ["", "  ", "x" * 25, "a\nb", "a\x00"])
def test_unreadable_names_are_refused(name: str) -> None:
    table().refuses(c.Sit(ANA, None, name), "bad-name", Code.MALFORMED)


def test_the_longest_name_fits() -> None:
    driver = table()
    driver.do(c.Sit(ANA, None, "é" * 24))
    assert driver.table.seats[0].name == "é" * 24


def test_a_person_can_leave_a_seat() -> None:
    driver = table()
    driver.sit(0)
    driver.ready(0)
    assert driver.do(c.Stand(ANA)) == ["vacated"]
    assert kinds(driver) == ["open"] * 3
    assert not driver.table.seats[0].ready
    driver.refuses(c.Stand(ANA), "not-seated", Code.ILLEGAL)


# --- the host -------------------------------------------------------------------------------------


def test_the_person_seated_longest_is_the_host() -> None:
    driver = table()
    driver.sit(1, 0)
    assert driver.table.host == BO
    assert driver.views[None].host == 1
    driver.do(c.Stand(BO))
    assert driver.table.host == ANA
    driver.do(c.Stand(ANA))
    assert driver.table.host is None


def test_the_config_may_name_the_host() -> None:
    driver = table(host=BO)
    driver.sit(0)
    assert driver.table.host == BO
    assert driver.views[0].host is None, "the host has no seat"
    driver.refuses(c.AddBot(ANA, 1, "random"), "not-host", Code.ILLEGAL)
    assert driver.do(c.AddBot(BO, 1, "random")) == ["bot-seated"]


def test_the_host_adds_and_removes_bots() -> None:
    driver = table()
    driver.sit(0, 1)
    assert driver.do(c.AddBot(ANA, None, "greedy")) == ["bot-seated"]
    assert driver.last(f.BotSeated).name == "greedy 3"
    assert driver.table.bot_level(2) == "greedy"
    assert driver.do(c.RemoveBot(ANA, 2)) == ["vacated"]
    driver.refuses(c.RemoveBot(ANA, 2), "not-a-bot", Code.ILLEGAL)
    driver.refuses(c.RemoveBot(ANA, 1), "not-a-bot", Code.ILLEGAL)
    driver.refuses(c.RemoveBot(ANA, 3), "no-such-seat", Code.MALFORMED)
    driver.refuses(c.RemoveBot(BO, 2), "not-host", Code.ILLEGAL)
    driver.refuses(c.AddBot(BO, 2, "greedy"), "not-host", Code.ILLEGAL)
    driver.refuses(c.AddBot(ANA, 1, "greedy"), "seat-taken", Code.TOO_LATE)
    driver.refuses(c.AddBot(ANA, 2, "genius"), "unknown-level", Code.MALFORMED)


# --- beginning ------------------------------------------------------------------------------------


def test_the_game_starts_when_all_are_seated_and_ready() -> None:
    driver = table()
    driver.sit(0, 1)
    driver.ready(0, 1)
    assert not driver.table.is_playing
    found = driver.do(c.AddBot(ANA, 2, "random"))
    assert found == ["bot-seated", "started", "entered", "entered", "entered"]
    assert driver.table.is_playing
    assert driver.table.names == ("Ana", "Bo", "random 3")
    assert driver.last(f.Started).options == {"variant": "standard", "adjacent": False}
    assert [entry["kind"] for entry in driver.table.entries] == ["chance"] * 3
    assert driver.table.actors == (0,)


def test_random_options_are_drawn_at_the_start() -> None:
    firsts = set()
    for seed in range(12):
        firsts.add(started("blockers", seed=seed).last(f.Started).options["first"])
    assert firsts == {0, 1}
    assert started("blockers", options={"first": 1}).table.actors == (1,)


def test_the_host_starts_when_all_are_seated() -> None:
    driver = table()
    driver.sit(0, 1)
    assert driver.refuses(c.Begin(ANA), "seats-open", Code.ILLEGAL).params == {"open": 1}
    driver.sit(2)
    assert not driver.table.is_playing, "not before the host says so"
    driver.refuses(c.Begin(BO), "not-host", Code.ILLEGAL)
    assert driver.do(c.Begin(ANA))[:4] == ["readied", "readied", "readied", "started"]


def test_the_host_removes_a_person_or_changes_a_bot() -> None:
    driver = table()
    driver.sit(0, 1)
    driver.refuses(c.Remove(BO, 0), "not-host", Code.ILLEGAL)
    driver.refuses(c.Remove(ANA, 0), "not-a-person", Code.ILLEGAL)
    assert driver.do(c.Remove(ANA, 1)) == ["vacated"]
    assert driver.table.seat_of(BO) is None
    assert driver.do(c.AddBot(ANA, 1, "random")) == ["bot-seated"]
    driver.refuses(c.Remove(ANA, 1), "not-a-person", Code.ILLEGAL)
    assert driver.do(c.AddBot(ANA, 1, "random")) == []
    assert driver.do(c.AddBot(ANA, 1, "greedy")) == ["bot-seated"]
    assert driver.table.seats[1].level == "greedy"
    driver.refuses(c.AddBot(ANA, 0, "greedy"), "seat-taken", Code.TOO_LATE)


def test_a_closed_table_takes_nobody() -> None:
    driver = table(2)
    driver.sit(0)
    driver.refuses(c.Close(BO), "not-host", Code.ILLEGAL)
    assert driver.do(c.Close(ANA)) == ["closed"]
    assert driver.views[None].closed
    for command in (c.Sit(BO, 1, "Bo"), c.Stand(ANA), c.AddBot(ANA, 1, "random"), c.Begin(ANA)):
        driver.refuses(command, "table-closed", Code.OVER)
    assert driver.table.number == 3


def test_ready_can_be_withdrawn() -> None:
    driver = table(2)
    driver.sit(0, 1)
    assert driver.do(c.SetReady(ANA, True)) == ["readied"]
    assert driver.do(c.SetReady(ANA, True)) == []
    assert driver.do(c.SetReady(ANA, False)) == ["readied"]
    assert driver.do(c.SetReady(BO, True)) == ["readied"]
    assert not driver.table.is_playing


def test_a_solo_game_starts_with_one_person() -> None:
    driver = table(1)
    driver.sit(0)
    assert driver.do(c.SetReady(ANA, True)) == ["readied", "started", "entered"]


@pytest.mark.parametrize(
    "command",
    [
        c.Sit(CY, None, "Cy"),
        c.Stand(ANA),
        c.AddBot(ANA, None, "random"),
        c.RemoveBot(ANA, 1),
        c.Remove(ANA, 1),
        c.Close(ANA),
        c.SetReady(ANA, False),
        c.Begin(ANA),
    ],
    ids=lambda command: type(command).__name__,
)
def test_seats_cannot_change_after_the_start(command: c.Command) -> None:
    started("genial", 2).refuses(command, "already-started", Code.TOO_LATE)


@pytest.mark.parametrize(
    "command",
    [
        c.Stand(CY),
        c.SetReady(CY, True),
        c.Make(CY, "keep"),
        c.Resign(CY),
        c.AskTakeback(CY),
        c.AnswerTakeback(CY, True),
        c.AskRematch(CY),
        c.React(CY, "wow"),
        c.Leave(CY),
        c.Return(CY),
    ],
    ids=lambda command: type(command).__name__,
)
def test_commands_need_a_seat(command: c.Command) -> None:
    for driver in (table(), started("genial", 2)):
        driver.refuses(command, "not-seated", Code.ILLEGAL)


def test_a_refusal_adds_no_facts() -> None:
    driver = table()
    with pytest.raises(Refused):
        decide(driver.table, c.Stand(ANA), driver.now, driver.random.randrange)
    assert driver.table.number == 1


def test_time_in_a_log_never_goes_back() -> None:
    driver = table()
    driver.do(c.Sit(ANA, 0, "Ana"), after=500)
    driver.do(c.Sit(BO, 1, "Bo"), after=-400)
    assert [fact.at - driver.facts[0].at for fact in driver.facts] == [0, 500, 500]
