"""Bots under load: the share of moves by the level itself, and how long it could think.

Each table has a person and a bot of the strongest level. People make random moves, at once or five
seconds after the bot. The server's own parts run here: registry, SQLite, bot driver and worker
processes, as many as by default; only sockets are left out.

Columns: "own": the share of bot moves computed by the level itself (the rest are the greedy bot's);
"budget": the mean thinking time (the level's own is half a second in Génial! and Blockers!);
"shortened": the share with less than its own; "answer": from asked to answered, p50 and p99.

With `--arena` the level plays its mean budget at 50 tables against another level afterwards.

    python benchmarks/bots_load.py [--game genial] [--tables 1,4,10,20,50,200] [--answers 0,5]
        [--seconds 20] [--arena 200] [--against glaze]
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from random import Random
from typing import Any

from load_rooms import quantile

from tuilerie.bots import LEVELS
from tuilerie.games.game import Refused
from tuilerie.match import commands
from tuilerie.match.config import Config
from tuilerie.server.bots.pool import BotFailed, ProcessBotPool, Thought
from tuilerie.server.ops.logging import configure_logging
from tuilerie.server.settings import usual_workers
from tuilerie.server.tables.actor import Busy
from tuilerie.server.tables.bus import LocalBus
from tuilerie.server.tables.registry import TableRegistry
from tuilerie.server.tables.room import Room
from tuilerie.store import open_store

ARENA_TABLES = 50


@dataclass
class Counted:
    """What came of one run."""

    thoughts: list[Thought] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    failed: int = 0

    @property
    def budget(self) -> float:
        """The mean thinking time, in seconds."""
        return sum(each.seconds for each in self.thoughts) / max(1, len(self.thoughts))


class CountingPool(ProcessBotPool):
    """The pool of a server, which keeps what it answered."""

    counted = Counted()

    async def think(self, rules: Any, level: str, view: Any, table: str) -> Thought:
        """Count the answer."""
        began = time.perf_counter()
        try:
            thought = await super().think(rules, level, view, table)
        except BotFailed:
            self.counted.failed += 1
            raise
        self.counted.thoughts.append(thought)
        self.counted.waits.append(time.perf_counter() - began)
        return thought


class Person:
    """Plays seat 0 of a table at random."""

    def __init__(self, room: Room, seconds: float, random: Random) -> None:
        self._room, self._seconds, self._random = room, seconds, random
        self._turn = asyncio.Event()
        room.actor.subscribe(lambda _changes, _ours: self._turn.set())

    async def play(self) -> None:
        """Answer until cancelled. A game that is over is left."""
        await asyncio.sleep(self._random.uniform(0, 1 + self._seconds))  # not all in step
        while self._room.table.result is None:
            self._turn.clear()
            table = self._room.table
            if 0 in table.actors:
                await asyncio.sleep(self._seconds)
                legal = table.rules.view(table.shown_state, 0).legal
                move = legal[self._random.randrange(len(legal))]
                try:
                    await self._room.actor.do(commands.Make("p", move, None, None))
                except (Refused, Busy):
                    await asyncio.sleep(0.1)
            else:
                await self._turn.wait()


async def measure(game: str, tables: int, answer: float, seconds: float) -> Counted:
    """Play for a while, after a while to settle."""
    level, random = LEVELS[game][-1].name, Random(1)
    pool = CountingPool(usual_workers())
    options: Any = {"seconds": None} if game == "kaosmos" else {}
    with tempfile.TemporaryDirectory() as folder:
        async with await open_store(folder) as store:
            registry = TableRegistry(store, LocalBus(), pool)
            await registry.start()
            people = []
            try:
                for _ in range(tables):
                    config = Config(players=2, options=options, host="p", takeover_after=None)
                    first: list[commands.Command] = [
                        commands.Sit("p", 0, "P"),
                        commands.AddBot("p", 1, level),
                        commands.Begin("p"),
                    ]
                    room = await registry.create(game, config, first)
                    people.append(asyncio.create_task(Person(room, answer, random).play()))
                await asyncio.sleep(2 + answer)
                pool.counted = Counted()
                await asyncio.sleep(seconds)
                counted, pool.counted = pool.counted, Counted()
            finally:
                for person in people:
                    person.cancel()
                await asyncio.gather(*people, return_exceptions=True)
                await registry.stop()
    return counted


def arena(game: str, budget: float, against: str, games: int) -> None:
    """The level with this budget against another level."""
    level = LEVELS[game][-1].name
    bots = f"{level}@{max(1, round(budget * 1000))}ms,{against}"
    print(f"\n{level} with its mean budget at {ARENA_TABLES} tables, at once:", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        words = ["arena", game, "--bots", bots, "--games", str(games), "--no-records"]
        command = [sys.executable, "-m", "tuilerie.cli", *words, "--out", folder]
        subprocess.run(command, check=True)


def main() -> None:
    """Run all combinations, and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="genial")
    parser.add_argument("--tables", default="1,4,10,20,50,200")
    parser.add_argument("--answers", default="0,5")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--arena", type=int, default=0, help="so many games")
    parser.add_argument("--against", default="glaze")
    asked = parser.parse_args()
    configure_logging("console", "error")
    print(f"{asked.game}, {LEVELS[asked.game][-1].name}, {usual_workers()} worker processes")
    print("tables  people answer  bot moves     own  budget ms  shortened  answer p50, p99 ms")
    at_fifty = None
    for answer in map(float, asked.answers.split(",")):
        for tables in map(int, asked.tables.split(",")):
            found = asyncio.run(measure(asked.game, tables, answer, asked.seconds))
            own = len(found.thoughts)
            shortened = sum(each.shortened for each in found.thoughts) / max(1, own)
            p50, p99 = (quantile(found.waits, share) * 1000 for share in (0.5, 0.99))
            print(
                f"{tables:6}  {f'after {answer:g} s':>13}  {own + found.failed:9}"
                f"  {100 * own / max(1, own + found.failed):5.1f} %  {found.budget * 1000:9.1f}"
                f"  {100 * shortened:7.1f} %  {p50:10.0f}, {p99:.0f}",
                flush=True,
            )
            if (tables, answer) == (ARENA_TABLES, 0):
                at_fifty = found.budget
    if asked.arena and at_fifty is not None:
        arena(asked.game, at_fifty, asked.against, asked.arena)


if __name__ == "__main__":
    main()
