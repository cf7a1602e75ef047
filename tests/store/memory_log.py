"""In-memory log: the reference model of the tests."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tuilerie.games.game import Json
from tuilerie.store.errors import NoSuchTable, TableExists, Unavailable
from tuilerie.store.log import (
    Appended,
    Conflict,
    Status,
    TableMeta,
    TableRow,
    check_append,
    check_key,
    check_new,
)
from tuilerie.store.rows import now_ms


@dataclass(slots=True)
class _Kept:
    row: TableRow
    facts: list[bytes] = field(default_factory=list)
    commands: dict[str, Appended] = field(default_factory=dict)


class MemoryLog:
    """A `Log` in memory, not durable."""

    def __init__(self) -> None:
        self._tables: dict[str, _Kept] = {}
        self._closed = False

    async def create(self, table: str, facts: Sequence[bytes], meta: TableMeta) -> None:
        """See `Log.create`."""
        check_new(table)
        if table in self._all():
            raise TableExists(table)
        now, what = now_ms(), (meta.game, meta.rules, dict(meta.options), meta.public, meta.status)
        row = TableRow(table, *what, now, now, len(facts), meta.summary, meta.wake)
        self._tables[table] = _Kept(row, list(facts))

    async def append(
        self, table: str, after: int, facts: Sequence[bytes], command: str | None = None
    ) -> Appended | Conflict:
        """See `Log.append`."""
        check_append(table, after, facts, command)
        kept = self._kept(table)
        if command is not None and command in kept.commands:
            return replace(kept.commands[command], repeated=True)
        if len(kept.facts) != after:
            return Conflict(len(kept.facts))
        kept.facts += facts
        kept.row = replace(kept.row, updated=now_ms(), head=len(kept.facts))
        answer = Appended(after + 1, len(kept.facts))
        if command is not None:
            kept.commands[command] = answer
        return answer

    async def find_by_key(self, table: str, command: str) -> Appended | None:
        """See `Log.find_by_key`."""
        check_key(table, command)
        found = self._kept(table).commands.get(command)
        return found and replace(found, repeated=True)

    async def read(
        self, table: str, after: int = 0, limit: int | None = None
    ) -> list[tuple[int, bytes]]:
        """See `Log.read`."""
        kept = self._all().get(table)
        return list(enumerate(kept.facts, 1))[after:][:limit] if kept else []

    async def heads(self, tables: Collection[str]) -> dict[str, int]:
        """See `Log.heads`."""
        known = self._all()
        return {table: len(known[table].facts) for table in tables if table in known}

    async def table(self, table: str) -> TableRow | None:
        """See `Log.table`."""
        kept = self._all().get(table)
        return kept.row if kept else None

    async def tables(
        self,
        *,
        status: Status | None = None,
        public: bool | None = None,
        before: TableRow | None = None,
        limit: int | None = None,
    ) -> list[TableRow]:
        """See `Log.tables`."""
        rows = [
            kept.row
            for kept in self._all().values()
            if (status is None or kept.row.status == status)
            and (public is None or kept.row.public == public)
            and (before is None or _age(kept.row) < _age(before))
        ]
        return sorted(rows, key=_age, reverse=True)[:limit]

    async def set_summary(
        self, table: str, status: Status, summary: Mapping[str, Json] | None
    ) -> None:
        """See `Log.set_summary`."""
        kept = self._kept(table)
        kept.row = replace(kept.row, status=status, summary=summary)

    async def due(self, at: int, limit: int) -> list[tuple[str, int]]:
        """See `Log.due`."""
        wakes = [(name, kept.row.wake) for name, kept in self._all().items()]
        found = [(name, wake) for name, wake in wakes if wake is not None and wake <= at]
        return sorted(found, key=lambda each: each[1])[:limit]

    async def set_wakes(self, wakes: Mapping[str, int | None]) -> None:
        """See `Log.set_wakes`."""
        for name, wake in wakes.items():
            if kept := self._all().get(name):
                kept.row = replace(kept.row, wake=wake)

    async def close(self) -> None:
        """See `Log.close`."""
        self._closed = True

    def _all(self) -> dict[str, _Kept]:
        if self._closed:
            raise Unavailable("the store is closed")
        return self._tables

    def _kept(self, table: str) -> _Kept:
        if table not in self._all():
            raise NoSuchTable(table)
        return self._tables[table]


def _age(row: TableRow) -> tuple[int, str]:
    return row.created, row.table
