"""Python API of the compiled core: one module per game.

The core is optional: without it, everything runs on the Python rules, only slower. Check
`is_compiled()` before importing `tuilerie.native.<game>`. Long-running programs report the engine.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Literal

MODULES = ("_genial", "_blockers", "_kaosmos")


@cache
def why_not_compiled() -> str | None:
    """Return why the compiled core cannot be used; `None` if it can."""
    try:
        for name in MODULES:
            import_module(f"{__name__}.{name}")
    except ImportError as error:
        return str(error)
    return None


def is_compiled() -> bool:
    """Return whether the compiled core is available."""
    return why_not_compiled() is None


def engine() -> Literal["compiled", "python"]:
    """Return the name of the engine in use, for logs and headers."""
    return "compiled" if is_compiled() else "python"
