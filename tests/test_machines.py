"""Stateful tests with Hypothesis: any table, any players, any order of entries.

Hypothesis shrinks a failing game to a short one.
"""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tests.tables import TABLES, Moment, Table
from tests.test_laws import CHECKS
from tuilerie.bots import BOTS
from tuilerie.games.game import Action, Entry, Json, Refused, Timeout

PICKS = st.randoms(use_true_random=False)


class TableMachine(RuleBasedStateMachine):
    """One table with all legal entries in any order."""

    tables: tuple[Table, ...] = ()

    def __init__(self) -> None:
        super().__init__()
        self.table = self.tables[0]
        self.state: Json = None

    @initialize(data=st.data(), random=PICKS)
    def start_game(self, data: st.DataObject, random: Random) -> None:
        self.table = data.draw(st.sampled_from(self.tables))
        game, players = self.table.rules, self.table.players
        options = game.draw_lots(players, self.table.options, random.randrange)
        self.state = game.start(players, options)

    def apply_entry(self, entry: Entry[Json], random: Random) -> None:
        after, events = self.table.rules.apply(self.state, entry)
        moment = Moment(self.state, entry, after, events)
        for check in CHECKS:
            check(self.table, moment, random)
        self.state = after

    @precondition(lambda self: self.table.rules.due(self.state))
    @rule(random=PICKS)
    def draw_chance(self, random: Random) -> None:
        self.apply_entry(self.table.rules.chance(self.state, random.randrange), random)

    @precondition(lambda self: self.table.rules.actors(self.state))
    @rule(random=PICKS, level=st.sampled_from(("random", "greedy")))
    def a_bot_moves(self, random: Random, level: str) -> None:
        seats = self.table.rules.actors(self.state)
        seat = seats[random.randrange(len(seats))]
        view = self.table.rules.view(self.state, seat)
        text = BOTS[self.table.game][level](view, random.randrange)
        self.apply_entry(Action(seat, self.table.rules.parse_move(text)), random)

    @precondition(lambda self: self.table.rules.actors(self.state))
    @rule(random=PICKS)
    def any_legal_move(self, random: Random) -> None:
        seats = self.table.rules.actors(self.state)
        seat = seats[random.randrange(len(seats))]
        moves = self.table.rules.legal(self.state, seat)
        self.apply_entry(Action(seat, moves[random.randrange(len(moves))]), random)

    @precondition(lambda self: self.table.rules.timer(self.state) is not None)
    @rule(random=PICKS)
    def time_is_up(self, random: Random) -> None:
        self.apply_entry(Timeout(), random)

    @rule(random=PICKS, seat=st.integers(0, 5))
    def try_a_move_that_was_legal_elsewhere(self, random: Random, seat: int) -> None:
        """The rules accept exactly the moves that they list."""
        game = self.table.rules
        other = game.start(self.table.players, game.options(self.table.players, {}))
        while not game.actors(other):
            other = game.apply(other, game.chance(other, random.randrange)).state
        moves = game.legal(other, game.actors(other)[0])
        move = moves[random.randrange(len(moves))]
        seat %= self.table.players
        listed = str(move) in {str(each) for each in game.legal(self.state, seat)}
        taken = False
        with suppress(Refused):
            game.apply(self.state, Action(seat, move))
            taken = True
        assert taken == listed


def machine(game: str) -> type[TableMachine]:
    tables = tuple(table for table in TABLES if table.game == game)
    return type(f"{game.title()}Machine", (TableMachine,), {"tables": tables})


SETTINGS = settings(
    max_examples=settings().max_examples // 5,  # by profile
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)

pytestmark = pytest.mark.slow

TestGenial = machine("genial").TestCase
TestBlockers = machine("blockers").TestCase
TestKaosmos = machine("kaosmos").TestCase
for case in (TestGenial, TestBlockers, TestKaosmos):
    case.settings = SETTINGS
del case  # pytest would run it once more, by this name
