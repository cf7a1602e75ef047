"""Durability: SIGKILL at any moment loses no answered append and leaves none half written."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

from tests.store.conftest import Open
from tests.store.writing import FACTS
from tuilerie.store import Store, open_store
from tuilerie.store.log import Appended, TableMeta

TABLES = 8


class Writers:
    """The subprocess of `writing.py`."""

    def __init__(self, database: str | Path) -> None:
        words = [sys.executable, "-m", "tests.store.writing", str(database), str(TABLES)]
        self._program = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._program.kill()
        self._program.communicate()

    def write_and_be_killed(self, moment: float) -> list[str]:
        """Kill a writer a moment after its first answer; return its answers."""
        said, asked = self._program.stdout, self._program.stdin
        assert said is not None
        assert asked is not None
        asked.write("go\n")
        asked.flush()
        lines = [said.readline(), said.readline()]
        writer = next(int(line) for line in lines if line.strip().isdigit())
        time.sleep(moment)
        os.kill(writer, signal.SIGKILL)
        while line := said.readline().strip():
            lines.append(line)
        return [line.strip() for line in lines if not line.strip().isdigit()]


async def found(store: Store) -> dict[tuple[str, int], str]:
    facts = {}
    for row in await store.log.tables():
        log = await store.log.read(row.table)
        assert [number for number, _ in log] == list(range(1, len(log) + 1)), "no gap"
        assert len(log) % FACTS == 0, "no append was half done"
        facts.update({(row.table, number): body.decode() for number, body in log})
    return facts


async def killed_many_times(database: str | Path, times: int) -> None:
    answered: dict[tuple[str, int], str] = {}
    moments = random.Random(times)
    with Writers(database) as writers:
        for _ in range(times):
            moment = moments.uniform(0, 0.05)
            for line in await asyncio.to_thread(writers.write_and_be_killed, moment):
                table, number, body = line.split(" ")
                assert (table, int(number)) not in answered, "numbers are unique"
                answered[table, int(number)] = body
    async with await open_store(database) as store:
        facts = await found(store)
    assert answered.items() <= facts.items(), "every answered fact is stored"
    assert len(answered) >= times


@pytest.mark.slow
async def test_sigkill_loses_no_answered_append(database: str | Path) -> None:
    await killed_many_times(database, 4)


@pytest.mark.proof
async def test_many_sigkills_lose_no_answered_append(database: str | Path) -> None:
    await killed_many_times(database, 300)


async def test_content_survives_reopening(open_again: Open) -> None:
    store = await open_again()
    await store.log.create("t", [b"1"], TableMeta("genial", 1, {"a": 1}, public=True))
    await store.log.append("t", 1, [b"2", b"3"], "k")
    before = await store.log.table("t")
    await store.close()
    again = await open_again()
    assert await again.log.table("t") == before
    assert await again.log.read("t") == [(1, b"1"), (2, b"2"), (3, b"3")]
    assert await again.log.append("t", 0, [b"x"], "k") == Appended(2, 3, repeated=True)


async def test_nodes_see_the_same_log(open_again: Open) -> None:
    nodes = [await open_again() for _ in range(3)]
    await nodes[0].log.create("t", [], TableMeta("genial", 1))
    given: list[int] = []

    async def play(node: Store, name: str) -> None:
        head = 0
        for turn in range(20):
            while True:
                answer = await node.log.append("t", head, [b"x", b"y"], f"{name} {turn}")
                if isinstance(answer, Appended):
                    break
                head = answer.head
            assert not answer.repeated
            given.extend((answer.first, answer.last))
            head = answer.last

    await asyncio.gather(*(play(node, str(number)) for number, node in enumerate(nodes)))
    assert sorted(given) == list(range(1, 121))
    for node in nodes:
        assert len(await node.log.read("t")) == 120


async def test_concurrent_batches_of_nodes_do_not_deadlock(
    open_again: Open,
) -> None:
    nodes = [await open_again() for _ in range(2)]
    names = [f"t{number}" for number in range(40)]
    for name in names:
        await nodes[0].log.create(name, [], TableMeta("genial", 1))
    for after in range(5):
        # Each node appends to the same tables in another order.
        asked = [
            node.log.append(name, after, [b"x"])
            for node, order in zip(nodes, (names, names[::-1]), strict=True)
            for name in order
        ]
        answers = await asyncio.gather(*asked)
        assert sum(isinstance(answer, Appended) for answer in answers) == len(names)
