"""The Python face of the compiled core: one module for each game, with the same names.

The core is an extra: where it could not be built, everything runs on the plain rules, only slower.
So nobody imports `tuilerie.native.<game>` without asking `is_compiled()` first, and every program
that runs for long says which engine is at work.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Literal

MODULES = ("_genial", "_blockers", "_kaosmos")


@cache
def why_not_compiled() -> str | None:
    """Why the compiled core cannot be used, or None if it can."""
    try:
        for name in MODULES:
            import_module(f"{__name__}.{name}")
    except ImportError as error:
        return str(error)
    return None


def is_compiled() -> bool:
    """Whether the compiled core is there."""
    return why_not_compiled() is None


def engine() -> Literal["compiled", "python"]:
    """The engine at work, in one word for logs and headers."""
    return "compiled" if is_compiled() else "python"
