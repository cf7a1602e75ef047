"""Costs by the number of tables in play, and by the length of a game: CPU and bytes.

First table: CPU of the server for a move, with more and more tables of four in play at the same
time, each with four sockets, at the same number of moves a second (see `server_load`).

Second table: the same game of four, after a tenth, a half and nine tenths of its moves. CPU
milliseconds to make a move (decided, stored and sent to four seats), to join the table and to load
it from the store; bytes to a seat for a move and for joining it, before compression.

    python benchmarks/growth_play.py [--tables 100,1000,3000] [--rate 200] [--seconds 6]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from growth_stored import server
from load_games import SEATS, GameLog, whole_game
from load_servers import Load, store_table, tables

from tuilerie.games import GAMES
from tuilerie.games.game import Refused
from tuilerie.match import commands
from tuilerie.server.ops.logging import configure_logging
from tuilerie.server.tables.registry import TableRegistry
from tuilerie.server.tables.room import NOTHING_HELD, Room
from tuilerie.server.ws.connection import Connection
from tuilerie.store.database import parse_database
from tuilerie.store.log import Status

SHARES = (0.1, 0.5, 0.9)
GAMES_EACH, MOVES_EACH = 4, 8


async def by_tables(count: int, rate: float, seconds: float) -> tuple[float, int]:
    """CPU seconds a move, and moves."""
    load = Load("blockers", count * SEATS, rate, seconds, {})
    async with tables(load) as (ours, _):
        await ours.play(rate, seconds)
        return ours.measured.cpu_a_move, ours.measured.moves


@dataclass
class Costs:
    """CPU milliseconds and bytes at one place of a game."""

    move: list[float] = field(default_factory=list)
    join: list[float] = field(default_factory=list)
    load: list[float] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)  # to a seat, for a move
    welcome: list[int] = field(default_factory=list)


class Seat:
    """A player without a network."""

    def __init__(self, player: str) -> None:
        self.bytes = 0
        self.connection = Connection(self._send, self._close, "10.0.0.1")
        self.connection.player = player

    async def _send(self, text: bytes) -> None:
        self.bytes += len(text)

    async def _close(self, _code: int, _why: str) -> None:
        return

    def taken(self) -> int:
        """The bytes since the last call."""
        sent, self.bytes = self.bytes, 0
        return sent


async def settle() -> None:
    """Let everything be written and sent that is due at once."""
    for _ in range(20):
        await asyncio.sleep(0)


async def measure(registry: TableRegistry, slug: str, log: GameLog, costs: Costs) -> None:
    """Load a table, join it, and play on."""
    began = time.process_time()
    room = await registry.table(slug)
    costs.load.append(time.process_time() - began)
    assert room is not None
    people = [Seat(player) for player in log.people]
    for seat in people:
        began = time.process_time()
        await room.join(seat.connection, NOTHING_HELD)
        await settle()
        costs.join.append(time.process_time() - began)
        costs.welcome.append(seat.taken())
    random = Random(1)
    await asyncio.sleep(0.5)  # presence is sent
    for _ in range(MOVES_EACH):
        if not room.table.actors:
            return  # the game is over
        for seat in people:
            seat.taken()
        await make(room, log, random, costs)
        costs.sent += [seat.taken() for seat in people]


async def make(room: Room, log: GameLog, random: Random, costs: Costs) -> None:
    """One move of the first who can."""
    table = room.table
    actor = table.actors[0]
    legal = table.rules.view(table.shown_state, actor).legal
    command = commands.Make(log.people[actor], str(legal[random.randrange(len(legal))]), None, None)
    began = time.process_time()
    try:
        await room.actor.do(command)
        await settle()
    except Refused as refused:  # two moves may race for the same
        print(f"refused: {refused}")
    costs.move.append(time.process_time() - began)


async def by_length(game: str, share: float, place: Path) -> Costs:
    """A few games, cut off at this share of their moves."""
    costs = Costs()
    database: Any = parse_database(place)
    async with server(database) as (_, registry):
        for seed in range(GAMES_EACH):
            log = whole_game(game, seed)
            facts = log.facts[: log.cuts[round(len(log.cuts) * share)]]
            stored = await store_table(registry.store, game, log, facts, Status.PLAYING)
            await measure(registry, stored.slug, log, costs)
    return costs


def middle(seconds: list[float]) -> float:
    """The median, in milliseconds."""
    return statistics.median(seconds) * 1000


def main() -> None:
    """Print both tables."""
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--tables", default="100,1000,3000")
    words.add_argument("--rate", type=float, default=200)
    words.add_argument("--seconds", type=float, default=6)
    asked = words.parse_args()
    configure_logging("console", "error")
    print("tables in play  CPU ms a move  moves")
    for count in map(int, asked.tables.split(",")):
        cpu, moves = asyncio.run(by_tables(count, asked.rate, asked.seconds))
        print(f"{count:14,}  {cpu * 1000:13.2f}  {moves:5}", flush=True)
    gc.disable()
    print("\n                     CPU ms, median        bytes to a seat")
    print("game      played     move   join   load    move: median, most    join")
    for game in GAMES:
        for share in SHARES:
            with tempfile.TemporaryDirectory(prefix="tuilerie-growth-") as folder:
                costs = asyncio.run(by_length(game, share, Path(folder)))
            times = "".join(f"{middle(each):7.2f}" for each in (costs.move, costs.join, costs.load))
            median, most = statistics.median(costs.sent), max(costs.sent)
            joined = statistics.median(costs.welcome)
            print(
                f"{game:9} {share:6.0%} {times} {median:15,.0f}, {most:6,} {joined:9,.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
