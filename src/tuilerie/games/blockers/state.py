"""The state of a game: all that is true at the table, hidden or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from tuilerie.games.blockers.board import Cell
from tuilerie.games.blockers.card import Options
from tuilerie.games.blockers.tiles import Board, Colour, Tile
from tuilerie.games.game import Result, Seat

Phase = Literal["deal", "play", "draw", "over"]


@dataclass(frozen=True, slots=True)
class State:
    """A game between two entries. Never changed: each entry makes a new one.

    `seat` is the one that is dealt to, plays or draws; after the end, the one that played last.
    A pile is the tiles that nobody has seen yet. They have no order: only a draw decides.
    """

    options: Options
    number: int  # how many events have happened
    phase: Phase
    seat: Seat
    drawing: Colour | None  # in the phase 'draw': the colour that the next tile comes from
    board: Board
    last: Cell | None  # where the last tile was laid
    racks: tuple[tuple[Tile, ...], ...]
    piles: Mapping[Colour, tuple[Tile, ...]]
    captures: tuple[tuple[Tile, ...], ...]  # by captor, in the order in which they were taken
    discards: tuple[Tile, ...]
    shown: tuple[tuple[Tile, ...], ...]  # tiles on each rack that all have seen (by a discard)
    groups: Mapping[Colour, int]  # of each colour on the board, kept up to date move by move
    result: Result | None
    _cells: Mapping[Colour, frozenset[Cell]]  # where each colour lies: the board the other way
    _loose: frozenset[Cell]  # where a tile lies that does not hold its group together
