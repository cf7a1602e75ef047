"""What can happen in a game. A field that a viewer may not know is `None` in its copy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tuilerie.games.game import Event, Seat
from tuilerie.games.kaosmos.board import Slot
from tuilerie.games.kaosmos.card import Colour
from tuilerie.games.kaosmos.cards import CardId
from tuilerie.games.kaosmos.score import SeatCount
from tuilerie.games.kaosmos.tiles import TileId, Turns

SUPPLY, ASIDE = "supply", "aside"
"""Where a tile can come from that did not lie on a slot."""


@dataclass(frozen=True, slots=True)
class RoundBegan(Event):
    """All tiles are back in the bag, the bonus tiles back in the middle."""

    kind: Literal["round"] = field(default="round", init=False)
    round: int
    direction: str  # left or right: where packets are passed
    phase: str


@dataclass(frozen=True, slots=True)
class PhaseBegan(Event):
    """A phase of the round began. `waiting`: the seats that it waits for, `timer`: for how long."""

    kind: Literal["phase"] = field(default="phase", init=False)
    phase: str
    waiting: tuple[Seat, ...]
    timer: int | None = None


@dataclass(frozen=True, slots=True)
class CardShown(Event):
    """The Kaos card of the round was turned."""

    kind: Literal["card"] = field(default="card", init=False)
    card: CardId


@dataclass(frozen=True, slots=True)
class Drawn(Event):
    """A seat drew its nine tiles; only that seat knows which. `unseen`: without a draft they stay
    face down, and nobody looks at them before all turn up theirs."""

    kind: Literal["drawn"] = field(default="drawn", init=False)
    seat: Seat
    count: int
    unseen: bool
    tiles: tuple[TileId, ...] | None


@dataclass(frozen=True, slots=True)
class Kept(Event):
    """A seat kept three tiles of its packet, face down."""

    kind: Literal["kept"] = field(default="kept", init=False)
    seat: Seat
    count: int
    tiles: tuple[TileId, ...] | None


@dataclass(frozen=True, slots=True)
class Passed(Event):
    """A packet went to `seat`. `unseen`: it is the last one, which nobody may look at."""

    kind: Literal["passed"] = field(default="passed", init=False)
    source: Seat
    seat: Seat
    count: int
    unseen: bool
    tiles: tuple[TileId, ...] | None


@dataclass(frozen=True, slots=True)
class Supplied(Event):
    """Building begins: a seat turns up all its nine tiles."""

    kind: Literal["supplied"] = field(default="supplied", init=False)
    seat: Seat
    count: int
    tiles: tuple[TileId, ...] | None


@dataclass(frozen=True, slots=True)
class Placed(Event):
    """A tile was laid, moved or turned. `source`: the slot where it lay, 'supply' or 'aside'.
    `displaced`: the tile that lay there and went back to the supply."""

    kind: Literal["placed"] = field(default="placed", init=False)
    seat: Seat
    tile: TileId
    slot: Slot
    turns: Turns
    source: str
    displaced: TileId | None


@dataclass(frozen=True, slots=True)
class Lifted(Event):
    """A tile went back to the supply."""

    kind: Literal["lifted"] = field(default="lifted", init=False)
    seat: Seat
    tile: TileId
    slot: Slot


@dataclass(frozen=True, slots=True)
class SetAside(Event):
    """A tile was set aside, from a slot or from the 'supply'. `returned`: the one that was aside
    before and went back to the supply."""

    kind: Literal["aside"] = field(default="aside", init=False)
    seat: Seat
    tile: TileId
    source: str
    returned: TileId | None


@dataclass(frozen=True, slots=True)
class Grabbed(Event):
    """A seat took bonus tiles."""

    kind: Literal["grabbed"] = field(default="grabbed", init=False)
    seat: Seat
    colours: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class Locked(Event):
    """A seat has finished its galaxy, which is now locked."""

    kind: Literal["locked"] = field(default="locked", init=False)
    seat: Seat


@dataclass(frozen=True, slots=True)
class TimeUp(Event):
    """Time is up: building is over."""

    kind: Literal["time-up"] = field(default="time-up", init=False)


@dataclass(frozen=True, slots=True)
class Filled(Event):
    """A galaxy was completed at random: `taken` were laid against the rules, `puts` are new."""

    kind: Literal["filled"] = field(default="filled", init=False)
    seat: Seat
    taken: tuple[Slot, ...]
    puts: tuple[tuple[TileId, Slot, Turns], ...]


@dataclass(frozen=True, slots=True)
class Chosen(Event):
    """A seat has made its secret choice: a move in the notation, known to that seat only."""

    kind: Literal["chosen"] = field(default="chosen", init=False)
    seat: Seat
    choice: str | None


@dataclass(frozen=True, slots=True)
class Turning:
    """A tile of `owner` that turned because `by` had picked it."""

    by: Seat
    owner: Seat
    slot: Slot
    tile: TileId
    turns: Turns  # how it lies now


@dataclass(frozen=True, slots=True)
class Turned(Event):
    """All secret choices are shown, and all picked tiles turn at once."""

    kind: Literal["turned"] = field(default="turned", init=False)
    tiles: tuple[Turning, ...]


@dataclass(frozen=True, slots=True)
class Counted(Event):
    """A seat's count of the round, with all reasons."""

    kind: Literal["counted"] = field(default="counted", init=False)
    seat: Seat
    round: int
    count: SeatCount


@dataclass(frozen=True, slots=True)
class Transferred(Event):
    """A seat moved points of this round from one colour to another (0: it moved none).
    The values are those of both markers afterwards; what went beyond 30 is lost."""

    kind: Literal["transferred"] = field(default="transferred", init=False)
    seat: Seat
    source: Colour
    target: Colour
    points: int
    source_after: int
    target_after: int


EVENTS: tuple[type[Event], ...] = (
    RoundBegan,
    PhaseBegan,
    CardShown,
    Drawn,
    Kept,
    Passed,
    Supplied,
    Placed,
    Lifted,
    SetAside,
    Grabbed,
    Locked,
    TimeUp,
    Filled,
    Chosen,
    Turned,
    Counted,
    Transferred,
)
"""All events except `Ended`."""
