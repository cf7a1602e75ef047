"""Keeps the stored rows of live tables up to date: their summaries and wake-up times.

A **wake-up time** says when some server must load a table, at the latest. The node that has the
table in memory runs its timers itself; the stored time is for the case that this node dies, and for
tables that nobody has in memory. So it need not follow every move: it is written when it would be
more than `LATE_MS` too late, and moved on by the sweep shortly before it is due. An overdue table
has no live node, and the next sweep of any node loads it: by an index, in order of time, however
many tables are stored.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import structlog

from tuilerie.match.summary import summary_of
from tuilerie.match.table import Table
from tuilerie.match.ticks import wanted_at
from tuilerie.server.tables.actor import now_ms
from tuilerie.server.tables.summary import may_differ, status_of
from tuilerie.store.errors import Damaged, NoSuchTable, StoreError
from tuilerie.store.log import Log

log: Any = structlog.get_logger("tuilerie.rows")

LATE_MS = 30_000
"""How late a timer may fire after the death of the node that had its table in memory."""

RENEW_MS = 10_000
"""How long before it is due a wake-up time of a live table is moved on: more than two sweeps."""

OTHERS_MS = 10_000
"""How long other nodes wait for a node to renew a wake-up time."""

DAMAGED_MS = 3_600_000
"""When a table that cannot be read is tried again."""

PAGE = 500
"""Tables per query."""


class RowKeeper:
    """Writes the rows of this node's tables, in the background.

    `table` returns a table in memory, or `None`; `spawn` runs a coroutine in the background.
    """

    def __init__(
        self,
        store: Log,
        table: Callable[[str], Table | None],
        spawn: Callable[[Any], None],
        *,
        single_node: bool,
    ) -> None:
        self._log = store
        self._table = table
        self._spawn = spawn
        self._grace = 0 if single_node else OTHERS_MS
        self._stored: dict[str, int | None] = {}  # wake-up times of tables in memory
        self._wakes: dict[str, int | None] = {}  # to be written
        self._summaries: set[str] = set()  # to be compared with what is stored
        self._left: dict[str, Table] = {}  # tables that left the memory, to be written once more
        self._writing = False

    # --- what happens to tables in memory ---

    def loaded(self, slug: str) -> None:
        """Compare the stored row with the log: a node may have died between the two."""
        self._summaries.add(slug)
        self._write_soon()

    def changed(self, slug: str, before: Table, after: Table) -> None:
        """A table has changed. Called at every move, so the usual case is quick."""
        if may_differ(before, after):
            self._summaries.add(slug)
        latest = now_ms() + LATE_MS
        stored = self._stored.get(slug)
        if stored is None or stored > latest:
            wanted = wanted_at(after)
            if wanted is not None and (stored is None or stored > max(wanted, latest)):
                self._set(slug, max(wanted, latest))
        if self._summaries or self._wakes:
            self._write_soon()

    def forget(self, slug: str) -> None:
        """A table was deleted."""
        self._stored.pop(slug, None)
        self._wakes.pop(slug, None)
        self._left.pop(slug, None)
        self._summaries.discard(slug)

    def unloaded(self, slug: str, table: Table) -> None:
        """A table leaves the memory: from now on the stored time alone wakes it."""
        self._stored.pop(slug, None)
        self._wakes[slug] = wanted_at(table)
        if table.is_playing:  # lists show whose turn it is
            self._left[slug] = table
            self._summaries.add(slug)
        self._write_soon()

    def left_to_others(self, slug: str) -> None:
        """A table leaves the memory; another node has it, and looks after its row."""
        self._stored.pop(slug, None)
        self._wakes.pop(slug, None)

    # --- the sweep ---

    async def sweep(self, load: Callable[[str], Awaitable[Any]]) -> None:
        """Move on the times of live tables, and load the tables that are overdue."""
        now = now_ms()
        for slug, wake in tuple(self._stored.items()):
            if wake is not None and wake <= now + RENEW_MS:
                self._renew(slug)
        await self.flush()
        overdue = now - self._grace
        while rows := await self._log.due(overdue, PAGE):
            for slug, _wake in rows:
                await self._wake_up(slug, load)
            await self.flush()
            if len(rows) < PAGE:
                break

    async def _wake_up(self, slug: str, load: Callable[[str], Awaitable[Any]]) -> None:
        try:
            if self._table(slug) is None:
                await load(slug)
            self._renew(slug)
        except Damaged as error:  # the others must not wait for it
            log.warning("table-damaged", table=slug, why=str(error))
            self._wakes[slug] = now_ms() + DAMAGED_MS

    def _renew(self, slug: str) -> None:
        table = self._table(slug)
        if table is None:
            self._stored.pop(slug, None)
            self._wakes.setdefault(slug, None)
            return
        wanted = wanted_at(table)
        self._set(slug, None if wanted is None else max(wanted, now_ms() + LATE_MS))

    def _set(self, slug: str, wake: int | None) -> None:
        self._stored[slug] = self._wakes[slug] = wake

    # --- writing ---

    def _write_soon(self) -> None:
        if not self._writing:
            self._writing = True
            self._spawn(self._write_in_background())

    async def _write_in_background(self) -> None:
        try:
            await self.flush()
        except StoreError as error:  # the sweep tries again
            log.warning("store-trouble", why=str(error))
        finally:
            self._writing = False

    async def flush(self) -> None:
        """Write all pending changes."""
        while self._wakes or self._summaries:
            wakes, self._wakes = self._wakes, {}
            try:
                await self._log.set_wakes(wakes)
            except StoreError:
                self._wakes = wakes | self._wakes
                raise
            if self._summaries:
                await self._write_summary(self._summaries.pop())

    async def _write_summary(self, slug: str) -> None:
        try:
            row = await self._log.table(slug)
            live, left = self._table(slug), self._left.pop(slug, None)
            table = live or left
            if row is None or table is None:
                return
            if live is not None:
                self._stored.setdefault(slug, row.wake)
            new = (status_of(table), summary_of(table))
            if (row.status, row.summary) != new:
                await self._log.set_summary(slug, *new)
        except NoSuchTable:
            pass  # it was deleted meanwhile
        except StoreError:
            self._summaries.add(slug)
            raise
