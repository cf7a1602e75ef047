"""What goes over a socket, written out: only from `tuilerie.match.view`, never from a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from tuilerie.games.game import Refused, Seat, plain
from tuilerie.match.table import Table
from tuilerie.match.view import happened, looks_new, view, words
from tuilerie.server import messages
from tuilerie.server.scribe import Scribe
from tuilerie.server.session import Change

_encode = msgspec.json.Encoder(order="deterministic").encode


def write(message: messages.FromServer) -> bytes:
    """A message as the text of a frame, in UTF-8."""
    return _encode(message)


def welcome(table: Table, viewer: Seat | None, now: int) -> bytes:
    """The snapshot with which a viewer begins."""
    seen = msgspec.Raw(Scribe().view(view(table, viewer)))
    return write(messages.Welcome(you=viewer, number=table.number, now=now, view=seen))


def catch_up(changes: Sequence[Change], table: Table, viewer: Seat | None, now: int) -> bytes:
    """The events that a viewer has missed; the last one brings the view."""
    last, scribe = len(changes) - 1, Scribe()
    events: list[Any] = [
        _event(change, viewer, scribe, with_view=index == last)
        for index, change in enumerate(changes)
    ]
    return write(messages.Welcome(you=viewer, number=table.number, now=now, events=events))


def event_text(
    change: Change, viewer: Seat | None, *, with_view: bool, scribe: Scribe | None = None
) -> bytes:
    """One event for one viewer; `scribe` has written for others at this table."""
    return write(_event(change, viewer, scribe or Scribe(), with_view=with_view))


def _event(
    change: Change, viewer: Seat | None, scribe: Scribe, *, with_view: bool
) -> messages.Event:
    _number, fact, before, after = change
    kind, told = words(fact, viewer)
    game = happened(after, viewer)
    changed = with_view and looks_new(before, fact, after, viewer)
    return messages.Event(
        number=after.number,
        at=after.at,
        kind=kind,
        data=msgspec.Raw(scribe.write("data", told)),
        game=msgspec.Raw(scribe.write("game", game)) if game else msgspec.UNSET,
        view=msgspec.Raw(scribe.view(view(after, viewer))) if changed else msgspec.UNSET,
    )


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


Texts = dict[Seat | None, bytes]


def once(texts: Texts, viewer: Seat | None, make: Callable[[Seat | None], bytes]) -> bytes:
    """What is written for a viewer, written once for all the sockets of that viewer."""
    text = texts.get(viewer)
    if text is None:
        text = texts[viewer] = make(viewer)
    return text
