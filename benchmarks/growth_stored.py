"""Costs by the number of stored games: lobby, my games, sweep, a move, resume, restart.

    python benchmarks/growth_stored.py [--games 0,20000,1000000] [--postgresql]
        [--database-url postgresql://…]

Fills a database with finished games (short logs, all with players and tokens) and measures the same
work after each size. The work itself is constant: 30 open tables in the lobby, an account with
5,000 games of its own, 100 games in play with clocks. Figures are CPU milliseconds per call, of
this process with all threads and, if PostgreSQL runs on this machine, of its backends. With
`--postgresql` a PostgreSQL server is started for it and removed afterwards. Another database must
be empty, and is left full.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, TypeVar

import asyncpg  # type: ignore[import-untyped]
import httpx

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.servers import PostgresServer, find_postgres

from tuilerie.match import commands as c
from tuilerie.match.config import Config, PerMove
from tuilerie.match.decide import decide, open_table
from tuilerie.match.evolve import fold
from tuilerie.match.facts import Fact
from tuilerie.match.summary import summary_of
from tuilerie.match.table import Table
from tuilerie.match.ticks import wanted_at
from tuilerie.server.app import make_app, make_registry
from tuilerie.server.http.security import SESSION_COOKIE, cookie_name
from tuilerie.server.ops.logging import configure_logging
from tuilerie.server.settings import Settings
from tuilerie.server.tables.actor import now_ms
from tuilerie.server.tables.log_codec import write_fact
from tuilerie.server.tables.registry import TableRegistry
from tuilerie.server.tables.summary import status_of
from tuilerie.store import open_store
from tuilerie.store.database import PostgresUrl, SqliteFile, parse_database
from tuilerie.store.log import TableMeta
from tuilerie.store.rows import to_text

OWN = 5_000
OPEN = 30
PLAYING = 100
STORED_FACTS = 3
"""Facts per stored game: only the first ones, so that a million games fit the disk."""

FIRST = 1000
"""The first id of stored games, above those of the tables that are measured."""
T = TypeVar("T")


def played(*after: c.Command, public: bool = False, clock: PerMove | None = None) -> list[Fact]:
    """The log of a game of two people, after these commands."""
    now = now_ms()
    facts: list[Fact] = list(
        open_table("blockers", Config(players=2, clock=clock, public=public), now)
    )
    table = fold(facts)
    for command in (c.Sit("ada", None, "Ada"), *after):
        for each in decide(table, command, now, lambda many: 0):
            facts.append(each.fact)
            table = each.table
    return facts


BEGIN = (c.Sit("bob", None, "Bob"), c.SetReady("bob", True), c.Begin("ada"))


# --- stored games ---------------------------------------------------------------------------------


SERIES = {
    "sqlite": "WITH RECURSIVE g(n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM g"
    " WHERE n < {last})",
    "postgresql": "WITH g(n) AS (SELECT generate_series({first}, {last}))",
}
HASH = {"sqlite": "randomblob(32)", "postgresql": "sha256(convert_to('stored-' || n, 'UTF8'))"}

FILL = (
    "INSERT INTO tables (id, slug, game, rules, options, status, public, created, updated, summary)"
    " {series} SELECT n, 'stored-' || n, 'blockers', {rules}, '{{}}', 'over', false,"
    " {at} + n, {at} + n, '{summary}' FROM g",
    "INSERT INTO facts (table_id, number, at, body, span)"
    " {series} SELECT n, f.number, {at} + n, f.body, 1 FROM g CROSS JOIN ({bodies}) AS f",
    "INSERT INTO players (slug, id, name, account, created)"
    " {series} SELECT 'stored-' || n, p.id, p.name,"
    " CASE WHEN p.id = 'ada' AND n < {own} THEN '{account}' END, {at} + n FROM g CROSS JOIN"
    " (SELECT 'ada' AS id, 'Ada' AS name UNION ALL SELECT 'bob', 'Bob') AS p",
    "INSERT INTO seat_tokens (token_hash, slug, player, recovery, created)"
    " {series} SELECT {hash}, 'stored-' || n, 'bob', false, {at} + n FROM g",
)
"""The statements that store finished games: the databases make the rows, which is quick."""


def statements(kind: str, first: int, last: int, account: str) -> list[str]:
    """What stores games number `first` up to `last`; the first `OWN` are the account's."""
    facts = played(*BEGIN, c.Resign("ada"))
    table = fold(facts)
    blob = "decode('{0}', 'hex')" if kind == "postgresql" else "x'{0}'"
    bodies = " UNION ALL ".join(
        f"SELECT {number} AS number, {blob.format(write_fact(fact).hex())} AS body"
        for number, fact in enumerate(facts[:STORED_FACTS], 1)
    )
    values = {
        "series": SERIES[kind].format(first=first, last=last - 1),
        "hash": HASH[kind],
        "rules": table.rules_version,
        "summary": (to_text(summary_of(table)) or "").replace("'", "''"),
        "at": 1_600_000_000_000,
        "bodies": bodies,
        "own": FIRST + OWN,
        "account": account,
    }
    return [statement.format(**values) for statement in FILL]


async def fill(database: SqliteFile | PostgresUrl, first: int, last: int, account: str) -> None:
    """Store games number `first` up to `last`."""
    if last <= first:
        return
    if isinstance(database, SqliteFile):
        with closing(sqlite3.connect(database.path, isolation_level=None)) as file:
            file.execute("PRAGMA synchronous = OFF")
            file.execute("PRAGMA cache_size = -500000")
            for statement in statements("sqlite", first, last, account):
                file.execute(statement)
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return
    connection = await asyncpg.connect(database.url)
    for statement in statements("postgresql", first, last, account):
        await connection.execute(statement)
    await connection.execute("SELECT setval(pg_get_serial_sequence('tables', 'id'), 10000000)")
    await connection.execute("VACUUM ANALYZE")
    await connection.close()


# --- measuring ------------------------------------------------------------------------------------


class Meter:
    """CPU time of this process and of PostgreSQL's backends on this machine."""

    def __init__(self, database: SqliteFile | PostgresUrl) -> None:
        self._database = database
        self._tick = 1 / os.sysconf("SC_CLK_TCK")

    async def backends(self) -> float:
        """The CPU seconds of all our connections' backends so far, if they can be seen."""
        if isinstance(self._database, SqliteFile):
            return 0.0
        connection = await asyncpg.connect(self._database.url)
        query = "SELECT pid FROM pg_stat_activity WHERE application_name = 'tuilerie'"
        pids = [row[0] for row in await connection.fetch(query)]
        await connection.close()
        return sum(self._of(pid) for pid in pids)

    def _of(self, pid: int) -> float:
        try:
            words = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(words[11]) + int(words[12])) * self._tick

    async def each(self, work: Callable[[], Awaitable[Any]], times: int) -> float:
        """CPU milliseconds per call, after a call that warms up."""
        await work()
        backends, began = await self.backends(), time.process_time()
        for _ in range(times):
            await work()
        spent = time.process_time() - began
        return (spent + await self.backends() - backends) / times * 1000


@asynccontextmanager
async def server(database: SqliteFile | PostgresUrl) -> AsyncIterator[tuple[Any, TableRegistry]]:
    """A server without a network, and without its periodic work."""
    url = database.url if isinstance(database, PostgresUrl) else None
    data = database.path.parent if isinstance(database, SqliteFile) else Path()
    settings = Settings(data=data, database_url=url, workers=0, limit_factor=1e9)
    async with await open_store(database) as store:
        registry = make_registry(settings, store)
        app: Any = make_app(settings, registry)
        transport = httpx.ASGITransport(app, client=("10.0.0.1", 1000))
        base = "http://localhost"
        async with httpx.AsyncClient(transport=transport, base_url=base) as http:
            try:
                yield http, registry
            finally:
                await registry.stop()


async def prepare(registry: TableRegistry) -> tuple[str, str]:
    """The tables and the account on which everything is measured; the account and its session."""
    account = await registry.store.accounts.create("Ada", "a password")
    token = await registry.store.accounts.open_session(account.id)
    for number in range(OPEN):
        await _store(registry, f"open-{number}", played(public=True))
    for number in range(PLAYING):
        await _store(registry, f"playing-{number}", played(*BEGIN, clock=PerMove(86_400)))
    return account.id, token


async def _store(registry: TableRegistry, slug: str, facts: list[Fact]) -> None:
    table: Table = fold(facts)
    meta = TableMeta(
        "blockers",
        table.rules_version,
        public=table.config.public,
        status=status_of(table),
        summary=summary_of(table),
        wake=wanted_at(table),
    )
    await registry.store.log.create(slug, [write_fact(fact) for fact in facts], meta)


async def measure(database: SqliteFile | PostgresUrl, token: str) -> dict[str, float]:
    """All figures at the present size."""
    meter = Meter(database)
    found: dict[str, float] = {}
    await _set_wakes(database, now_ms() + 86_400_000)
    async with server(database) as (http, registry):
        cookies = {"Cookie": f"{cookie_name(SESSION_COOKIE, secure=False)}={token}"}
        lobby = await http.get("/api/tables")
        assert len(lobby.json()) == OPEN, lobby.text
        mine = await http.get("/api/my/tables", headers=cookies)
        assert len(mine.json()) == 50, mine.text
        found["lobby"] = await meter.each(lambda: http.get("/api/tables"), 100)
        found["my games, 50 shown"] = await meter.each(
            lambda: http.get("/api/my/tables", headers=cookies), 100
        )
        found["sweep, nothing due"] = await meter.each(registry._sweep, 100)
        slugs: Iterator[str] = iter([f"playing-{number}" for number in range(PLAYING)])
        found["resume a table that is not in memory"] = await meter.each(
            lambda: registry.table(next(slugs)), PLAYING - 2
        )
        head = await registry.store.log.heads(["open-0"])
        numbers = iter(range(head["open-0"], 10**9))
        found["append a fact"] = await meter.each(
            lambda: registry.store.log.append("open-0", next(numbers), [b"{}"]), 200
        )
    await _set_wakes(database, 1)
    found[f"restart with {PLAYING} clocks overdue"] = await meter.each(
        lambda: _restart(database), 3
    )
    return found


async def _set_wakes(database: SqliteFile | PostgresUrl, wake: int) -> None:
    async with await open_store(database) as store:
        await store.log.set_wakes({f"playing-{number}": wake for number in range(PLAYING)})


async def _restart(database: SqliteFile | PostgresUrl) -> None:
    """Open the database, and load all tables whose clocks are overdue."""
    async with server(database) as (_, registry):
        await registry._sweep()
    await _set_wakes(database, 1)


async def run(database: SqliteFile | PostgresUrl, sizes: Sequence[int]) -> None:
    """Fill and measure, and print a table."""
    columns: list[dict[str, float]] = []
    async with server(database) as (_, registry):
        if await registry.store.log.tables(limit=1):
            sys.exit("The database is not empty.")
        account, token = await prepare(registry)
    await fill(database, 200, 260, account)  # at every size the account has a full page of games
    stored = 0
    for size in sizes:
        await fill(database, FIRST + stored, FIRST + size, account)
        stored = size
        columns.append(await measure(database, token))
    kind = "PostgreSQL" if isinstance(database, PostgresUrl) else "SQLite"
    print(f"\nCPU milliseconds per call, {kind}, by stored games\n")
    heads = "".join(f"{size:>12,}" for size in sizes)
    print(f"{'':<44}{heads}")
    for name in columns[-1]:
        figures = "".join(f"{column[name]:>12.2f}" for column in columns)
        print(f"{name:<44}{figures}", flush=True)


def main() -> None:
    """Read the arguments and run."""
    words = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    words.add_argument("--games", default="0,20000,1000000")
    words.add_argument("--postgresql", action="store_true")
    words.add_argument("--database-url")
    given = words.parse_args()
    configure_logging("console", "error")
    sizes = [int(each) for each in given.games.split(",")]
    if given.database_url:
        asyncio.run(run(parse_database(given.database_url), sizes))
        return
    if given.postgresql:
        on_postgresql(sizes)
        return
    with tempfile.TemporaryDirectory(prefix="tuilerie-growth-") as folder:
        asyncio.run(run(parse_database(Path(folder)), sizes))


def on_postgresql(sizes: Sequence[int]) -> None:
    """The same on a server that is started for it."""
    programs = find_postgres()
    if programs is None:
        print("PostgreSQL is not installed: run scripts/test-servers")
        return
    postgres = PostgresServer(programs)
    try:
        postgres.start()
        asyncio.run(run(parse_database(postgres.database()), sizes))
    finally:
        postgres.remove()


if __name__ == "__main__":
    main()
