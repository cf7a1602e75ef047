"""Terminal colours. Every colour comes with a letter or a shape.

So everything is legible without colour: when the output is not a terminal, when the user sets
NO_COLOR (https://no-color.org), or for colour-blind players.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TextIO

import click

TILE_GROUND = 235
"""Background of tile symbols: dark, for contrast on any terminal theme."""


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours (numbers of the 256-colour palette) and text attributes."""

    fg: int | None = None
    bg: int | None = None
    bold: bool = False
    dim: bool = False
    underline: bool = False


PAINTS: Mapping[str, Paint] = {
    # messages
    "title": Paint(bold=True),
    "strong": Paint(bold=True),
    "faint": Paint(dim=True),
    "good": Paint(fg=34, bold=True),
    "bad": Paint(fg=167, bold=True),
    "key": Paint(bold=True, underline=True),
    # the six symbols of Génial!
    "genial.R": Paint(203, TILE_GROUND, bold=True),
    "genial.Y": Paint(227, TILE_GROUND, bold=True),
    "genial.B": Paint(75, TILE_GROUND, bold=True),
    "genial.G": Paint(77, TILE_GROUND, bold=True),
    "genial.P": Paint(177, TILE_GROUND, bold=True),
    "genial.O": Paint(214, TILE_GROUND, bold=True),
    # the five colours of Blockers!
    "blockers.b": Paint(231, 25, bold=True),
    "blockers.y": Paint(16, 220, bold=True),
    "blockers.g": Paint(231, 28, bold=True),
    "blockers.r": Paint(231, 160, bold=True),
    "blockers.k": Paint(231, 238, bold=True),
    # the fields of Kaosmos
    "kaosmos.green": Paint(231, 22),
    "kaosmos.blue": Paint(231, 25),
    "kaosmos.orange": Paint(16, 172),
    "kaosmos.constellation": Paint(228, 54),
    "kaosmos.star": Paint(228, 54),
    "kaosmos.arm": Paint(231, 16, bold=True),
    "kaosmos.path": Paint(16, 226, bold=True),
}
"""All paints by name."""


@dataclass(frozen=True, slots=True)
class Style:
    """Paints text, or leaves it unchanged without colour."""

    colour: bool

    def __call__(self, text: str, paint: str) -> str:
        """Return the text in the named paint."""
        if not self.colour or not text:
            return text
        chosen = PAINTS[paint]
        return click.style(
            text,
            fg=chosen.fg,
            bg=chosen.bg,
            bold=chosen.bold or None,
            dim=chosen.dim or None,
            underline=chosen.underline or None,
        )


PLAIN = Style(colour=False)


def wants_colour(stream: TextIO, environment: Mapping[str, str] | None = None) -> bool:
    """Return whether to write colours to this stream."""
    env = os.environ if environment is None else environment
    if env.get("NO_COLOR") or env.get("TERM") == "dumb":
        return False
    return stream.isatty()
