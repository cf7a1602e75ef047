"""What can happen in Génial!, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tuilerie.games.game import Event, Seat
from tuilerie.games.genial.board import Cell
from tuilerie.games.genial.score import Half, MarkerMove
from tuilerie.games.genial.tiles import Colour, Tile


@dataclass(frozen=True, slots=True)
class Drawn(Event):
    """A seat has drawn tiles; only that seat knows which. After a swap the tiles that were set
    aside (`returned`, how many) have gone back into the bag."""

    kind: Literal["drawn"] = field(default="drawn", init=False)
    seat: Seat
    tiles: tuple[Tile, ...] | None
    count: int
    returned: int


@dataclass(frozen=True, slots=True)
class Placed(Event):
    """A tile was laid, its first letter on the first cell."""

    kind: Literal["placed"] = field(default="placed", init=False)
    seat: Seat
    tile: Tile
    first: Cell
    second: Cell


@dataclass(frozen=True, slots=True)
class Scored(Event):
    """The points of the tile just laid: the lines that gave them, and where the markers went."""

    kind: Literal["scored"] = field(default="scored", init=False)
    seat: Seat
    halves: tuple[Half, Half]
    markers: tuple[MarkerMove, ...]


@dataclass(frozen=True, slots=True)
class Genial(Event):
    """Markers have reached the end of a track: one bonus placement for each."""

    kind: Literal["genial"] = field(default="genial", init=False)
    seat: Seat
    colours: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class Swapped(Event):
    """A seat shows its hand to all, and sets it aside for a new one."""

    kind: Literal["swapped"] = field(default="swapped", init=False)
    seat: Seat
    shown: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Kept(Event):
    """A seat keeps its hand although it may swap it."""

    kind: Literal["kept"] = field(default="kept", init=False)
    seat: Seat


@dataclass(frozen=True, slots=True)
class Now(Event):
    """The next phase, and whose turn it is. `bonus`: how many bonus placements the seat still owes.
    `turns`: how many turns have been completed."""

    kind: Literal["now"] = field(default="now", init=False)
    phase: str
    seat: Seat
    bonus: int
    turns: int


EVENTS: tuple[type[Event], ...] = (
    Drawn,
    Placed,
    Scored,
    Genial,
    Swapped,
    Kept,
    Now,
)
"""All events except `Ended`."""
