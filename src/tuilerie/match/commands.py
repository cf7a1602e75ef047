"""What can be asked of a table. `decide.decide` judges it.

A command names who asks by player id (persons) or seat (bots); whether that person may speak for
that id was checked before, where tokens are known.
"""

from __future__ import annotations

from dataclasses import dataclass

from tuilerie.games.game import Seat
from tuilerie.match.config import PlayerId

REACTIONS = ("hello", "well-played", "thinking", "oops", "laugh", "wow", "thanks", "sorry", "bye")
"""All that can be said at a table. What it looks like, and its words, are the client's."""


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a seat, before the start. `seat` `None`: the first that is open."""

    player: PlayerId
    seat: Seat | None
    name: str


@dataclass(frozen=True, slots=True)
class Stand:
    """Give one's seat back, before the start."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class AddBot:
    """The host gives an open seat to a bot. `seat` `None`: the first that is open."""

    player: PlayerId
    seat: Seat | None
    level: str


@dataclass(frozen=True, slots=True)
class RemoveBot:
    """The host takes a bot's seat back."""

    player: PlayerId
    seat: Seat


@dataclass(frozen=True, slots=True)
class SetReady:
    """Be ready to begin, or not. When all seats are taken and all are ready, the game begins."""

    player: PlayerId
    ready: bool


@dataclass(frozen=True, slots=True)
class Begin:
    """The host begins: all seats must be taken, and all others ready."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class Make:
    """Make a move of the game, in its notation.

    `pressed`: when it was made, by the player's device, on the server's clock (ms since the epoch);
    `rtt`: how long the way there and back takes, in ms, **as the server measured it**.
    """

    player: PlayerId
    move: str
    pressed: int | None = None
    rtt: int | None = None


@dataclass(frozen=True, slots=True)
class Resign:
    """Give up."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class AskTakeback:
    """Ask to take one's last action back."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class AnswerTakeback:
    """Answer the one who asks to take something back."""

    player: PlayerId
    yes: bool


@dataclass(frozen=True, slots=True)
class AskRematch:
    """Ask for another game, after the end. When `Table.rematch_agreed`, the next table can be made
    (`rematch.rematch`) and told of (`Rematch`)."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class React:
    """Show one of `REACTIONS`."""

    player: PlayerId
    reaction: str


@dataclass(frozen=True, slots=True)
class Leave:
    """The person has been gone for a while (who is connected at the moment, the server knows)."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class Return:
    """The person is back. Being ready, moving, answering or reacting says the same."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class BotMoved:
    """A bot has made up its mind. `number`: that of the table that it saw."""

    seat: Seat
    move: str
    number: int


@dataclass(frozen=True, slots=True)
class Rematch:
    """The server has made the next table."""

    table_id: str


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed: see `ticks.next_tick`."""


Command = (
    Sit
    | Stand
    | AddBot
    | RemoveBot
    | SetReady
    | Begin
    | Make
    | Resign
    | AskTakeback
    | AnswerTakeback
    | AskRematch
    | React
    | Leave
    | Return
    | BotMoved
    | Rematch
    | Tick
)
