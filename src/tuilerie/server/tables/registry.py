"""Registry of the live tables of this node: loads a table on demand, unloads it when idle.

What other nodes append is announced on the bus, and found by polling the heads in any case.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import secrets
import time
from collections.abc import Callable, Sequence
from random import SystemRandom
from typing import Any

import structlog

from tuilerie.games.game import Refused
from tuilerie.match import commands
from tuilerie.match.config import Config
from tuilerie.match.decide import open_table, stages
from tuilerie.match.evolve import fold
from tuilerie.match.facts import Fact
from tuilerie.match.rematch import rematch
from tuilerie.match.table import Table
from tuilerie.match.ticks import bots_due, next_tick
from tuilerie.server.bots.pool import BotPool
from tuilerie.server.ops import metrics
from tuilerie.server.ops.limits import (
    CLOSE_WAIT_MS,
    IDLE_TABLE_SECONDS,
    POLL_SECONDS,
    PRESENCE_BEAT_SECONDS,
    SWEEP_SECONDS,
    SWEEP_TABLES,
)
from tuilerie.server.tables import delivery
from tuilerie.server.tables.actor import Busy, Change, now_ms, pick, write_fact
from tuilerie.server.tables.bus import Bus, News
from tuilerie.server.tables.presence import Presence
from tuilerie.server.tables.room import Room, RoomContext
from tuilerie.server.ws import messages
from tuilerie.server.ws.connection import GOING_AWAY, Connection
from tuilerie.store import Store
from tuilerie.store.errors import Damaged, StoreError, TableExists
from tuilerie.store.log import Status, TableMeta

log: Any = structlog.get_logger("tuilerie.registry")

DISMISSED_A_MESSAGE = 500

RELOAD_SECONDS = 1.0
"""How long to wait before a log that could not be read is read again."""

_random = SystemRandom()


def new_slug() -> str:
    """The name of a table: 128 random bits, so that only who has the link finds it."""
    return secrets.token_urlsafe(16)


def next_slug(slug: str) -> str:
    """The name of the table for the next game, the same on every node."""
    digest = hashlib.sha256(f"rematch/{slug}".encode()).digest()
    return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")


def status_of(table: Table) -> Status:
    """Where a table stands, for lists."""
    if table.result is not None:
        return Status.OVER
    return Status.OPEN if table.started_at is None else Status.PLAYING


class TableRegistry:
    """The live tables of this node."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        bot_pool: BotPool,
        *,
        bot_delay_factor: float = 1.0,
        single_node: bool = True,
    ) -> None:
        self.store = store
        self._bus = bus
        self._pool = bot_pool
        self._single_node = single_node  # no other node serves these tables
        self.presence = Presence(bus.publish_news, self._elsewhere_changed, single_node=single_node)
        self._context = RoomContext(
            store.log, bot_pool, bus.publish_head, self._on_changes, self.presence, bot_delay_factor
        )
        self._tables: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self._asleep: dict[str, tuple[int, int | None]] = {}  # head, and when it wants to wake
        self._dismissed: list[tuple[str, str]] = []  # tables and players; not all nodes know yet
        self._tasks: set[asyncio.Task[None]] = set()
        self.connections: set[Connection] = set()
        self.stopping = False
        self.on_dismissal: Callable[[], None] = lambda: None
        """Called before sockets end because their players are known by other tokens, or none."""

    # --- starting and stopping --------------------------------------------------------------------

    async def start(self) -> None:
        """Begin to listen, to poll, and to look after tables that nobody watches."""
        await self._pool.start()
        await self._bus.start(self._on_head, self._on_news)
        if not self._single_node:
            self._spawn(self._every(POLL_SECONDS, self._poll))
        self._spawn(self._every(SWEEP_SECONDS, self._sweep))
        if not self._single_node:
            self._spawn(self._every(PRESENCE_BEAT_SECONDS, self._beat))

    async def send_away(self) -> None:
        """Close all sockets, so that their clients come back a little later, not all at once."""
        self.stopping = True
        for connection in tuple(self.connections):
            wait = _random.randint(*CLOSE_WAIT_MS)
            connection.end(GOING_AWAY, "restart", delivery.encode(messages.Bye("restart", wait)))
        deadline = time.monotonic() + 3
        while self.connections and time.monotonic() < deadline:
            await asyncio.sleep(0.02)

    async def stop(self) -> None:
        """Close all sockets, and forget all."""
        await self.send_away()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.presence.goodbye()
        for room in self._tables.values():
            room.close()
        self._tables.clear()
        await self._bus.stop()
        await self._pool.stop()

    def _spawn(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_done)

    def _task_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("task-failed", exc_info=error)

    async def _every(self, seconds: float, work: Any) -> None:
        while True:
            due = time.monotonic() + seconds
            try:
                await work()
            except StoreError as error:
                log.warning("store-trouble", why=str(error))
            await asyncio.sleep(max(0.1, due - time.monotonic()))

    # --- tables -----------------------------------------------------------------------------------

    async def table(self, slug: str) -> Room | None:
        """The room of this table, loaded if need be; `None` if there is no such table."""
        room = self._tables.get(slug)
        if room is not None:
            room.actor.used = time.monotonic()
            return room
        task = self._loading.get(slug)
        if task is None:
            task = asyncio.get_running_loop().create_task(self._load(slug))
            self._loading[slug] = task
            task.add_done_callback(lambda _: self._loading.pop(slug, None))
        return await asyncio.shield(task)

    async def fresh(self, slug: str) -> Room | None:
        """The same, with all that other nodes have told the log up to now."""
        room = await self.table(slug)
        if room is not None and not self._single_node:
            await room.actor.catch_up()
        return room

    async def _load(self, slug: str) -> Room | None:
        room = Room(slug, self._context)
        if not await room.actor.load():
            room.close()
            return None
        self._tables[slug] = room
        self._asleep.pop(slug, None)
        metrics.TABLES.set(len(self._tables))
        room.expect_all()
        return room

    async def create(self, game: str, config: Config, first: Sequence[commands.Command]) -> Room:
        """A new table at which these commands were carried out. Raises `Refused`."""
        now = now_ms()
        happened: list[Fact] = list(open_table(game, config, now))
        table = fold(happened)
        for command in first:
            for stage in stages(table, command, now, pick):
                happened.append(stage.fact)
                table = stage.table
        slug = new_slug()
        await self._write(slug, happened, table)
        room = await self.table(slug)
        assert room is not None, "it was just made"
        return room

    async def _write(self, slug: str, happened: Sequence[Fact], table: Table) -> None:
        meta = TableMeta(
            game=table.game,
            rules=table.rules_version,
            options=dict(table.config.options),
            public=table.config.public,
            status=status_of(table),
        )
        await self.store.log.create(slug, [write_fact(fact) for fact in happened], meta)

    # --- what happens at tables -------------------------------------------------------------------

    def _on_changes(self, room: Room, changes: Sequence[Change]) -> None:
        before, after = changes[0].before, changes[-1].after
        if status_of(before) is not status_of(after):
            self._spawn(self._set_status(room.slug, status_of(after)))
        if after.rematch_agreed:
            self._spawn(self._rematch(room))

    async def _set_status(self, slug: str, status: Status) -> None:
        try:
            await self.store.log.set_status(slug, status)
        except StoreError as error:
            log.warning("not-marked", why=str(error))

    async def _rematch(self, room: Room) -> None:
        """Make the table for the next game, and tell this one of it."""
        table, slug = room.table, next_slug(room.slug)
        try:
            happened = rematch(table, now_ms(), pick)
            new = fold(happened)
            with contextlib.suppress(TableExists):  # another node was faster
                await self._write(slug, happened, new)
            await self._introduce(room.slug, slug, new)
            await room.actor.do(commands.Rematch(slug))
            await self.table(slug)
        except (Refused, Busy, StoreError) as error:
            log.warning("no-rematch", why=str(error))

    async def _introduce(self, old: str, slug: str, table: Table) -> None:
        """Whose account a player was at the last table, theirs the player is at the next."""
        known = await self.store.seats.players(old)
        for place in table.seats:
            if place.player is not None:
                account = known[place.player].account if place.player in known else None
                await self.store.seats.issue_token(slug, place.player, place.name, account)

    # --- other nodes, and tables that nobody watches ----------------------------------------------

    def _on_head(self, slug: str, number: int) -> None:
        room = self._tables.get(slug)
        if room is not None and number > room.actor.number:
            self._spawn(self._catch_up(room, number))

    async def _catch_up(self, room: Room, number: int) -> int:
        try:
            return await room.actor.catch_up(number)
        except StoreError as error:
            log.warning("store-trouble", why=str(error))
            return 0

    def _on_news(self, news: News) -> None:
        """News of some node: its people, or people whose seats it took from them."""
        if "dismissed" not in news:
            self.presence.receive(news)
            return
        seats = [(str(slug), str(player)) for slug, player in news["dismissed"]]
        if news.get("node") == self.presence.node:
            self._dismissed = [each for each in self._dismissed if each not in seats]
        else:
            self._spawn(self._dismiss(seats))

    async def dismiss(self, seats: Sequence[tuple[str, str]]) -> None:
        """End the sockets of these players at these tables, here and on other nodes: what they were
        known by is worthless now. Their names may be erased, too: the logs are read anew. Whoever
        may play such a seat by other means comes back by itself."""
        if not seats:
            return
        if not self._single_node:
            self._dismissed += seats
            self._publish_dismissed()
        await self._dismiss(seats)

    def _publish_dismissed(self) -> None:
        """Say it until we hear it ourselves: then the others have heard it too."""
        if self._dismissed:
            some = self._dismissed[:DISMISSED_A_MESSAGE]
            self._bus.publish_news({"node": self.presence.node, "dismissed": some})

    async def _dismiss(self, seats: Sequence[tuple[str, str]]) -> None:
        self.on_dismissal()
        gone: dict[str, set[str]] = {}
        for slug, player in seats:
            gone.setdefault(slug, set()).add(player)
        for slug, players in gone.items():
            if room := self._tables.get(slug):
                room.disconnect(players)
        for slug in gone:
            if slug in self._tables or slug in self._loading:
                await self._reload(slug)

    async def _reload(self, slug: str) -> None:
        """Read a table anew; where that fails, again after a while, until it is done."""
        try:
            if room := await self.table(slug):
                await room.reload()
        except (Busy, StoreError) as error:
            log.warning("store-trouble", why=str(error))
            self._spawn(self._reload_later(slug))

    async def _reload_later(self, slug: str) -> None:
        await asyncio.sleep(RELOAD_SECONDS)
        if slug in self._tables:
            await self._reload(slug)

    async def _beat(self) -> None:
        self.presence.heartbeat()
        self._publish_dismissed()

    def _elsewhere_changed(self, slug: str) -> None:
        room = self._tables.get(slug)
        if room is not None:
            room.elsewhere_changed()

    async def _poll(self) -> None:
        """Read the heads of all live tables; what the bus has not told is found here."""
        slugs = list(self._tables)
        for start in range(0, len(slugs), 500):
            heads = await self.store.log.heads(slugs[start : start + 500])
            for slug, head in heads.items():
                room = self._tables.get(slug)
                if room is not None and head > room.actor.number and not room.actor.busy:
                    metrics.HEALED.inc(await self._catch_up(room, head))

    async def _sweep(self) -> None:
        """Let go of tables that nobody needs, and wake those that want to go on by themselves."""
        self._unload()
        rows = await self.store.log.tables(status=[Status.PLAYING], limit=SWEEP_TABLES)
        now = now_ms()
        for row in rows:
            if row.table in self._tables or now - row.updated < SWEEP_SECONDS * 1000:
                continue
            head, wake = self._asleep.get(row.table, (0, 0))
            if head == row.head and (wake is None or wake > now + SWEEP_SECONDS * 1000):
                continue
            # If it has nothing to do it is let go of later: somebody may just be coming to it.
            try:
                await self.table(row.table)
            except Damaged as error:  # the others are not to wait for it
                log.warning("table-damaged", table=row.table, why=str(error))
                self._asleep[row.table] = (row.head, None)

    def _unload(self) -> None:
        now = time.monotonic()
        for room in tuple(self._tables.values()):
            if now - room.actor.used > IDLE_TABLE_SECONDS and not self._is_lively(room):
                self._let_go(room)

    def _is_lively(self, room: Room) -> bool:
        """Whether somebody watches, or something will happen soon by itself."""
        if room.connections or room.actor.busy or room.has_pending or bots_due(room.table):
            return True
        wake = next_tick(room.table)
        return wake is not None and wake < now_ms() + IDLE_TABLE_SECONDS * 1000

    def _let_go(self, room: Room) -> None:
        self._asleep[room.slug] = (room.actor.number, next_tick(room.table))
        self._tables.pop(room.slug, None)
        room.close()
        metrics.TABLES.set(len(self._tables))
