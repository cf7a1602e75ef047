"""A box: the tiles and cards of a game, and the validation of custom sets."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from tuilerie.games.kaosmos.cards import BASIC, CARDS, CardId, Cards, RoundRules, check_cards
from tuilerie.games.kaosmos.files import Reader, SetFault
from tuilerie.games.kaosmos.tiles import TILES, TileSet, check_tiles


@dataclass(frozen=True, slots=True)
class Box:
    """Tiles and cards. `BOX` is the default one."""

    tiles: TileSet
    cards: Cards

    def rules(self, card: CardId | None) -> RoundRules:
        """Return the rules of a round with this card."""
        return BASIC if card is None else self.cards[card]

    @property
    def edition(self) -> str:
        """A short hash that identifies these tiles and cards in records."""
        content = repr((self.tiles, sorted(self.cards.items())))
        return sha256(content.encode()).hexdigest()[:16]


BOX = Box(TILES, CARDS)
"""The default box."""


def check_set(text: str, name: str) -> list[SetFault]:
    """Return all faults of a tiles or cards file, in the order of its lines.

    The kind of file follows from its keys: tiles have cells and arms, cards an effect.
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
