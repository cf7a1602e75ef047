"""The versions of the rules, and all that differs between them.

A game goes on, and a record replays, by the version that it was begun with. The rules ask for a
difference by its name, never for a number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Version:
    """One version of the rules."""

    number: int
    face_down: bool  # tiles lie face down until the timer starts (the book, part 3)
    bonus_after_done: bool  # only taking a bonus tile bars further ones, 'done' does not
    bonus_unfinished: bool  # bonus tiles may be taken before the galaxy is complete


VERSIONS: Mapping[int, Version] = {
    version.number: version
    for version in (
        Version(1, face_down=False, bonus_after_done=False, bonus_unfinished=False),
        Version(2, face_down=True, bonus_after_done=True, bonus_unfinished=True),
    )
}
"""All versions, oldest first. Version 2 corrects where version 1 differed from the book."""

NEWEST = VERSIONS[max(VERSIONS)]
"""The version by which new games are played."""
