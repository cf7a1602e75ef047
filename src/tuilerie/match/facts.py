"""The facts (events) of a table's log, and their JSON form.

A log is the facts number 1, 2, 3 …; the first one is `Opened`. A fact says what happened, never why
it was allowed. Its number is its position in the log, not part of it.

`from_json` is the inverse of `to_json`. A fact in JSON is one flat object: `v` (the version of its
form), `kind`, `at`, and its own fields. Reading is strict: an unknown or missing field, or a value
of another type, is `BadFact`.

Facts hold hidden tiles and player ids, in fields marked `Secret`: these never leave the server.
The others are sent to everybody at the table (`view.visible_fact`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, get_type_hints

from tuilerie import codec
from tuilerie.games.game import Json, Seat
from tuilerie.match.config import Config, PlayerId

BadFact = codec.Malformed
"""JSON that is not a fact of this version."""

T = TypeVar("T")

SECRET = "secret"

Secret = Annotated[T, SECRET]
"""Marks a field of a fact or a command that is never sent to or accepted from a client."""

VERSION = 2
"""The version of the JSON form of facts. A change raises it, and `from_json` upgrades old ones."""

RENAMED_IN_2 = {"glass-turned": "timer-announced", "glass-started": "timer-started"}


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that happened at a table. `at`: when, in ms since the epoch; never earlier than the
    fact before it."""

    kind: str = field(init=False)
    at: int


# --- the table and its seats ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Opened(Fact):
    """The table was created, with all seats open. `rules`: the version of the game's rules."""

    kind: Literal["opened"] = field(default="opened", init=False)
    game: Secret[str]
    rules: Secret[int]
    config: Secret[Config]


@dataclass(frozen=True, slots=True)
class Seated(Fact):
    """A person took a seat."""

    kind: Literal["seated"] = field(default="seated", init=False)
    seat: Seat
    player: Secret[PlayerId]
    name: str


@dataclass(frozen=True, slots=True)
class BotSeated(Fact):
    """A bot took a seat; it is always ready."""

    kind: Literal["bot-seated"] = field(default="bot-seated", init=False)
    seat: Seat
    level: str
    name: str


@dataclass(frozen=True, slots=True)
class Vacated(Fact):
    """A seat is open again (only before the start)."""

    kind: Literal["vacated"] = field(default="vacated", init=False)
    seat: Seat


@dataclass(frozen=True, slots=True)
class Readied(Fact):
    """A person is ready to start, or no longer."""

    kind: Literal["readied"] = field(default="readied", init=False)
    seat: Seat
    ready: bool


@dataclass(frozen=True, slots=True)
class Closed(Fact):
    """The host closed the table before the start: nobody can sit down any more."""

    kind: Literal["closed"] = field(default="closed", init=False)


@dataclass(frozen=True, slots=True)
class Left(Fact):
    """A person has left; before the start they are then not ready either."""

    kind: Literal["left"] = field(default="left", init=False)
    seat: Seat


@dataclass(frozen=True, slots=True)
class Returned(Fact):
    """A person who had left is back."""

    kind: Literal["returned"] = field(default="returned", init=False)
    seat: Seat


@dataclass(frozen=True, slots=True)
class TakenOver(Fact):
    """A bot plays for a person; `for_good`: it will not hand the seat back."""

    kind: Literal["taken-over"] = field(default="taken-over", init=False)
    seat: Seat
    level: str
    for_good: bool


@dataclass(frozen=True, slots=True)
class HandedBack(Fact):
    """A person plays again where a bot had taken over."""

    kind: Literal["handed-back"] = field(default="handed-back", init=False)
    seat: Seat


# --- the game -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Started(Fact):
    """The game started: all its options, drawn ones included, and the names of the seats for the
    record."""

    kind: Literal["started"] = field(default="started", init=False)
    options: Secret[Mapping[str, Json]]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entered(Fact):
    """An entry of the game, in the form of a record's line: `kind` (action, chance, clock), its
    fields, and `ms` since the start."""

    kind: Literal["entered"] = field(default="entered", init=False)
    entry: Secret[Mapping[str, Json]]


@dataclass(frozen=True, slots=True)
class TurnHeld(Fact):
    """The action that follows ends the turn of this seat, which stays open until `ends_at`: until
    then the action can be undone, and nothing is drawn."""

    kind: Literal["turn-held"] = field(default="turn-held", init=False)
    seat: Seat
    ends_at: int


@dataclass(frozen=True, slots=True)
class TurnEnded(Fact):
    """A turn that was held is over."""

    kind: Literal["turn-ended"] = field(default="turn-ended", init=False)
    seat: Seat


@dataclass(frozen=True, slots=True)
class CountBegan(Fact):
    """Players look at a count. No clock runs and no timer starts until they have seen it, at most
    until `until`."""

    kind: Literal["count-began"] = field(default="count-began", init=False)
    until: int


@dataclass(frozen=True, slots=True)
class CountSeen(Fact):
    """A person has seen the count: their own clock may run."""

    kind: Literal["count-seen"] = field(default="count-seen", init=False)
    seat: Seat


@dataclass(frozen=True, slots=True)
class CountEnded(Fact):
    """All have seen the count, or time is up."""

    kind: Literal["count-ended"] = field(default="count-ended", init=False)


@dataclass(frozen=True, slots=True)
class Hinted(Fact):
    """A person asked a bot for a hint: the game counts as assisted."""

    kind: Literal["hinted"] = field(default="hinted", init=False)
    seat: Seat


@dataclass(frozen=True, slots=True)
class TimerAnnounced(Fact):
    """A timed phase was announced: moves are taken from `starts_at` to `ends_at`."""

    kind: Literal["timer-announced"] = field(default="timer-announced", init=False)
    starts_at: int
    ends_at: int


@dataclass(frozen=True, slots=True)
class TimerStarted(Fact):
    """The timer started: tiles that lay face down are turned up, for everybody at once."""

    kind: Literal["timer-started"] = field(default="timer-started", init=False)


@dataclass(frozen=True, slots=True)
class Claimed(Fact):
    """A seat claimed a tile that only one can have. Only logs of older programs hold this fact.

    `arrived`: when the move arrived. `pressed`: when it was made according to the player, on the
    server's clock. `rtt`: the round-trip time as the server measured it.
    """

    kind: Literal["claimed"] = field(default="claimed", init=False)
    seat: Seat
    move: str
    pressed: Secret[int | None]
    arrived: Secret[int]
    rtt: Secret[int | None]


@dataclass(frozen=True, slots=True)
class ClaimSettled(Fact):
    """The outcome of a claim. Won: its `Entered` follows. Lost: `rule` and `params` as in `Refused`
    say why. Only logs of older programs hold this fact."""

    kind: Literal["claim-settled"] = field(default="claim-settled", init=False)
    seat: Seat
    won: bool
    rule: str | None
    params: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Flagged(Fact):
    """A seat's time is over: a bot makes this decision (clock per move), or takes over for the
    rest (clock per game; `TakenOver` follows)."""

    kind: Literal["flagged"] = field(default="flagged", init=False)
    seat: Seat


@dataclass(frozen=True, slots=True)
class Interrupted(Fact):
    """No server was running for `ms`: clocks, timers and other deadlines move by as much."""

    kind: Literal["interrupted"] = field(default="interrupted", init=False)
    ms: int


@dataclass(frozen=True, slots=True)
class TakebackAsked(Fact):
    """A seat asked to take its last action back."""

    kind: Literal["takeback-asked"] = field(default="takeback-asked", init=False)
    seat: Seat


@dataclass(frozen=True, slots=True)
class TakebackAnswered(Fact):
    """Another person agreed or not. No answer in time counts as no."""

    kind: Literal["takeback-answered"] = field(default="takeback-answered", init=False)
    seat: Seat
    yes: bool


@dataclass(frozen=True, slots=True)
class TakenBack(Fact):
    """All agreed: the game is back to its first `entries` entries."""

    kind: Literal["taken-back"] = field(default="taken-back", init=False)
    entries: Secret[int]


@dataclass(frozen=True, slots=True)
class Resigned(Fact):
    """A person gave up. With two seats `Finished` follows, else `TakenOver` for good."""

    kind: Literal["resigned"] = field(default="resigned", init=False)
    seat: Seat


@dataclass(frozen=True, slots=True)
class Finished(Fact):
    """The game is over. `reason`: the game's own, or 'resigned' (then there are no scores).
    `places`: the game's ranks, but a player who resigned comes last."""

    kind: Literal["finished"] = field(default="finished", init=False)
    reason: str
    places: Secret[tuple[int, ...]]
    scores: Secret[tuple[Mapping[str, Json], ...]]


# --- around the game ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reacted(Fact):
    """A person showed one of `commands.REACTIONS`."""

    kind: Literal["reacted"] = field(default="reacted", init=False)
    seat: Seat
    reaction: str


@dataclass(frozen=True, slots=True)
class RematchAsked(Fact):
    """A person asked for a rematch."""

    kind: Literal["rematch-asked"] = field(default="rematch-asked", init=False)
    seat: Seat


@dataclass(frozen=True, slots=True)
class Rematched(Fact):
    """The rematch is at another table."""

    kind: Literal["rematched"] = field(default="rematched", init=False)
    table_id: str


KINDS: Mapping[str, type[Fact]] = {
    str(codec.kind_of(fact)): fact
    for fact in (
        Opened,
        Seated,
        BotSeated,
        Vacated,
        Readied,
        Closed,
        Left,
        Returned,
        TakenOver,
        HandedBack,
        Started,
        Entered,
        TurnHeld,
        TurnEnded,
        CountBegan,
        CountSeen,
        CountEnded,
        Hinted,
        TimerAnnounced,
        TimerStarted,
        Claimed,
        ClaimSettled,
        Flagged,
        Interrupted,
        TakebackAsked,
        TakebackAnswered,
        TakenBack,
        Resigned,
        Finished,
        Reacted,
        RematchAsked,
        Rematched,
    )
}
"""Every kind of fact by its name."""


def to_json(fact: Fact) -> dict[str, Any]:
    """The fact as one flat object that JSON can hold."""
    return {"v": VERSION, **codec.to_builtins(fact)}


def from_json(value: Mapping[str, Any]) -> Fact:
    """Decode a fact. Raises `BadFact`."""
    rest = dict(value)
    version, kind = rest.pop("v", None), rest.get("kind")
    if type(version) is not int or not 1 <= version <= VERSION:
        raise BadFact(f"v is {version!r}, expected 1 to {VERSION}")
    if version == 1 and isinstance(kind, str):
        kind = rest["kind"] = RENAMED_IN_2.get(kind, kind)
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadFact(f"kind is {kind!r}, expected one of {', '.join(KINDS)}")
    return codec.from_builtins(KINDS[kind], rest, kind)


@cache
def open_fields(kind: Any) -> tuple[str, ...]:
    """The names of the fields of a fact or a command that are not `Secret`."""
    hints = get_type_hints(kind, include_extras=True)
    names = [each.name for each in fields(kind)]
    return tuple(n for n in names if SECRET not in getattr(hints[n], "__metadata__", ()))
