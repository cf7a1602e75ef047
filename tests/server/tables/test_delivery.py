"""Snapshots and updates: what a client keeps by applying changes is what a newcomer is sent."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from random import Random
from typing import Any, get_args, get_type_hints

import pytest

from tests.changes import apply_changes
from tests.match.driver import NAMES, PEOPLE, Driver, started
from tuilerie import games
from tuilerie.codec import public_fields, to_builtins
from tuilerie.games.game import Json, Seat, own_fields
from tuilerie.match import commands as c
from tuilerie.match.batch import Applied
from tuilerie.match.config import Config
from tuilerie.match.table import Table
from tuilerie.match.ticks import next_tick
from tuilerie.match.view import TableView, view
from tuilerie.server.tables import delivery
from tuilerie.server.tables.actor import Transition
from tuilerie.server.tables.delivery import Snapshot, UpdateEncoder

GAMES: list[tuple[str, int, Json]] = [
    ("genial", 2, {}),
    ("genial", 3, {"adjacent": True}),
    ("blockers", 2, {}),
    ("blockers", 4, {}),
    ("kaosmos", 2, {}),
    ("kaosmos", 3, {"kaos": False}),
]


def whole(table: Table, viewer: Seat | None) -> Json:
    """The view as JSON, by the codec alone."""
    return json.loads(json.dumps(to_builtins(view(table, viewer))))


class Client:
    """A client that keeps a view. `player` may take a seat and leave it."""

    def __init__(self, table: Table, player: str | None) -> None:
        self.player = player
        self.seat = self._seat_at(table)
        self.view = self._welcomed(table)
        self.number = table.number

    def _seat_at(self, table: Table) -> Seat | None:
        return None if self.player is None else table.seat_of(self.player)

    def _welcomed(self, table: Table) -> Json:
        message = json.loads(delivery.welcome(table, (), self.seat, 5))
        assert message == {
            "t": "welcome",
            "you": self.seat,
            "number": table.number,
            "now": 5,
            "view": whole(table, self.seat),
            "events": [],
        }
        return message["view"]

    def receive(self, update: UpdateEncoder, happened: list[Transition]) -> None:
        after = happened[-1].after
        seat = self._seat_at(after)
        text = update.text(seat, self.seat)
        assert update.text(seat, self.seat) is text, "made once for all sockets of a viewer"
        message = json.loads(text)
        assert message.keys() == {"t", "number", "events", "changes"}
        numbers = [event["number"] for event in message["events"]]
        assert numbers == list(range(self.number + 1, after.number + 1))
        self.view = apply_changes(self.view, message["changes"])
        self.seat, self.number = seat, message["number"]
        assert self.view == whole(after, seat), happened[-1].fact


class Audience:
    """Clients at a table, each of which gets several facts at a time."""

    def __init__(self, table: Table, random: Random, players: list[str | None]) -> None:
        self._random = random
        self._clients = [Client(table, player) for player in players]
        self._missed: list[list[Transition]] = [[] for _ in players]
        self.updates = 0

    def receive(self, change: Transition) -> None:
        """Some get it at once, others later with more, as after a reconnect."""
        for client, missed in zip(self._clients, self._missed, strict=True):
            missed.append(change)
            if self._random.random() < 0.5:
                self._tell(client, missed)

    def _tell(self, client: Client, missed: list[Transition]) -> None:
        before, after = Snapshot(missed[0].before), Snapshot(missed[-1].after)
        client.receive(UpdateEncoder(tuple(missed), before, after), missed)
        missed.clear()
        self.updates += 1

    def catch_up(self) -> None:
        for client, missed in zip(self._clients, self._missed, strict=True):
            if missed:
                self._tell(client, missed)


def listening(receive: Callable[[Transition], None]) -> Callable[[Driver, Table, Applied], None]:
    def check(_driver: Driver, before: Table, new: Applied) -> None:
        receive(Transition(new.table.number, new.fact, before, new.table))

    return check


def play_at_random(driver: Driver, turns: int) -> None:
    """Moves, reactions, requests and silence, whatever is allowed."""
    for _ in range(turns):
        table = driver.table
        if not table.is_playing:
            return
        free = table.actors
        must_wait = table.is_face_down or not free
        if must_wait or (next_tick(table) is not None and driver.random.random() < 0.05):
            driver.tick()
            continue
        seat = driver.random.choice(free)
        driver.move(seat, after=10)
        if driver.table.is_playing and driver.random.random() < 0.1:
            driver.do(c.React(PEOPLE[0], "wow"), after=5_000)
        may_ask = driver.table.is_playing and driver.table.can_take_back(seat)
        if may_ask and driver.random.random() < 0.2:
            driver.do(c.AskTakeback(PEOPLE[seat]))
            agrees = driver.random.random() < 0.7
            for other in driver.table.silent() if driver.table.takeback is not None else ():
                if driver.table.takeback is not None:
                    driver.do(c.AnswerTakeback(PEOPLE[other], agrees))


@pytest.mark.parametrize(("game", "players", "options"), GAMES)
def test_a_snapshot_and_the_changes_make_the_later_snapshot(
    game: str, players: int, options: Json
) -> None:
    """Along a game from the empty table on, for every seat, for a spectator, and for people who
    look on before they take a seat, give it back, and take it again."""
    driver = Driver(game, Config(players=players, options=options), seed=7)
    random = Random(11)
    audience = Audience(driver.table, random, [*PEOPLE[:players], None])
    driver.look([listening(audience.receive)])
    driver.sit(*range(players))
    driver.do(c.Stand(PEOPLE[1]))
    driver.do(c.Sit(PEOPLE[1], None, NAMES[1]))
    audience.catch_up()
    driver.ready(*range(players))
    assert driver.table.started_at is not None
    play_at_random(driver, 150)
    if driver.table.is_playing:
        driver.do(c.Resign(PEOPLE[0]))
    audience.catch_up()
    assert audience.updates > 100


@pytest.mark.parametrize(("game", "players", "options"), GAMES)
def test_open_fields_are_the_same_for_all_viewers(game: str, players: int, options: Json) -> None:
    """The open fields are the same in every viewer's view."""
    seen = 0

    def check(driver: Driver, _before: Table, new: Applied) -> None:
        nonlocal seen
        shared = Snapshot(new.table)
        for viewer in driver.viewers:
            mine = view(new.table, viewer)
            table, play = shared.own(viewer)
            kinds: list[Any] = [(TableView, mine, shared.open, table)]
            if mine.play is not None:
                assert play is not None
                kinds.append((type(mine.play), mine.play, shared.open.play, play))
            else:
                assert play is None
            for kind, own, spectator, fields in kinds:
                assert fields.keys() == own_fields(kind)
                for name in public_fields(kind):
                    if name in fields:
                        assert getattr(own, name) == fields[name]
                    elif name != "play":
                        assert getattr(own, name) == getattr(spectator, name), name
                        seen += 1

    driver = started(game, players, people=players, options=options)
    driver.look([check])
    play_at_random(driver, 40)
    assert seen > 1000


def test_unchanged_fields_are_not_sent() -> None:
    driver = started("genial", 2)
    before = driver.table
    driver.do(c.React(PEOPLE[0], "wow"), after=100)
    change = Transition(driver.table.number, driver.facts[-1], before, driver.table)
    update = UpdateEncoder([change], Snapshot(before), Snapshot(driver.table))
    for viewer in driver.viewers:
        changes = json.loads(update.text(viewer, viewer))["changes"]
        assert changes == {"number": [driver.table.number], "at": [driver.now]}


def test_an_update_is_much_smaller_than_a_snapshot() -> None:
    """An update is a small part of a snapshot: that is what it is for."""
    for game in ("genial", "blockers"):
        driver = started(game, 2)
        for _ in range(10):
            first = driver.table
            sent: list[Transition] = []
            driver.look([listening(sent.append)])
            driver.move(driver.table.actors[0], after=10)
            update = UpdateEncoder(sent, Snapshot(first), Snapshot(driver.table))
            snapshot = delivery.welcome(driver.table, sent, None, 5)
            assert 2 * len(update.text(None, None)) < len(snapshot), game


def test_a_welcome_holds_only_the_last_events(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Transition] = []
    driver = started("blockers", 2)
    driver.look([listening(sent.append)])
    play_at_random(driver, 10)
    monkeypatch.setattr(delivery, "RESUME_EVENTS", 5)
    message = json.loads(delivery.welcome(driver.table, sent, 0, 5))
    numbers = [event["number"] for event in message["events"]]
    assert numbers == list(range(driver.table.number - 4, driver.table.number + 1))


def test_sent_types_have_neither_private_fields_nor_a_custom_text() -> None:
    """msgspec writes every field of a dataclass: only whole views go through the codec."""
    seen: set[Any] = set()

    def look(hint: Any) -> None:
        for each in get_args(hint):
            look(each)
        if isinstance(hint, type) and dataclasses.is_dataclass(hint) and hint not in seen:
            seen.add(hint)
            hints = get_type_hints(hint, include_extras=True)
            for each in dataclasses.fields(hint):
                if hint not in views:
                    assert not each.name.startswith("_"), hint
                if not each.name.startswith("_"):
                    look(hints[each.name])
            assert hint.__str__ is object.__str__, hint

    views = {game.view_type for game in games.GAMES.values()}
    for game in games.GAMES.values():
        look(game.view_type)
        for event in game.event_types:
            look(event)
    look(TableView)
    assert len(seen) > 40
