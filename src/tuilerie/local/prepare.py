"""What Python does once on each device. An image of its memory is kept then, from which both
workers start later (`web/src/local/python.ts`)."""

from __future__ import annotations

import gc
from importlib import import_module

from tuilerie.local import core

MOVES = 12
"""How many moves of each game make what its later moves need."""


def prepare() -> None:
    """Import and make what is needed later, and leave it out of garbage collections."""
    core.install(_ask)
    rehearsal = import_module("tuilerie.local.rehearsal")  # after the core is installed
    for game in rehearsal.BOTS:
        rehearsal.play(game, MOVES, rehearsal.read)
    gc.collect()
    gc.freeze()


def _ask(game: str, request: str) -> str:
    """Ask the core of this worker (`bots.ts`). There is none yet while an image is made, and none
    in the tables' worker: nothing thinks there."""
    answer: str = import_module("tuilerie_core").ask(game, request)
    return answer
