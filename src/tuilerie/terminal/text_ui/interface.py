"""The interface of a game's text UI, and the display settings that it draws with.

The game loop knows no particular game; it asks the game's `TextUI`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tuilerie.games.game import Event, Seat
from tuilerie.language import Language
from tuilerie.terminal.layout import clip
from tuilerie.terminal.style import Style


class UnclearInput(Exception):
    """The input names something that does not exist. `key` is the key of the message."""

    def __init__(self, key: str, **params: Any) -> None:
        super().__init__(key, params)
        self.key, self.params = key, params


@dataclass(slots=True)
class Display:
    """The player's seat, the names, the language and the display options."""

    me: Seat
    names: Sequence[str]
    say: Language
    style: Style
    compact: bool = False  # a screen with few lines
    cells: bool = True  # Génial!: show the names of free cells
    seconds: int | None = None  # left on the timer

    def name(self, seat: Seat) -> str:
        """Return the name of a seat, without terminal control characters."""
        return clip(self.names[seat], 20)


def numbered_tile(number: str, tiles: Sequence[str]) -> str:
    """Return the tile with this number on the screen."""
    if not 0 < int(number) <= len(tiles):
        raise UnclearInput("play.no-number", number=number)
    return tiles[int(number) - 1]


class TextUI(Protocol):
    """Draws a game as text and parses its input. It gets the views and events of the player's
    seat, never a state."""

    def draw(self, view: Any, display: Display) -> str:
        """Draw the whole table."""
        ...

    def describe(self, event: Event, view: Any, display: Display) -> list[str]:
        """Describe an event in words; empty where the drawn table shows it anyway. `view` is the
        view before the entry that caused the event."""
        ...

    def prompt(self, view: Any, display: Display) -> str:
        """Return the prompt."""
        ...

    def parse(self, text: str, view: Any) -> str:
        """Translate lenient input into the notation. Unknown input is returned unchanged; input
        that names something absent from the table raises `UnclearInput`."""
        ...

    def moves(self, view: Any, about: str, display: Display) -> list[str]:
        """List the legal moves, grouped; `about`: a tile to list in full."""
        ...

    def points(
        self, before: Any, after: Any, events: Sequence[Event], display: Display
    ) -> list[str]:
        """Explain the points of a move from the views before and after it and its events."""
        ...

    def score(self, score: Mapping[str, Any], options: Mapping[str, Any], display: Display) -> str:
        """Format a final score with its parts."""
        ...
