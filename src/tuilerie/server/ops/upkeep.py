"""Periodic work of a server: heartbeat, free space, and the answer to the health check."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import asdict
from typing import Any

import structlog

from tuilerie.server.http.schemas import HealthStatus
from tuilerie.server.ops import metrics
from tuilerie.server.ops.bans import Bans
from tuilerie.server.ops.limits import DISK_FULL_BYTES, DISK_LOW_BYTES
from tuilerie.server.tables.registry import TableRegistry
from tuilerie.store import Store
from tuilerie.store.administration import NETWORK, Administration
from tuilerie.store.database import SqliteFile
from tuilerie.store.errors import StoreError
from tuilerie.store.maintenance.purge import Retention, purge
from tuilerie.store.sqlite.files import free_bytes
from tuilerie.store.uptime import BEAT_SECONDS

log: Any = structlog.get_logger("tuilerie.upkeep")

HEALTH_SECONDS = 3.0
"""How long the store may take to answer."""

AUDIT_SECONDS = 5.0
"""How often the audit log is read: how long `tuilerie admin` takes to have its effect."""

FIRST_PURGE_SECONDS, PURGE_SECONDS = 3_600.0, 86_400.0
"""When old tables are deleted: an hour after the start, then every day."""

FRESH_SECONDS = 2.0
"""How long the answer to a health check is used again, so that it cannot be used to load the
database."""


class Upkeep:
    """Sends heartbeats and watches the disk. One per server."""

    def __init__(self, store: Store, registry: TableRegistry, retention: Retention) -> None:
        self._retention = retention
        self._store = store
        self._registry = registry
        self.bans = Bans()
        self._administration = Administration(store.sql, store.accounts)
        self._entry = 0  # the last one of the audit log that was acted on
        self._task: asyncio.Task[None] | None = None
        self._free: int | None = None
        self._was_low = False
        self._health: tuple[float, HealthStatus] | None = None
        self._asking: asyncio.Task[HealthStatus] | None = None

    async def start(self) -> None:
        """Begin the periodic work."""
        self._look_at_disk()
        self._entry = await self._administration.last_entry()
        await self._load_bans()
        self._task = asyncio.create_task(self._run(), name="upkeep")

    async def stop(self) -> None:
        """End it, with a last heartbeat."""
        for task in (self._task, self._asking):
            if task is not None:
                task.cancel()
                await asyncio.wait({task})
        with contextlib.suppress(StoreError, TimeoutError):
            async with asyncio.timeout(HEALTH_SECONDS):
                await self._store.uptime.beat()

    async def _run(self) -> None:
        beat = time.monotonic() + BEAT_SECONDS
        purging = time.monotonic() + FIRST_PURGE_SECONDS
        while True:
            await asyncio.sleep(AUDIT_SECONDS)
            try:
                await self.act_on_audit()
                if time.monotonic() >= beat:
                    beat = time.monotonic() + BEAT_SECONDS
                    self._look_at_disk()
                    await self._store.uptime.beat()
                if time.monotonic() >= purging:
                    purging = time.monotonic() + PURGE_SECONDS
                    await self.purge()
            except StoreError as error:
                log.warning("store-trouble", why=str(error))

    async def purge(self) -> None:
        """Delete what is older than the retention says, but no table in memory."""
        keep = self._registry.is_in_memory
        done = await purge(self._store, self._retention, keep=keep)
        log.info("purged", **asdict(done))

    # --- what the host does with `tuilerie admin` ---

    async def act_on_audit(self) -> None:
        """Act on the new entries of the audit log."""
        for entry in await self._administration.entries_after(self._entry):
            self._entry = entry.id
            log.info("admin", action=entry.action, subject=entry.subject)
            if entry.action == "close-table":
                self._registry.close_table(entry.subject)
            elif entry.action.endswith("ban-network"):
                await self._load_bans()
                self._registry.disconnect_if(self.bans.covers)
            elif entry.seats:
                await self._registry.dismiss(entry.seats)

    async def _load_bans(self) -> None:
        found = await self._administration.bans()
        self.bans.set(ban.subject for ban in found if ban.kind == NETWORK)

    # --- the disk ---

    @property
    def has_room(self) -> bool:
        """Whether there is enough free space for new tables; games in play may go on longer."""
        return self._free is None or self._free >= DISK_LOW_BYTES

    def _look_at_disk(self) -> None:
        database = self._store.database
        if not isinstance(database, SqliteFile):
            return  # the disk of PostgreSQL cannot be seen from here
        self._free = free_bytes(database.path)
        metrics.FREE_BYTES.set(self._free)
        if self._was_low == self.has_room:
            self._was_low = not self.has_room
            say = log.warning if self._was_low else log.info
            say("disk-low" if self._was_low else "disk-ok", free_bytes=self._free)

    # --- the health check ---

    async def health(self) -> HealthStatus:
        """Return 'ok', 'disk-low', 'disk-full' or 'no-store'.

        It probes a durable write, at most every `FRESH_SECONDS` however often it is asked.
        """
        if self._health is not None and time.monotonic() - self._health[0] < FRESH_SECONDS:
            return self._health[1]
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._probe())
        return await asyncio.shield(self._asking)

    async def _probe(self) -> HealthStatus:
        found: HealthStatus = "ok"
        try:
            async with asyncio.timeout(HEALTH_SECONDS):
                await self._store.log.heads([])
                await self._store.uptime.beat()
        except (StoreError, TimeoutError) as error:
            log.warning("unhealthy", why=str(error) or "the database does not answer")
            found = "no-store"
        self._look_at_disk()
        if self._free is not None and self._free < DISK_FULL_BYTES:
            found = "disk-full"
        elif found == "ok" and not self.has_room:
            found = "disk-low"
        self._health = time.monotonic(), found
        return found


HEALTHY = frozenset({"ok", "disk-low"})
"""The states in which games can go on."""
