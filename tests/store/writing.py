"""A program that appends and says so: `python -m tests.store.writing PLACE TABLES`.

It is there to be killed at any moment. For each line that it reads it starts a writer, by forking,
so that all is loaded only once; it prints the writer's number, and an empty line when the writer is
dead. The writer prints `table number body` for each fact when, and only when, it was answered.
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
"""How many facts each append holds."""


async def write(place: str, tables: int) -> None:
    async with await open_store(place) as store:

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
    """A line so short is written whole or not at all."""
    os.write(1, f"{line}\n".encode())


def main(place: str, tables: int) -> None:
    for _ in sys.stdin:
        writer = os.fork()
        if writer == 0:
            asyncio.run(write(place, tables))
        say(str(writer))
        os.waitpid(writer, 0)
        say("")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
