"""A test driver for a table: its log, its clock, and laws that are checked at every step."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import pytest

from tests.changes import apply_changes
from tests.hidden import PERMUTE
from tuilerie.bots import BOTS
from tuilerie.codec import to_builtins
from tuilerie.games.game import Code, Json, Pick, Refused, Seat
from tuilerie.match import commands as c
from tuilerie.match.batch import Applied
from tuilerie.match.changes import changes
from tuilerie.match.config import Config
from tuilerie.match.decide import decide, open_table
from tuilerie.match.evolve import evolve, fold
from tuilerie.match.facts import (
    Entered,
    Fact,
    Finished,
    TakenBack,
    TimerStarted,
    from_json,
    to_json,
)
from tuilerie.match.table import Table
from tuilerie.match.ticks import bots_due, bots_from, next_tick
from tuilerie.match.view import TableView, table_event, view

NOON = 1_800_000_000_000
PEOPLE = ("ana-id", "bo-id", "cy-id", "di-id", "ed-id", "flo-id")
NAMES = ("Ana", "Bo", "Cy", "Di", "Ed", "Flo")

Check = Callable[["Driver", Table, Applied], None]


def as_bytes(value: Json) -> bytes:
    return json.dumps(to_builtins(value), ensure_ascii=False).encode()


class Driver:
    """A table that takes commands and keeps its facts; every law in `checks` is checked after
    each."""

    def __init__(
        self, game: str, config: Config, seed: int = 1, checks: Sequence[Check] = ()
    ) -> None:
        self.random = Random(seed)
        self.watch = Random(seed)  # for the laws, apart from the game's own random numbers
        self.pick: Pick = self.random.randrange
        self.now = NOON
        self.facts: list[Fact] = list(open_table(game, config, self.now))
        self.table = fold(self.facts)
        self.look(checks)

    def look(self, checks: Sequence[Check]) -> None:
        """Check these laws from now on."""
        self.checks = checks
        self.views: dict[Seat | None, TableView] = {
            viewer: view(self.table, viewer) for viewer in self.viewers
        }

    @property
    def viewers(self) -> list[Seat | None]:
        return [*range(self.table.config.players), None]

    @property
    def state(self) -> Json:
        return self.table.game_state

    def do(self, command: c.Command, after: int = 0) -> list[str]:
        """Send a command after so many ms; returns the kinds of its facts."""
        self.now += after
        done = decide(self.table, command, self.now, self.pick)
        for each in done:
            before = self.table
            self.table = each.table
            self.facts.append(each.fact)
            for check in self.checks:
                check(self, before, each)
        return [each.fact.kind for each in done]

    def refuses(self, command: c.Command, rule: str, code: Code | None = None) -> Refused:
        """The command must be refused by this rule."""
        with pytest.raises(Refused) as caught:
            decide(self.table, command, self.now, self.pick)
        assert caught.value.rule == rule, caught.value
        if code is not None:
            assert caught.value.code is code
        return caught.value

    def last(self, kind: type[Fact]) -> Json:
        """The last fact of a kind."""
        return next(fact for fact in reversed(self.facts) if type(fact) is kind)

    # --- what people do ---

    def sit(self, *seats: Seat) -> None:
        for seat in seats:
            self.do(c.Sit(PEOPLE[seat], seat, NAMES[seat]))

    def ready(self, *seats: Seat) -> None:
        for seat in seats:
            self.do(c.SetReady(PEOPLE[seat], True))

    def make(
        self,
        seat: Seat,
        move: str,
        after: int = 0,
        pressed: int | None = None,
        rtt: int | None = None,
    ) -> list[str]:
        return self.do(c.Make(PEOPLE[seat], move, pressed, rtt), after)

    def bot_moves(self, seat: Seat, level: str = "random") -> str:
        """A bot's move for this seat."""
        play = self.table.rules.view(self.state, seat)
        return BOTS[self.table.game][level](play, self.random.randrange)

    def move(self, seat: Seat, after: int = 0) -> list[str]:
        """A person makes the move of a simple bot."""
        return self.make(seat, self.bot_moves(seat), after)

    def let_bots_move(self, after: int = 0) -> list[str]:
        """All bots that are due move once, as early as possible."""
        kinds = []
        for seat in bots_due(self.table):
            if seat in bots_due(self.table):
                wait = max(after, bots_from(self.table) - self.now)
                level = self.table.bot_level(seat)
                assert level is not None
                command = c.BotMoved(seat, self.bot_moves(seat, level), self.table.number)
                kinds += self.do(command, wait)
        return kinds

    def tick(self) -> list[str]:
        """Advance the clock to the next tick."""
        due = next_tick(self.table)
        assert due is not None
        return self.do(c.Tick(), max(0, due - self.now))

    def until(self, reached: Callable[[Table], bool]) -> Table:
        """People move in turn until the condition holds."""
        while not reached(self.table):
            assert self.table.result is None, "never reached"
            if not self.table.actors:
                self.tick()
                continue
            self.move(self.table.actors[0], after=100)
        return self.table

    def play_on(self, most: int = 5000) -> None:
        """Bots and the clock play the game to its end."""
        for _ in range(most):
            if self.table.result is not None:
                return
            if not self.let_bots_move(after=50):
                self.tick()
        raise AssertionError("the game does not end")


def started(
    game: str,
    players: int = 2,
    people: int = 2,
    seed: int = 1,
    checks: Sequence[Check] = (),
    **config: Json,
) -> Driver:
    """A table whose game has just started: people in the first seats, bots in the others."""
    driver = Driver(game, Config(players=players, **config), seed, checks)
    driver.sit(*range(people))
    for seat in range(people, players):
        driver.do(c.AddBot(PEOPLE[0], seat, "random"))
    driver.ready(*range(people))
    assert driver.table.started_at is not None
    return driver


# --- the laws of a table --------------------------------------------------------------------------


def facts_make_the_table(driver: Driver, before: Table, new: Applied) -> None:
    """The table computed by `decide` is the one that `evolve` makes, and numbers have no gap."""
    assert evolve(before, new.fact) == new.table
    assert new.table.number == before.number + 1 == len(driver.facts)
    assert new.fact.at == new.table.at >= before.at


def json_is_a_fixpoint(driver: Driver, before: Table, new: Applied) -> None:
    text = json.dumps(to_json(new.fact))
    assert from_json(json.loads(text)) == new.fact
    assert json.dumps(to_json(from_json(json.loads(text)))) == text


def view_and_changes_make_the_later_view(driver: Driver, before: Table, new: Applied) -> None:
    for viewer in driver.viewers:
        after = view(new.table, viewer)
        tree = json.loads(json.dumps(to_builtins(changes(driver.views[viewer], after))))
        seen = apply_changes(to_builtins(driver.views[viewer]), tree)
        assert seen == json.loads(json.dumps(to_builtins(after))), (viewer, new.fact)
        driver.views[viewer] = after


def no_player_is_named(driver: Driver, before: Table, new: Applied) -> None:
    viewer = driver.watch.choice(driver.viewers)
    event = table_event(new.fact, new.table, viewer)
    assert b"-id" not in as_bytes([driver.views[viewer], event])


def nobody_learns_what_others_hold(driver: Driver, before: Table, new: Applied) -> None:
    """Views and events are equal byte by byte if only hidden information differs."""
    viewer = driver.watch.choice(driver.viewers)
    other = permuted(new.table, viewer, driver.watch)
    assert as_bytes(view(new.table, viewer)) == as_bytes(view(other, viewer))
    if reveals(before, new.fact, viewer):
        return
    other = permuted(before, viewer, driver.watch)
    try:
        after = evolve(other, new.fact)
    except Refused:
        return  # the move needs tiles that nobody holds there
    event = table_event(new.fact, new.table, viewer)
    assert as_bytes(event) == as_bytes(table_event(new.fact, after, viewer)), new.fact


LAWS: tuple[Check, ...] = (
    facts_make_the_table,
    json_is_a_fixpoint,
    view_and_changes_make_the_later_view,
    no_player_is_named,
    nobody_learns_what_others_hold,
)


def permuted(table: Table, viewer: Seat | None, random: Random) -> Table:
    """A table that differs only in what this viewer may not know. Face-down tiles are hidden even
    from their owner."""
    if table.started_at is None:
        return table
    owner = None if table.is_face_down else viewer
    return replace(table, game_state=PERMUTE[table.game](table.game_state, owner, random))


def reveals(before: Table, fact: Fact, viewer: Seat | None) -> bool:
    """Whether a fact makes known what others hold: the last one in a draft passes the packets on,
    the last secret choice shows all of them, some moves show a hand, and in Génial! the offer to
    swap tells a little of it. What is taken back is played again from the log, where nothing can
    be permuted."""
    if isinstance(fact, TakenBack):
        return True
    if before.is_face_down and isinstance(fact, (TimerStarted, Finished)):
        return True  # tiles are turned up
    if not isinstance(fact, Entered):
        return False
    if fact.entry["kind"] == "action":
        foreign = before.game == "genial" and fact.entry["seat"] != viewer
        if foreign or before.rules.reveals(before.rules.parse_move(fact.entry["move"])):
            return True
    secret = before.game_state.phase in ("draft", "ingerence", "transfert")
    return secret and len(before.actors) == 1
