"""The Python twin of `web/src/live/changes.ts`, for tests that keep a view like a client does."""

from __future__ import annotations

from typing import Any


def apply_changes(value: Any, change: Any) -> Any:
    """The value after a change, both as JSON holds them."""
    if isinstance(change, list):
        return change[0]
    after: Any = list(value) if isinstance(value, list) else dict(value)
    for key, inner in change.items():
        at: Any = int(key) if isinstance(after, list) else key
        if inner is None:
            del after[at]
        else:
            old = after[at] if isinstance(after, list) else after.get(at)
            after[at] = apply_changes(old, inner)
    return after
