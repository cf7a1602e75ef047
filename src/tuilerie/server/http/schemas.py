"""Request and response bodies of the HTTP API. The published schema is made from these structs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from tuilerie.server.ops.limits import PASSWORD_LENGTH
from tuilerie.server.ws.messages import Level, Name, SeatNumber

Token = Annotated[str, Meta(min_length=16, max_length=128)]
Slug = Annotated[str, Meta(min_length=1, max_length=64)]
Login = Annotated[str, Meta(min_length=3, max_length=64)]
Password = Annotated[str, Meta(min_length=PASSWORD_LENGTH[0], max_length=PASSWORD_LENGTH[1])]


# --- requests -------------------------------------------------------------------------------------


class Body(Struct, forbid_unknown_fields=True):
    """The body of a request."""


class ClockChoice(Body):
    """The turn clock: none, so many seconds a move, or so many a game with an increment."""

    kind: Literal["none", "move", "game"] = "none"
    seconds: Annotated[int, Meta(ge=5, le=86_400 * 14)] | None = None
    increment: Annotated[int, Meta(ge=0, le=3_600)] = 0


class BotChoice(Body):
    """A bot and where it sits."""

    seat: SeatNumber
    level: Level


class NewTable(Body):
    """A table to be set up. Who asks for it takes the first open seat under `name`."""

    game: Annotated[str, Meta(min_length=1, max_length=24)]
    players: Annotated[int, Meta(ge=1, le=16)]
    name: Name
    options: dict[str, Any] = {}
    clock: ClockChoice = field(default_factory=ClockChoice)
    public: bool = False
    spectators: Literal["none", "live", "delayed"] = "live"
    bots: Annotated[list[BotChoice], Meta(max_length=16)] = []


class TakeSeat(Body):
    """Take a seat at a table.

    `key` is a secret of the browser's own making: where the answer is lost on its way, the same
    request with the same key gets the same seat again, instead of another one.
    """

    name: Name
    seat: SeatNumber | None = None
    key: Annotated[str, Meta(min_length=16, max_length=64)] | None = None


class Recover(Body):
    """Come back to one's seat with the token of a recovery link."""

    token: Token


class Credentials(Body):
    """The login name and the password of a new account."""

    login: Login
    password: Password


class LogIn(Body):
    """A login name and a password, whatever they are: what cannot be right is just wrong."""

    login: Annotated[str, Meta(max_length=64)]
    password: Annotated[str, Meta(max_length=PASSWORD_LENGTH[1])]


class NewPassword(Body):
    """Another password for an account, and the one that it has."""

    password: Annotated[str, Meta(max_length=PASSWORD_LENGTH[1])]
    new: Password


class Claim(Body):
    """The tables whose seats an account is to have, of those that this browser holds."""

    tables: Annotated[list[Slug], Meta(max_length=200)]


class Farewell(Body):
    """The password once more, before an account is deleted."""

    password: Annotated[str, Meta(max_length=PASSWORD_LENGTH[1])]


# --- answers --------------------------------------------------------------------------------------


class OptionFacts(Struct):
    """One thing that a table can choose."""

    name: str
    default: Any
    values: list[Any]


class LevelFacts(Struct):
    """A level of bots: its id, and by language its name and a sentence on how it plays."""

    id: str
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


class SeatFacts(Struct):
    """Who holds a seat: a person, a bot, or nobody. `for_good`: its person has given up or was gone
    too often, and a bot plays it to the end."""

    kind: Literal["open", "person", "bot"]
    name: str | None = None
    level: str | None = None
    for_good: bool = False


class TableFacts(Struct):
    """A table as everybody may know it who has its link."""

    table: str
    game: str
    players: int
    options: dict[str, Any]
    seats: list[SeatFacts]
    status: Literal["waiting", "playing", "over"]
    public: bool
    spectators: str
    number: int
    updated: int
    clock: dict[str, Any]
    you: int | None = None


class TableMade(Struct):
    """A new table: its link to share, your seat, and the token that brings you back to it."""

    table: str
    seat: int
    link: str
    recovery: str


class SeatTaken(Struct):
    """Your seat, and the token that brings you back to it from any device."""

    seat: int
    recovery: str


class SeatLink(Struct):
    """The link that brings you back to your seat from any device, and a picture of it (a QR code,
    as the address of an image)."""

    link: str
    qr: str


class Recovered(Struct):
    """The table to which a recovery token belongs."""

    table: str


class AccountFacts(Struct):
    """Who is logged in."""

    login: str


class GuestSeat(Struct):
    """A seat that this browser holds and no account has."""

    table: str
    game: str
    name: str | None
    updated: int


class Visitor(Struct):
    """Who this browser is: its account, if it is logged in, and the seats that it holds besides."""

    login: str | None
    seats: list[GuestSeat]  # the newest first


class Claimed(Struct):
    """How many seats now belong to the account."""

    seats: int


class Version(Struct):
    """Which program this is."""

    version: str
    protocol: str
    engine: Literal["compiled", "python"]  # what the bots think with


class Health(Struct):
    """Whether the server can do its work."""

    status: Literal["ok", "no-store"]


class Problem(Struct, omit_defaults=True):
    """Why a request was refused. `wait` is how many seconds to wait before another try."""

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
    | Claim
    | Farewell
    | GameFacts
    | TableFacts
    | TableMade
    | SeatTaken
    | SeatLink
    | Recovered
    | AccountFacts
    | Visitor
    | Claimed
    | Version
    | Health
    | Problem
)
