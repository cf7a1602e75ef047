"""The versions of the rules and their differences.

Games and records keep the version that they started with. The rules test a difference by its name,
never by a version number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RulesVersion:
    """One version of the rules."""

    number: int
    face_down: bool  # tiles are face down until the timer starts (rulebook, part 3)
    bonus_after_done: bool  # bonus tiles may be taken after 'done', once
    bonus_unfinished: bool  # bonus tiles may be taken before the galaxy is complete


VERSIONS: Mapping[int, RulesVersion] = {
    version.number: version
    for version in (
        RulesVersion(1, face_down=False, bonus_after_done=False, bonus_unfinished=False),
        RulesVersion(2, face_down=True, bonus_after_done=True, bonus_unfinished=True),
    )
}
"""All versions, oldest first. Version 2 fixes where version 1 differed from the rulebook."""

NEWEST = VERSIONS[max(VERSIONS)]
"""The version of new games."""
