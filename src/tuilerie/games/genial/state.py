"""A game of Génial! at one moment."""

from __future__ import annotations

from dataclasses import dataclass

from tuilerie.games.game import Result, Seat
from tuilerie.games.genial.board import Board, Pair
from tuilerie.games.genial.card import Options
from tuilerie.games.genial.memory import Memory
from tuilerie.games.genial.score import Symbols, Track
from tuilerie.games.genial.tiles import Tile

DEAL, PLACE, SWAP, DRAW, OVER = "deal", "place", "swap", "draw", "over"
"""The phases: deal the first hands, place a tile, choose to swap or keep, draw, and the end."""


@dataclass(frozen=True, slots=True)
class State:
    """All that is true of a game, hidden tiles included. Never changed, only replaced."""

    options: Options
    players: int
    symbols: Symbols
    last: Pair | None  # where the last tile was laid
    hands: tuple[tuple[Tile, ...], ...]
    bag: tuple[Tile, ...]
    aside: tuple[Tile, ...]  # shown and set aside in a swap, until six new ones are drawn
    returned: Memory  # what is known of tiles that went back into the bag
    tracks: tuple[Track, ...]  # one a seat, one a team in the teams variant
    phase: str
    seat: Seat  # whose turn it is
    bonus: int  # bonus placements that this seat still owes
    turns: int  # how many turns have been completed
    number: int  # how many events have happened
    outcome: Result | None
    _board: Board
    _free_pairs: tuple[int, ...]  # where a tile still fits, as places in `board.pairs`

    @property
    def board(self) -> Board:
        """The board that is played on."""
        return self._board

    @property
    def is_first_turn(self) -> bool:
        """Whether the seat on turn has not yet completed a turn."""
        return self.turns < self.players
