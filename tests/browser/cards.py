"""Any Kaos card at a table: which one is turned is a matter of chance."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

WEB = Path(__file__).parents[2] / "web" / "src"
"""The sources of the client."""

CardWords = tuple[str, str, str]
"""The name of a card, and what it changes, in short and in full."""

CARD = """([name, short, text]) => {
  const card = document.querySelector('.kaosmos-card');
  card.querySelector('strong').textContent = name;
  card.querySelector('.kaosmos-card-short').textContent = short;
  card.querySelector('.kaosmos-card-text').textContent = text;
}"""


def kaos_cards(lang: str) -> list[CardWords]:
    """The words of every card."""
    words = dict(
        line.split(" = ", 1)
        for path in (f"i18n/shared.{lang}.ftl", f"games/kaosmos/{lang}.ftl")
        for line in (WEB / path).read_text("utf-8").splitlines()
        if " = " in line
    )
    cards = [key[5:-5] for key in words if key.startswith("card-") and key.endswith("-name")]
    return [
        (words[f"card-{card}-name"], words[f"kaosmos-short-{card}"], words[f"card-{card}-text"])
        for card in cards
    ]


def show_card(page: Page, card: CardWords) -> None:
    """Write these words on the card of the round."""
    page.evaluate(CARD, list(card))
