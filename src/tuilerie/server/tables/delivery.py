"""Outgoing messages of a table: welcome, events and refusals, encoded once for viewers alike."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from tuilerie.games.game import Event, Refused, Seat, plain
from tuilerie.match.table import Table
from tuilerie.match.view import happened, insiders, looks_new, words_of
from tuilerie.server.tables.actor import Change
from tuilerie.server.tables.view_encoder import ViewEncoder
from tuilerie.server.ws import messages

_encode = msgspec.json.Encoder(order="deterministic").encode


def encode(message: messages.FromServer) -> bytes:
    """A message as the text of a frame, in UTF-8."""
    return _encode(message)


def welcome(table: Table, viewer: Seat | None, now: int) -> bytes:
    """The snapshot with which a viewer begins."""
    seen = msgspec.Raw(ViewEncoder().view(table, viewer))
    return encode(messages.Welcome(you=viewer, number=table.number, now=now, view=seen))


def catch_up(changes: Sequence[Change], table: Table, viewer: Seat | None, now: int) -> bytes:
    """The events that a viewer has missed; the last one brings the view."""
    last, encoder = changes[-1].number if changes else 0, ViewEncoder()
    events: list[Any] = [
        msgspec.Raw(EventMessage(change, encoder, with_view=change.number == last).text(viewer))
        for change in changes
    ]
    return encode(messages.Welcome(you=viewer, number=table.number, now=now, events=events))


class EventMessage:
    """The event of one change, encoded once for all viewers who are sent the same."""

    __slots__ = (
        "_bodies",
        "_change",
        "_encoder",
        "_insiders",
        "_open_events",
        "_texts",
        "_with_view",
    )

    def __init__(self, change: Change, encoder: ViewEncoder, *, with_view: bool) -> None:
        self._change = change
        self._encoder = encoder  # it has written for others at this table
        self._with_view = with_view
        self._open_events = happened(change.after, None)
        self._insiders = insiders(change.fact, change.after, self._open_events)
        self._bodies: dict[Seat | None, bytes] = {}
        self._texts: dict[Seat | None, bytes] = {}

    def text(self, viewer: Seat | None) -> bytes:
        """The event for one viewer: `messages.Event`, in JSON."""
        # Who is no insider of this fact is sent what a spectator is sent.
        audience = viewer if viewer in self._insiders else None
        if not self._with_view:
            viewer = audience
        text = self._texts.get(viewer)
        if text is None:
            text = b"".join((self._happened(audience), *self._view(viewer), b"}"))
            self._texts[viewer] = text
        return text

    def _happened(self, audience: Seat | None) -> bytes:
        """All but the view. Who hears the same, reads the same."""
        written = self._bodies.get(audience)
        if written is None:
            fact, after = self._change.fact, self._change.after
            kind, words = words_of(fact, audience)
            events = self._open_events if audience is None else happened(after, audience)
            message = messages.Event(number=after.number, at=after.at, kind=kind, data=words)
            if events:
                message.game = msgspec.Raw(b"[%b]" % b",".join(map(_event, events)))
            written = self._bodies[audience] = encode(message)[:-1]
        return written

    def _view(self, viewer: Seat | None) -> tuple[bytes, ...]:
        """The viewer's new view, where it looks new and no later event will bring it."""
        _number, fact, before, after = self._change
        if not self._with_view or not looks_new(before, fact, after, viewer):
            return ()
        return b',"view":', *self._encoder.parts(after, viewer)


def _event(event: Event) -> bytes:
    """An event of the game, with its kind; the encoder writes the rest. Unlike `plain` it writes
    every field: an event must have none that is not to be told."""
    fields = _encode(event)
    return _kind(event.kind) + (b"," if len(fields) > 2 else b"") + fields[1:]


@cache
def _kind(name: str) -> bytes:
    return b'{"kind":"%b"' % name.encode()


def event_text(change: Change, viewer: Seat | None, *, with_view: bool) -> bytes:
    """One event for one viewer."""
    return EventMessage(change, ViewEncoder(), with_view=with_view).text(viewer)


def refusal(refused: Refused, command_id: str | None = None) -> bytes:
    """Why a command was not carried out."""
    params = plain(refused.params)
    return encode(
        messages.Refusal(id=command_id, code=refused.code.value, rule=refused.rule, params=params)
    )


def error(
    code: str, rule: str, command_id: str | None = None, wait: int | None = None, **params: Any
) -> bytes:
    """A refusal by the server, not by the rules."""
    when = msgspec.UNSET if wait is None else wait
    return encode(messages.Refusal(id=command_id, code=code, rule=rule, params=params, wait=when))
