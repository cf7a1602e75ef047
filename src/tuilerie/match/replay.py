"""A record replayed for a client, step by step, with views and scoring reasons.

The client draws views and knows no rules. A step holds what it changed in the view
(`match.changes`), as at a live table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from tuilerie import names, record
from tuilerie.codec import TsType, to_builtins
from tuilerie.games.game import AnyState, Code, Event, Json, Refused, Seat
from tuilerie.match.changes import changes


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One entry of the record, its events, and what it changed in the view."""

    line: int
    entry: dict[str, Json]
    events: Annotated[list[Event], TsType("GameEvent[]")]
    changes: Annotated[dict[str, Any], TsType("Changes<PlayView>")]
    hands: list[tuple[str, ...]] | None  # where they have changed, and the viewer is a spectator


@dataclass(frozen=True, slots=True)
class ReplayFault:
    """Where a record breaks the rules."""

    line: int
    code: str
    rule: str
    params: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Replayed:
    """A record, replayed as far as it goes. `start` is the view before the first of `steps`."""

    game: str
    rules: int  # the version of the rules that it was replayed with
    players: int
    seats: list[str]
    options: dict[str, Json]
    start: Annotated[dict[str, Any], TsType("PlayView")]
    hands: list[tuple[str, ...]] | None  # what each seat holds at the start, for a spectator
    steps: list[ReplayStep]
    fault: ReplayFault | None = None


def replayed(
    text: str,
    viewer: Seat | None,
    after: int,
    most: int,
    check: Callable[[], None] = lambda: None,
) -> Replayed:
    """Replay a record as `viewer` sees it (`None`: a spectator), after so many entries, at most so
    many steps. Raises `Refused`. `check` is called now and then, and may raise."""
    fault = None
    try:
        replay = record.replay(text, check=check)
    except record.RecordError as error:
        wrong = error.fault
        if error.replay is None:
            raise Refused(wrong.code, wrong.rule, **wrong.params) from None
        replay = error.replay
        params = to_builtins(wrong.params)
        fault = ReplayFault(wrong.line, wrong.code.value, wrong.rule, params)
    players = len(replay.header.seats)
    if viewer is not None and not 0 <= viewer < players:
        raise Refused(Code.MALFORMED, "bad-seat", found=viewer, expected=players - 1)
    states = [replay.start, *(played.state for played in replay.played)]
    after = min(after, len(replay.played))
    return Replayed(
        game=replay.header.game,
        rules=replay.header.rules,
        players=players,
        seats=[names.shown(name) for name in replay.header.seats],
        options=dict(replay.header.options),
        start=to_builtins(replay.game.view(states[after], viewer)),
        hands=_hands(replay, states[after], viewer),
        steps=_steps(replay, viewer, after, most, check),
        fault=fault,
    )


def _hands(
    replay: record.Replay, state: AnyState, viewer: Seat | None
) -> list[tuple[str, ...]] | None:
    """All hands are open for a spectator of a replay: the record holds them anyway."""
    if viewer is not None:
        return None
    return [replay.game.held(state, seat) for seat in range(len(replay.header.seats))]


def _steps(
    replay: record.Replay, viewer: Seat | None, after: int, most: int, check: Callable[[], None]
) -> list[ReplayStep]:
    game = replay.game
    start = replay.played[after - 1].state if after else replay.start
    before, hands = game.view(start, viewer), _hands(replay, start, viewer)
    steps = []
    for played in replay.played[after : after + most]:
        check()
        view = game.view(played.state, viewer)
        tree = changes(before, view)
        now = _hands(replay, played.state, viewer)
        steps.append(
            ReplayStep(
                line=played.line,
                entry=record.write_entry(game, played.entry, played.ms),
                events=[game.redact(event, viewer) for event in played.events],
                changes=tree if isinstance(tree, dict) else {},
                hands=None if now == hands else now,
            )
        )
        before, hands = view, now
    return steps
