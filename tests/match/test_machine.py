"""Stateful tests with Hypothesis: any command, by anyone, at any time; all laws at every fact."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.match.driver import LAWS, NAMES, PEOPLE, Driver, started
from tuilerie import record
from tuilerie.bots import BOTS
from tuilerie.codec import to_builtins
from tuilerie.games import GAMES
from tuilerie.games.game import Json, Refused
from tuilerie.match import commands as c
from tuilerie.match.config import Config, PerGame, PerMove
from tuilerie.match.decide import decide
from tuilerie.match.evolve import fold
from tuilerie.match.rematch import rematch
from tuilerie.match.table_record import record_of
from tuilerie.match.ticks import bots_due, bots_from, next_tick

SEATS = st.integers(0, 5)
SIMPLE = (
    c.Stand, c.Begin, c.Leave, c.Return, c.AskRematch, c.EndTurn, c.Undo, c.SeeCount, c.Hint,
)  # fmt: skip
CLOCKS = st.sampled_from([None, None, PerMove(20), PerGame(60, 5)])
OPTIONS: dict[str, list[dict[str, Json]]] = {
    "genial": [{}, {"adjacent": True}],
    "blockers": [{}, {"scoring": "uptown"}],
    "kaosmos": [{}, {"draft": False, "kaos": False}, {"draft": False, "seconds": None}],
}


class TableMachine(RuleBasedStateMachine):
    """One table that gets arbitrary commands."""

    game = "genial"

    def __init__(self) -> None:
        super().__init__()
        self.driver = Driver("genial", Config(players=2))

    @initialize(data=st.data(), clock=CLOCKS, seed=st.integers(0, 999), empty=st.integers(0, 3))
    def open(self, data: st.DataObject, clock: Json, seed: int, empty: int) -> None:
        players = data.draw(st.integers(2, min(4, GAMES[self.game].card.players[-1])))
        options = data.draw(st.sampled_from(OPTIONS[self.game]))
        config = Config(players=players, options=options, clock=clock, takeover_after=30)
        self.driver = Driver(self.game, config, seed, LAWS)
        if empty:
            people = data.draw(st.integers(1, players))
            self.driver.sit(*range(people))
            for _ in range(people, players):
                self.driver.do(c.AddBot(PEOPLE[0], None, "random"))
            self.driver.ready(*range(people))
            self.fly(data.draw(st.integers(0, 100)))

    @property
    def playing(self) -> bool:
        return self.driver.table.is_playing

    def fly(self, moves: int) -> None:
        """Play on for a while without checking each step."""
        self.driver.look(())
        for _ in range(moves):
            if self.driver.table.is_face_down:
                self.driver.tick()
            table = self.driver.table
            seats = table.actors
            if table.held is not None:
                self.attempt(c.EndTurn(str(table.seats[table.held.seat].player)), 20)
                continue
            if not seats or not table.is_playing:
                break
            seat = self.driver.random.choice(seats)
            move = self.driver.bot_moves(seat)
            wait = max(20, bots_from(table) - self.driver.now)
            if table.bot_level(seat) is None:
                self.attempt(c.Make(str(table.seats[seat].player), move), wait)
            else:
                self.attempt(c.BotMoved(seat, move, table.number), wait)
        self.driver.look(LAWS)

    def attempt(self, command: c.Command, after: int = 0) -> None:
        """Send a command; a refusal must change nothing."""
        before = self.driver.table
        try:
            self.driver.do(command, after)
        except Refused:
            assert self.driver.table is before

    # --- seats ---

    @rule(who=SEATS, seat=st.none() | st.integers(-1, 4))
    def sit(self, who: int, seat: int | None) -> None:
        self.attempt(c.Sit(PEOPLE[who], seat, NAMES[who]))

    @rule(who=SEATS, command=st.sampled_from(SIMPLE))
    def do(self, who: int, command: type[c.Leave]) -> None:
        self.attempt(command(PEOPLE[who]), after=100)

    @rule(who=SEATS, seat=SEATS, add=st.booleans())
    def seat_a_bot(self, who: int, seat: int, add: bool) -> None:
        player = PEOPLE[who]
        self.attempt(c.AddBot(player, seat, "random") if add else c.RemoveBot(player, seat))

    @rule(who=SEATS, seat=SEATS)
    def remove_a_person(self, who: int, seat: int) -> None:
        self.attempt(c.Remove(PEOPLE[who], seat))

    @rule(who=SEATS, ready=st.booleans())
    def be_ready(self, who: int, ready: bool) -> None:
        self.attempt(c.SetReady(PEOPLE[who], ready))

    # --- the game ---

    @precondition(lambda self: self.playing)
    @rule(random=st.randoms(use_true_random=False), wait=st.integers(0, 3000))
    def persons_move(self, random: Random, wait: int) -> None:
        """The seats that may act make a few legal moves."""
        for _ in range(6):
            seats = self.driver.table.actors
            if seats:
                seat = random.choice(seats)
                player = self.driver.table.seats[seat].player or "nobody"
                if self.driver.table.held is not None:
                    self.attempt(random.choice((c.EndTurn, c.Undo))(player), wait)
                    continue
                move = self.driver.bot_moves(seat, random.choice(list(BOTS[self.game])))
                pressed = self.driver.now + wait - random.randrange(200)
                hold = random.choice((None, 0, 3_000))
                self.attempt(c.Make(player, move, pressed, random.randrange(300), hold), wait)

    @precondition(lambda self: self.playing)
    @rule(moves=st.integers(5, 60))
    def the_game_goes_on(self, moves: int) -> None:
        self.fly(moves)

    @precondition(lambda self: self.playing)
    @rule(who=SEATS, text=st.sampled_from(["done", "grab green", "keep", "swap", "put T01 a1 0"]))
    def try_anything(self, who: int, text: str) -> None:
        self.attempt(c.Make(PEOPLE[who], text))

    @precondition(lambda self: bool(bots_due(self.driver.table)))
    @rule(wait=st.integers(0, 900), late=st.integers(0, 2))
    def bots_move(self, wait: int, late: int) -> None:
        for seat in bots_due(self.driver.table):
            table = self.driver.table
            level = table.bot_level(seat)
            if seat in bots_due(table) and level is not None:
                move = self.driver.bot_moves(seat, level)
                self.attempt(c.BotMoved(seat, move, table.number - late), wait)

    @precondition(lambda self: self.playing and self.game == "kaosmos")
    @rule(random=st.randoms(use_true_random=False))
    def everybody_grabs(self, random: Random) -> None:
        for seat in self.driver.table.actors:
            player = self.driver.table.seats[seat].player or "nobody"
            self.attempt(c.SeeCount(player))
            colours = " ".join(random.sample(("green", "blue", "orange"), random.randint(1, 2)))
            pressed = self.driver.now - random.randrange(200)
            self.attempt(c.Make(player, f"grab {colours}", pressed, 150), random.randrange(60))

    @rule(who=SEATS, yes=st.booleans())
    def take_back(self, who: int, yes: bool) -> None:
        self.attempt(c.AskTakeback(PEOPLE[who]))
        self.attempt(c.AnswerTakeback(PEOPLE[1 - who % 2], yes))

    @precondition(lambda self: any(map(self.driver.table.can_take_back, range(2))))
    @rule(yes=st.lists(st.booleans(), max_size=4))
    def take_back_what_can_be(self, yes: list[bool]) -> None:
        table = self.driver.table
        seat = next(seat for seat in range(2) if table.can_take_back(seat))
        self.attempt(c.AskTakeback(str(table.seats[seat].player)))
        for other, agrees in zip(self.driver.table.silent(), yes, strict=False):
            self.attempt(c.AnswerTakeback(str(table.seats[other].player), agrees))

    @precondition(lambda self: self.driver.table.rematch_agreed)
    @rule()
    def play_again(self) -> None:
        fold(rematch(self.driver.table, self.driver.now, self.driver.pick))
        self.attempt(c.Rematch("next"))

    @rule(who=SEATS, reaction=st.sampled_from([*c.REACTIONS, "boo"]))
    def react(self, who: int, reaction: str) -> None:
        self.attempt(c.React(PEOPLE[who], reaction), after=2000)

    @rule(who=SEATS, sure=st.integers(0, 3))
    def resign(self, who: int, sure: int) -> None:
        if not sure:
            self.attempt(c.Resign(PEOPLE[who]))

    # --- time ---

    @precondition(lambda self: next_tick(self.driver.table) is not None)
    @rule()
    def tick(self) -> None:
        self.driver.tick()

    @rule(ms=st.sampled_from([1, 120, 250, 5_000, 70_000, 10**8]))
    def time_passes(self, ms: int) -> None:
        self.driver.do(c.Tick(), after=ms)

    # --- what is always so ---

    def teardown(self) -> None:
        """The log is the truth."""
        assert fold(self.driver.facts) == self.driver.table

    @invariant()
    def ticks_come_when_they_are_due(self) -> None:
        table, pick = self.driver.table, Random(1).randrange
        due = next_tick(table)
        far = table.at + 10**10
        assert bool(decide(table, c.Tick(), far, pick)) == (due is not None)
        if due is not None and due > table.at:
            assert decide(table, c.Tick(), due - 1, pick) == ()
            assert decide(table, c.Tick(), due, pick) != ()

    @invariant()
    def somebody_can_go_on(self) -> None:
        table = self.driver.table
        if not table.is_playing:
            return
        assert table.actors or table.is_face_down
        assert table.held is not None or not table.rules.due(table.game_state)
        untimed = table.rules.timer(table.game_state) is None
        assert table.count is not None or (table.timer is None) == untimed
        for seat in table.actors:
            waits = table.takeback is not None
            by_person = table.seats[seat].is_played_by_person and not table.is_flagged(seat)
            assert waits or by_person or seat in bots_due(table)

    @invariant()
    def the_record_is_the_game(self) -> None:
        table = self.driver.table
        if table.result is not None:
            again = record.replay(record_of(table))
            assert again.state == table.game_state
            resigned = any(place.resigned for place in table.seats)
            assert resigned or to_builtins(again.result) == to_builtins(table.result)


QUICK = settings(
    max_examples=5,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


def machine(game: str) -> type[TableMachine]:
    return type(f"{game.title()}Machine", (TableMachine,), {"game": game})


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(GAMES))
def test_random_commands_keep_the_laws(game: str) -> None:
    run_state_machine_as_test(machine(game), settings=QUICK)


@pytest.mark.proof
@pytest.mark.parametrize("game", sorted(GAMES))
def test_many_random_commands_keep_the_laws(game: str) -> None:
    many = settings(QUICK, max_examples=300, stateful_step_count=60, derandomize=False)
    run_state_machine_as_test(machine(game), settings=many)


@pytest.mark.parametrize(
    ("game", "clock", "options"),
    [
        ("genial", PerMove(5), {}),
        ("genial", PerGame(20, 1), {}),
        ("blockers", PerMove(5), {}),
        ("kaosmos", PerMove(5), {}),
        ("kaosmos", PerGame(20, 1), {"draft": False, "seconds": None}),
    ],
)
def test_clocks_bring_an_abandoned_game_to_its_end(game: str, clock: Json, options: Json) -> None:
    """Clocks and bots alone bring the game to its end."""
    driver = started(game, 2, clock=clock, options=options, level="random")
    driver.play_on()
    again = record.replay(record_of(driver.table))
    assert again.confirmed
    assert to_builtins(again.result) == to_builtins(driver.table.result)
    assert fold(driver.facts) == driver.table
    assert bots_from(driver.table) == driver.table.at
