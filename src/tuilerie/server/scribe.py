"""Writes views for all who watch one table, and writes nothing twice that has not changed.

Most of a view is the same for everybody at the table: it is written once, and each viewer's own
part after it. Much of it is the same as a move ago, too: what was written last is used again, field
by field, where the value is equal, or made of the very same things. What is used again is always
what would have been written anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

import msgspec

from tuilerie.games.game import Json, Seat
from tuilerie.match.table import Table
from tuilerie.match.view import open_changes, open_part, open_play, own_part, own_play

_encode = msgspec.json.Encoder(order="deterministic").encode
"""Mappings are written in alphabetical order: the order in which one was filled can tell what its
owner did, so it is never sent."""


class Scribe:
    """Remembers what it wrote last. It may write for one table only, at whatever moments."""

    __slots__ = ("_fields", "_open", "_play", "_table")

    def __init__(self) -> None:
        self._table: Table | None = None  # the one that was written last
        self._open = b""  # what everybody sees of it, up to where each viewer's own part begins
        self._fields: dict[str, bytes] = {}  # of the table: each with a comma after it
        self._play: dict[str, tuple[Json, bytes]] = {}  # of the game: the values, too

    def view(self, table: Table, viewer: Seat | None) -> bytes:
        """The whole view of a table in JSON."""
        if self._table is not table:
            last, self._table = self._table, None  # if this fails, all is written anew
            self._open = self._write_open(last, table)
            self._table = table
        play = b"" if table.started_at is None else _own(own_play(table, viewer))
        return b"%b%b,%b" % (self._open, play, _own_part(*own_part(table, viewer).items()))

    def _write_open(self, last: Table | None, table: Table) -> bytes:
        new = open_part(table) if last is None else open_changes(last, table)
        for name, value in new.items():
            self._fields[name] = _field(name, value)
        fields, play = b"".join(self._fields.values()), open_play(table)
        if play is None:
            return b'{%b"play":null' % fields
        return b'{%b"play":{%b' % (fields, self._write_play(play))

    def _write_play(self, fields: Mapping[str, Json]) -> bytes:
        last, parts = self._play, []
        for name, value in fields.items():
            known = last.get(name)
            if known is None or (known[0] is not value and known[0] != value):
                known = last[name] = (value, _field(name, value))
            parts.append(known[1])
        return b"".join(parts)


def _field(name: str, value: Json) -> bytes:
    """A field, with a comma after it."""
    return b"%b%b," % (_name(name), _encode(value))


@cache
def _name(name: str) -> bytes:
    return b'"%b":' % name.encode()


@lru_cache
def _own_part(*fields: tuple[str, Json]) -> bytes:
    """The same for a viewer's own part of the table, of which there are few."""
    return _own(dict(fields))


def _own(fields: Mapping[str, Json]) -> bytes:
    """These fields, and the end of the object that they are the last of."""
    return _encode(fields)[1:]
