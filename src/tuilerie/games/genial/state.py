"""The complete state of a game, hidden information included."""

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
    """An immutable state, hidden tiles included."""

    options: Options
    players: int
    symbols: Symbols
    last: Pair | None  # where the last tile was laid
    hands: tuple[tuple[Tile, ...], ...]
    bag: tuple[Tile, ...]
    aside: tuple[Tile, ...]  # shown and set aside in a swap until six new tiles are drawn
    returned: Memory  # public knowledge of tiles that returned to the bag
    tracks: tuple[Track, ...]  # one per seat, or per team in the teams variant
    phase: str
    seat: Seat  # whose turn it is
    bonus: int  # remaining bonus placements of this seat
    turns: int  # completed turns
    number: int  # number of events so far
    outcome: Result | None
    _board: Board
    _free_pairs: tuple[int, ...]  # free pairs, as indices into `board.pairs`

    @property
    def board(self) -> Board:
        """The board."""
        return self._board

    @property
    def is_first_turn(self) -> bool:
        """Whether the seat on turn has not yet completed a turn."""
        return self.turns < self.players
