"""Writes for the viewers of one table, and writes nothing twice that has not changed.

Most of a view is the same for everybody at the table, and much of it the same as a move ago. What
was written last is used again where the value is equal: field by field, and for all the open fields
of a view together. Only values decide: what is used again is what would have been written anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec

from tuilerie.match.view import TableView
from tuilerie.server.lean import lean

_encode = msgspec.json.Encoder(order="deterministic").encode

_NEVER = (object(), b"")

Values = tuple[Any, ...]


class _Part(NamedTuple):
    """Some fields of a kind of view, in alphabetical order."""

    read: Callable[[Any], Values]
    names: tuple[tuple[bytes, str], ...]  # what stands before the value; its key in the memory


class _Form(NamedTuple):
    """A kind of view: what all see, and what is the viewer's own."""

    key: str
    open: _Part
    own: _Part


class Scribe:
    """Remembers what it wrote last. It must write for one table only, for the sake of its memory:
    what it writes never depends on that."""

    __slots__ = ("_last",)

    def __init__(self) -> None:
        self._last: dict[str, tuple[Any, bytes]] = {}

    def view(self, seen: TableView) -> bytes:
        """A whole view in JSON, mappings in alphabetical order.

        The order in which a mapping was filled can tell what its owner did; so it is never sent.
        """
        play = b"null" if seen.play is None else self._object(seen.play)
        return b'%b,"play":%b}' % (self._object(seen)[:-1], play)

    def _object(self, seen: Any) -> bytes:
        form = _FORMS.get(type(seen)) or _form(type(seen))
        values = form.open.read(seen)
        known, written = self._last.get(form.key, _NEVER)
        if known != values:
            written = self._fields(form.open, values)
            self._last[form.key] = (values, written)
        return b"{%b%b}" % (written, self._fields(form.own, form.own.read(seen))[:-1])

    def _fields(self, part: _Part, values: Values) -> bytes:
        """These fields, each with a comma after it."""
        last, parts = self._last, list[bytes]()
        for (name, key), value in zip(part.names, values, strict=True):
            known, written = last.get(key, _NEVER)
            if known is not value and known != value:
                written = _encode(lean(value))
                last[key] = (value, written)
            parts += (name, written, b",")
        return b"".join(parts)

    def write(self, key: str, value: Any) -> bytes:
        """A value in JSON; `key` tells for what it is."""
        known, written = self._last.get(key, _NEVER)
        if known is not value and known != value:
            written = _encode(lean(value))
            self._last[key] = (value, written)
        return written


_FORMS: dict[type[Any], _Form] = {}


def _form(kind: type[Any]) -> _Form:
    """How a kind of view is written, found out once."""
    shown = {each.name for each in fields(kind) if not each.name.startswith("_")}
    shown -= {"play"} if kind is TableView else set()  # that is an object of its own
    own = shown & kind.OWN
    name = f"{kind.__module__}.{kind.__name__}"
    form = _FORMS[kind] = _Form(name, _part(name, shown - own), _part(name, own))
    return form


def _part(kind: str, names: set[str]) -> _Part:
    ordered = sorted(names)
    keyed = tuple((b'"%b":' % name.encode(), f"{kind}.{name}") for name in ordered)
    return _Part(attrgetter(*ordered), keyed)
