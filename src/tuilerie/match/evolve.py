"""How each fact changes a table.

`evolve` adds one fact, `fold` makes a table from a whole log. They do not validate: facts have
happened, and `decide` has checked them. (They raise `Refused` only for a log of an unknown game or
rules version, or one that the rules do not accept.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tuilerie.games import GAMES
from tuilerie.games.game import (
    AnyState,
    Json,
    Result,
    Seat,
    Step,
    put_at,
)
from tuilerie.match import clock as clocks
from tuilerie.match import facts as f
from tuilerie.match.clock import SeatClock
from tuilerie.match.table import (
    BOT,
    PERSON,
    Count,
    HeldTurn,
    SeatState,
    Table,
    Takeback,
    TimerState,
)
from tuilerie.record import ACTION, read_entry

REACTIONS_KEPT = 3
"""How many reactions of a seat are remembered, for the rate limit."""

Changes = dict[str, Any]


def fold(facts: Iterable[f.Fact]) -> Table:
    """The table that a whole log makes."""
    table: Table | None = None
    for fact in facts:
        table = evolve(table, fact)
    assert table is not None, "a log begins with Opened"
    return table


def evolve(table: Table | None, fact: f.Fact) -> Table:
    """The table after one more fact; `None` is the table before `Opened`."""
    if isinstance(fact, f.Opened):
        return _opened(fact)
    assert table is not None, "a log begins with Opened"
    if isinstance(fact, f.Entered):
        entry = read_entry(table.rules, fact.entry)
        return entered(table, fact, table.rules.apply(table.game_state, entry))
    return _next(table, fact, _CHANGES[type(fact)](table, fact))


def entered(table: Table, fact: f.Entered, step: Step[AnyState]) -> Table:
    """The table after an entry whose step in the game is computed already."""
    number, acted, entry = table.number + 1, table.acted, fact.entry
    if entry["kind"] == ACTION:
        acted = put_at(acted, entry["seat"], number)
    timed = table.rules.timer(step.state) is not None
    after = replace(
        table,
        number=number,
        at=fact.at,
        game_state=step.state,
        events=step.events,
        entries=(*table.entries, entry),
        entered=number,
        before=table.game_state,
        acted=acted,
        timer=table.timer if timed else None,
        takeback=None,  # the game has gone on
    )
    return _with_clocks(table, fact, after)


def _opened(fact: f.Opened) -> Table:
    players = fact.config.players
    if fact.game not in GAMES:
        raise f.BadFact(f"game is {fact.game!r}, expected one of {', '.join(GAMES)}")
    return Table(
        number=1,
        at=fact.at,
        game=fact.game,
        rules=GAMES[fact.game].by_version(fact.rules),
        rules_version=fact.rules,
        config=fact.config,
        seats=(SeatState(),) * players,
        opened_at=fact.at,
        awake_since=fact.at,
        acted=(0,) * players,
        reacted=((),) * players,
    )


def _next(table: Table, fact: f.Fact, changes: Changes) -> Table:
    changed: Changes = {"events": (), **changes, "number": table.number + 1, "at": fact.at}
    return _with_clocks(table, fact, replace(table, **changed))


def _with_clocks(table: Table, fact: f.Fact, after: Table) -> Table:
    if after.clock is None or type(fact) not in _MOVES_CLOCKS:
        return after
    return replace(after, clock=_clocks(table, after, fact))


# --- seats ----------------------------------------------------------------------------------------


def _seat(table: Table, seat: Seat, holder: SeatState) -> Changes:
    return {"seats": put_at(table.seats, seat, holder)}


def _wake(table: Table, fact: f.Fact) -> Changes:
    """`awake_since` after somebody came to an empty table: from now on absent players are waited
    for."""
    return {} if table.is_anybody_waiting else {"awake_since": fact.at}


def _seated(table: Table, fact: f.Seated) -> Changes:
    holder = SeatState(PERSON, fact.name, player=fact.player, since=table.number + 1)
    return _wake(table, fact) | _seat(table, fact.seat, holder)


def _bot_seated(table: Table, fact: f.BotSeated) -> Changes:
    holder = SeatState(BOT, fact.name, level=fact.level, since=table.number + 1, ready=True)
    return _seat(table, fact.seat, holder)


def _vacated(table: Table, fact: f.Vacated) -> Changes:
    return _seat(table, fact.seat, SeatState())


def _readied(table: Table, fact: f.Readied) -> Changes:
    return _seat(table, fact.seat, replace(table.seats[fact.seat], ready=fact.ready))


def _closed(table: Table, fact: f.Closed) -> Changes:
    return {"closed": True}


def _left(table: Table, fact: f.Left) -> Changes:
    holder = table.seats[fact.seat]
    ready = holder.ready and table.started_at is not None
    return _seat(table, fact.seat, replace(holder, away=fact.at, ready=ready))


def _returned(table: Table, fact: f.Returned) -> Changes:
    holder = replace(table.seats[fact.seat], away=None)
    return _wake(table, fact) | _seat(table, fact.seat, holder)


def _taken_over(table: Table, fact: f.TakenOver) -> Changes:
    holder = replace(table.seats[fact.seat], bot=fact.level, for_good=fact.for_good)
    return _seat(table, fact.seat, holder)


def _handed_back(table: Table, fact: f.HandedBack) -> Changes:
    return _seat(table, fact.seat, replace(table.seats[fact.seat], bot=None))


def _resigned(table: Table, fact: f.Resigned) -> Changes:
    return _seat(table, fact.seat, replace(table.seats[fact.seat], resigned=True))


# --- the game -------------------------------------------------------------------------------------


def _started(table: Table, fact: f.Started) -> Changes:
    rule, players = table.config.clock, table.config.players
    return {
        "started_at": fact.at,
        "options": fact.options,
        "names": fact.names,
        "game_state": table.rules.start(players, fact.options),
        "entered": table.number + 1,
        "clock": None if rule is None else clocks.fresh(rule, players),
    }


def _turn_held(table: Table, fact: f.TurnHeld) -> Changes:
    return {"held": HeldTurn(fact.seat, fact.ends_at)}


def _turn_ended(table: Table, fact: f.TurnEnded) -> Changes:
    return {"held": None}


def _count_began(table: Table, fact: f.CountBegan) -> Changes:
    return {"count": Count(fact.until)}


def _count_seen(table: Table, fact: f.CountSeen) -> Changes:
    count = table.count
    return {"count": count and replace(count, seen=(*count.seen, fact.seat))}


def _count_ended(table: Table, fact: f.CountEnded) -> Changes:
    return {"count": None}


def _hinted(table: Table, fact: f.Hinted) -> Changes:
    return {"hinted": (*table.hinted, fact.seat)}


def _timer_announced(table: Table, fact: f.TimerAnnounced) -> Changes:
    hides = table.rules.face_down(table.game_state) is not table.game_state
    return {"timer": TimerState(fact.starts_at, fact.ends_at, started=not hides)}


def _timer_started(table: Table, fact: f.TimerStarted) -> Changes:
    """If it starts late, as after a restart of the server, it ends later by as much."""
    timer = table.timer
    assert timer is not None
    ends_at = timer.ends_at + fact.at - timer.starts_at
    return {"timer": TimerState(fact.at, ends_at, started=True)}


def _claimed(_table: Table, _fact: f.Claimed | f.ClaimSettled) -> Changes:
    """Logs of older programs hold these; what a claim led to follows as `Entered`."""
    return {}


def _flagged(table: Table, fact: f.Flagged) -> Changes:
    assert table.clock is not None
    late = replace(table.clock[fact.seat], flagged=True)
    return {"clock": put_at(table.clock, fact.seat, late)}


def _interrupted(table: Table, fact: f.Interrupted) -> Changes:
    ms = fact.ms
    timer, asked, held, count = table.timer, table.takeback, table.held, table.count
    seats = tuple(
        holder if holder.away is None else replace(holder, away=holder.away + ms)
        for holder in table.seats
    )
    return {
        "clock": table.clock and tuple(clocks.delayed(clock, ms) for clock in table.clock),
        "timer": timer and TimerState(timer.starts_at + ms, timer.ends_at + ms, timer.started),
        "takeback": asked and replace(asked, asked_at=asked.asked_at + ms),
        "held": held and replace(held, ends_at=held.ends_at + ms),
        "count": count and replace(count, until=count.until + ms),
        "seats": seats,
        "awake_since": table.awake_since + ms,
    }


def _takeback_asked(table: Table, fact: f.TakebackAsked) -> Changes:
    return {"takeback": Takeback(fact.seat, fact.at)}


def _takeback_answered(table: Table, fact: f.TakebackAnswered) -> Changes:
    asked = table.takeback
    if asked is None or not fact.yes:
        return {"takeback": None}
    return {"takeback": replace(asked, agreed=(*asked.agreed, fact.seat))}


def _taken_back(table: Table, fact: f.TakenBack) -> Changes:
    """The game as it was. Two takebacks in a row are rare: then it is replayed up to there."""
    entries = table.entries[: fact.entries]
    is_last = fact.entries == len(table.entries) - 1
    state = table.before if is_last and table.before is not None else _replayed(table, entries)
    return {
        "game_state": state,
        "before": None,
        "entries": entries,
        "entered": table.number + 1,
        "takeback": None,
        "held": None,
    }


def _replayed(table: Table, entries: Sequence[Mapping[str, Json]]) -> AnyState:
    rules = table.rules
    state = rules.start(table.config.players, table.options)
    for entry in entries:
        state = rules.apply(state, read_entry(rules, entry)).state
    return state


def _finished(table: Table, fact: f.Finished) -> Changes:
    result = Result(fact.reason, fact.places, fact.scores)
    over = {"timer": None, "takeback": None, "held": None, "count": None}
    return {"result": result, **over}


# --- around the game ------------------------------------------------------------------------------


def _reacted(table: Table, fact: f.Reacted) -> Changes:
    times = (*table.reacted[fact.seat], fact.at)[-REACTIONS_KEPT:]
    return {"reacted": put_at(table.reacted, fact.seat, times)}


def _rematch_asked(table: Table, fact: f.RematchAsked) -> Changes:
    return {"votes": (*table.votes, fact.seat)}


def _rematched(table: Table, fact: f.Rematched) -> Changes:
    return {"rematch": fact.table_id}


_CHANGES: Mapping[type[f.Fact], Callable[[Table, Any], Changes]] = {
    f.Seated: _seated,
    f.BotSeated: _bot_seated,
    f.Vacated: _vacated,
    f.Readied: _readied,
    f.Closed: _closed,
    f.Left: _left,
    f.Returned: _returned,
    f.TakenOver: _taken_over,
    f.HandedBack: _handed_back,
    f.Started: _started,
    f.TurnHeld: _turn_held,
    f.TurnEnded: _turn_ended,
    f.CountBegan: _count_began,
    f.CountSeen: _count_seen,
    f.CountEnded: _count_ended,
    f.Hinted: _hinted,
    f.TimerAnnounced: _timer_announced,
    f.TimerStarted: _timer_started,
    f.Claimed: _claimed,
    f.ClaimSettled: _claimed,
    f.Flagged: _flagged,
    f.Interrupted: _interrupted,
    f.TakebackAsked: _takeback_asked,
    f.TakebackAnswered: _takeback_answered,
    f.TakenBack: _taken_back,
    f.Resigned: _resigned,
    f.Finished: _finished,
    f.Reacted: _reacted,
    f.RematchAsked: _rematch_asked,
    f.Rematched: _rematched,
}


# --- clocks ---------------------------------------------------------------------------------------

_MOVES_CLOCKS = frozenset(
    {
        f.Started,
        f.Entered,
        f.TurnEnded,
        f.CountBegan,
        f.CountSeen,
        f.CountEnded,
        f.TakenBack,
        f.TakenOver,
        f.HandedBack,
        f.Finished,
    }
)
"""Facts that may stop or start clocks."""


def _clocks(before: Table, after: Table, fact: f.Fact) -> tuple[SeatClock, ...]:
    rule = after.config.clock
    assert rule is not None
    assert after.clock is not None
    actor = None
    if isinstance(fact, f.TurnEnded):
        actor = fact.seat
    elif isinstance(fact, f.Entered) and fact.entry["kind"] == ACTION and after.held is None:
        actor = fact.entry["seat"]
    found = []
    for seat, clock in enumerate(after.clock):
        runs = _runs(after, seat)
        decided = seat == actor and (not runs or _is_new_question(before, after))
        new = clocks.stopped(rule, clock, fact.at, decided) if decided or not runs else clock
        found.append(clocks.running(new, fact.at) if runs else new)
    return tuple(found)


def _runs(table: Table, seat: Seat) -> bool:
    """Whether the person in this seat has a decision to make, has seen the count, and no timer
    runs. A turn that is held is a decision, too."""
    asked = table.seats[seat].is_played_by_person and seat in table.actors
    if table.count is not None and seat not in table.count.seen:
        return False
    return asked and table.rules.timer(table.game_state) is None


def _is_new_question(before: Table, after: Table) -> bool:
    """Whether a seat that acted and may act again has a new decision to make. Where seats act
    together, it is the same one until another seat may act again, too."""
    together = after.rules.card.simultaneous
    return not together or not set(after.actors) <= set(before.actors)
