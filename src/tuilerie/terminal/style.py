"""Colours for the terminal. A colour never stands alone: a letter or a shape always goes with it.

So everything can be read without colour too: where the output is no terminal, where the user asked
for none (https://no-color.org), or where somebody cannot tell two colours apart.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TextIO

import click

TILE_GROUND = 235
"""What the symbols of tiles are painted on: dark, so that they stand out on any background."""


@dataclass(frozen=True, slots=True)
class Paint:
    """How something is painted: colours by their number in the 256-colour table."""

    fg: int | None = None
    bg: int | None = None
    bold: bool = False
    dim: bool = False
    underline: bool = False


PAINTS: Mapping[str, Paint] = {
    # what is said
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
"""Every paint by its name."""


@dataclass(frozen=True, slots=True)
class Style:
    """Paints text, or leaves it as it is where there is to be no colour."""

    colour: bool

    def __call__(self, text: str, paint: str) -> str:
        """The text in the paint of that name."""
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
    """Whether to write in colour to this stream."""
    env = os.environ if environment is None else environment
    if env.get("NO_COLOR") or env.get("TERM") == "dumb":
        return False
    return stream.isatty()
