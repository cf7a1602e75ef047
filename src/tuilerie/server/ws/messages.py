"""Every message of protocol v2: what clients send, and `match.messages`, which they get.

The client's types are generated from these (`ops.protocol_schema`).
Unknown fields are refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from types import NoneType
from typing import Annotated, Any, Union, get_args, get_type_hints

from msgspec import Meta, Struct, defstruct, structs
from msgspec import field as msgspec_field

from tuilerie.codec import kind_of
from tuilerie.match import commands
from tuilerie.match.facts import open_fields
from tuilerie.match.messages import Bye, Done, Pong, Presence, Refusal, Update, Welcome
from tuilerie.server.ops.limits import ID_LENGTH, LONGEST_HOLD_MS, NAME_LENGTH

PROTOCOL = "tuilerie.v2"
"""The WebSocket subprotocol that a client must request."""

Name = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]
Slug = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
CommandId = Annotated[str, Meta(min_length=8, max_length=ID_LENGTH, pattern=r"^[A-Za-z0-9_-]+$")]
Level = Annotated[str, Meta(min_length=1, max_length=24)]
MoveText = Annotated[str, Meta(min_length=1, max_length=200)]
Count = Annotated[int, Meta(ge=0, le=2**53 - 1)]


# --- commands -------------------------------------------------------------------------------------

_LIMITS: dict[str, Any] = {
    "name": Name,
    "seat": SeatNumber,
    "level": Level,
    "move": MoveText,
    "pressed": Count,
    "hold": Annotated[int, Meta(ge=0, le=LONGEST_HOLD_MS)],
    "reaction": Annotated[str, Meta(min_length=1, max_length=24)],
}
"""Limits of a client's values, by field name."""


def limited(kind: Any, limits: Mapping[str, Any]) -> type[Any]:
    """The form in which clients send a dataclass of `match`: without its secret fields, with limits
    by field name. A field that has a default or can be `None` is optional."""
    hints = get_type_hints(kind)
    wire: list[Any] = []
    for each in fields(kind):
        if each.name not in open_fields(kind) or not each.init:
            continue
        hint: Any = limits.get(each.name, hints[each.name])
        if NoneType in get_args(hints[each.name]):
            wire.append((each.name, hint | None, None))
        elif each.default_factory is not MISSING:
            made_by = msgspec_field(default_factory=each.default_factory)
            wire.append((each.name, hint, made_by))
        elif each.default is not MISSING:
            wire.append((each.name, hint, each.default))
        else:
            wire.append((each.name, hint))
    tag = kind_of(kind)
    options: Any = {} if tag is None else {"tag_field": "kind", "tag": tag}
    options |= {"kw_only": True, "forbid_unknown_fields": True}
    made: type[Struct] = defstruct(kind.__name__, wire, **options)
    made.__doc__ = kind.__doc__
    return made


COMMANDS: dict[type[Struct], type[commands.PersonCommand]] = {
    limited(kind, _LIMITS): kind for kind in get_args(commands.PersonCommand)
}
"""Commands by their wire form."""

AnyCommand: Any = Union[tuple(COMMANDS)]  # noqa: UP007 - made of a list


def to_command(asked: Struct, player: str, rtt: int | None) -> commands.PersonCommand:
    """Convert a command from its wire form."""
    kind: Any = COMMANDS[type(asked)]
    secret = {"rtt": rtt} if kind is commands.Make else {}
    command: commands.PersonCommand = kind(player=player, **structs.asdict(asked), **secret)
    return command


# --- from the client ------------------------------------------------------------------------------


class FromClient(Struct, tag_field="t", forbid_unknown_fields=True):
    """A message from a client."""


class Hello(FromClient, tag="hello"):
    """Subscribe to a table. A client that holds a view gets what it missed, others a snapshot."""

    table: Slug
    last: Count = 0  # the fact whose view the client holds; 0: it has none
    at: Count | None = None  # the time of that fact
    you: SeatNumber | None = None  # the seat that view was made for


class Do(FromClient, tag="do"):
    """A command with an id chosen by the client. A repeated id gets the first answer again."""

    id: CommandId
    command: AnyCommand


class Ping(FromClient, tag="ping"):
    """Measure the round-trip time."""

    n: Count


ClientMessage = Hello | Do | Ping


# --- from the server ------------------------------------------------------------------------------

ServerMessage = Welcome | Update | Done | Refusal | Presence | Pong | Bye
"""Those of `match.messages`, which a table in a browser sends as well."""
