"""Responses of the HTTP API that the tables in a browser give, too. Standard library only, so that
a browser's Python has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tuilerie.games.game import Result, Seat

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
