"""What goes over a socket, written out: only from `tuilerie.match.view`, never from a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from tuilerie.games.game import Refused, Seat, plain
from tuilerie.match.table import Table
from tuilerie.match.view import happened, is_secret, looks_new, words_of
from tuilerie.server import messages
from tuilerie.server.scribe import Scribe
from tuilerie.server.session import Change

_encode = msgspec.json.Encoder(order="deterministic").encode


def write(message: messages.FromServer) -> bytes:
    """A message as the text of a frame, in UTF-8."""
    return _encode(message)


def welcome(table: Table, viewer: Seat | None, now: int) -> bytes:
    """The snapshot with which a viewer begins."""
    seen = msgspec.Raw(Scribe().view(table, viewer))
    return write(messages.Welcome(you=viewer, number=table.number, now=now, view=seen))


def catch_up(changes: Sequence[Change], table: Table, viewer: Seat | None, now: int) -> bytes:
    """The events that a viewer has missed; the last one brings the view."""
    last, scribe = changes[-1].number if changes else 0, Scribe()
    events: list[Any] = [
        Telling(change, scribe, with_view=change.number == last).message(viewer)
        for change in changes
    ]
    return write(messages.Welcome(you=viewer, number=table.number, now=now, events=events))


class Telling:
    """One change, told to all who hear of it; each viewer's text is written once."""

    __slots__ = ("_change", "_scribe", "_shared", "_texts", "_with_view")

    def __init__(self, change: Change, scribe: Scribe, *, with_view: bool) -> None:
        self._change = change
        self._scribe = scribe  # it has written for others at this table
        self._with_view = with_view
        self._texts: dict[Seat | None, bytes] = {}
        self._shared: messages.Event | None = None

    def text(self, viewer: Seat | None) -> bytes:
        """The event for one viewer."""
        text = self._texts.get(viewer)
        if text is None:
            text = self._texts[viewer] = _encode(self.message(viewer))
        return text

    def message(self, viewer: Seat | None) -> messages.Event:
        """The same before it is written. It is filled anew for each viewer: write it at once."""
        _number, fact, before, after = self._change
        scribe, told = self._scribe, self._told(viewer)
        game = happened(after, viewer)
        told.game = msgspec.Raw(scribe.write("game", game)) if game else msgspec.UNSET
        changed = self._with_view and looks_new(before, fact, after, viewer)
        told.view = msgspec.Raw(scribe.view(after, viewer)) if changed else msgspec.UNSET
        return told

    def _told(self, viewer: Seat | None) -> messages.Event:
        """What is said of the fact; most facts are told to everybody in the same words."""
        if self._shared is not None:
            return self._shared
        fact, after = self._change.fact, self._change.after
        kind, words = words_of(fact, viewer)
        data = msgspec.Raw(self._scribe.write("data", words))
        told = messages.Event(number=after.number, at=after.at, kind=kind, data=data)
        if not is_secret(fact):
            self._shared = told
        return told


def event_text(change: Change, viewer: Seat | None, *, with_view: bool) -> bytes:
    """One event for one viewer."""
    return Telling(change, Scribe(), with_view=with_view).text(viewer)


def refusal(refused: Refused, command_id: str | None = None) -> bytes:
    """Why a command was not carried out."""
    params = plain(refused.params)
    return write(
        messages.Refusal(id=command_id, code=refused.code.value, rule=refused.rule, params=params)
    )


def problem(
    code: str, rule: str, command_id: str | None = None, wait: int | None = None, **params: Any
) -> bytes:
    """A refusal that is not the rules' own."""
    when = msgspec.UNSET if wait is None else wait
    return write(messages.Refusal(id=command_id, code=code, rule=rule, params=params, wait=when))
