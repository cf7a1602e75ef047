"""Registry of the live tables of this node: loads a table on demand, unloads it when idle.

Facts appended by other nodes are announced on the bus; polling the heads finds those it lost.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import secrets
import time
from collections.abc import Callable, Sequence
from functools import partial
from random import SystemRandom
from typing import Any

import structlog

from tuilerie.games.game import Refused
from tuilerie.match import commands, messages
from tuilerie.match.config import Config
from tuilerie.match.decide import decide, open_table
from tuilerie.match.evolve import fold
from tuilerie.match.facts import Fact
from tuilerie.match.rematch import rematch
from tuilerie.match.summary import summary_of
from tuilerie.match.table import Table
from tuilerie.match.ticks import bots_due, next_tick, wanted_at
from tuilerie.server.bots.driver import BotDriver
from tuilerie.server.bots.pool import BotPool, Trouble
from tuilerie.server.ops import metrics
from tuilerie.server.ops.limits import (
    CLOSE_WAIT_ELSEWHERE_MS,
    CLOSE_WAIT_MS,
    IDLE_SHARED_SECONDS,
    IDLE_TABLE_SECONDS,
    POLL_MOST_SECONDS,
    POLL_SECONDS,
    PRESENCE_BEAT_SECONDS,
    SWEEP_SECONDS,
)
from tuilerie.server.tables import delivery
from tuilerie.server.tables.actor import Busy, TableActor, Transition, now_ms, pick
from tuilerie.server.tables.bus import Bus, News
from tuilerie.server.tables.log_codec import write_fact
from tuilerie.server.tables.presence import PresenceTracker
from tuilerie.server.tables.room import Room
from tuilerie.server.tables.row_keeper import RowKeeper
from tuilerie.server.tables.summary import status_of
from tuilerie.server.ws.connection import GOING_AWAY, Connection
from tuilerie.store import Store
from tuilerie.store.errors import StoreError, TableExists
from tuilerie.store.log import TableMeta

log: Any = structlog.get_logger("tuilerie.registry")

DISMISSED_A_MESSAGE = 500

RELOAD_SECONDS = 1.0
"""Delay before a log that could not be read is read again."""

_random = SystemRandom()


def new_slug() -> str:
    """The id of a table: 128 random bits, so that only those who have the link can find it."""
    return secrets.token_urlsafe(16)


def next_slug(slug: str) -> str:
    """The id of the rematch's table, the same on every node."""
    digest = hashlib.sha256(f"rematch/{slug}".encode()).digest()
    return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")


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
        self.presence = PresenceTracker(
            bus.publish_news, self._elsewhere_changed, self._met, single_node=single_node
        )
        self._bot_delay_factor = bot_delay_factor
        self._tables: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self._polls: dict[str, tuple[float, float]] = {}  # shared tables: next poll, interval
        self._dismissed: list[tuple[str, str]] = []  # (table, player) still to be published
        self._tasks: set[asyncio.Task[None]] = set()
        self._outages: Sequence[tuple[int, int]] = ()
        self._rows = RowKeeper(store.log, self._in_memory, self._spawn, single_node=single_node)
        self.connections: set[Connection] = set()
        self.stopping = False
        self.on_dismissal: Callable[[], None] = lambda: None
        """Called before sockets are closed because tokens of their players were revoked."""

    @property
    def bot_pool(self) -> BotPool:
        """What computes the moves of bots, and hints."""
        return self._pool

    @property
    def bot_trouble(self) -> Trouble | None:
        """Why bots cannot be asked at the moment; `None` if they can."""
        return self._pool.trouble()

    # --- starting and stopping --------------------------------------------------------------------

    async def start(self) -> None:
        """Start the bot pool, the bus, and the periodic polls and sweeps."""
        self._outages = await self.store.uptime.begin(alone=self._single_node)
        await self._pool.start()
        await self._bus.start(self.presence.node, self._on_head, self._on_news)
        if not self._single_node:
            self._spawn(self._every(POLL_SECONDS, self._poll))
        self._spawn(self._every(SWEEP_SECONDS, self._sweep))
        if not self._single_node:
            self._spawn(self._every(PRESENCE_BEAT_SECONDS, self._beat))

    async def send_away(self) -> None:
        """Close all sockets. Clients reconnect after random delays, not all at once."""
        self.stopping = True
        waits = CLOSE_WAIT_MS if self.presence.is_alone else CLOSE_WAIT_ELSEWHERE_MS
        for connection in tuple(self.connections):
            wait = _random.randint(*waits)
            connection.end(GOING_AWAY, "restart", delivery.encode(messages.Bye("restart", wait)))
        deadline = time.monotonic() + 3
        while self.connections and time.monotonic() < deadline:
            await asyncio.sleep(0.02)

    async def stop(self) -> None:
        """Close all sockets, unload all tables, and stop the bus and the bot pool."""
        await self.send_away()
        with contextlib.suppress(StoreError):
            await self._rows.flush()
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
                log.warning("store-error", why=str(error))
            await asyncio.sleep(max(0.1, due - time.monotonic()))

    # --- tables -----------------------------------------------------------------------------------

    def is_in_memory(self, slug: str) -> bool:
        """Return whether this node has the table in memory."""
        return slug in self._tables

    def _in_memory(self, slug: str) -> Table | None:
        room = self._tables.get(slug)
        return None if room is None else room.table

    async def table(self, slug: str) -> Room | None:
        """The room of this table, loaded if necessary; `None` if there is no such table."""
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
        """The same, caught up with the facts that other nodes have appended."""
        room = await self.table(slug)
        if room is not None and not self._single_node:
            await room.actor.catch_up()
        return room

    async def _load(self, slug: str) -> Room | None:
        actor = TableActor(slug, self.store.log, self._outages)
        room = Room(actor, self.presence)  # subscribes first, so that it delivers first
        actor.subscribe(partial(self._on_transitions, room))
        BotDriver(
            actor,
            self._pool,
            self._bot_delay_factor,
            is_ours=partial(self.presence.leads, slug),
            on_thought=room.bot_thought,
        )
        if not await actor.load():
            room.close()
            return None
        self._tables[slug] = room
        self._rows.loaded(slug)
        metrics.TABLES.set(len(self._tables))
        room.expect_all()
        return room

    async def create(self, game: str, config: Config, first: Sequence[commands.Command]) -> Room:
        """Create a table and carry out these commands at it. Raises `Refused`."""
        now = now_ms()
        happened: list[Fact] = list(open_table(game, config, now))
        table = fold(happened)
        for command in first:
            for each in decide(table, command, now, pick):
                happened.append(each.fact)
                table = each.table
        slug = new_slug()
        await self._write(slug, happened, table)
        room = await self.table(slug)
        assert room is not None, "it was just created"
        return room

    async def _write(self, slug: str, happened: Sequence[Fact], table: Table) -> None:
        meta = TableMeta(
            game=table.game,
            rules=table.rules_version,
            options=dict(table.config.options),
            public=table.config.public,
            status=status_of(table),
            summary=summary_of(table),
            wake=wanted_at(table),
        )
        await self.store.log.create(slug, [write_fact(fact) for fact in happened], meta)

    # --- what happens at tables -------------------------------------------------------------------

    def _on_transitions(self, room: Room, transitions: Sequence[Transition], ours: bool) -> None:
        if not transitions:
            return
        if followers := self.presence.followers(room.slug):
            self._poll_soon(room.slug)
            if ours:
                self._bus.publish_head(room.slug, transitions[-1].number, followers)
        before, after = transitions[0].before, transitions[-1].after
        if ours:
            self._rows.changed(room.slug, before, after)
        if after.rematch_agreed:
            self._spawn(self._rematch(room))

    async def _rematch(self, room: Room) -> None:
        """Create the rematch's table, and record its id at this one."""
        table, slug = room.table, next_slug(room.slug)
        try:
            happened = rematch(table, now_ms(), pick)
            new = fold(happened)
            with contextlib.suppress(TableExists):  # another node was faster
                await self._write(slug, happened, new)
            await self._carry_over_accounts(room.slug, slug, new)
            await room.actor.do(commands.Rematch(slug))
            await self.table(slug)
        except (Refused, Busy, StoreError) as error:
            log.warning("rematch-failed", why=str(error))

    async def _carry_over_accounts(self, old: str, slug: str, table: Table) -> None:
        """Link the players of the rematch to the accounts that they had at the last table."""
        known = await self.store.seats.players(old)
        for holder in table.seats:
            if holder.player is not None:
                account = known[holder.player].account if holder.player in known else None
                await self.store.seats.issue_token(slug, holder.player, holder.name, account)

    # --- other nodes, and tables that nobody watches ----------------------------------------------

    def _on_head(self, slug: str, number: int) -> None:
        room = self._tables.get(slug)
        if room is not None and number > room.actor.number:
            self._spawn(self._catch_up(room, number))

    async def _catch_up(self, room: Room, number: int) -> int:
        try:
            return await room.actor.catch_up(number)
        except StoreError as error:
            log.warning("store-error", why=str(error))
            return 0

    def _on_news(self, news: News) -> None:
        """Handle news of a node: its presence, or players whose tokens it revoked."""
        if "dismissed" not in news:
            self.presence.receive(news)
            return
        seats = {(str(slug), str(player)): None for slug, player in news["dismissed"]}
        if news.get("node") == self.presence.node:
            self._dismissed = [each for each in self._dismissed if each not in seats]
        else:
            self._spawn(self._dismiss(list(seats)))

    async def dismiss(self, seats: Sequence[tuple[str, str]]) -> None:
        """Close the sockets of these players at these tables, here and on other nodes: tokens of
        theirs were revoked. Their names may have been erased, too: the logs are read again.
        Clients with another valid token reconnect by themselves."""
        if not seats:
            return
        if not self._single_node:
            self._dismissed += seats
            self._publish_dismissed()
        await self._dismiss(seats)

    def _publish_dismissed(self) -> None:
        """Publish until our own message comes back: then the other nodes got it, too."""
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

    def close_table(self, slug: str) -> None:
        """Drop a table that was deleted, and close its connections."""
        room = self._tables.pop(slug, None)
        if room is not None:
            for connection in tuple(room.connections):
                connection.end(GOING_AWAY, "closed", delivery.encode(messages.Bye("closed")))
            self._rows.forget(slug)
            room.close()
            metrics.TABLES.set(len(self._tables))

    def disconnect_if(self, is_banned: Callable[[str], bool]) -> None:
        """Close the connections from these addresses."""
        for connection in tuple(self.connections):
            if is_banned(connection.address):
                connection.end(GOING_AWAY, "banned", delivery.encode(messages.Bye("banned")))

    async def _reload(self, slug: str) -> None:
        """Read a table's log again; retry until it succeeds."""
        try:
            if room := await self.table(slug):
                await room.reload()
                self._rows.loaded(slug)
        except (Busy, StoreError) as error:
            log.warning("store-error", why=str(error))
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

    def _met(self, slug: str, node: str) -> None:
        """Another node follows a table of ours: it may have missed our last fact."""
        self._poll_soon(slug)
        if slug in self._tables:
            self._bus.publish_head(slug, self._tables[slug].actor.number, [node])

    def _poll_soon(self, slug: str) -> None:
        self._polls[slug] = (time.monotonic() + POLL_SECONDS, POLL_SECONDS)

    async def _poll(self) -> None:
        """Read the heads of tables that may have facts that the bus did not announce: those that
        other nodes follow, less and less often without a change; all while the bus is down."""
        slugs = self._to_poll() if self.presence.is_sure else list(self._tables)
        for start in range(0, len(slugs), 500):
            heads = await self.store.log.heads(slugs[start : start + 500])
            for slug, head in heads.items():
                room = self._tables.get(slug)
                if room is not None and head > room.actor.number and not room.actor.busy:
                    metrics.HEALED.inc(await self._catch_up(room, head))

    def _to_poll(self) -> list[str]:
        now, shared = time.monotonic(), self.presence.shared()
        for slug in self._polls.keys() - shared:
            del self._polls[slug]
        due = [slug for slug, (when, _) in self._polls.items() if when <= now]
        for slug in due:
            longer = min(POLL_MOST_SECONDS, 2 * self._polls[slug][1])
            self._polls[slug] = (now + longer, longer)
        return due

    async def _sweep(self) -> None:
        """Unload idle tables, and load those in play that may have a tick due."""
        self._unload()
        await self._rows.sweep(self.table)

    def _unload(self) -> None:
        now = time.monotonic()
        for room in tuple(self._tables.values()):
            idle = now - room.actor.used
            if idle > IDLE_TABLE_SECONDS and not self._is_needed(room):
                self._rows.unloaded(room.slug, room.table)
                self._unload_room(room)
            elif idle > IDLE_SHARED_SECONDS and self._is_left_to_others(room):
                self._rows.left_to_others(room.slug)
                self._unload_room(room)

    def _is_needed(self, room: Room) -> bool:
        """Whether somebody is connected, or a bot, command or timer is due soon."""
        if room.connections or room.actor.busy or room.has_pending or bots_due(room.table):
            return True
        wake = next_tick(room.table)
        return wake is not None and wake < now_ms() + IDLE_TABLE_SECONDS * 1000

    def _is_left_to_others(self, room: Room) -> bool:
        """Whether nobody is connected here, but somebody on another node."""
        if room.connections or room.actor.busy or room.has_pending:
            return False
        return not self.presence.elsewhere(room.slug).is_empty

    def _unload_room(self, room: Room) -> None:
        self._tables.pop(room.slug, None)
        room.close()
        metrics.TABLES.set(len(self._tables))
