"""CPU of concurrent lookups of seat tokens: in batches (`BatchLoader`), and by one query each.

    python benchmarks/seat_lookups.py [--lookups 2000] [--turns 5] [--database-url postgresql://…]

After a restart of the server all clients look up their tokens at once. Figures are CPU seconds of
this process with all threads, without the PostgreSQL server. The PostgreSQL database must be empty,
and is left with one table. A lookup that fails is counted: the pool of connections has a timeout.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from statistics import median

from sqlalchemy import select

from tuilerie.store import Store, open_store
from tuilerie.store.log import TableMeta
from tuilerie.store.schema import seat_tokens
from tuilerie.store.seats import PLAYER, SEAT, Player
from tuilerie.store.tokens import hashed

Lookup = Callable[[str], Awaitable[Player | None]]


async def measure(database: str, lookups: int, turns: int) -> None:
    """Print the median of all turns for both ways, which alternate."""
    async with await open_store(database) as store:
        tokens = await seats(store, lookups)
        ways: dict[str, Lookup] = {"in batches": store.seats.resolve, "one by one": plain(store)}
        found: dict[str, list[tuple[float, int]]] = {name: [] for name in ways}
        for _ in range(turns):
            for name, lookup in ways.items():
                found[name].append(await turn(lookup, tokens))
    for name, results in found.items():
        seconds, failed = median(each for each, _ in results), sum(each for _, each in results)
        print(f"{lookups} lookups {name}: {seconds:.2f} s CPU, {failed} failed in {turns} turns")


async def seats(store: Store, count: int) -> list[str]:
    """Create players at one table; return their tokens."""
    await store.log.create("t", [b"{}"], TableMeta("genial", 1))
    return [await store.seats.issue_token("t", f"p{number}") for number in range(count)]


def plain(store: Store) -> Lookup:
    """Return a lookup by a separate query."""
    query = select(*PLAYER).join(seat_tokens, SEAT)

    async def lookup(token: str) -> Player | None:
        row = await store.sql.one(query.where(seat_tokens.c.token_hash == hashed(token)))
        return Player(*row) if row else None

    return lookup


async def turn(lookup: Lookup, tokens: Sequence[str]) -> tuple[float, int]:
    """Look all tokens up at once; return the CPU seconds and the number of failures."""
    start = time.process_time()
    found = await asyncio.gather(*map(lookup, tokens), return_exceptions=True)
    return time.process_time() - start, sum(not isinstance(each, Player) for each in found)


def main() -> None:
    """Parse the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--lookups", type=int, default=2_000)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--database-url", help="an empty PostgreSQL database; else a SQLite file")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        where = asked.database_url or f"{folder}/data"
        asyncio.run(measure(where, asked.lookups, asked.turns))


if __name__ == "__main__":
    main()
