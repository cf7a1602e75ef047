"""Delete what nobody keeps: tables that never began, old games of guests, and their seat tokens.

A game in which an account has a seat is somebody's record, and stays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, delete, func, select
from sqlalchemy import tuple_ as both

from tuilerie.store import Store
from tuilerie.store.log import Status
from tuilerie.store.rows import now_ms
from tuilerie.store.schema import facts, players, seat_tokens, tables

DAY = 86_400_000
BATCH = 50
"""Tables or seats per transaction, so that no move waits long."""


@dataclass(frozen=True, slots=True)
class Retention:
    """After how many days without a fact something is deleted; 0: never."""

    unstarted: int = 7
    guest_games: int = 365
    guest_tokens: int = 90


@dataclass(frozen=True, slots=True)
class Purged:
    """How much was deleted, or would be."""

    unstarted: int
    guest_games: int
    guest_tokens: int


async def purge(
    store: Store,
    retention: Retention,
    *,
    dry_run: bool = False,
    keep: Callable[[str], bool] = lambda table: False,
    now: Callable[[], int] = now_ms,
) -> Purged:
    """Delete what is older than the retention says, except tables for which `keep` is true."""
    at = now()
    unstarted = _unstarted(at - retention.unstarted * DAY)
    games = _guest_games(at - retention.guest_games * DAY)
    tokens = _guest_seats(at - retention.guest_tokens * DAY)
    if dry_run:
        return Purged(
            await _count(store, unstarted) if retention.unstarted else 0,
            await _count(store, games) if retention.guest_games else 0,
            await _count_tokens(store, tokens) if retention.guest_tokens else 0,
        )
    return Purged(
        await _delete(store, unstarted, keep) if retention.unstarted else 0,
        await _delete(store, games, keep) if retention.guest_games else 0,
        await _delete_tokens(store, tokens) if retention.guest_tokens else 0,
    )


_LAST: Any = (
    select(facts.c.at)
    .where(facts.c.table_id == tables.c.id)
    .order_by(facts.c.number.desc())
    .limit(1)
    .scalar_subquery()
)


def _is_idle(since: int) -> ColumnElement[bool]:
    old: ColumnElement[bool] = (tables.c.created < since) & (
        func.coalesce(_LAST, tables.c.created) < since
    )
    return old


def _unstarted(since: int) -> ColumnElement[bool]:
    never = tables.c.status.in_([Status.OPEN.value, Status.CLOSED.value])
    return never & _is_idle(since)


def _guest_games(since: int) -> ColumnElement[bool]:
    kept = (
        select(players.c.id)
        .where(players.c.slug == tables.c.slug, players.c.account.is_not(None))
        .exists()
    )
    begun = tables.c.status.in_([Status.PLAYING.value, Status.OVER.value])
    return begun & _is_idle(since) & ~kept


def _guest_seats(since: int) -> Any:
    """Return the seats of guests in games that ended long ago."""
    return (
        select(players.c.slug, players.c.id)
        .join(tables, tables.c.slug == players.c.slug)
        .where(players.c.account.is_(None), tables.c.status == Status.OVER.value, _is_idle(since))
    )


async def _count(store: Store, which: ColumnElement[bool]) -> int:
    row = await store.sql.one(select(func.count()).select_from(tables).where(which))
    return int(row[0])


async def _count_tokens(store: Store, seats: Any) -> int:
    held = both(seat_tokens.c.slug, seat_tokens.c.player).in_(seats)
    row = await store.sql.one(select(func.count()).select_from(seat_tokens).where(held))
    return int(row[0])


async def _delete(store: Store, which: ColumnElement[bool], keep: Callable[[str], bool]) -> int:
    """Delete tables in batches. Facts, players and tokens follow by foreign key."""
    gone, last = 0, ""
    while True:
        query = select(tables.c.slug).where(which, tables.c.slug > last)
        rows = await store.sql.all(query.order_by(tables.c.slug).limit(BATCH))
        if not rows:
            return gone
        last = rows[-1].slug
        slugs = [row.slug for row in rows if not keep(row.slug)]
        if slugs:
            # Checked again: a game may have begun meanwhile.
            gone += await store.sql.execute(delete(tables).where(tables.c.slug.in_(slugs), which))


async def _delete_tokens(store: Store, seats: Any) -> int:
    """Delete the tokens of these seats in batches. They are found before anything is locked."""
    gone, last = 0, ("", "")
    seat = both(players.c.slug, players.c.id)
    held = (
        select(seat_tokens.c.token_hash)
        .where(seat_tokens.c.slug == players.c.slug, seat_tokens.c.player == players.c.id)
        .exists()
    )
    while True:
        query = seats.where(held, seat > last).order_by(players.c.slug, players.c.id).limit(BATCH)
        rows = await store.sql.all(query)
        if not rows:
            return gone
        last = (rows[-1].slug, rows[-1].id)
        theirs = both(seat_tokens.c.slug, seat_tokens.c.player).in_([tuple(row) for row in rows])
        gone += await store.sql.execute(delete(seat_tokens).where(theirs))
