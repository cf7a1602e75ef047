"""What each fast path of the SQLite log saves: CPU per append with it and without it.

Two logs in one process take the same appends by turns, at a fixed rate, to tables with logs of a
hundred facts: ours, and ours with one fast path replaced by the plain way. An append adds two facts
with a command key, as a move does. CPU is that of the process with all its threads, making the load
included, which is the same for both. The saving is the median over pairs of turns, in microseconds
and as a share of a move, which takes some 1,400 µs of CPU in all (`server_load.py`). A fast path
stays only if it saves 5 % of a move, or serves the goal that is named in its module.

`TMPDIR=/dev/shm` shows a disk on which a commit takes no time, so that few appends meet in one.

    python benchmarks/store_paths.py [NAME …] [--facts 100] [--rate 1000] [--pairs 9]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tuilerie.store import database
from tuilerie.store.log import Appended, Status, TableMeta
from tuilerie.store.migrate import migrate
from tuilerie.store.sqlite import log as sqlite_log
from tuilerie.store.sqlite import writer

MOVE_MICROSECONDS = 1400
TABLES = 200
FACTS = [b'{"v":2,"kind":"entered","at":1763474400000,"entry":{"kind":"action"}}'] * 2


class NoCache:
    """In place of `EndsCache`: every command is searched."""

    def meet(self, *given: Any) -> None:
        """Learn nothing."""

    def new_at(self, _job: Any) -> None:
        """Know nothing."""

    def learn(self, *given: Any) -> None:
        """Learn nothing."""

    def forget(self) -> None:
        """Forget nothing."""


class NoCheckpointer:
    """In place of the checkpoint thread."""

    def __init__(self, connect: Any) -> None:
        """Start nothing."""

    def close(self) -> None:
        """Stop nothing."""


WITHOUT: dict[str, Callable[[], Sequence[Any]]] = {
    "ends-cache": lambda: [patch.object(sqlite_log, "EndsCache", NoCache)],
    "group-commit": lambda: [patch.object(writer, "BATCH", 1)],
    "pace": lambda: [patch.object(writer, "PACE", 0)],
    "checkpoint-thread": lambda: [
        patch.object(sqlite_log, "Checkpointer", NoCheckpointer),
        patch.object(
            database,
            "SQLITE_PRAGMAS",
            (*database.SQLITE_PRAGMAS[:-1], "PRAGMA wal_autocheckpoint = 1000"),
        ),
    ],
}
"""The patches without which each fast path is there."""


@contextlib.contextmanager
def patched(name: str | None) -> Iterator[None]:
    """Without this fast path."""
    with contextlib.ExitStack() as stack:
        for each in WITHOUT[name]() if name else ():
            stack.enter_context(each)
        yield


class Side:
    """A log under load, with or without a fast path."""

    def __init__(self, folder: Path, without: str | None) -> None:
        self._without = without
        self._heads = dict.fromkeys((f"table-{number}" for number in range(TABLES)), 0)
        self._count = 0
        self.times: list[float] = []  # of each append, in seconds
        with patched(without):
            self.log = sqlite_log.SqliteLog(folder)

    async def fill(self, facts: int) -> None:
        """Create tables with logs of so many facts."""
        meta = TableMeta("blockers", 1, {}, False, Status.PLAYING)
        await asyncio.gather(*(self.log.create(table, [], meta) for table in self._heads))
        for after in range(0, facts, len(FACTS)):
            key = f"person-1/{after:08}"
            appends = [self.log.append(table, after, FACTS, key) for table in self._heads]
            await asyncio.gather(*appends)
        self._heads = dict.fromkeys(self._heads, facts)

    async def turn(self, rate: float, seconds: float) -> float:
        """Append at this rate for a while; CPU microseconds per append."""
        loop, tasks = asyncio.get_running_loop(), []
        with patched(self._without):
            began, cpu = loop.time(), time.process_time()
            for number in range(round(rate * seconds)):
                await asyncio.sleep(max(0.0, began + number / rate - loop.time()))
                tasks.append(asyncio.create_task(self._append(number % TABLES)))
            await asyncio.gather(*tasks)
            return (time.process_time() - cpu) / len(tasks) * 1e6

    async def _append(self, number: int) -> None:
        table = f"table-{number}"
        after, self._heads[table] = self._heads[table], self._heads[table] + len(FACTS)
        self._count += 1
        began = time.perf_counter()
        answer = await self.log.append(table, after, FACTS, f"person-2/{self._count:08}")
        self.times.append(time.perf_counter() - began)
        assert isinstance(answer, Appended), answer


async def measure(name: str, facts: int, rate: float, pairs: int) -> None:
    """Compare a log with one without this fast path, and print a line."""
    with tempfile.TemporaryDirectory() as folder:
        sides = []
        for number, without in enumerate((None, name)):
            path = Path(folder) / str(number) / database.FILE_NAME
            await migrate(path)
            sides.append(Side(path, without))
            await sides[-1].fill(facts)
        found = [[await side.turn(rate, 0.6) for side in sides] for _ in range(pairs)]
        for side in sides:
            await side.log.close()
    ours, plain = (statistics.median(each) for each in zip(*found, strict=True))
    saved = statistics.median(without - with_it for with_it, without in found)
    share = saved / MOVE_MICROSECONDS
    late = [statistics.quantiles(side.times, n=100)[-1] * 1000 for side in sides]
    print(
        f"{name:20}{ours:12.0f}{plain:10.0f}{saved:12.0f}{share:11.1%}{late[0]:9.1f}{late[1]:9.1f}",
        flush=True,
    )


async def main() -> None:
    """Measure all, or those that are named, and print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(WITHOUT))
    parser.add_argument("--facts", type=int, default=100, help="in each log")
    parser.add_argument("--rate", type=float, default=1000, help="appends a second")
    parser.add_argument("--pairs", type=int, default=9)
    args = parser.parse_args()
    print(f"{'':20}{'µs an append':>12}{'without':>10}{'saved':>12}{'of a move':>11}", end="")
    print(f"{'p99, ms':>9}{'without':>9}", flush=True)
    for name in args.names or WITHOUT:
        await measure(name, args.facts, args.rate, args.pairs)


if __name__ == "__main__":
    asyncio.run(main())
