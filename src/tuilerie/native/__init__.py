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


@cache
def why_no_network() -> str | None:
    """Return why the learned evaluation of Génial! cannot be used; `None` if it can."""
    if why := why_not_compiled():
        return why
    found: str | None = import_module(f"{__name__}.genial").why_no_weights()
    return found


def engine() -> Literal["compiled", "python"]:
    """Return the name of the engine in use, for logs and headers."""
    return "compiled" if is_compiled() else "python"
