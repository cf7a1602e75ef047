"""What can happen in a game. A field that a viewer may not know is `None` in its copy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tuilerie.games.blockers.board import Cell, Group
from tuilerie.games.blockers.tiles import Colour, Tile
from tuilerie.games.game import Event, Seat


@dataclass(frozen=True, slots=True)
class GroupChange:
    """How many groups of a colour there were before a move, and after it."""

    colour: Colour
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """A seat took its first tiles: five of each of its colours."""

    kind: Literal["dealt"] = field(default="dealt", init=False)
    seat: Seat
    tiles: tuple[Tile, ...] | None


@dataclass(frozen=True, slots=True)
class Laid(Event):
    """A tile was laid on an empty cell. `groups`: those of its own colour."""

    kind: Literal["laid"] = field(default="laid", init=False)
    seat: Seat
    tile: Tile
    cell: Cell
    groups: tuple[GroupChange, ...]


@dataclass(frozen=True, slots=True)
class Captured(Event):
    """A tile replaced another. `groups`: those of its own colour, then of the other's."""

    kind: Literal["captured"] = field(default="captured", init=False)
    seat: Seat
    tile: Tile
    cell: Cell
    taken: Tile
    groups: tuple[GroupChange, ...]


@dataclass(frozen=True, slots=True)
class Discarded(Event):
    """A seat that could not move showed its whole `rack` and discarded `tile`."""

    kind: Literal["discarded"] = field(default="discarded", init=False)
    seat: Seat
    rack: tuple[Tile, ...]
    tile: Tile


@dataclass(frozen=True, slots=True)
class Drawn(Event):
    """A seat drew one tile from a pile. The colour is seen by all, the face by nobody else."""

    kind: Literal["drawn"] = field(default="drawn", init=False)
    seat: Seat
    colour: Colour
    tile: Tile | None


@dataclass(frozen=True, slots=True)
class Scored(Event):
    """A seat's final score and its reasons (the fields are those of `score.Score`)."""

    kind: Literal["scored"] = field(default="scored", init=False)
    seat: Seat
    groups: Mapping[Colour, tuple[Group, ...]]
    captures: Mapping[Colour, int]
    counted: Colour | None
    score: int


EVENTS: tuple[type[Event], ...] = (
    Dealt,
    Laid,
    Captured,
    Discarded,
    Drawn,
    Scored,
)
"""All events except `Ended`."""
