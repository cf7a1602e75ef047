"""Collects the facts of one command, and those that follow from them."""

from __future__ import annotations

from typing import NamedTuple

from tuilerie.codec import to_builtins
from tuilerie.games.game import Action, AnyMove, AnyState, Entry, Pick, Result, Step, ranking
from tuilerie.match import facts as f
from tuilerie.match.clock import ANNOUNCED, COUNT_MOST
from tuilerie.match.evolve import entered, evolve
from tuilerie.match.table import Table
from tuilerie.record import write_entry


class Applied(NamedTuple):
    """One fact, and the table after it."""

    fact: f.Fact
    table: Table


class Batch:
    """Facts decided together, at one time; `table` is the table after the last one."""

    def __init__(self, table: Table, now: int, pick: Pick) -> None:
        self.table = table
        self.at = max(now, table.at)  # time in a log never goes back, even if the clock does
        self.pick = pick
        self.applied: list[Applied] = []
        self._counted = False  # a round was counted in this batch

    def add(self, fact: f.Fact) -> None:
        """Add a fact."""
        self._keep(fact, evolve(self.table, fact))

    def enter(self, entry: Entry[AnyMove], hold: int = 0) -> None:
        """Add an entry of the game. Raises `Refused`. If it ends a turn, this stays open for `hold`
        ms."""
        rules = self.table.rules
        step = rules.apply(self.table.game_state, entry)
        if hold and isinstance(entry, Action) and _can_hold(self.table, entry, step):
            self.add(f.TurnHeld(self.at, entry.seat, self.at + hold))
        ms = self.at - (self.table.started_at or 0)
        fact = f.Entered(self.at, write_entry(rules, entry, ms))
        self._keep(fact, entered(self.table, fact, step))
        self._counted = self._counted or any(map(rules.is_count, step.events))

    def conclude(self) -> None:
        """Add all facts that follow: the start, chance outcomes, the timer, the end."""
        while self._follow_up():
            pass

    def _keep(self, fact: f.Fact, table: Table) -> None:
        self.applied.append(Applied(fact, table))
        self.table = table

    def _follow_up(self) -> bool:
        """Add one fact that follows, if there is one. Returns whether there was."""
        table = self.table
        if table.started_at is None:
            return self._start()
        if not table.is_playing:
            return False
        if table.held is not None:
            return self._release_held_turn()
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
        if self._counted or table.count is not None:
            return self._show_count()
        if seconds is not None and table.timer is None:
            starts_at = self.at + ANNOUNCED
            self.add(f.TimerAnnounced(self.at, starts_at, starts_at + 1000 * seconds))
            return True
        if table.takeback is not None and not table.silent():
            self.add(f.TakenBack(self.at, len(table.entries) - 1))
            return True
        return False

    def _release_held_turn(self) -> bool:
        """End a turn that is held if nobody can undo it any more: a bot plays this seat now."""
        held = self.table.held
        assert held is not None
        holder = self.table.seats[held.seat]
        if holder.is_played_by_person and not self.table.is_flagged(held.seat):
            return False
        self.add(f.TurnEnded(self.at, held.seat))
        return True

    def _show_count(self) -> bool:
        """Let people look at a count, where a clock or a timer would go on meanwhile."""
        table, counted = self.table, self._counted
        self._counted = False
        if table.count is None:
            timed = table.config.clock is not None or table.rules.timer(table.game_state)
            if counted and timed and any(holder.is_present for holder in table.seats):
                self.add(f.CountBegan(self.at, self.at + COUNT_MOST))
            return True
        if not table.looking():
            self.add(f.CountEnded(self.at))
            return True
        return False

    def _start(self) -> bool:
        """Start the game if all seats are taken and all are ready."""
        table = self.table
        if table.closed or not all(holder.ready for holder in table.seats):
            return False
        options = table.rules.draw_lots(table.config.players, table.config.options, self.pick)
        self.add(
            f.Started(self.at, to_builtins(options), tuple(holder.name for holder in table.seats))
        )
        return True


def _can_hold(table: Table, entry: Action[AnyMove], step: Step[AnyState]) -> bool:
    """Whether this action ends a turn and could be undone: it shows nothing, and does not end the
    game."""
    rules, state = table.rules, step.state
    if rules.card.simultaneous or rules.reveals(entry.move) or rules.result(state) is not None:
        return False
    return table.can_grow and (rules.due(state) or entry.seat not in rules.actors(state))


def _places(table: Table, result: Result) -> tuple[int, ...]:
    """The ranks of the game; a player who resigned comes last, however well the bot did."""
    pairs = zip(table.seats, result.places, strict=True)
    return ranking([(0, 0) if holder.resigned else (1, -at) for holder, at in pairs])
