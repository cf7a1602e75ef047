"""Writes the messages of a table in this browser, and reads those of its page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from tuilerie.codec import Malformed, from_builtins, kind_of, to_builtins
from tuilerie.games.game import Refused, Seat
from tuilerie.match import commands as c
from tuilerie.match import messages as m
from tuilerie.match.batch import Applied
from tuilerie.match.changes import changes
from tuilerie.match.facts import open_fields
from tuilerie.match.table import Table
from tuilerie.match.view import TableView, table_event

Problem = dict[str, Any]

RECENT_EVENTS = 500
"""How many events a welcome holds at most."""

_COMMANDS: Mapping[str | None, Any] = {kind_of(kind): kind for kind in get_args(c.PersonCommand)}


def write(value: object) -> str:
    """A message as JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def encode(message: object) -> str:
    """A message of a table as JSON."""
    return write(to_builtins(message))


def read_command(asked: object, player: str) -> c.PersonCommand:
    """A client's command. Raises `Malformed`."""
    if not isinstance(asked, dict) or asked.get("kind") not in _COMMANDS:
        raise Malformed("command: expected an object of a known kind")
    kind = _COMMANDS[asked["kind"]]
    optional = dict.fromkeys(name for name in open_fields(kind) if name != "kind")
    secret = {"rtt": None} if kind is c.Make else {}
    known: c.PersonCommand = from_builtins(
        kind, {**optional, **asked, **secret, "player": player}, "command"
    )
    return known


def welcome(seen: TableView, past: Sequence[Applied], you: Seat | None, now: int) -> str:
    """The snapshot that a viewer starts from, and the last events that led to it. (The first fact
    makes the table: it is no event.)"""
    events = [table_event(fact, table, you) for fact, table in past[1:][-RECENT_EVENTS:]]
    return encode(m.Welcome(you, past[-1].table.number, now, seen, events))


def update(
    happened: Sequence[Applied], before: TableView, after: TableView, you: Seat | None
) -> str:
    """What happened, and what changed in the view."""
    events = [table_event(fact, table, you) for fact, table in happened]
    tree: Any = changes(before, after) or {}
    return encode(m.Update(happened[-1].table.number, events, tree))


def done(command: str, number: int) -> str:
    """The command was carried out."""
    return encode(m.Done(command, number))


def refused(problem: Problem, command: str | None = None) -> str:
    """Why the command was not carried out."""
    return encode(m.Refusal(**problem, id=command))


def presence(table: Table) -> str:
    """Everybody at this table is here."""
    return encode(m.Presence([place.kind != "open" for place in table.seats], 0, False))


def pong(n: int, now: int) -> str:
    """The answer to a ping."""
    return encode(m.Pong(n, now))


def problem(code: str, rule: str, **params: Any) -> Problem:
    """Why something was refused."""
    return {"code": code, "rule": rule, "params": to_builtins(params)}


def problem_of(error: Refused | Malformed) -> Problem:
    """The same of a refusal by the rules, or of malformed input."""
    if isinstance(error, Refused):
        return problem(error.code.value, error.rule, **error.params)
    return problem("malformed", "bad-message", why=str(error))
