"""What a table sends to its viewers, from a server or in a browser: the messages of protocol v2.

Standard library only, so that a browser's Python has them, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from tuilerie.codec import TsType
from tuilerie.match.view import TableEvent, TableView


@dataclass(frozen=True, slots=True)
class Welcome:
    """A snapshot: the table as its viewer sees it, and the last events that led to it."""

    t: Literal["welcome"] = field(default="welcome", init=False)
    you: int | None
    number: int
    now: int
    view: TableView
    events: list[TableEvent]


@dataclass(frozen=True, slots=True)
class Update:
    """What happened since the last message: one event per fact, in order, without a gap, and what
    changed in the view (`match.changes`). After it the view is that of fact `number`."""

    t: Literal["update"] = field(default="update", init=False)
    number: int
    events: list[TableEvent]
    changes: Annotated[Mapping[str, Any], TsType("Changes<TableView>")]


@dataclass(frozen=True, slots=True)
class Done:
    """The command was carried out; `number` is that of its last fact."""

    t: Literal["done"] = field(default="done", init=False)
    id: str
    number: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the command was not carried out. `id` is `None` if it could not be decoded. `wait`:
    seconds to wait before a retry."""

    t: Literal["refused"] = field(default="refused", init=False)
    code: str
    rule: str
    params: Mapping[str, Any]
    id: str | None = None
    wait: int | None = None


@dataclass(frozen=True, slots=True)
class Presence:
    """Who is connected. It has no number: only the last one counts. `hurried`: the server is
    busy, and the bots of this table have less thinking time."""

    t: Literal["presence"] = field(default="presence", init=False)
    seats: list[bool]
    spectators: int
    hurried: bool


@dataclass(frozen=True, slots=True)
class Pong:
    """The answer to a ping, with the clock of the table's host."""

    t: Literal["pong"] = field(default="pong", init=False)
    n: int
    now: int


@dataclass(frozen=True, slots=True)
class Bye:
    """The server closes the connection. With `wait`, reconnect after so many milliseconds."""

    t: Literal["bye"] = field(default="bye", init=False)
    code: str
    wait: int | None = None
