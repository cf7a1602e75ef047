"""The facts of one command as they come about, and what follows from each by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tuilerie.games.game import Entry, Json, Pick, Result, plain, ranking
from tuilerie.match import facts as f
from tuilerie.match.clock import AFTER_A_COUNT, ANNOUNCED
from tuilerie.match.entries import write_entry
from tuilerie.match.evolve import entered, evolve
from tuilerie.match.table import Table


class Stage(NamedTuple):
    """One fact, and the table after it."""

    fact: f.Fact
    table: Table


class Batch:
    """Facts that are decided together, at one time; `table` is the table after the last one."""

    def __init__(self, table: Table, now: int, pick: Pick) -> None:
        self.table = table
        self.at = max(now, table.at)  # time never goes back in a log, whatever clocks say
        self.pick = pick
        self.stages: list[Stage] = []
        self._round_over = False  # a glass has run out or was stopped in this batch

    def add(self, kind: Callable[..., f.Fact], *told: Json) -> None:
        """Let something happen: a kind of fact, with its fields after `at`."""
        fact = kind(self.at, *told)
        self._keep(fact, evolve(self.table, fact))

    def enter(self, entry: Entry[Json]) -> None:
        """Let something happen in the game. Raises `Refused`."""
        table = self.table
        step = table.rules.apply(table.game_state, entry)
        ms = self.at - (table.started_at or 0)
        fact = f.Entered(self.at, write_entry(table.rules, entry, ms))
        self._keep(fact, entered(table, fact, step))
        if table.glass is not None and table.rules.glass(step.state) is None:
            self._round_over = True

    def conclude(self) -> None:
        """Let all happen that follows by itself: the start, luck, the glass, the end."""
        while self._follow_up():
            pass

    def _keep(self, fact: f.Fact, table: Table) -> None:
        self.stages.append(Stage(fact, table))
        self.table = table

    def _follow_up(self) -> bool:
        """One thing that follows by itself, if there is one."""
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
            scores = tuple(plain(score) for score in result.scores)
            self.add(f.Finished, result.reason, _places(table, result), scores)
            return True
        seconds = rules.glass(state)
        if seconds is not None and table.glass is None:
            starts_at = self.at + (AFTER_A_COUNT if self._round_over else ANNOUNCED)
            self.add(f.GlassTurned, starts_at, starts_at + 1000 * seconds)
            return True
        if table.takeback is not None and not table.silent():
            self.add(f.TakenBack, len(table.entries) - 1)
            return True
        return False

    def _start(self) -> bool:
        """The game begins when all seats are taken and all are ready."""
        table = self.table
        if not all(place.ready for place in table.seats):
            return False
        options = table.rules.draw_lots(table.config.players, table.config.options, self.pick)
        self.add(f.Started, plain(options), tuple(place.name for place in table.seats))
        return True


def _places(table: Table, result: Result) -> tuple[int, ...]:
    """The places of the game; who resigned comes after all others, wherever the bot got to."""
    pairs = zip(table.seats, result.places, strict=True)
    return ranking([(0, 0) if place.resigned else (1, -at) for place, at in pairs])
