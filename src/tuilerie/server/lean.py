"""Views as JSON can hold them: what `plain` says, but without a call for every cell and move.

Most of a view is long lists and maps of short texts, which the encoder writes by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from operator import attrgetter
from typing import Any

from tuilerie.games.game import Event, Json, Move, plain

_LEAVES = frozenset({str, int, bool, float, type(None)})


def lean(value: Any) -> Json:
    """The same as `plain(value)` once it is written out."""
    kind = type(value)
    if kind in _LEAVES:
        return value
    if kind is tuple or kind is list:
        if _LEAVES.issuperset(map(type, value)):
            return value
        return [lean(item) for item in value]
    if kind is dict:
        if _is_flat(value):
            return value
        return {str(key): lean(item) for key, item in value.items()}
    make = _MAKERS.get(kind)
    if make is None:
        make = _MAKERS[kind] = _maker(kind)
    return make(value)


_MAKERS: dict[type[Any], Callable[[Any], Json]] = {}


def _is_flat(value: dict[Any, Any]) -> bool:
    return set(map(type, value)) <= {str} and _LEAVES.issuperset(map(type, value.values()))


def _maker(kind: type[Any]) -> Callable[[Any], Json]:
    """How values of a kind are written, found out once."""
    if not is_dataclass(kind) or issubclass(kind, Move):
        return _object if issubclass(kind, Mapping) else plain
    every = [field.name for field in fields(kind)]
    names = [name for name in every if not name.startswith("_")]
    tag = {"kind": kind.kind} if issubclass(kind, Event) else {}
    read = _reader(names)
    whole = len(names) == len(every) and not tag  # the encoder writes it by itself, if it is flat

    def make(value: Any) -> Json:
        values = read(value)
        if whole and _LEAVES.issuperset(map(type, values)):
            return value
        return tag | {
            name: item if type(item) in _LEAVES else lean(item)
            for name, item in zip(names, values, strict=True)
        }

    return make


def _reader(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """All these fields of a value at once."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple(getattr(value, name) for name in names)


def _object(value: Mapping[Any, Any]) -> Json:
    return {str(key): lean(item) for key, item in value.items()}
