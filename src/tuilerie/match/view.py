"""What a viewer may know of a table: the only way out.

`view` is the whole of it; `event` tells one viewer what one fact changed; `follow` adds an event to
a view. The law: the view of a table, followed along the events of later facts, is the view of the
later table, for every seat and for a spectator (`None`).

Both are built from nothing, of what is named here. No player id, no token and no fact gets through.
What a game may show, the game's own `view` and `redact` decide.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tuilerie.games import GAMES
from tuilerie.games.game import Event, Json, Result, Seat
from tuilerie.match import clock as clocks
from tuilerie.match import facts as f
from tuilerie.match.commands import REACTIONS
from tuilerie.match.config import Config, PerGame
from tuilerie.match.table import Glass, Place, Table


@dataclass(frozen=True, slots=True)
class ClockView:
    """The kind of clock: 'move' or 'game'."""

    kind: str
    seconds: int
    increment: int


@dataclass(frozen=True, slots=True)
class ConfigView:
    """What was agreed on; see `Config`."""

    players: int
    options: Mapping[str, Json]
    clock: ClockView | None
    public: bool
    spectators: int | None
    takeover_after: int | None
    level: str


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat. `kind`: open, person or bot. `level`: of the bot that has the seat. `bot`: of the one
    that plays for a person; `for_good`: it stays."""

    kind: str
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
    """Who asks to take something back, who has agreed, and who has still to answer."""

    seat: Seat
    agreed: tuple[Seat, ...]
    silent: tuple[Seat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """All that a viewer may know. `plain` turns it into JSON. Times are in ms since the epoch, on
    the server's clock. Who is connected at the moment is not told here."""

    number: int  # of the last fact
    at: int  # of the last fact
    game: str
    rules: int  # their version
    config: ConfigView
    you: Seat | None  # the viewer's seat; None: a spectator
    host: Seat | None
    seats: tuple[SeatView, ...]
    started_at: int | None
    clock: tuple[SeatTime, ...] | None
    glass: Glass | None
    claim: str | None  # the viewer's own claim that is not settled yet
    can_takeback: bool  # whether the viewer may ask for it now
    takeback: TakebackView | None
    result: Result | None
    votes: tuple[Seat, ...]  # who would like a rematch
    rematch: str | None  # the id of the next table
    reactions: tuple[str, ...]  # that may be shown
    play: Json  # the game's own view; None before the start


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEvent:
    """What one viewer hears of one fact.

    `kind`: that of the fact, or 'quiet' where the viewer may only know that something happened.
    `told`: what is to be said of it. `changes`: the fields of `TableView` that are new, whole,
    except `play`. `events`: what happened in the game, as the viewer may see it; `Game.follow`
    makes the new `play` of them. `play`: the game's view whole, where it does not follow from
    events (the start, a move taken back, tiles face down or turned up, the end).
    """

    number: int
    at: int
    kind: str
    told: Mapping[str, Json]
    changes: Mapping[str, Json]
    events: tuple[Event, ...]
    play: Json


QUIET = "quiet"

OWN = ("you", "claim", "can_takeback")
"""The fields of a view that are not the same for every viewer; of `play` some are, some are not."""


def view(table: Table, viewer: Seat | None) -> TableView:
    """What this seat, or a spectator, may know of the table."""
    play = _play(table, viewer)
    own: dict[str, Json] = dict(zip(OWN, own_part(table, viewer), strict=True))
    return TableView(**open_part(table), **own, play=play)


def own_part(table: Table, viewer: Seat | None) -> tuple[Seat | None, str | None, bool]:
    """The fields `OWN` of a view."""
    return viewer, _claim(table, viewer), _can_takeback(table, viewer)


def own_play(table: Table, viewer: Seat | None) -> Mapping[str, Json]:
    """The fields of the game's view that are the viewer's own; the game must have begun."""
    return table.rules.own_view(table.shown_state, viewer)


def open_play(table: Table) -> Mapping[str, Json] | None:
    """All other fields of the game's view, the same for every viewer; `None` before the start."""
    return None if table.started_at is None else table.rules.open_view(table.shown_state)


def open_part(table: Table) -> dict[str, Json]:
    """All other fields of a view but `play`, the same for every viewer."""
    return {"number": table.number, "at": table.at, **steady_part(table)}


def steady_part(table: Table) -> dict[str, Json]:
    """Those of them that are not new with every fact."""
    return {
        "game": table.game,
        "rules": table.rules_version,
        "config": _config(table.config),
        "reactions": REACTIONS,
        **open_changes(None, table),
    }


def open_changes(before: Table | None, after: Table) -> dict[str, Json]:
    """Those of the steady ones that may look different than at an earlier moment of the table
    (`None`: than ever). The others certainly look the same."""
    if before is not None and _open_sources(before) == _open_sources(after):
        return {}  # the usual case, found out quickly
    names = _PARTS if before is None else _touched(before, after)
    return {name: _PARTS[name][1](after, None) for name in names if name not in OWN}


def event(before: Table | None, fact: f.Fact, after: Table, viewer: Seat | None) -> TableEvent:
    """What this viewer hears of a fact, between the tables before and after it (both as `evolve`
    made them). Before `Opened` there is none."""
    kind, told = words_of(fact, viewer)
    return TableEvent(
        number=after.number,
        at=after.at,
        kind=kind,
        told=told,
        changes={} if before is None else _changes(before, after, viewer),
        events=happened(after, viewer),
        play=_play(after, viewer) if _is_anew(fact, after) else None,
    )


def insiders(fact: f.Fact, after: Table, openly: Iterable[Event]) -> tuple[Seat | None, ...]:
    """The seats that hear more of a fact than a spectator, who hears `openly` of the game: whose
    claim it is, and of each event that hides something the seat that it is about. All others hear
    what a spectator hears."""
    if isinstance(fact, f.Claimed):
        return (fact.seat,)
    if after.is_face_down:
        return ()
    pairs: Iterable[tuple[Any, Event]] = zip(after.events, openly, strict=True)
    return tuple([whole.seat for whole, seen in pairs if whole is not seen])


def words_of(fact: f.Fact, viewer: Seat | None) -> tuple[str, Mapping[str, Json]]:
    """The kind of a fact and what is said of it, as `event` tells them to this viewer."""
    if isinstance(fact, f.Claimed) and fact.seat != viewer:
        return QUIET, {}
    names = _TOLD[type(fact)]
    return fact.kind, {name: getattr(fact, name) for name in names} if names else {}


def happened(after: Table, viewer: Seat | None) -> tuple[Event, ...]:
    """What the last fact led to in the game, as this viewer may see it. What lies face down nobody
    sees: all hear of it what a spectator hears."""
    redact = after.rules.redact
    if after.is_face_down:
        viewer = None
    return tuple([redact(each, viewer) for each in after.events])


def looks_new(before: Table, fact: f.Fact, after: Table, viewer: Seat | None) -> bool:
    """Whether the event of this fact changes more of the viewer's view than its number and time."""
    return bool(after.events) or _is_anew(fact, after) or bool(_changes(before, after, viewer))


def _is_anew(fact: f.Fact, after: Table) -> bool:
    """Whether the game's view does not follow from events: it must be shown whole."""
    anew = (f.Started, f.TakenBack, f.GlassStarted, f.Finished)
    return isinstance(fact, anew) or after.is_face_down


def follow(seen: TableView, event: TableEvent) -> TableView:
    """The view after an event that was made for its viewer."""
    play = event.play
    if play is None:
        play, rules = seen.play, GAMES[seen.game].by_version(seen.rules)
        for each in event.events:
            play = rules.follow(play, each)
    changes: dict[str, Json] = {**event.changes, "play": play}
    return replace(seen, number=event.number, at=event.at, **changes)


_TOLD: Mapping[type[f.Fact], tuple[str, ...]] = {
    f.Opened: (),
    f.Seated: ("seat", "name"),
    f.BotSeated: ("seat", "level", "name"),
    f.Vacated: ("seat",),
    f.Readied: ("seat", "ready"),
    f.Left: ("seat",),
    f.Returned: ("seat",),
    f.TakenOver: ("seat", "level", "for_good"),
    f.HandedBack: ("seat",),
    f.Started: ("names",),
    f.Entered: (),  # the game's own events tell
    f.GlassTurned: ("starts_at", "ends_at"),
    f.GlassStarted: (),
    f.Claimed: ("seat", "move"),  # to the one who claims; to others it is quiet until settled
    f.ClaimSettled: ("seat", "won", "rule", "params"),
    f.Flagged: ("seat",),
    f.TakebackAsked: ("seat",),
    f.TakebackAnswered: ("seat", "yes"),
    f.TakenBack: (),
    f.Resigned: ("seat",),
    f.Finished: ("reason",),
    f.Reacted: ("seat", "reaction"),
    f.RematchAsked: ("seat",),
    f.Rematched: ("table_id",),
}
"""For each kind of fact what is told of it."""


# --- the parts of a view that can change ----------------------------------------------------------


def _changes(before: Table, after: Table, viewer: Seat | None) -> dict[str, Json]:
    """The parts that look different now. Where nothing that a part is made of was touched, it is
    not even made."""
    changes = {}
    for name in _touched(before, after):
        _, make = _PARTS[name]
        new = make(after, viewer)
        if new != make(before, viewer):
            changes[name] = new
    return changes


def _touched(before: Table, after: Table) -> Collection[str]:
    """The parts that are made of something that is new."""
    return {
        part: None
        for source, parts in _MADE_OF.items()
        if getattr(before, source) is not getattr(after, source)
        for part in parts
    }


def _play(table: Table, viewer: Seat | None) -> Json:
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


def _host(table: Table, viewer: Seat | None) -> Seat | None:
    return None if table.host is None else table.seat_of(table.host)


def _seats(table: Table, viewer: Seat | None) -> tuple[SeatView, ...]:
    return tuple(map(_seat, table.seats))


def _seat(place: Place) -> SeatView:
    return SeatView(
        kind=place.kind,
        name=place.name,
        level=place.level,
        ready=place.ready,
        away=place.away is not None,
        bot=place.bot,
        for_good=place.for_good,
        resigned=place.resigned,
    )


def _clock(table: Table, viewer: Seat | None) -> tuple[SeatTime, ...] | None:
    rule = table.config.clock
    if rule is None or table.clock is None:
        return None
    return tuple(
        SeatTime(clock.left, clocks.deadline(rule, clock), clock.flagged) for clock in table.clock
    )


def _claim(table: Table, viewer: Seat | None) -> str | None:
    if not table.claims:
        return None
    return next((claim.move for claim in table.claims if claim.seat == viewer), None)


def _can_takeback(table: Table, viewer: Seat | None) -> bool:
    return viewer is not None and table.can_take_back(viewer)


def _takeback(table: Table, viewer: Seat | None) -> TakebackView | None:
    asked = table.takeback
    return None if asked is None else TakebackView(asked.seat, asked.agreed, table.silent())


Part = Callable[[Table, Seat | None], Json]

_PARTS: Mapping[str, tuple[tuple[str, ...], Part]] = {
    "host": (("seats",), _host),
    "seats": (("seats",), _seats),
    "started_at": (("started_at",), lambda table, viewer: table.started_at),
    "clock": (("clock",), _clock),
    "glass": (("glass",), lambda table, viewer: table.glass),
    "claim": (("claims",), _claim),
    "can_takeback": (("entries", "seats", "takeback", "result", "started_at"), _can_takeback),
    "takeback": (("takeback", "seats"), _takeback),
    "result": (("result",), lambda table, viewer: table.result),
    "votes": (("votes",), lambda table, viewer: table.votes),
    "rematch": (("rematch",), lambda table, viewer: table.rematch),
}
"""Each part: what of the table it is made of, and how."""

_MADE_OF: Mapping[str, tuple[str, ...]] = {
    source: tuple(name for name, (sources, _) in _PARTS.items() if source in sources)
    for source in dict.fromkeys(each for sources, _ in _PARTS.values() for each in sources)
}
"""For each field of the table the parts that are made of it."""


def _open_sources(table: Table) -> tuple[Json, ...]:
    """All fields of a table that the open parts are made of."""
    return (
        table.seats,
        table.started_at,
        table.clock,
        table.glass,
        table.takeback,
        table.result,
        table.votes,
        table.rematch,
    )
