"""Retention: what is deleted, and what stays."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import func, select, update

from tuilerie.store import Store
from tuilerie.store.log import Status, TableMeta
from tuilerie.store.maintenance.purge import DAY, Purged, Retention, purge
from tuilerie.store.rows import now_ms
from tuilerie.store.schema import facts, seat_tokens, tables
from tuilerie.store.sql import Sql

AGES = (1, 10, 100, 1000)


@pytest.fixture
async def aged(store: Store) -> Store:
    """Tables of every status and age in days, with guests; and the same with an account."""
    ana = await store.accounts.create("Ana", "password")
    now = now_ms()
    for status in Status:
        for age in AGES:
            for owner in (None, ana.id):
                slug = f"{status}-{age}-{'ana' if owner else 'guest'}"
                await store.log.create(slug, [b"1"], TableMeta("genial", 1, status=status))
                await store.seats.issue_token(slug, "p", "Somebody", owner)
                await store.seats.issue_token(slug, "q", "Guest")
                at = now - age * DAY
                this = tables.c.slug == slug
                await store.sql.execute(update(tables).where(this).values(created=at, updated=at))
                which = facts.c.table_id == select(tables.c.id).where(this).scalar_subquery()
                await store.sql.execute(update(facts).where(which).values(at=at))
    return store


async def left(store: Store) -> set[str]:
    return {row.table for row in await store.log.tables()}


async def test_tables_that_never_began_and_old_guest_games_are_deleted(aged: Store) -> None:
    before = await left(aged)
    retention = Retention(unstarted=7, guest_games=365, guest_tokens=90)
    expected = Purged(unstarted=12, guest_games=2, guest_tokens=4)
    assert await purge(aged, retention, dry_run=True) == Purged(12, 2, 6)
    assert await left(aged) == before, "a dry run deletes nothing"
    assert await purge(aged, retention) == expected  # two tokens went with their table
    gone = before - await left(aged)
    assert gone == {
        *(
            f"{status}-{age}-{who}"
            for status in ("open", "closed")
            for age in (10, 100, 1000)
            for who in ("ana", "guest")
        ),
        "playing-1000-guest",
        "over-1000-guest",
    }
    assert await purge(aged, retention) == Purged(0, 0, 0)
    assert await aged.log.read("over-1000-guest") == []
    row = await aged.sql.one(select(func.count()).select_from(seat_tokens))
    # Two seats at each of 18 tables; without those of guests in games that ended long ago.
    assert row[0] == 18 * 2 - 4


async def test_no_transaction_deletes_many(aged: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves wait for it."""
    monkeypatch.setattr("tuilerie.store.maintenance.purge.BATCH", 3)
    most, plain = 0, Sql.execute

    async def count(self: Sql, statement: Any) -> int:
        nonlocal most
        gone = await plain(self, statement)
        most = max(most, gone)
        return gone

    monkeypatch.setattr(Sql, "execute", count)
    assert await purge(aged, Retention(0, 0, guest_tokens=0)) == Purged(0, 0, 0)
    assert await purge(aged, Retention(0, 0, guest_tokens=90)) == Purged(0, 0, 6)
    assert await purge(aged, Retention(unstarted=7, guest_games=365)) == Purged(12, 2, 0)
    assert most == 3


async def test_zero_days_keep_for_ever(aged: Store) -> None:
    before = await left(aged)
    assert await purge(aged, Retention(0, 0, 0)) == Purged(0, 0, 0)
    assert await left(aged) == before


async def test_recent_fact_keeps_an_old_table_and_so_does_the_server(aged: Store) -> None:
    await aged.log.append("open-1000-guest", 1, [b"2"])
    retention = Retention(unstarted=7, guest_games=0, guest_tokens=0)
    await purge(aged, retention, keep=lambda table: table == "open-100-guest")
    assert {"open-1000-guest", "open-100-guest"} <= await left(aged)
    assert "open-10-guest" not in await left(aged)


async def test_a_game_that_goes_on_meanwhile_stays(
    aged: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = Sql.all

    async def slow(self: Sql, query: Any) -> Any:
        rows = await plain(self, query)
        if (await aged.log.heads(["open-1000-guest"])) == {"open-1000-guest": 1}:
            await aged.log.append("open-1000-guest", 1, [b"2"])
        return rows

    monkeypatch.setattr(Sql, "all", slow)
    await purge(aged, Retention(unstarted=7, guest_games=0, guest_tokens=0))
    monkeypatch.undo()
    assert "open-1000-guest" in await left(aged)
    assert "open-1000-ana" not in await left(aged)
