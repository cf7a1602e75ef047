"""Views and events: what they hold, and what they never hold."""

from __future__ import annotations

import json
from random import Random

import pytest

from tests.match.driver import LAWS, NAMES, PEOPLE, Driver, as_bytes, permuted, started
from tests.match.galaxies import PLAIN, racing
from tests.match.test_facts import ONE_OF_EACH
from tuilerie.codec import to_builtins
from tuilerie.games.game import Refused, Seat
from tuilerie.match import commands as c
from tuilerie.match.config import Config, PerGame, PerMove
from tuilerie.match.decide import decide, open_table
from tuilerie.match.evolve import fold
from tuilerie.match.table import Table
from tuilerie.match.view import ClockView, TableView, table_event, view


def shape(seen: TableView) -> list[str]:
    return sorted(to_builtins(seen))


def test_a_view_before_the_start() -> None:
    config = Config(players=3, clock=PerGame(600, 5), public=True, spectators=30, host="host-id")
    driver = Driver("kaosmos", config)
    driver.sit(1)
    seen = view(driver.table, 1)
    assert (seen.number, seen.at, seen.game, seen.rules) == (2, driver.now, "kaosmos", 2)
    assert (seen.you, seen.host, seen.play, seen.clock) == (1, None, None, None)
    assert seen.config.clock == ClockView("game", 600, 5)
    assert (seen.config.public, seen.config.spectators) == (True, 30)
    assert [seat.kind for seat in seen.seats] == ["open", "person", "open"]
    assert seen.seats[1].name == NAMES[1]
    assert view(driver.table, None).config.clock is not None


def test_a_view_while_the_game_runs() -> None:
    driver = started("genial", 2, clock=PerMove(20))
    own, other, spectator = (view(driver.table, viewer) for viewer in (0, 1, None))
    assert own.config.clock == ClockView("move", 20, 0)
    assert own.play == driver.table.rules.view(driver.state, 0)
    assert own.play.legal
    assert not other.play.legal
    assert spectator.play.hand is None
    assert shape(own) == shape(other) == shape(spectator)


@pytest.mark.parametrize("game", ["genial", "blockers", "kaosmos"])
def test_views_and_events_are_json(game: str) -> None:
    driver = started(game, 2)
    before = driver.table
    for fact, after in decide(before, c.React(PEOPLE[0], "wow"), driver.now, driver.pick):
        json.dumps(to_builtins(table_event(fact, after, 0)))
    for viewer in driver.viewers:
        assert json.loads(json.dumps(to_builtins(view(before, viewer))))["number"] == before.number


def test_the_first_event_is_that_the_table_was_opened() -> None:
    facts = open_table("genial", Config(players=2, host="host-id"), 5)
    event = table_event(facts[0], fold(facts), None)
    assert (event.number, event.at, event.game) == (1, 5, ())
    assert event.fact == {"kind": "opened"}


def test_only_open_fields_of_a_fact_are_sent() -> None:
    """No player id, no entry, no time of a claim: of each kind of fact only these fields."""
    sent: dict[str, set[str]] = {}
    driver = racing(3)
    driver.do(c.Make(PEOPLE[0], "grab green"))
    for fact in ONE_OF_EACH:
        after = driver.table
        event = table_event(fact, after, 1)
        sent.setdefault(event.fact["kind"], set(event.fact) - {"kind"})
        assert b"-id" not in as_bytes(event)
    seat = {"seat"}
    assert sent == {
        "opened": set(),
        "seated": {"seat", "name"},
        "bot-seated": {"seat", "level", "name"},
        "vacated": seat,
        "readied": {"seat", "ready"},
        "closed": set(),
        "left": seat,
        "returned": seat,
        "taken-over": {"seat", "level", "for_good"},
        "handed-back": seat,
        "started": {"names"},
        "entered": set(),
        "turn-held": {"seat", "ends_at"},
        "turn-ended": seat,
        "count-began": {"until"},
        "count-seen": seat,
        "count-ended": set(),
        "hinted": seat,
        "timer-announced": {"starts_at", "ends_at"},
        "timer-started": set(),
        "claimed": {"seat", "move"},
        "claim-settled": {"seat", "won", "rule", "params"},
        "flagged": seat,
        "interrupted": {"ms"},
        "takeback-asked": seat,
        "takeback-answered": {"seat", "yes"},
        "taken-back": set(),
        "resigned": seat,
        "finished": {"reason"},
        "reacted": {"seat", "reaction"},
        "rematch-asked": seat,
        "rematched": {"table_id"},
    }


# --- answers to what a seat does, where only hidden things differ ---------------------------------


def answer(table: Table, command: c.Command, now: int, seat: Seat) -> bytes:
    """The immediate answer to a seat's own command: its events, or the refusal."""
    try:
        done = decide(table, command, now, Random(3).randrange)
    except Refused as refused:
        return as_bytes([refused.code, refused.rule, refused.params])
    if not done:
        return b""
    fact, after = done[0]
    return as_bytes(table_event(fact, after, seat))


TRIED = {
    "genial": ("RB h8 h9", "RR c4 c5", "YP g3 h4", "swap", "keep", "x"),
    "blockers": ("b7-C7", "y#3xC7", "k*-A1", "discard b7", "x"),
    "kaosmos": ("put T01 a1 0", "lift T20", "grab green", "done", "keep T01 T02 T03", "x"),
}


@pytest.mark.parametrize("game", sorted(TRIED))
def test_answers_do_not_depend_on_hidden_tiles_of_others(game: str) -> None:
    options = PLAIN if game == "kaosmos" else {}
    driver = started(game, 2, options=options)
    random = Random(8)
    for _ in range(12):
        if driver.table.is_face_down:
            driver.tick()
        seat = driver.table.actors[-1]
        for viewer in (0, 1):
            other = permuted(driver.table, viewer, random)
            texts = [*TRIED[game], *map(str, driver.table.rules.legal(driver.state, viewer)[:2])]
            commands: list[c.Command] = [c.Make(PEOPLE[viewer], text) for text in texts]
            commands += [c.AskTakeback(PEOPLE[viewer]), c.Leave(PEOPLE[viewer])]
            for command in commands:
                assert answer(driver.table, command, driver.now, viewer) == answer(
                    other, command, driver.now, viewer
                )
        driver.move(seat, after=10)


def test_the_leak_law_finds_a_leak() -> None:
    """The law fails for a view that shows the state."""
    driver = started("genial", 2)
    other = permuted(driver.table, 0, Random(1))
    assert as_bytes(driver.table.game_state) != as_bytes(other.game_state)
    assert as_bytes(view(driver.table, 1)) != as_bytes(view(other, 1)), "it is another's hand"
    assert as_bytes(view(driver.table, 0)) == as_bytes(view(other, 0))


def test_laws_are_tried_at_every_step() -> None:
    """What the driver checks is checked: a law that always fails, fails."""

    def never(driver: Driver, before: Table, new: object) -> None:
        raise ZeroDivisionError

    driver = Driver("genial", Config(players=2), checks=(*LAWS, never))
    with pytest.raises(ZeroDivisionError):
        driver.sit(0)
