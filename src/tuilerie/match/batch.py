"""Collects the facts of one command, and those that follow from them."""

from __future__ import annotations

from typing import NamedTuple

from tuilerie.codec import to_builtins
from tuilerie.games.game import AnyMove, Entry, Pick, Result, ranking
from tuilerie.match import facts as f
from tuilerie.match.clock import AFTER_A_COUNT, ANNOUNCED
from tuilerie.match.evolve import entered, evolve
from tuilerie.match.table import Table
from tuilerie.record import write_entry


class Stage(NamedTuple):
    """One fact, and the table after it."""

    fact: f.Fact
    table: Table


class Batch:
    """Facts decided together, at one time; `table` is the table after the last one."""

    def __init__(self, table: Table, now: int, pick: Pick) -> None:
        self.table = table
        self.at = max(now, table.at)  # time in a log never goes back, even if the clock does
        self.pick = pick
        self.stages: list[Stage] = []
        self._round_over = False  # a timer has run out or was stopped in this batch

    def add(self, fact: f.Fact) -> None:
        """Add a fact."""
        self._keep(fact, evolve(self.table, fact))

    def enter(self, entry: Entry[AnyMove]) -> None:
        """Add an entry of the game. Raises `Refused`."""
        table = self.table
        step = table.rules.apply(table.game_state, entry)
        ms = self.at - (table.started_at or 0)
        fact = f.Entered(self.at, write_entry(table.rules, entry, ms))
        self._keep(fact, entered(table, fact, step))
        if table.timer is not None and table.rules.timer(step.state) is None:
            self._round_over = True

    def conclude(self) -> None:
        """Add all facts that follow: the start, chance outcomes, the timer, the end."""
        while self._follow_up():
            pass

    def _keep(self, fact: f.Fact, table: Table) -> None:
        self.stages.append(Stage(fact, table))
        self.table = table

    def _follow_up(self) -> bool:
        """Add one fact that follows, if there is one. Returns whether there was."""
        table = self.table
        if table.started_at is None:
            return self._start()
        if not table.is_playing:
            return False
        rules, state = table.rules, table.game_state
        if rules.due(state):
            self.enter(rules.chance(state, self.pick))
            return True
        result = rules.result(state)
        if result is not None:
            scores = tuple(to_builtins(score) for score in result.scores)
            self.add(f.Finished(self.at, result.reason, _places(table, result), scores))
            return True
        seconds = rules.timer(state)
        if seconds is not None and table.timer is None:
            starts_at = self.at + (AFTER_A_COUNT if self._round_over else ANNOUNCED)
            self.add(f.TimerAnnounced(self.at, starts_at, starts_at + 1000 * seconds))
            return True
        if table.takeback is not None and not table.silent():
            self.add(f.TakenBack(self.at, len(table.entries) - 1))
            return True
        return False

    def _start(self) -> bool:
        """Start the game if all seats are taken and all are ready."""
        table = self.table
        if not all(holder.ready for holder in table.seats):
            return False
        options = table.rules.draw_lots(table.config.players, table.config.options, self.pick)
        self.add(
            f.Started(self.at, to_builtins(options), tuple(holder.name for holder in table.seats))
        )
        return True


def _places(table: Table, result: Result) -> tuple[int, ...]:
    """The ranks of the game; a player who resigned comes last, however well the bot did."""
    pairs = zip(table.seats, result.places, strict=True)
    return ranking([(0, 0) if holder.resigned else (1, -at) for holder, at in pairs])
