"""What goes over a socket, written out: only from `tuilerie.match.view`, never from a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from tuilerie.games.game import Refused, Seat, plain
from tuilerie.match.table import Table
from tuilerie.match.view import event, view
from tuilerie.server import messages
from tuilerie.server.lean import lean
from tuilerie.server.session import Change

_encoder = msgspec.json.Encoder(order="deterministic")


def write(message: messages.FromServer) -> str:
    """A message as the text of a frame."""
    return _encoder.encode(message).decode()


def view_of(table: Table, viewer: Seat | None) -> msgspec.Raw:
    """The whole view of a table, in JSON, its names in alphabetical order.

    The order in which a mapping was filled can tell what its owner did; so it is never sent.
    """
    return msgspec.Raw(_encoder.encode(lean(view(table, viewer))))


def welcome(table: Table, viewer: Seat | None, now: int) -> str:
    """The snapshot with which a viewer begins."""
    seen = view_of(table, viewer)
    return write(messages.Welcome(you=viewer, number=table.number, now=now, view=seen))


def catch_up(changes: Sequence[Change], table: Table, viewer: Seat | None, now: int) -> str:
    """The events that a viewer has missed; the last one brings the view."""
    last = len(changes) - 1
    events: list[Any] = [
        _event(change, viewer, with_view=index == last) for index, change in enumerate(changes)
    ]
    return write(messages.Welcome(you=viewer, number=table.number, now=now, events=events))


def event_text(change: Change, viewer: Seat | None, *, with_view: bool) -> str:
    """One event for one viewer."""
    return write(_event(change, viewer, with_view=with_view))


def _event(change: Change, viewer: Seat | None, *, with_view: bool) -> messages.Event:
    told = event(change.before, change.fact, change.after, viewer)
    changed = with_view and (told.changes.keys() - {"number", "at"} or told.events or told.play)
    return messages.Event(
        number=told.number,
        at=told.at,
        kind=told.kind,
        data=lean(told.told),
        game=lean(told.events) if told.events else msgspec.UNSET,
        view=view_of(change.after, viewer) if changed else msgspec.UNSET,
    )


def refusal(refused: Refused, command_id: str | None = None) -> str:
    """Why a command was not carried out."""
    params = plain(refused.params)
    return write(
        messages.Refusal(id=command_id, code=refused.code.value, rule=refused.rule, params=params)
    )


def problem(
    code: str, rule: str, command_id: str | None = None, wait: int | None = None, **params: Any
) -> str:
    """A refusal that is not the rules' own."""
    when = msgspec.UNSET if wait is None else wait
    return write(messages.Refusal(id=command_id, code=code, rule=rule, params=params, wait=when))


Texts = dict[Seat | None, str]


def once(texts: Texts, viewer: Seat | None, make: Callable[[Seat | None], str]) -> str:
    """What is written for a viewer, written once for all the sockets of that viewer."""
    text = texts.get(viewer)
    if text is None:
        text = texts[viewer] = make(viewer)
    return text
