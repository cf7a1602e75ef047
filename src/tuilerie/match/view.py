"""Views of a table: what a viewer may know. Nothing else is sent to clients.

`view` is all of it, `own` the part that is not the same for every viewer, `table_event` one fact as
one viewer sees it. All copy an explicit list of fields: no player id and no secret field of a fact
is among them. The game's `view` and `redact` decide what of the game is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from tuilerie.codec import TsType
from tuilerie.games.game import AnyView, Event, Json, Own, Result, Seat
from tuilerie.match import clock as clocks
from tuilerie.match import facts as f
from tuilerie.match.commands import REACTIONS
from tuilerie.match.config import Config, PerGame
from tuilerie.match.table import HeldTurn, SeatState, Table, TimerState


@dataclass(frozen=True, slots=True)
class ClockView:
    """The kind of clock: so long for each move, or for the whole game."""

    kind: Literal["move", "game"]
    seconds: int
    increment: int


@dataclass(frozen=True, slots=True)
class ConfigView:
    """The public part of `Config`."""

    players: int
    options: Mapping[str, Json]
    clock: ClockView | None
    public: bool
    spectators: int | None
    takeover_after: int | None
    level: str


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat. `level`: of the bot that has the seat. `bot`: that of the bot that plays for a
    person; `for_good`: to the end."""

    kind: Literal["open", "person", "bot"]
    name: str
    level: str | None
    ready: bool
    away: bool
    bot: str | None
    for_good: bool
    resigned: bool


@dataclass(frozen=True, slots=True)
class SeatTime:
    """A seat's clock. `left`: ms for the rest of the game when it last stopped (clock per game).
    `deadline`: when the time is over, if it runs (ms since the epoch). `flagged`: it is over."""

    left: int | None
    deadline: int | None
    flagged: bool


@dataclass(frozen=True, slots=True)
class TakebackView:
    """A takeback request: who asks, who has agreed, and who has not answered yet."""

    seat: Seat
    agreed: tuple[Seat, ...]
    silent: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class CountView:
    """Players look at a count: who has not seen it yet, and how long the game waits at most."""

    until: int
    looking: tuple[Seat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """Everything that a viewer may know. Times are in ms since the epoch, on the server's clock.
    Who is connected is a separate message (`Presence`)."""

    number: int  # of the last fact
    at: int  # of the last fact
    game: str
    rules: int  # their version
    config: ConfigView
    you: Own[Seat | None]  # the viewer's seat; None: a spectator
    host: Seat | None
    seats: tuple[SeatView, ...]
    started_at: int | None
    clock: tuple[SeatTime, ...] | None
    timer: TimerState | None
    can_takeback: Own[bool]  # whether the viewer may ask for it now
    takeback: TakebackView | None
    held: HeldTurn | None  # a turn whose last action can still be undone
    can_undo: Own[bool]  # whether the viewer may undo now, without asking
    count: CountView | None
    assisted: bool  # somebody asked for a hint
    closed: bool  # by the host, before the start
    result: Result | None
    votes: tuple[Seat, ...]  # seats that asked for a rematch
    rematch: str | None  # the id of the next table
    reactions: tuple[str, ...]  # that may be used
    play: Annotated[AnyView, TsType("PlayView | null")]  # None before the start


@dataclass(frozen=True, slots=True)
class TableEvent:
    """One fact as one viewer sees it: its open fields, and its game events, redacted."""

    number: int
    at: int
    fact: Annotated[Mapping[str, Json], TsType("VisibleFact")]
    game: Annotated[tuple[Event, ...], TsType("GameEvent[]")]


def view(table: Table, viewer: Seat | None) -> TableView:
    """What this seat, or a spectator, may know of the table."""
    seat_of_host = None if table.host is None else table.seat_of(table.host)
    return TableView(
        number=table.number,
        at=table.at,
        game=table.game,
        rules=table.rules_version,
        config=_config(table.config),
        host=seat_of_host,
        seats=tuple(map(_seat, table.seats)),
        started_at=table.started_at,
        clock=_clock(table),
        timer=table.timer,
        takeback=_takeback(table),
        held=table.held,
        count=None if table.count is None else CountView(table.count.until, table.looking()),
        assisted=bool(table.hinted),
        closed=table.closed,
        result=table.result,
        votes=table.votes,
        rematch=table.rematch,
        reactions=REACTIONS,
        play=_play(table, viewer),
        **own(table, viewer),  # type: ignore[arg-type]
    )


def own(table: Table, viewer: Seat | None) -> dict[str, object]:
    """The viewer's own fields of `TableView`, without those in `play`."""
    return {
        "you": viewer,
        "can_takeback": viewer is not None and table.can_take_back(viewer),
        "can_undo": viewer is not None and table.can_undo(viewer),
    }


def own_play(table: Table, viewer: Seat | None) -> Mapping[str, object] | None:
    """The viewer's own fields of the game's view; `None` before the start."""
    if table.started_at is None:
        return None
    return table.rules.own_view(table.shown_state, viewer)


def table_event(fact: f.Fact, after: Table, viewer: Seat | None) -> TableEvent:
    """A fact as this viewer sees it; `after` is the table after it."""
    return TableEvent(after.number, after.at, visible_fact(fact), happened(after, viewer))


def visible_fact(fact: f.Fact) -> Mapping[str, Json]:
    """The open fields of a fact."""
    kind: Any = type(fact)
    return {name: getattr(fact, name) for name in f.open_fields(kind) if name != "at"}


def happened(after: Table, viewer: Seat | None) -> tuple[Event, ...]:
    """The game events of the last fact, redacted for this viewer. Of face-down tiles everybody gets
    what a spectator gets."""
    redact = after.rules.redact
    if after.is_face_down:
        viewer = None
    return tuple([redact(each, viewer) for each in after.events])


def _play(table: Table, viewer: Seat | None) -> AnyView:
    return None if table.started_at is None else table.rules.view(table.shown_state, viewer)


def _config(config: Config) -> ConfigView:
    clock = config.clock
    if clock is not None:
        increment = clock.increment if isinstance(clock, PerGame) else 0
        shown = ClockView(clock.kind, clock.seconds, increment)
    return ConfigView(
        players=config.players,
        options=config.options,
        clock=None if clock is None else shown,
        public=config.public,
        spectators=config.spectators,
        takeover_after=config.takeover_after,
        level=config.level,
    )


def _seat(holder: SeatState) -> SeatView:
    return SeatView(
        kind=holder.kind,
        name=holder.name,
        level=holder.level,
        ready=holder.ready,
        away=holder.away is not None,
        bot=holder.bot,
        for_good=holder.for_good,
        resigned=holder.resigned,
    )


def _clock(table: Table) -> tuple[SeatTime, ...] | None:
    rule = table.config.clock
    if rule is None or table.clock is None:
        return None
    return tuple(
        SeatTime(clock.left, clocks.deadline(rule, clock), clock.flagged) for clock in table.clock
    )


def _takeback(table: Table) -> TakebackView | None:
    asked = table.takeback
    return None if asked is None else TakebackView(asked.seat, asked.agreed, table.silent())
