"""What a table needs of a game to talk about it, and for whom it talks.

A table knows nothing of a particular game; it asks the game's `Talk`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tuilerie.games.game import Event, Seat
from tuilerie.language import Language
from tuilerie.terminal.layout import clip
from tuilerie.terminal.style import Style


class Unclear(Exception):
    """What was typed names something that is not there: the key of the sentence that says so."""

    def __init__(self, key: str, **params: Any) -> None:
        super().__init__(key, params)
        self.key, self.params = key, params


@dataclass(slots=True)
class Ears:
    """For whom the table speaks, and what that person has asked to see."""

    me: Seat
    names: Sequence[str]
    say: Language
    style: Style
    compact: bool = False  # there is little room: a screen of few lines
    cells: bool = True  # Génial!: free cells show their names
    seconds: int | None = None  # what is left in the glass

    def name(self, seat: Seat) -> str:
        """The name of a seat, without signs that a terminal would obey."""
        return clip(self.names[seat], 20)


def numbered_tile(number: str, tiles: Sequence[str]) -> str:
    """The tile with this number on the screen."""
    if not 0 < int(number) <= len(tiles):
        raise Unclear("play.no-number", number=number)
    return tiles[int(number) - 1]


class Talk(Protocol):
    """What a table needs to know of a game to speak about it. Views and events are those of the
    person's seat, never a state."""

    def draw(self, view: Any, ears: Ears) -> str:
        """The whole table."""
        ...

    def tell(self, event: Event, view: Any, ears: Ears) -> list[str]:
        """What has happened, in words; nothing where the table shows it anyway. The view is the
        one after the event."""
        ...

    def prompt(self, view: Any, ears: Ears) -> str:
        """What the person is asked for now."""
        ...

    def read(self, text: str, view: Any) -> str:
        """What was typed, in the notation. Kind about form; what it cannot read it leaves, and what
        names nothing on the table is `Unclear`."""
        ...

    def moves(self, view: Any, about: str, ears: Ears) -> list[str]:
        """What may be done now, grouped; `about`: a tile to tell all about."""
        ...

    def points(self, before: Any, after: Any, events: Sequence[Event], ears: Ears) -> list[str]:
        """What a move brings and why: the views before and after it, and what it led to."""
        ...

    def score(self, score: Mapping[str, Any], options: Mapping[str, Any], ears: Ears) -> str:
        """A final score, and why it is that much."""
        ...
