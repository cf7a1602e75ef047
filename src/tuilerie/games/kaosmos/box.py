"""A box: the tiles and the cards that a game is played with, and the check of files for another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from tuilerie.games.kaosmos.cards import BASIC, CARDS, CardId, Cards, RoundRules, check_cards
from tuilerie.games.kaosmos.files import Fault, Reader
from tuilerie.games.kaosmos.tiles import TILES, TileSet, check_tiles


@dataclass(frozen=True, slots=True)
class Box:
    """Tiles and cards. The box that comes with Tuilerie is `BOX`."""

    tiles: TileSet
    cards: Cards

    def rules(self, card: CardId | None) -> RoundRules:
        """The rules of a round under this card."""
        return BASIC if card is None else self.cards[card]

    @property
    def edition(self) -> str:
        """A short name for just these tiles and cards, by which a record knows them again."""
        told = repr((self.tiles, sorted(self.cards.items())))
        return sha256(told.encode()).hexdigest()[:16]

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        # A view that goes to another process carries our own box as a name, not as 54 tiles.
        if self is BOX:
            return own_box, ()
        return Box, (self.tiles, self.cards)


BOX = Box(TILES, CARDS)
"""The box that comes with Tuilerie."""


def own_box() -> Box:
    """The box that comes with Tuilerie."""
    return BOX


def check_set(text: str, name: str) -> list[Fault]:
    """Everything that is wrong with a file of tiles or of cards, in the order of its lines.

    What kind of file it is follows from its keys: tiles have cells and arms, cards an effect.
    """
    reader = Reader(text, name)
    entries = reader.entries()
    keys = [key for entry in entries if entry.kind == "object" for key in entry.value]
    tiles, cards = keys.count("cells") + keys.count("arms"), keys.count("effect")
    if tiles or cards:
        (check_tiles if tiles >= cards else check_cards)(reader, entries)
    elif not reader.faults:
        reader.fault(0, "not-a-set")
    return list(reader.found())
