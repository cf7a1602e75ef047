"""Test another build of the core with `TUILERIE_CORE=DIR pytest …`.

Python looks for the parts of a package in the folders of its `__path__`, so naming another folder
first is enough. `TUILERIE_GAMES` is the number of random games that the comparisons play. With
`TUILERIE_EVERY`, each test runs with its first parameters and one in so many of the others.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from tuilerie import native

if folder := os.environ.get("TUILERIE_CORE"):
    native.__path__.insert(0, folder)

if os.environ.get("CI") == "true" and not native.is_compiled():
    raise pytest.UsageError(f"CI=true, but there is no compiled core: {native.why_not_compiled()}")

EVERY = int(os.environ.get("TUILERIE_EVERY", "1"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect parameters, but never a whole test."""
    if EVERY == 1:
        return
    met: Counter[str] = Counter()
    kept: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    for item in items:
        name = item.nodeid.partition("[")[0]
        (left_out if met[name] % EVERY else kept).append(item)
        met[name] += 1
    items[:] = kept
    config.hook.pytest_deselected(items=left_out)
