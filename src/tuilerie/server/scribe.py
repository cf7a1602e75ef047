"""Writes for the viewers of one table, and writes nothing twice that has not changed.

Most of a view is the same for everybody at the table, and much of it the same as a move ago. What
was written last is used again where the value is equal: field by field, and for all the open fields
of a view together. Only values decide: what is used again is what would have been written anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from dataclasses import fields
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec

from tuilerie.games.game import Seat
from tuilerie.match.table import Table
from tuilerie.match.view import open_part, own_part
from tuilerie.server.lean import lean

_encode = msgspec.json.Encoder(order="deterministic").encode

_NEVER = (object(), b"")

Values = tuple[Any, ...]


class _Part(NamedTuple):
    """Some fields of a game's views, in alphabetical order."""

    read: Callable[[Any], Values]
    names: tuple[tuple[bytes, str], ...]  # what stands before the value; its key in the memory


class _Form(NamedTuple):
    """A game's views: what all see, and what is the viewer's own."""

    open: _Part
    own: _Part


class Scribe:
    """Remembers what it wrote last. It must write for one table only, for the sake of its memory:
    what it writes never depends on that."""

    __slots__ = ("_last", "_open")

    def __init__(self) -> None:
        self._last: dict[str, tuple[Any, bytes]] = {}
        self._open: dict[str, tuple[Any, bytes]] = {}  # the open fields of a view, all together

    def view(self, table: Table, viewer: Seat | None) -> bytes:
        """The whole view of a table in JSON, mappings in alphabetical order.

        The order in which a mapping was filled can tell what its owner did; so it is never sent.
        """
        shown = open_part(table)
        known, written = self._open.get("table", _NEVER)
        if known is not shown:
            written = self._fields(
                [(b'"%b":' % name.encode(), name) for name in shown], shown.values()
            )
            self._open["table"] = (shown, written)
        own = own_part(table, viewer)
        play = own.pop("play")
        told = b"null" if play is None else self._play(play)
        return b'{%b"play":%b,%b' % (written, told, _encode(own)[1:])

    def _play(self, seen: Any) -> bytes:
        """The view of the game."""
        form = _FORMS.get(type(seen)) or _form(type(seen))
        values = form.open.read(seen)
        known, written = self._open.get("play", _NEVER)
        if known != values:
            written = self._fields(form.open.names, values)
            self._open["play"] = (values, written)
        return b"{%b%b}" % (written, self._fields(form.own.names, form.own.read(seen))[:-1])

    def _fields(self, names: Iterable[tuple[bytes, str]], values: Iterable[Any]) -> bytes:
        """These fields, each with a comma after it."""
        last, parts = self._last, list[bytes]()
        for (name, key), value in zip(names, values, strict=True):
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
    """How a game's views are written, found out once."""
    shown = {each.name for each in fields(kind) if not each.name.startswith("_")}
    form = _FORMS[kind] = _Form(_part(shown - kind.OWN), _part(kind.OWN))
    return form


def _part(names: Set[str]) -> _Part:
    ordered = sorted(names)
    keyed = tuple((b'"%b":' % name.encode(), f"play.{name}") for name in ordered)
    return _Part(attrgetter(*ordered), keyed)
