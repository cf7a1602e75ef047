"""The complete state of a game, hidden information included."""

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
    """An immutable state between two entries.

    `seat` is the one that is dealt to, plays or draws; after the end, the one that played last.
    A pile is a set of unseen tiles without an order: the chance entry decides what is drawn.
    """

    options: Options
    number: int  # number of events so far
    phase: Phase
    seat: Seat
    drawing: Colour | None  # in the phase 'draw': the colour to draw from
    board: Board
    last: Cell | None  # where the last tile was laid
    racks: tuple[tuple[Tile, ...], ...]
    piles: Mapping[Colour, tuple[Tile, ...]]
    captures: tuple[tuple[Tile, ...], ...]  # by captor, in order of capture
    discards: tuple[Tile, ...]
    shown: tuple[tuple[Tile, ...], ...]  # tiles on each rack that everyone has seen (by a discard)
    groups: Mapping[Colour, int]  # number of groups by colour, updated incrementally
    result: Result | None
    _cells: Mapping[Colour, frozenset[Cell]]  # the cells of each colour: the inverse of the board
    _loose: frozenset[Cell]  # cells whose removal splits no group
