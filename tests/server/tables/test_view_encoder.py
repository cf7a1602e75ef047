"""A scribe saves work, and nothing else: what it writes is what a new one would write."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from random import Random

import pytest

from tests.match.driver import PEOPLE, Driver, started
from tuilerie.games.game import plain
from tuilerie.match import commands as c
from tuilerie.match.batch import Stage
from tuilerie.match.table import Table, Takeback
from tuilerie.match.view import OWN, happened, open_part, own_part, view
from tuilerie.server.tables import delivery, view_encoder
from tuilerie.server.tables.actor import Change
from tuilerie.server.tables.view_encoder import ViewEncoder


@pytest.mark.parametrize(("game", "players"), [("genial", 3), ("blockers", 4), ("kaosmos", 2)])
def test_what_was_written_before_changes_nothing(game: str, players: int) -> None:
    """One scribe for all viewers along a game, in any order of viewers, beside a new one each."""
    encoder, random, written = ViewEncoder(), Random(5), 0

    def check(driver: Driver, before: Table, stage: Stage) -> None:
        nonlocal written
        change = Change(stage.table.number, stage.fact, before, stage.table)
        message = delivery.EventMessage(change, encoder, with_view=True)
        briefly = delivery.EventMessage(change, encoder, with_view=False)
        viewers = driver.viewers
        random.shuffle(viewers)
        for viewer in viewers:
            anew = delivery.event_text(change, viewer, with_view=True)
            assert message.text(viewer) == anew
            assert message.text(viewer) == anew, "and again, for another socket"
            seen = json.loads(json.dumps(plain(view(stage.table, viewer))))
            assert json.loads(anew).get("view", seen) == seen
            events = plain(happened(stage.table, viewer))
            assert json.loads(anew).get("game", []) == json.loads(json.dumps(events))
            without = {k: v for k, v in json.loads(anew).items() if k != "view"}
            assert json.loads(briefly.text(viewer)) == without
            written += 1

    driver = started(game, players, people=players)
    driver.look([check])
    for turn in range(80):
        if not driver.table.is_playing:
            break
        if driver.table.is_face_down:
            driver.tick()
        seat = driver.table.actors[turn % len(driver.table.actors)]
        moves = view(driver.table, seat).play.legal
        driver.do(c.Make(PEOPLE[seat], random.choice(moves)), after=10)
        if turn % 7 == 0:
            driver.do(c.React(PEOPLE[0], "wow"), after=5_000)
    assert written > 100


def test_a_table_that_could_not_be_written_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = started("blockers", 2, people=2).table
    asked = replace(first, takeback=Takeback(0, 1))
    encoder = ViewEncoder()
    encoder.view(first, 0)
    with monkeypatch.context() as patch:
        patch.setattr(view_encoder, "open_play", lambda _table: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            encoder.view(asked, 0)
    again = replace(first, at=first.at + 1)
    assert encoder.view(again, 0) == ViewEncoder().view(again, 0)


@pytest.mark.parametrize(("game", "players"), [("genial", 3), ("blockers", 4), ("kaosmos", 2)])
def test_a_view_is_what_is_open_and_what_is_the_viewers_own(game: str, players: int) -> None:
    table = started(game, players).table
    rules, state = table.rules, table.game_state
    for viewer in (*range(players), None):
        seen, shown, own = (
            rules.view(state, viewer),
            rules.open_view(state),
            rules.own_view(state, viewer),
        )
        told = {field.name for field in fields(seen) if not field.name.startswith("_")}
        assert told == shown.keys() | own.keys()
        assert shown.keys().isdisjoint(own)
        assert all(getattr(seen, name) == value for name, value in {**shown, **own}.items())


def test_no_field_of_a_table_is_open_and_somebodys_own() -> None:
    table = started("blockers", 4).table
    seen = view(table, 1)
    shown, own = open_part(table), dict(zip(OWN, own_part(table, 1), strict=True))
    assert shown.keys().isdisjoint(own)
    assert {field.name for field in fields(seen)} == {"play", *shown, *own}
    assert all(getattr(seen, name) == value for name, value in {**shown, **own}.items())
