"""Every message of protocol v1.

The published schema and the client's types are made from these structs (`ops.protocol_schema`).
Unknown fields are refused.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from tuilerie.server.ops.limits import ID_LENGTH, NAME_LENGTH

PROTOCOL = "tuilerie.v1"
"""The subprotocol that a socket must ask for."""

Name = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]
Slug = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
CommandId = Annotated[str, Meta(min_length=8, max_length=ID_LENGTH, pattern=r"^[A-Za-z0-9_-]+$")]
Level = Annotated[str, Meta(min_length=1, max_length=24)]
MoveText = Annotated[str, Meta(min_length=1, max_length=200)]
Count = Annotated[int, Meta(ge=0, le=2**53 - 1)]


# --- commands -------------------------------------------------------------------------------------


class Command(Struct, tag_field="c", forbid_unknown_fields=True):
    """Something that a person asks of a table."""


class Sit(Command, tag="sit"):
    """Take a seat, the first open one where none is named. Only by a browser that is known."""

    name: Name
    seat: SeatNumber | None = None


class Stand(Command, tag="stand"):
    """Give one's seat back before the game."""


class AddBot(Command, tag="add-bot"):
    """Put a bot on an open seat."""

    seat: SeatNumber
    level: Level


class RemoveBot(Command, tag="remove-bot"):
    """Take a bot from its seat before the game."""

    seat: SeatNumber


class Ready(Command, tag="ready"):
    """Say that one is ready, or not."""

    ready: bool


class Begin(Command, tag="begin"):
    """Begin the game."""


class Make(Command, tag="make"):
    """Make a move, in notation. `pressed` is when, by the server's clock as the client knows it."""

    move: MoveText
    pressed: Count | None = None


class Resign(Command, tag="resign"):
    """Give the game up."""


class AskTakeback(Command, tag="ask-takeback"):
    """Ask to take the last move back."""


class AnswerTakeback(Command, tag="answer-takeback"):
    """Agree to a takeback, or not."""

    yes: bool


class AskRematch(Command, tag="ask-rematch"):
    """Ask for another game at the same table."""


class React(Command, tag="react"):
    """Show one of the reactions that there are."""

    reaction: Annotated[str, Meta(min_length=1, max_length=24)]


AnyCommand = (
    Sit
    | Stand
    | AddBot
    | RemoveBot
    | Ready
    | Begin
    | Make
    | Resign
    | AskTakeback
    | AnswerTakeback
    | AskRematch
    | React
)


# --- from the client ------------------------------------------------------------------------------


class FromClient(Struct, tag_field="t", forbid_unknown_fields=True):
    """A message of a client."""


class Hello(FromClient, tag="hello"):
    """Subscribe to a table after event number `last` (0: from a snapshot)."""

    table: Slug
    last: Count = 0


class Do(FromClient, tag="do"):
    """A command with an id of the client's own. A repeated id gets the first answer again."""

    id: CommandId
    command: AnyCommand


class Ping(FromClient, tag="ping"):
    """Measure the way."""

    n: Count


ClientMessage = Hello | Do | Ping


# --- from the server ------------------------------------------------------------------------------


class FromServer(Struct, tag_field="t"):
    """A message of the server."""


class Welcome(FromServer, tag="welcome"):
    """The table as its viewer may see it, or the events that the viewer has missed."""

    you: int | None
    number: int
    now: int
    view: Any | UnsetType = UNSET
    events: list[Any] | UnsetType = UNSET


class Event(FromServer, tag="event"):
    """One for each fact, in order, without a gap. `game` are the redacted events of the rules.

    `view` is the whole new view, where the event changes what the viewer sees or may do.
    """

    number: int
    at: int
    kind: str
    data: Any
    game: Any | UnsetType = UNSET
    view: Any | UnsetType = UNSET


class Done(FromServer, tag="done"):
    """The command was carried out; its facts end with this number."""

    id: str
    number: int


class Refusal(FromServer, tag="refused"):
    """The command was not carried out, and why. `id` is missing where it could not be read."""

    code: str
    rule: str
    params: dict[str, Any]
    id: str | None = None
    wait: int | UnsetType = UNSET


class Presence(FromServer, tag="presence"):
    """Who is connected. It has no number: only the newest one counts."""

    seats: list[bool]
    spectators: int


class Pong(FromServer, tag="pong"):
    """The answer to a ping, with the server's clock."""

    n: int
    now: int


class Bye(FromServer, tag="bye"):
    """The socket closes. Come back after `wait` milliseconds, where it says so."""

    code: str
    wait: int | None = None


ServerMessage = Welcome | Event | Done | Refusal | Presence | Pong | Bye
