"""Commands to a table. `decide.decide` accepts or refuses them.

A command names its sender by player id (persons) or seat (bots). The server has authenticated the
player before. Clients send the commands of `PersonCommand`,
without their `Secret` fields.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tuilerie.games.game import Seat
from tuilerie.match.config import PlayerId
from tuilerie.match.facts import Secret

REACTIONS = ("hello", "well-played", "thinking", "oops", "laugh", "wow", "thanks", "sorry", "bye")
"""The reactions of the table chat. Their pictures and words are the client's."""


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a seat before the start. `seat` `None`: the first open one."""

    kind: Literal["sit"] = field(default="sit", init=False)
    player: Secret[PlayerId]
    seat: Seat | None
    name: str


@dataclass(frozen=True, slots=True)
class Stand:
    """Leave one's seat before the start."""

    kind: Literal["stand"] = field(default="stand", init=False)
    player: Secret[PlayerId]


@dataclass(frozen=True, slots=True)
class AddBot:
    """The host seats a bot. `seat` `None`: at the first open one; that of a bot: it gets this
    level."""

    kind: Literal["add-bot"] = field(default="add-bot", init=False)
    player: Secret[PlayerId]
    seat: Seat | None
    level: str


@dataclass(frozen=True, slots=True)
class RemoveBot:
    """The host removes a bot."""

    kind: Literal["remove-bot"] = field(default="remove-bot", init=False)
    player: Secret[PlayerId]
    seat: Seat


@dataclass(frozen=True, slots=True)
class Remove:
    """The host removes another person before the start."""

    kind: Literal["remove"] = field(default="remove", init=False)
    player: Secret[PlayerId]
    seat: Seat


@dataclass(frozen=True, slots=True)
class Close:
    """The host closes the table before the start."""

    kind: Literal["close"] = field(default="close", init=False)
    player: Secret[PlayerId]


@dataclass(frozen=True, slots=True)
class SetReady:
    """Be ready to start, or not. The game starts when all seats are taken and all are ready."""

    kind: Literal["ready"] = field(default="ready", init=False)
    player: Secret[PlayerId]
    ready: bool


@dataclass(frozen=True, slots=True)
class Begin:
    """The host starts the game: all seats must be taken."""

    kind: Literal["begin"] = field(default="begin", init=False)
    player: Secret[PlayerId]


@dataclass(frozen=True, slots=True)
class Make:
    """Make a move of the game, in its notation.

    `pressed`: when it was made, by the player's device, on the server's clock (ms since the epoch);
    `rtt`: the round-trip time in ms, **as the server measured it**;
    `hold`: if it ends the turn, how long in ms it can be undone before the turn is over; `None` or
    0: the turn ends at once.
    """

    kind: Literal["make"] = field(default="make", init=False)
    player: Secret[PlayerId]
    move: str
    pressed: int | None = None
    rtt: Secret[int | None] = None
    hold: int | None = None


@dataclass(frozen=True, slots=True)
class EndTurn:
    """End one's turn that is held."""

    kind: Literal["end-turn"] = field(default="end-turn", init=False)
    player: Secret[PlayerId]


@dataclass(frozen=True, slots=True)
class Undo:
    """Undo the last action of one's turn, before it has ended."""

    kind: Literal["undo"] = field(default="undo", init=False)
    player: Secret[PlayerId]


@dataclass(frozen=True, slots=True)
class SeeCount:
    """Have seen the count of a round."""

    kind: Literal["see-count"] = field(default="see-count", init=False)
    player: Secret[PlayerId]


@dataclass(frozen=True, slots=True)
class Resign:
    """Give up."""

    kind: Literal["resign"] = field(default="resign", init=False)
    player: Secret[PlayerId]


@dataclass(frozen=True, slots=True)
class AskTakeback:
    """Ask to take one's last action back."""

    kind: Literal["ask-takeback"] = field(default="ask-takeback", init=False)
    player: Secret[PlayerId]


@dataclass(frozen=True, slots=True)
class AnswerTakeback:
    """Answer a request to take an action back."""

    kind: Literal["answer-takeback"] = field(default="answer-takeback", init=False)
    player: Secret[PlayerId]
    yes: bool


@dataclass(frozen=True, slots=True)
class AskRematch:
    """Ask for a rematch after the end. When `Table.rematch_agreed`, the server creates the next
    table (`rematch.rematch`) and announces it (`Rematch`)."""

    kind: Literal["ask-rematch"] = field(default="ask-rematch", init=False)
    player: Secret[PlayerId]


@dataclass(frozen=True, slots=True)
class React:
    """Show one of `REACTIONS`."""

    kind: Literal["react"] = field(default="react", init=False)
    player: Secret[PlayerId]
    reaction: str


@dataclass(frozen=True, slots=True)
class Hint:
    """A person who plays against bots only asks for a hint, which the server computes."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class Leave:
    """The person has been disconnected for a while. (The server tracks connections.)"""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class Return:
    """The person is back. Being ready, moving, answering or reacting implies it."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class BotMoved:
    """A bot's move. `number`: that of the table that it saw."""

    seat: Seat
    move: str
    number: int


@dataclass(frozen=True, slots=True)
class Rematch:
    """The server has created the next table."""

    table_id: str


@dataclass(frozen=True, slots=True)
class GiveBack:
    """No server was running during these periods, from and to, in ms since the epoch. The part
    since the table's last fact is not charged to anybody's clock."""

    outages: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed: see `ticks.next_tick`."""


PersonCommand = (
    Sit
    | Stand
    | AddBot
    | RemoveBot
    | Remove
    | Close
    | SetReady
    | Begin
    | Make
    | EndTurn
    | Undo
    | SeeCount
    | Resign
    | AskTakeback
    | AnswerTakeback
    | AskRematch
    | React
)
"""Commands that a client can send."""

Command = PersonCommand | Hint | Leave | Return | BotMoved | Rematch | GiveBack | Tick
