"""What changed from one value to another: a tree that the client applies to the view it holds.

- `(value,)`, in JSON `[value]`, sets the new value;
- `None` removes a key of an object;
- a dict descends: into a dataclass or a mapping by name, into a list of the same length by index.

`web/src/live/changes.ts` applies it. `tests/server/test_law_3.py` proves of both together
that a snapshot and the changes after it make the later snapshot.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import is_dataclass
from typing import Any

from tuilerie.codec import public_fields

Tree = dict[str, Any] | tuple[object] | None
"""A change. At the top level `None` means that nothing changed."""


def changes(before: object, after: object) -> Tree:
    """The tree from one value to another; `None` if their public fields are equal."""
    if before is after or before == after:
        return None
    kind: Any = type(after)
    if type(before) is not kind:
        return (after,)
    if is_dataclass(kind):
        return changed_fields(before, after, public_fields(kind))
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        return _changed_keys(before, after)
    if isinstance(before, tuple) and isinstance(after, tuple) and _is_worth_descending(after):
        return _changed_items(before, after)
    return (after,)


def changed_fields(before: object, after: object, names: Iterable[str]) -> dict[str, Any] | None:
    """The same for some fields of two objects of one class."""
    found = {}
    for name in names:
        old, new = getattr(before, name), getattr(after, name)
        if old is not new and (tree := changes(old, new)) is not None:
            found[name] = tree
    return found or None


def _changed_keys(before: Mapping[str, object], after: Mapping[str, object]) -> Tree:
    found: dict[str, Any] = dict.fromkeys(before.keys() - after.keys())
    for key, value in after.items():
        if key not in before:
            found[key] = (value,)
        elif before[key] != value and (tree := changes(before[key], value)) is not None:
            found[key] = tree
    return found or None  # None: they differ in private fields only


def _changed_items(before: tuple[object, ...], after: tuple[object, ...]) -> Tree:
    if len(before) != len(after):
        return (after,)
    pairs = enumerate(zip(before, after, strict=True))
    found = {str(at): tree for at, (old, new) in pairs if (tree := changes(old, new)) is not None}
    return found or None


def _is_worth_descending(items: tuple[object, ...]) -> bool:
    """A list of numbers or texts is sent whole."""
    return bool(items) and (isinstance(items[0], (tuple, Mapping)) or is_dataclass(items[0]))
