"""The last heartbeat of any server, and outages: when none was running.

Clocks must not run while no server does. A server that starts compares its start with the last
heartbeat of any server on this database; the time between the two is an outage.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, delete, select, update

from tuilerie.store.rows import now_ms
from tuilerie.store.schema import heartbeat, outages
from tuilerie.store.sql import Sql, insert_if_absent

BEAT_SECONDS = 10.0
"""How often a running server writes a heartbeat."""

SHORTEST_MS = 1_000
"""A shorter gap is no outage. Where another server may be running it takes two missed heartbeats
more: a busy server may be late."""

KEPT_MS = 400 * 86_400_000
"""How long outages are remembered: a game that nobody looked at for longer is not given time."""


class Uptime:
    """Heartbeats and outages of one database. Every method may raise `Unavailable`."""

    def __init__(self, sql: Sql, *, now: Callable[[], int] = now_ms) -> None:
        self._sql = sql
        self._now = now

    async def begin(self, *, alone: bool) -> list[tuple[int, int]]:
        """Record the start of a server; return all outages, from and to, oldest first. `alone`: no
        other server can be running on this database."""
        now = self._now()
        shortest = SHORTEST_MS + (0 if alone else round(BEAT_SECONDS * 2000))
        alive = select(heartbeat.c.at).where(heartbeat.c.id == 1)

        def work(connection: Connection) -> None:
            insert_if_absent(connection, heartbeat, {"id": 1, "at": now})
            last = connection.scalar(alive.with_for_update())  # one server at a time
            if last is not None and now - last > shortest:
                insert_if_absent(connection, outages, {"started": last, "ended": now})
            connection.execute(_beat(now))
            connection.execute(delete(outages).where(outages.c.ended < now - KEPT_MS))

        await self._sql.write(work)
        rows = await self._sql.all(select(outages).order_by(outages.c.started))
        return [(row.started, row.ended) for row in rows]

    async def beat(self) -> None:
        """Write a heartbeat. It is a durable write, so it also proves that writing works."""
        await self._sql.execute(_beat(self._now()))


def _beat(now: int) -> Any:
    """Return the statement of a heartbeat; time never goes back."""
    return update(heartbeat).where(heartbeat.c.id == 1, heartbeat.c.at <= now).values(at=now)
