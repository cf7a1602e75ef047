"""The text UI of each game: parses input, describes events, explains points."""

from __future__ import annotations

from collections.abc import Mapping

from tuilerie.terminal.text_ui.blockers import BlockersTextUI
from tuilerie.terminal.text_ui.genial import GenialTextUI
from tuilerie.terminal.text_ui.interface import Display, TextUI, UnclearInput
from tuilerie.terminal.text_ui.kaosmos import KaosmosTextUI

__all__ = ["TEXT_UIS", "Display", "TextUI", "UnclearInput"]

TEXT_UIS: Mapping[str, TextUI] = {
    "genial": GenialTextUI(),
    "blockers": BlockersTextUI(),
    "kaosmos": KaosmosTextUI(),
}
"""The text UI of each game, by name."""
