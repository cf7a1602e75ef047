"""What can happen in a game. A field that a viewer may not know is `None` in its copy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tuilerie.games.game import Event, Seat
from tuilerie.games.kaosmos.board import Slot
from tuilerie.games.kaosmos.cards import CardId
from tuilerie.games.kaosmos.score import SeatCount
from tuilerie.games.kaosmos.tiles import TileId, Turns

SUPPLY, ASIDE = "supply", "aside"
"""Where a tile can come from that did not lie on a slot."""


@dataclass(frozen=True, slots=True)
class RoundBegan(Event):
    """All tiles are back in the bag, the bonus tiles back in the middle."""

    kind: ClassVar[str] = "round"
    round: int
    direction: str  # left or right: where packets are passed
    phase: str


@dataclass(frozen=True, slots=True)
class PhaseBegan(Event):
    """Another part of the round. `waiting`: the seats that it waits for, `glass`: for how long."""

    kind: ClassVar[str] = "phase"
    phase: str
    waiting: tuple[Seat, ...]
    glass: int | None = None


@dataclass(frozen=True, slots=True)
class CardShown(Event):
    """The Kaos card of the round was turned."""

    kind: ClassVar[str] = "card"
    card: CardId


@dataclass(frozen=True, slots=True)
class Drawn(Event):
    """A seat drew its nine tiles; only that seat knows which. `unseen`: without a draft they stay
    face down, and nobody looks at them before all turn up theirs."""

    kind: ClassVar[str] = "drawn"
    seat: Seat
    count: int
    unseen: bool
    tiles: tuple[TileId, ...] | None


@dataclass(frozen=True, slots=True)
class Kept(Event):
    """A seat kept three tiles of its packet, face down."""

    kind: ClassVar[str] = "kept"
    seat: Seat
    count: int
    tiles: tuple[TileId, ...] | None


@dataclass(frozen=True, slots=True)
class Passed(Event):
    """A packet went to `seat`. `unseen`: it is the last one, which nobody may look at."""

    kind: ClassVar[str] = "passed"
    source: Seat
    seat: Seat
    count: int
    unseen: bool
    tiles: tuple[TileId, ...] | None


@dataclass(frozen=True, slots=True)
class Supplied(Event):
    """Building begins: a seat turns up all its nine tiles."""

    kind: ClassVar[str] = "supplied"
    seat: Seat
    count: int
    tiles: tuple[TileId, ...] | None


@dataclass(frozen=True, slots=True)
class Placed(Event):
    """A tile was laid, moved or turned. `source`: the slot where it lay, 'supply' or 'aside'.
    `displaced`: the tile that lay there and went back to the supply."""

    kind: ClassVar[str] = "placed"
    seat: Seat
    tile: TileId
    slot: Slot
    turns: Turns
    source: str
    displaced: TileId | None


@dataclass(frozen=True, slots=True)
class Lifted(Event):
    """A tile went back to the supply."""

    kind: ClassVar[str] = "lifted"
    seat: Seat
    tile: TileId
    slot: Slot


@dataclass(frozen=True, slots=True)
class SetAside(Event):
    """A tile was set aside, from a slot or from the 'supply'. `returned`: the one that was aside
    before and went back to the supply."""

    kind: ClassVar[str] = "aside"
    seat: Seat
    tile: TileId
    source: str
    returned: TileId | None


@dataclass(frozen=True, slots=True)
class Grabbed(Event):
    """A seat took bonus tiles."""

    kind: ClassVar[str] = "grabbed"
    seat: Seat
    colours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Locked(Event):
    """A seat has finished its galaxy and touches nothing more."""

    kind: ClassVar[str] = "locked"
    seat: Seat


@dataclass(frozen=True, slots=True)
class TimeUp(Event):
    """The glass is empty: nobody touches anything more."""

    kind: ClassVar[str] = "time-up"


@dataclass(frozen=True, slots=True)
class Filled(Event):
    """Luck completed a galaxy: `taken` were laid against the rules, `puts` is what was laid now."""

    kind: ClassVar[str] = "filled"
    seat: Seat
    taken: tuple[Slot, ...]
    puts: tuple[tuple[TileId, Slot, Turns], ...]


@dataclass(frozen=True, slots=True)
class Chosen(Event):
    """A seat has made its secret choice: a move in the notation, known to that seat only."""

    kind: ClassVar[str] = "chosen"
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

    kind: ClassVar[str] = "turned"
    tiles: tuple[Turning, ...]


@dataclass(frozen=True, slots=True)
class Counted(Event):
    """A seat's count of the round, with all reasons."""

    kind: ClassVar[str] = "counted"
    seat: Seat
    round: int
    count: SeatCount


@dataclass(frozen=True, slots=True)
class Transferred(Event):
    """A seat moved points of this round from one colour to another (0: it moved none).
    The values are those of both markers afterwards; what went beyond 30 is lost."""

    kind: ClassVar[str] = "transferred"
    seat: Seat
    source: str
    target: str
    points: int
    source_after: int
    target_after: int
