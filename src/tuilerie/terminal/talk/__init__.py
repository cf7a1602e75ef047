"""How each game is talked about at the table: what is typed, what is told, what is explained."""

from __future__ import annotations

from collections.abc import Mapping

from tuilerie.terminal.talk.blockers import BlockersTalk
from tuilerie.terminal.talk.ears import Ears, Talk, Unclear
from tuilerie.terminal.talk.genial import GenialTalk
from tuilerie.terminal.talk.kaosmos import KaosmosTalk

__all__ = ["TALKS", "Ears", "Talk", "Unclear"]

TALKS: Mapping[str, Talk] = {
    "genial": GenialTalk(),
    "blockers": BlockersTalk(),
    "kaosmos": KaosmosTalk(),
}
"""How each game is talked about, by its name."""
