"""Encodes views of one table as JSON, caching what its viewers share.

Most of a view is the same for everybody at the table: it is encoded once, and each viewer's own
part after it. Much of the table is the same as a move ago, too: fields that are made of the very
same objects are not encoded again. The result is always what a fresh encoder would write.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

import msgspec

from tuilerie.games.game import Json, Seat
from tuilerie.match.table import Table
from tuilerie.match.view import OWN, open_changes, open_play, own_part, own_play, steady_part

_encode = msgspec.json.Encoder(order="deterministic").encode
"""Mappings are written in alphabetical order: the order in which one was filled can tell what its
owner did, so it is never sent."""


class ViewEncoder:
    """Encodes views of one table, at any of its states, and caches what it encoded last."""

    __slots__ = ("_fields", "_open", "_steady", "_table")

    def __init__(self) -> None:
        self._table: Table | None = None  # the one that was written last
        self._open = b""  # what everybody sees of it, up to where each viewer's own part begins
        self._steady = b""  # what of it is not new with every fact
        self._fields: dict[str, bytes] = {}  # the same, field by field, each with a comma after it

    def view(self, table: Table, viewer: Seat | None) -> bytes:
        """The whole view of a table in JSON."""
        return b"".join(self.parts(table, viewer))

    def parts(self, table: Table, viewer: Seat | None) -> tuple[bytes, ...]:
        """The same in pieces, for who puts it into something larger."""
        if self._table is not table:
            last, self._table = self._table, None  # if this fails, all is written anew
            self._open = self._write_open(last, table)
            self._table = table
        play = b"" if table.started_at is None else _own(own_play(table, viewer))
        return self._open, play, b",", _own_part(*own_part(table, viewer))

    def _write_open(self, last: Table | None, table: Table) -> bytes:
        if new := steady_part(table) if last is None else open_changes(last, table):
            self._fields |= {name: _field(name, value) for name, value in new.items()}
            self._steady = b"".join(self._fields.values())
        play = open_play(table)
        # A game's own part is new with nearly every move: to look what is not costs more than it.
        written = b"null" if play is None else _encode(play)[:-1] + b","
        return b'{"number":%d,"at":%d,%b"play":%b' % (table.number, table.at, self._steady, written)


def _field(name: str, value: Json) -> bytes:
    """A field, with a comma after it."""
    return b"%b%b," % (_name(name), _encode(value))


@cache
def _name(name: str) -> bytes:
    return b'"%b":' % name.encode()


@lru_cache
def _own_part(*values: Json) -> bytes:
    """A viewer's own part of the table, of which there are few."""
    return _own(dict(zip(OWN, values, strict=True)))


def _own(fields: Mapping[str, Json]) -> bytes:
    """These fields, and the end of the object that they are the last of."""
    return _encode(fields)[1:]
