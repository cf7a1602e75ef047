"""Bodies of the HTTP API that the tables in a browser take and give, too. Standard library only, so
that a browser's Python has them. The server sets limits for requests (`server.http.schemas`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tuilerie.codec import Lenient
from tuilerie.games.game import Code, Refused, Result, Seat
from tuilerie.match.commands import AddBot, Command, Sit
from tuilerie.match.config import Clock, PerGame, PerMove, PlayerId

# --- requests -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClockChoice(Lenient):
    """The turn clock: none, so many seconds a move, or so many a game with an increment."""

    kind: Literal["none", "move", "game"] = "none"
    seconds: int | None = None
    increment: int = 0


@dataclass(frozen=True, slots=True)
class BotChoice:
    """A bot and its seat."""

    seat: Seat
    level: str


@dataclass(frozen=True, slots=True)
class NewTable(Lenient):
    """A table to create. Its creator takes the first open seat under `name`."""

    game: str
    players: int
    name: str
    options: dict[str, Any] = field(default_factory=dict)
    clock: ClockChoice = field(default_factory=ClockChoice)
    public: bool = False
    spectators: Literal["none", "live", "delayed"] = "live"
    bots: list[BotChoice] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TakeSeat(Lenient):
    """Take a seat at a table.

    `key` is a secret chosen by the client: if the response is lost, the same request with the same
    key gets the same seat again, not another one.
    """

    name: str
    seat: Seat | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Recover:
    """Recover a seat with the token of a recovery link."""

    token: str


@dataclass(frozen=True, slots=True)
class ReplayRequest(Lenient):
    """A record to replay, as `viewer` sees it (`None`: a spectator), after so many entries."""

    record: str
    viewer: Seat | None = None
    after: int = 0


def clock_of(choice: ClockChoice) -> Clock | None:
    """The clock that was chosen. Raises `Refused`."""
    if choice.kind == "none":
        return None
    if choice.seconds is None:
        raise Refused(Code.MALFORMED, "clock-needs-seconds")
    if choice.kind == "move":
        return PerMove(choice.seconds)
    return PerGame(choice.seconds, choice.increment)


def first_commands(table: NewTable, host: PlayerId) -> list[Command]:
    """The commands that seat the bots and the creator of a new table."""
    bots = [AddBot(host, each.seat, each.level) for each in table.bots]
    return [*bots, Sit(host, None, table.name)]


# --- responses ------------------------------------------------------------------------------------

TableStatus = Literal["waiting", "playing", "over", "closed"]


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """Who holds a seat: a person, a bot, or nobody. `for_good`: the person has resigned or was away
    too often, and a bot plays to the end."""

    kind: Literal["open", "person", "bot"]
    name: str | None
    level: str | None
    for_good: bool
    away: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFacts:
    """The public facts of a table, for everybody who has its link."""

    table: str
    game: str
    players: int
    options: Mapping[str, Any]
    seats: list[SeatFacts]
    status: TableStatus
    public: bool
    spectators: str
    number: int
    created: int
    updated: int
    clock: Mapping[str, Any]
    moves: int  # how many were made
    assisted: bool  # somebody asked for a hint
    actors: list[Seat]  # whose turn it is, if you have a seat
    result: Result | None
    you: Seat | None


@dataclass(frozen=True, slots=True)
class TableMade:
    """A new table: the link to share, your seat, and its recovery token."""

    table: str
    seat: Seat
    link: str
    recovery: str


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Your seat, and the token to recover it on any device."""

    seat: Seat
    recovery: str


@dataclass(frozen=True, slots=True)
class Recovered:
    """The table to which a recovery token belongs."""

    table: str
