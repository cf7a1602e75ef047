"""A fair race: nobody learns of a press before it is decided, and no lie helps.

The real actor, room and connections run on a clock that jumps, with players on simulated
connections: 200 races take no time.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from functools import partial
from random import Random
from typing import Any

import pytest

from tests.amounts import few_or_many
from tests.match.driver import PEOPLE, Driver
from tests.match.galaxies import racing
from tests.server.tables.virtual_time import BEGAN, VirtualLoop, run
from tests.store.memory_log import MemoryLog
from tuilerie.games.game import Code, Json, Refused
from tuilerie.match import commands as c
from tuilerie.match.facts import Entered
from tuilerie.match.race import HOLD
from tuilerie.server.tables import actor as actors
from tuilerie.server.tables import room as rooms
from tuilerie.server.tables.actor import TableActor
from tuilerie.server.tables.log_codec import write_fact
from tuilerie.server.tables.presence import PresenceTracker
from tuilerie.server.tables.room import HeldView, Room
from tuilerie.server.ws.connection import Connection
from tuilerie.store.log import TableMeta

HONEST = (20, 60, 100, 150)
"""Round trips of honest players, in ms."""


class Table:
    """A live table of Kaosmos in which all galaxies are complete, on a loop with virtual time."""

    def __init__(self, loop: VirtualLoop, driver: Driver, seed: int) -> None:
        self.loop = loop
        self.log = MemoryLog()
        self.actor = TableActor("abc", self.log)
        presence = PresenceTracker(lambda _message, _to: None, lambda _slug: None, single_node=True)
        self.room = Room(self.actor, presence)
        self.driver = driver
        self.random = Random(seed)

    async def load(self) -> None:
        facts = [write_fact(fact) for fact in self.driver.facts]
        await self.log.create("abc", facts, TableMeta("kaosmos", 2))
        self.actor._table, self.actor.number = self.driver.table, self.driver.table.number

    def facts(self) -> list[Any]:
        return self.log._tables["abc"].facts


class Client:
    """A player's device behind a connection with this round trip, in ms."""

    def __init__(self, table: Table, seat: int, rtt: float) -> None:
        self.table, self.seat, self.rtt = table, seat, rtt
        self.connection = Connection(self._out, self._out, "x", self._write)
        self.connection.player = PEOPLE[seat]
        self.received: list[Json] = []
        self.raw: list[tuple[int, bytes]] = []  # when it arrived, and what
        self.listener: Callable[[Json], None] = lambda _heard: None

    async def _out(self, *_: object) -> None:
        """There is no slow path here."""

    def _write(self, texts: Iterable[bytes]) -> bool:
        for text in texts:
            self.table.loop.call_later(self.rtt / 2000, self._receive, text)
        return True

    def _receive(self, text: bytes) -> None:
        self.raw.append((self.table.loop.now_ms(), text))
        self.received.append(json.loads(text))
        self.listener(self.received[-1])

    async def join(self) -> None:
        """Subscribe, as if it came back a moment later: no log is read for that."""
        await self.table.room.join(
            self.connection, HeldView(self.table.actor.number, None, self.seat)
        )

    async def make(self, move: str, pressed: int | None = None, rtt: int | None = None) -> int:
        """Make a move now; the answer, when it is back."""
        way = self.rtt / 2000
        claimed = self.table.loop.now_ms() if pressed is None else pressed
        await asyncio.sleep(way)
        try:
            command = c.Make(PEOPLE[self.seat], move, claimed, round(rtt or self.rtt))
            return await self.table.actor.do(command)
        finally:
            await asyncio.sleep(way)


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Runs a scene at a table with so many players."""
    started: dict[int, Driver] = {}

    def play(scene: Callable[[Table], Any], players: int = 4, seed: int = 1) -> Any:
        loop = VirtualLoop()
        if players not in started:
            started[players] = racing(players)
        began = started[players].now
        for module in (actors, rooms):
            monkeypatch.setattr(module, "now_ms", lambda: loop.now_ms() - BEGAN + began)
        random = Random(seed)
        monkeypatch.setattr(actors, "pick", random.randrange)
        table = Table(loop, started[players], seed)

        async def whole() -> Any:
            await table.load()
            try:
                return await scene(table)
            finally:
                table.room.close()

        return run(whole(), loop)

    return play


async def joined(table: Table, rtts: Iterable[float]) -> list[Client]:
    clients = [Client(table, seat, rtt) for seat, rtt in enumerate(rtts)]
    for client in clients:
        await client.join()
    await asyncio.sleep(1)
    for client in clients:
        client.received.clear()
        client.raw.clear()
    return clients


def winner(table: Table) -> int | None:
    taken: int | None = table.actor.table.game_state.bonuses["green"]
    return taken


# --- what others learn ----------------------------------------------------------------------------


def test_nothing_is_sent_or_written_before_a_race_is_decided(tables: Any) -> None:
    async def scene(table: Table) -> None:
        clients = await joined(table, HONEST)
        facts = len(table.facts())
        task = asyncio.create_task(clients[0].make("grab green"))
        await asyncio.sleep((HONEST[0] / 2 + HOLD - 1) / 1000)
        assert len(table.facts()) == facts
        assert table.actor.number == facts
        assert [client.raw for client in clients] == [[], [], [], []]
        await asyncio.sleep(1)
        await task
        assert winner(table) == 0
        assert all(client.received[-1]["t"] == "update" for client in clients)

    tables(scene)


def test_moves_of_others_during_a_race_look_the_same(tables: Any) -> None:
    """Numbers, times and contents of all that another player hears are the same, byte for byte,
    whether somebody has pressed or not."""

    async def scene(table: Table, press: bool) -> Any:
        clients = await joined(table, HONEST)
        if press:
            pressed = asyncio.create_task(clients[1].make("grab green"))
        await asyncio.sleep((HONEST[1] / 2 + 5) / 1000)
        number = await clients[0].make("done")
        received = list(clients[0].raw)
        await asyncio.sleep(1)
        if press:
            await pressed
            assert winner(table) == 1
        return number, received

    assert tables(partial(scene, press=True)) == tables(partial(scene, press=False))


# --- fairness -------------------------------------------------------------------------------------


async def one_race(
    table: Table, rtts: list[float], presses: list[float], cheat: int | None
) -> int | None:
    """Who wins when the players press at these times, in ms. The cheat lies about when it pressed
    and about its way, and presses as soon as it hears anything."""
    clients = await joined(table, rtts)
    lost: list[str] = []

    async def press(client: Client) -> None:
        lies = client.seat == cheat
        received = asyncio.Event()
        if lies:
            client.listener = lambda _message: received.set()
        try:
            async with asyncio.timeout(presses[client.seat] / 1000):
                await received.wait()
        except TimeoutError:
            pass
        try:
            if lies:
                await client.make("grab green", table.loop.now_ms() - 10_000, 2_000)
            else:
                await client.make("grab green")
        except Refused as refused:
            lost.append(refused.rule)

    await asyncio.gather(*(press(client) for client in clients))
    assert lost == ["bonus-taken"] * (len(clients) - 1)
    return winner(table)


def wins(tables: Any, races: int, spread: float, cheat: int | None, fast: int) -> list[int]:
    """How often each seat wins. Seat `fast` has the shortest way."""
    random, count = Random(7), [0, 0, 0, 0]
    for seed in range(races):
        rtts = [random.uniform(20, 150) for _ in range(4)]
        rtts[fast] = 20
        presses = [random.uniform(0, spread) for _ in range(4)]
        scene = partial(one_race, rtts=rtts, presses=presses, cheat=cheat)
        count[tables(scene, seed=seed)] += 1
    return count


@few_or_many("races", 20, 200)
@pytest.mark.parametrize("spread", [0, 300, 3_000], ids=["at once", "close", "apart"])
def test_a_cheat_wins_no_more_than_an_honest_player_in_its_place(
    tables: Any, races: int, spread: float
) -> None:
    """With the same presses, ways and lots, lying and listening changes nothing at all."""
    honest = wins(tables, races, spread, None, fast=2)
    cheating = wins(tables, races, spread, 2, fast=2)
    print(f"{races} races: wins by seat {cheating}, seat 2 cheats; {honest} if nobody does")
    assert cheating == honest


@few_or_many("races", 40, 200)
def test_simultaneous_presses_have_equal_chances(tables: Any, races: int) -> None:
    """On connections of 20 to 150 ms, a cheat among them."""
    count = wins(tables, races, 0, 2, fast=2)
    fair = races / 4
    print(f"{races} races at the same moment: wins by seat {count}, seat 2 cheats")
    assert sum(count) == races
    assert all(abs(each - fair) < 3 * (fair * 0.75) ** 0.5 for each in count), count


def test_the_clearly_first_press_wins(tables: Any) -> None:
    async def scene(table: Table) -> int | None:
        return await one_race(table, [150, 20, 20, 20], [0, 160, 170, 300], cheat=1)

    assert [tables(scene, seed=seed) for seed in range(10)] == [0] * 10


# --- at the table ---------------------------------------------------------------------------------


def test_a_held_move_is_decided_as_of_its_arrival(tables: Any) -> None:
    """Also if the time is up meanwhile: it was made before."""

    async def scene(table: Table) -> None:
        timer = table.actor.table.timer
        assert timer is not None
        (client, *_) = await joined(table, HONEST)
        left = timer.ends_at + 150 - actors.now_ms()
        await asyncio.sleep(left / 1000)
        with pytest.raises(Refused, match="time-is-up"):
            await client.make("grab green")
        assert winner(table) is None

    tables(scene)

    async def in_time(table: Table) -> None:
        timer = table.actor.table.timer
        assert timer is not None
        clients = await joined(table, (20, 20, 20, 20))
        await asyncio.sleep((timer.ends_at - 20 - actors.now_ms()) / 1000)
        await clients[0].make("grab green")
        entries = [entry for entry in table.actor.table.entries if entry["kind"] != "chance"]
        assert entries[-1]["kind"] == "action"
        await asyncio.sleep(1)
        kinds = [entry["kind"] for entry in table.actor.table.entries if entry["kind"] != "chance"]
        assert kinds[-2:] == ["action", "clock"]

    tables(in_time)


def test_while_a_move_is_held_its_seat_waits_and_the_same_command_gets_its_answer(
    tables: Any,
) -> None:
    async def scene(table: Table) -> None:
        clients = await joined(table, (2, 2, 2, 2))
        grab = c.Make(PEOPLE[0], "grab green")
        first = asyncio.create_task(table.actor.do(grab, "key-1"))
        await asyncio.sleep(0.01)
        with pytest.raises(Refused) as refused:
            await table.actor.do(c.Make(PEOPLE[0], "done"), "key-2")
        assert (refused.value.rule, refused.value.code) == ("claim-pending", Code.NOT_YOUR_TURN)
        again = asyncio.create_task(table.actor.do(grab, "key-1"))
        assert await first == await again == table.actor.number
        assert await table.actor.do(grab, "key-1") == table.actor.number
        assert clients

    tables(scene)


def test_the_loser_gets_a_refusal_and_is_not_locked(tables: Any) -> None:
    async def scene(table: Table) -> None:
        clients = await joined(table, (20, 20, 20, 20))
        answers = await asyncio.gather(
            clients[0].make("grab green"), clients[1].make("grab green"), return_exceptions=True
        )
        lost = [answer for answer in answers if isinstance(answer, Refused)]
        assert [answer.rule for answer in lost] == ["bonus-taken"]
        loser = answers.index(lost[0])
        await clients[loser].make("grab blue")
        assert table.actor.table.game_state.bonuses["blue"] == loser

    tables(scene)


def test_a_socket_that_closes_does_not_take_its_move_back(tables: Any) -> None:
    async def scene(table: Table) -> None:
        (client, *_) = await joined(table, HONEST)
        task = asyncio.create_task(client.make("grab green"))
        await asyncio.sleep(0.03)
        task.cancel()
        await asyncio.sleep(1)
        assert winner(table) == 0

    tables(scene)


def test_illegal_moves_and_other_moves_are_not_held(tables: Any) -> None:
    async def scene(table: Table) -> None:
        (client, *_) = await joined(table, (0, 0, 0, 0))
        began = table.loop.time()
        with pytest.raises(Refused, match="bad-move"):
            await client.make("grab pink")
        await client.make("done")
        assert table.loop.time() == began
        assert isinstance(table.driver.facts[-1], Entered)

    tables(scene)
