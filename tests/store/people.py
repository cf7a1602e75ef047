"""Accounts and seats of a test database, with a fake clock and cheap password hashes."""

from __future__ import annotations

import json
from typing import NamedTuple

from argon2 import PasswordHasher
from sqlalchemy import MetaData, select
from sqlalchemy.ext.asyncio import AsyncEngine

from tuilerie.store.accounts import Accounts
from tuilerie.store.log import TableMeta
from tuilerie.store.seats import Seats
from tuilerie.store.sql import Sql
from tuilerie.store.tokens import Passwords

META = TableMeta("genial", 1)
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


class FakeClock:
    """A fake clock."""

    def __init__(self) -> None:
        self.ms = 1_000_000

    def __call__(self) -> int:
        return self.ms


class People(NamedTuple):
    """Accounts and seats of one database."""

    accounts: Accounts
    seats: Seats


def people_of(engine: AsyncEngine, clock: FakeClock, passwords: Passwords) -> People:
    sql = Sql(engine)
    return People(Accounts(sql, now=clock, passwords=passwords), Seats(sql, now=clock))


async def everything(engine: AsyncEngine) -> str:
    """Return the whole database as text."""
    found = MetaData()
    async with engine.connect() as connection:
        await connection.run_sync(found.reflect)
        rows = [
            [table.name, *map(repr, row)]
            for table in found.sorted_tables
            for row in (await connection.execute(select(table))).all()
        ]
    return json.dumps(rows, ensure_ascii=False)
