"""Request and response bodies of the HTTP API: those of `match.bodies`, with limits, and the
server's own. The OpenAPI schema is generated from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct

from tuilerie.match import bodies
from tuilerie.match.bodies import Recovered, SeatTaken, TableFacts, TableMade
from tuilerie.server.ops.limits import PASSWORD_LENGTH, RECORD_LENGTH
from tuilerie.server.ws.messages import Level, Name, SeatNumber, limited

Token = Annotated[str, Meta(min_length=16, max_length=128)]
Slug = Annotated[str, Meta(min_length=1, max_length=64)]
Login = Annotated[str, Meta(min_length=3, max_length=64)]
Password = Annotated[str, Meta(min_length=PASSWORD_LENGTH[0], max_length=PASSWORD_LENGTH[1])]


# --- requests -------------------------------------------------------------------------------------


class Body(Struct, forbid_unknown_fields=True):
    """The body of a request."""


# Type checkers see the definition; clients send the limited form.
if TYPE_CHECKING:
    BotChoice = bodies.BotChoice
    NewTable = bodies.NewTable
    TakeSeat = bodies.TakeSeat
    Recover = bodies.Recover
    ReplayRequest = bodies.ReplayRequest
else:
    ClockChoice = limited(
        bodies.ClockChoice,
        {
            "seconds": Annotated[int, Meta(ge=5, le=86_400 * 14)],
            "increment": Annotated[int, Meta(ge=0, le=3_600)],
        },
    )
    BotChoice = limited(bodies.BotChoice, {"seat": SeatNumber, "level": Level})
    NewTable = limited(
        bodies.NewTable,
        {
            "game": Annotated[str, Meta(min_length=1, max_length=24)],
            "players": Annotated[int, Meta(ge=1, le=16)],
            "name": Name,
            "clock": ClockChoice,
            "bots": Annotated[list[BotChoice], Meta(max_length=16)],
        },
    )
    TakeSeat = limited(
        bodies.TakeSeat,
        {
            "name": Name,
            "seat": SeatNumber,
            "key": Annotated[str, Meta(min_length=16, max_length=64)],
        },
    )
    Recover = limited(bodies.Recover, {"token": Token})
    ReplayRequest = limited(
        bodies.ReplayRequest,
        {
            "record": Annotated[str, Meta(max_length=RECORD_LENGTH)],
            "viewer": SeatNumber,
            "after": Annotated[int, Meta(ge=0, le=RECORD_LENGTH)],
        },
    )


class Credentials(Body):
    """The login name and the password of a new account."""

    login: Login
    password: Password


class LogIn(Body):
    """A login name and a password. Limits for new ones are not checked: a password that is too
    short is a wrong one."""

    login: Annotated[str, Meta(max_length=64)]
    password: Annotated[str, Meta(max_length=PASSWORD_LENGTH[1])]


class NewPassword(Body):
    """A new password for an account, and the current one."""

    password: Annotated[str, Meta(max_length=PASSWORD_LENGTH[1])]
    new: Password


class ClaimSeats(Body):
    """The tables whose guest seats, held by this browser, the account claims."""

    tables: Annotated[list[Slug], Meta(max_length=200)]


class HandOver(Body):
    """The record of a finished game that was played in a browser without the server, for the
    account. `seat` is its own; `resigned` has given up, of which a record says nothing."""

    record: Annotated[str, Meta(max_length=RECORD_LENGTH)]
    seat: SeatNumber
    bots: Annotated[list[BotChoice], Meta(max_length=16)] = []
    resigned: SeatNumber | None = None


class DeleteAccount(Body):
    """The current password, to confirm the deletion of an account."""

    password: Annotated[str, Meta(max_length=PASSWORD_LENGTH[1])]


# --- responses ------------------------------------------------------------------------------------


class OptionFacts(Struct):
    """An option of a game: its values, and the default."""

    name: str
    default: Any
    values: list[Any]


class LevelFacts(Struct):
    """A level of bots: its id, its number from 1, and by language a plain word for its strength,
    its name and a sentence on how it plays."""

    id: str
    number: int
    word: dict[str, str]
    name: dict[str, str]
    line: dict[str, str]


class GameFacts(Struct):
    """The facts of a game, for a lobby."""

    name: str
    title: str
    players: tuple[int, int]
    options: list[OptionFacts]
    levels: list[LevelFacts]  # weakest first
    hidden: bool
    simultaneous: bool


class HintFacts(Struct):
    """A move, in notation, and what is expected of it: the share of the win from 0 to 1, and the
    lead over the best rival in points; `None` where nothing was simulated."""

    move: str
    value: float | None
    margin: float | None


class Hints(Struct):
    """The best moves, best first, for the table at this number."""

    number: int
    moves: list[HintFacts]


class SeatLink(Struct):
    """The link to recover your seat on any device, and its QR code (a data URL)."""

    link: str
    qr: str


class AccountFacts(Struct):
    """Who is logged in."""

    login: str


class GuestSeat(Struct):
    """A seat that this browser holds and that belongs to no account."""

    table: str
    game: str
    name: str | None
    updated: int


class Visitor(Struct):
    """The account of this browser, if it is logged in, and the guest seats that it holds."""

    login: str | None
    seats: list[GuestSeat]  # the newest first


class SeatsClaimed(Struct):
    """How many seats now belong to the account."""

    seats: int


class GameHanded(Struct):
    """The table that holds the game now: the same for the same record."""

    table: str


class Version(Struct):
    """The version of the program."""

    version: str
    protocol: str
    engine: Literal["compiled", "python"]  # the engine of the bots


HealthStatus = Literal["ok", "disk-low", "disk-full", "no-store"]


class Health(Struct):
    """The result of the health check. `bots`: whether bot workers are reachable; if not, games go
    on, and the server computes the moves itself."""

    status: HealthStatus
    bots: Literal["ok", "no-worker", "no-redis"] = "ok"


class Problem(Struct, omit_defaults=True):
    """Why a request was refused. `wait`: seconds to wait before a retry."""

    code: str
    rule: str
    params: dict[str, Any]
    wait: int | None = None


RestMessage = (
    NewTable
    | TakeSeat
    | Recover
    | Credentials
    | LogIn
    | NewPassword
    | ClaimSeats
    | HandOver
    | ReplayRequest
    | DeleteAccount
    | GameFacts
    | TableFacts
    | Hints
    | TableMade
    | SeatTaken
    | SeatLink
    | Recovered
    | AccountFacts
    | Visitor
    | SeatsClaimed
    | GameHanded
    | Version
    | Health
    | Problem
)
