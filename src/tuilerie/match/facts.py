"""What can stand in the log of a table, and its form in JSON.

A log is the facts number 1, 2, 3 …; the first one is `Opened`. A fact tells what happened and never
why it was allowed. Its number is its place in the log and no part of it.

`to_json` and `from_json` are each other's way back. A fact in JSON is one flat object: `v` (the
version of its form), `kind`, `at`, and its own fields. Reading is strict: a field too many, one too
few, or one of another type is `BadFact`.

Facts hold hidden tiles and player ids: they never leave the server. What may be told of a fact, and
to whom, is `view.event`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tuilerie.games.game import Json, Seat
from tuilerie.match import codec
from tuilerie.match.codec import BadFact
from tuilerie.match.config import Config, PlayerId

VERSION = 1
"""The version of the form of all facts. A change raises it, and `from_json` lifts old ones."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that happened at a table. `at`: when, in ms since the epoch; never before the
    fact before it."""

    kind: ClassVar[str] = "fact"
    at: int


# --- the table and its seats ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Opened(Fact):
    """The table stands there, with all seats open. `rules`: the version of the game's rules."""

    kind: ClassVar[str] = "opened"
    game: str
    rules: int
    config: Config


@dataclass(frozen=True, slots=True)
class Seated(Fact):
    """A person took a seat."""

    kind: ClassVar[str] = "seated"
    seat: Seat
    player: PlayerId
    name: str


@dataclass(frozen=True, slots=True)
class BotSeated(Fact):
    """A bot was given a seat; it is always ready."""

    kind: ClassVar[str] = "bot-seated"
    seat: Seat
    level: str
    name: str


@dataclass(frozen=True, slots=True)
class Vacated(Fact):
    """A seat is open again (only before the start)."""

    kind: ClassVar[str] = "vacated"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Readied(Fact):
    """A person is ready to begin, or not any more."""

    kind: ClassVar[str] = "readied"
    seat: Seat
    ready: bool


@dataclass(frozen=True, slots=True)
class Left(Fact):
    """A person has gone away; before the start they are then not ready either."""

    kind: ClassVar[str] = "left"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Returned(Fact):
    """A person who had left is back."""

    kind: ClassVar[str] = "returned"
    seat: Seat


@dataclass(frozen=True, slots=True)
class TakenOver(Fact):
    """A bot plays for a person; `for_good`: it will not hand the seat back."""

    kind: ClassVar[str] = "taken-over"
    seat: Seat
    level: str
    for_good: bool


@dataclass(frozen=True, slots=True)
class HandedBack(Fact):
    """A person plays again where a bot had taken over."""

    kind: ClassVar[str] = "handed-back"
    seat: Seat


# --- the game -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Started(Fact):
    """The game begins: with all its options, lots drawn, and the names of the seats as they stand
    in the record."""

    kind: ClassVar[str] = "started"
    options: Mapping[str, Json]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entered(Fact):
    """An entry of the game, in the form of a record's line: `kind` (action, chance, clock), its
    fields, and `ms` since the start."""

    kind: ClassVar[str] = "entered"
    entry: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class GlassTurned(Fact):
    """A timed phase was announced: moves are taken from `starts_at` to `ends_at`."""

    kind: ClassVar[str] = "glass-turned"
    starts_at: int
    ends_at: int


@dataclass(frozen=True, slots=True)
class GlassStarted(Fact):
    """The timer runs: what lay face down until now is turned up, for everybody at once."""

    kind: ClassVar[str] = "glass-started"


@dataclass(frozen=True, slots=True)
class Claimed(Fact):
    """A seat reached for what only one can have; it is settled a moment later (see `race`).

    `arrived`: when the move was heard. `pressed`: when the player says that it was made, on the
    server's clock. `rtt`: how long the way there and back takes, as the server measured it.
    """

    kind: ClassVar[str] = "claimed"
    seat: Seat
    move: str
    pressed: int | None
    arrived: int
    rtt: int | None


@dataclass(frozen=True, slots=True)
class ClaimSettled(Fact):
    """How a claim came out. Won: its `Entered` follows. Lost: `rule` and `params` as in `Refused`
    tell why, and the seat may go on."""

    kind: ClassVar[str] = "claim-settled"
    seat: Seat
    won: bool
    rule: str | None
    params: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Flagged(Fact):
    """A seat's time is over: a bot makes this decision (clock per move), or takes over for the
    rest (clock per game; `TakenOver` follows)."""

    kind: ClassVar[str] = "flagged"
    seat: Seat


@dataclass(frozen=True, slots=True)
class TakebackAsked(Fact):
    """A seat would like to take its last action back."""

    kind: ClassVar[str] = "takeback-asked"
    seat: Seat


@dataclass(frozen=True, slots=True)
class TakebackAnswered(Fact):
    """Another person agrees or not. Who says nothing for too long does not."""

    kind: ClassVar[str] = "takeback-answered"
    seat: Seat
    yes: bool


@dataclass(frozen=True, slots=True)
class TakenBack(Fact):
    """All agreed: the game stands as it did after its first `entries` entries."""

    kind: ClassVar[str] = "taken-back"
    entries: int


@dataclass(frozen=True, slots=True)
class Resigned(Fact):
    """A person gave up. With two seats `Finished` follows, else `TakenOver` for good."""

    kind: ClassVar[str] = "resigned"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Finished(Fact):
    """The game is over. `reason`: the game's own, or 'resigned' (then there are no scores).
    `places`: the game's own, but who resigned comes last."""

    kind: ClassVar[str] = "finished"
    reason: str
    places: tuple[int, ...]
    scores: tuple[Mapping[str, Json], ...]


# --- around the game ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reacted(Fact):
    """A person showed one of `commands.REACTIONS`."""

    kind: ClassVar[str] = "reacted"
    seat: Seat
    reaction: str


@dataclass(frozen=True, slots=True)
class RematchAsked(Fact):
    """A person would like to play again."""

    kind: ClassVar[str] = "rematch-asked"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Rematched(Fact):
    """The next game is at another table."""

    kind: ClassVar[str] = "rematched"
    table_id: str


KINDS: Mapping[str, type[Fact]] = {
    fact.kind: fact
    for fact in (
        Opened,
        Seated,
        BotSeated,
        Vacated,
        Readied,
        Left,
        Returned,
        TakenOver,
        HandedBack,
        Started,
        Entered,
        GlassTurned,
        GlassStarted,
        Claimed,
        ClaimSettled,
        Flagged,
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
    return {"v": VERSION, "kind": fact.kind, **codec.encode_fields(fact)}


def from_json(value: Mapping[str, Any]) -> Fact:
    """The fact that `to_json` made this of. Raises `BadFact`."""
    rest = dict(value)
    version, kind = rest.pop("v", None), rest.pop("kind", None)
    if type(version) is not int or version != VERSION:
        raise BadFact(f"v is {version!r}, expected {VERSION}")
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadFact(f"kind is {kind!r}, expected one of {', '.join(KINDS)}")
    return codec.decode_fields(KINDS[kind], rest, kind)
