"""A writer to be killed at any moment: `python -m tests.store.writing DATABASE TABLES`.

For each input line it forks a writer (so that imports happen once), prints its pid, and an empty
line once it is dead. The writer prints `table number body` for each fact as soon as it is answered.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys

from tuilerie.store import open_store
from tuilerie.store.errors import TableExists
from tuilerie.store.log import Appended, TableMeta

FACTS = 3
"""Facts per append."""


async def write(database: str, tables: int) -> None:
    async with await open_store(database) as store:

        async def play(table: str) -> None:
            with contextlib.suppress(TableExists):
                await store.log.create(table, [], TableMeta("genial", 1))
            head = (await store.log.heads([table]))[table]
            while True:
                facts = [os.urandom(40).hex().encode() for _ in range(FACTS)]
                answer = await store.log.append(table, head, facts)
                assert answer == Appended(head + 1, head + FACTS)
                for number, fact in enumerate(facts, answer.first):
                    say(f"{table} {number} {fact.decode()}")
                head = answer.last

        await asyncio.gather(*(play(f"t{number}") for number in range(tables)))


def say(line: str) -> None:
    """Write a line; one this short is written atomically."""
    os.write(1, f"{line}\n".encode())


def main(database: str, tables: int) -> None:
    for _ in sys.stdin:
        writer = os.fork()
        if writer == 0:
            asyncio.run(write(database, tables))
        say(str(writer))
        os.waitpid(writer, 0)
        say("")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
