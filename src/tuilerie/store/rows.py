"""Rows of tables, as both databases select and update them."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tuilerie.games.game import Json
from tuilerie.store.log import Status, TableRow


@dataclass(frozen=True, slots=True, eq=False)
class Append:
    """A requested append."""

    table: str
    after: int
    facts: Sequence[bytes]
    command: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Lookup:
    """A requested lookup of a command key."""

    table: str
    command: str


HEAD = "coalesce((SELECT max(number) FROM facts WHERE facts.table_id = tables.id), 0)"
LAST = "(SELECT at FROM facts WHERE facts.table_id = tables.id ORDER BY number DESC LIMIT 1)"
ROW_COLUMNS = (
    "tables.slug",
    "tables.game",
    "tables.rules",
    "tables.options",
    "tables.public",
    "tables.status",
    "tables.created",
    "tables.updated",
    LAST,
    HEAD,
    "tables.summary",
    "tables.wake",
)
ROW = ", ".join(ROW_COLUMNS)
"""The columns of a `TableRow`."""


def table_row(row: Sequence[Any]) -> TableRow:
    """Convert a row with the columns `ROW`."""
    slug, game, rules, options, public, status, created, updated, last, head, summary, wake = row
    return TableRow(
        table=slug,
        game=game,
        rules=rules,
        options=json.loads(options),
        public=bool(public),
        status=Status(status),
        created=created,
        updated=max(updated, last or 0),
        head=head,
        summary=None if summary is None else json.loads(summary),
        wake=wake,
    )


def to_text(value: Mapping[str, Json] | None) -> str | None:
    """Write options or a summary as JSON."""
    return None if value is None else json.dumps(dict(value), ensure_ascii=False)


def conditions(status: Status | None, public: bool | None) -> list[str]:
    """Return the SQL conditions of a list. Literals, not parameters: only with them the planner
    can prove that the partial index of the lobby holds all rows."""
    found = [] if status is None else [f"status = '{status.value}'"]
    if public is not None:
        found.append("public" if public else "NOT public")
    return found


def now_ms() -> int:
    """Return milliseconds since the epoch."""
    return time.time_ns() // 1_000_000
