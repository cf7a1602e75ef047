"""Views and events, the only way out: what they hold, and what they never hold."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

from tests.match.driver import LAWS, NAMES, PEOPLE, Driver, as_bytes, permuted, started
from tests.match.galaxies import PLAIN, racing
from tests.match.test_facts import ONE_OF_EACH
from tuilerie.games.game import Action, Refused, Seat, plain
from tuilerie.match import commands as c
from tuilerie.match import facts as f
from tuilerie.match.config import Config, PerGame, PerMove
from tuilerie.match.decide import open_table, stages
from tuilerie.match.evolve import evolve, fold
from tuilerie.match.table import Table
from tuilerie.match.view import _PARTS, OWN, ClockView, TableView, _open_sources, event, view


def shape(seen: TableView) -> list[str]:
    return sorted(plain(seen))


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


OPEN_SOURCES = {source for name in _PARTS if name not in OWN for source in _PARTS[name][0]}


@pytest.mark.parametrize("source", sorted(OPEN_SOURCES))
def test_whatever_an_open_part_is_made_of_is_looked_at(source: str) -> None:
    """Else something that is new would not be shown."""
    table = started("genial", 2).table
    changed = replace(table, **{source: "new"})  # type: ignore[arg-type]
    assert _open_sources(changed) != _open_sources(table)
    assert len(_open_sources(table)) == len(OPEN_SOURCES)


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
    for fact, after in stages(before, c.React(PEOPLE[0], "wow"), driver.now, driver.pick):
        json.dumps(plain(event(before, fact, after, 0)))
    for viewer in driver.viewers:
        assert json.loads(json.dumps(plain(view(before, viewer))))["number"] == before.number


def test_the_first_event_is_that_the_table_was_opened() -> None:
    facts = open_table("genial", Config(players=2, host="host-id"), 5)
    heard = event(None, facts[0], fold(facts), None)
    assert (heard.number, heard.at, heard.kind) == (1, 5, "opened")
    assert (heard.told, heard.changes, heard.events, heard.play) == ({}, {}, (), None)


def test_nothing_is_told_of_a_fact_but_what_is_listed() -> None:
    """No player id, no entry, no time of a claim: of each kind of fact, only these words."""
    told: dict[str, set[str]] = {}
    driver = racing(3)
    driver.do(c.Make(PEOPLE[0], "grab green"))
    for fact in ONE_OF_EACH:
        after = driver.table
        heard = event(None, fact, after, 1)
        told.setdefault(heard.kind, set(heard.told))
        assert b"-id" not in as_bytes(heard)
    seat = {"seat"}
    assert told == {
        "opened": set(),
        "seated": {"seat", "name"},
        "bot-seated": {"seat", "level", "name"},
        "vacated": seat,
        "readied": {"seat", "ready"},
        "left": seat,
        "returned": seat,
        "taken-over": {"seat", "level", "for_good"},
        "handed-back": seat,
        "started": {"names"},
        "entered": set(),
        "glass-turned": {"starts_at", "ends_at"},
        "glass-started": set(),
        "claimed": {"seat", "move"},
        "claim-settled": {"seat", "won", "rule", "params"},
        "flagged": seat,
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
    """What a seat hears at once after a command of its own: an event, or why it was refused."""
    try:
        done = stages(table, command, now, Random(3).randrange)
    except Refused as refused:
        return as_bytes([refused.code, refused.rule, refused.params])
    if not done:
        return b""
    fact, after = done[0]
    return as_bytes(event(table, fact, after, seat))


TRIED = {
    "genial": ("RB h8 h9", "RR c4 c5", "YP g3 h4", "swap", "keep", "x"),
    "blockers": ("b7-C7", "y#3xC7", "k*-A1", "discard b7", "x"),
    "kaosmos": ("put T01 a1 0", "lift T20", "grab green", "done", "keep T01 T02 T03", "x"),
}


@pytest.mark.parametrize("game", sorted(TRIED))
def test_answers_tell_nothing_of_what_others_hold(game: str) -> None:
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


def test_a_leak_would_be_found() -> None:
    """The law fails for a view that shows a state: it can fail."""
    driver = started("genial", 2)
    other = permuted(driver.table, 0, Random(1))
    assert as_bytes(driver.table.game_state) != as_bytes(other.game_state)
    assert as_bytes(view(driver.table, 1)) != as_bytes(view(other, 1)), "it is another's hand"
    assert as_bytes(view(driver.table, 0)) == as_bytes(view(other, 0))


def test_an_event_holds_the_game_whole_only_where_it_must() -> None:
    driver = started("genial", 2)
    before = driver.table
    fact = f.Entered(driver.now, {"kind": "action", "seat": 0, "move": driver.bot_moves(0)})
    heard = event(before, fact, evolve(before, fact), 1)
    assert heard.play is None
    assert heard.changes == {}
    step = before.rules.apply(
        before.game_state, Action(0, before.rules.parse_move(fact.entry["move"]))
    )
    assert heard.events == tuple(before.rules.redact(each, 1) for each in step.events)


def test_laws_are_tried_at_every_step() -> None:
    """What the driver checks is checked: a law that always fails, fails."""

    def never(driver: Driver, before: Table, stage: object) -> None:
        raise ZeroDivisionError

    driver = Driver("genial", Config(players=2), checks=(*LAWS, never))
    with pytest.raises(ZeroDivisionError):
        driver.sit(0)
