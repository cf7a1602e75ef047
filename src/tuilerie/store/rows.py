"""Rows of tables, as both databases select and update them."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tuilerie.store.log import Status, TableRow


@dataclass(frozen=True, slots=True, eq=False)
class Append:
    """An append that was asked for."""

    table: str
    after: int
    facts: Sequence[bytes]
    command: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Lookup:
    """A lookup of a command's key that was asked for."""

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
)
ROW = ", ".join(ROW_COLUMNS)
"""What a list of tables asks for."""


def table_row(row: Sequence[Any]) -> TableRow:
    """A row that was asked for as `ROW`."""
    slug, game, rules, options, public, status, created, updated, last, head = row
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
    )


def now_ms() -> int:
    """Milliseconds since the epoch."""
    return time.time_ns() // 1_000_000
