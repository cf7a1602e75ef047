"""Outgoing messages of a table: snapshots, updates and refusals, made for each viewer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import Raw

from tuilerie.codec import public_fields, to_builtins
from tuilerie.games.game import Refused, Seat, own_fields
from tuilerie.match import messages
from tuilerie.match.changes import changed_fields, changes
from tuilerie.match.table import Table
from tuilerie.match.view import TableEvent, TableView, own, own_play, table_event, view
from tuilerie.server.ops.limits import RESUME_EVENTS
from tuilerie.server.tables.actor import Transition

encode = msgspec.json.Encoder(order="deterministic").encode
"""Encodes a message as UTF-8 JSON. Mappings are sorted by key: their insertion order could reveal
what their owner did."""


class Snapshot:
    """A table at one moment as its viewers see it; what they share is computed once."""

    __slots__ = ("_open", "_own", "table")

    def __init__(self, table: Table) -> None:
        self.table = table
        self._open: TableView | None = None
        self._own: dict[Seat | None, tuple[Mapping[str, object], Mapping[str, object] | None]] = {}

    @property
    def open(self) -> TableView:
        """What a spectator sees: all open fields."""
        if self._open is None:
            self._open = view(self.table, None)
        return self._open

    def own(self, viewer: Seat | None) -> tuple[Mapping[str, object], Mapping[str, object] | None]:
        """The viewer's own fields, of the table and of the game."""
        found = self._own.get(viewer)
        if found is None:
            found = self._own[viewer] = own(self.table, viewer), own_play(self.table, viewer)
        return found

    def whole(self, viewer: Seat | None) -> Any:
        """The whole view."""
        return to_builtins(view(self.table, viewer))


class UpdateEncoder:
    """Encodes the update message of each viewer from one moment of a table to another."""

    __slots__ = ("_after", "_before", "_open", "_texts", "happened")

    def __init__(self, happened: Sequence[Transition], before: Snapshot, after: Snapshot) -> None:
        self.happened = happened
        self._before = before
        self._after = after
        self._open: tuple[dict[str, Raw], dict[str, Raw] | None] | None = None
        self._texts: dict[tuple[Seat | None, Seat | None], bytes] = {}

    def text(self, viewer: Seat | None, was: Seat | None) -> bytes:
        """The message for one viewer; `was`: the seat as which they saw the table before."""
        text = self._texts.get((viewer, was))
        if text is None:
            number = self._after.table.number
            message = messages.Update(number, self._events(viewer), self._tree(viewer, was))
            text = self._texts[viewer, was] = encode(message)
        return text

    def _open_changes(self) -> tuple[dict[str, Raw], dict[str, Raw] | None]:
        """Changes of open fields, of the table and of the game, computed and encoded once. `None`
        for the game: it has just started, and its view is sent whole."""
        if self._open is None:
            old, new = self._before.open, self._after.open
            table = _encoded(changed_fields(old, new, _open_names(TableView)))
            play = None
            if type(old.play) is type(new.play):
                kind: Any = type(new.play)
                names = () if new.play is None else _open_names(kind)
                play = _encoded(changed_fields(old.play, new.play, names))
            self._open = table, play
        return self._open

    def _events(self, viewer: Seat | None) -> list[TableEvent]:
        return [table_event(each.fact, each.after, viewer) for each in self.happened]

    def _tree(self, viewer: Seat | None, was: Seat | None) -> dict[str, Any]:
        """The viewer's own changes and the open ones."""
        old, old_play = self._before.own(was)
        new, new_play = self._after.own(viewer)
        open_table, open_play = self._open_changes()
        tree: dict[str, Any] = {**open_table, **_own_changes(old, new)}
        if open_play is None:
            tree["play"] = (self._after.whole(viewer)["play"],)
        elif play := {**open_play, **_own_changes(old_play or {}, new_play or {})}:
            tree["play"] = play
        return tree


def _encoded(tree: Mapping[str, Any] | None) -> dict[str, Raw]:
    return {} if tree is None else {name: Raw(encode(each)) for name, each in tree.items()}


@cache
def _open_names(kind: Any) -> tuple[str, ...]:
    hidden = own_fields(kind) | {"play"}
    return tuple(name for name in public_fields(kind) if name not in hidden)


def _own_changes(old: Mapping[str, object], new: Mapping[str, object]) -> dict[str, Any]:
    found = changes(old, new)
    return found if isinstance(found, dict) else {}


def welcome(table: Table, happened: Sequence[Transition], viewer: Seat | None, now: int) -> bytes:
    """The snapshot that a viewer starts from, and the last events that led to it."""
    recent = happened[-RESUME_EVENTS:]
    events = [table_event(each.fact, each.after, viewer) for each in recent]
    whole = Snapshot(table).whole(viewer)
    return encode(messages.Welcome(viewer, table.number, now, whole, events))


def refusal(refused: Refused, command_id: str | None = None) -> bytes:
    """Why a command was not carried out."""
    params = to_builtins(refused.params)
    return encode(
        messages.Refusal(id=command_id, code=refused.code.value, rule=refused.rule, params=params)
    )


def error(
    code: str, rule: str, command_id: str | None = None, wait: int | None = None, **params: Any
) -> bytes:
    """A refusal by the server, not by the rules."""
    return encode(messages.Refusal(id=command_id, code=code, rule=rule, params=params, wait=wait))
