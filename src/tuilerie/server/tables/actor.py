"""Actor of one live table: caches the table's log and runs its commands one after the other.

`decide → append → evolve → deliver`. The local number grows only by applying facts in order: after
a lost race, a gap or a hint from the bus the missing facts are read from the log, applied and
delivered like any others, and the command is judged anew.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from random import SystemRandom
from typing import Any, NamedTuple

import msgspec
import structlog

from tuilerie.games.game import Refused, Seat
from tuilerie.match import commands, facts
from tuilerie.match.batch import Stage
from tuilerie.match.codec import BadFact
from tuilerie.match.decide import stages
from tuilerie.match.evolve import evolve
from tuilerie.match.facts import Fact
from tuilerie.match.table import Table
from tuilerie.match.ticks import next_tick
from tuilerie.server.ops import metrics
from tuilerie.server.ops.limits import APPEND_TRIES, RECENT_CHANGES, RESUME_EVENTS
from tuilerie.store.errors import Damaged, Unavailable, Unknown
from tuilerie.store.log import Conflict, Log

ANSWERS_KEPT = 512

POOL_BYTES = 512
"""How many random bytes are asked for at a time."""


class PooledRandom(SystemRandom):
    """The system's randomness, asked for many bytes at a time: each call lets go of the interpreter
    lock, and the event loop would have to wait until it has it again."""

    def __init__(self) -> None:
        super().__init__()
        self._pool = b""

    def getrandbits(self, k: int) -> int:
        """So many random bits; none is given out twice."""
        size = (k + 7) // 8
        if len(self._pool) < size:
            self._pool = os.urandom(max(size, POOL_BYTES))
        taken, self._pool = self._pool[:size], self._pool[size:]
        return int.from_bytes(taken, "big") >> (size * 8 - k)


pick = PooledRandom().randrange

log: Any = structlog.get_logger("tuilerie.actor")

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


def now_ms() -> int:
    """The server's clock."""
    return time.time_ns() // 1_000_000


def write_fact(fact: Fact) -> bytes:
    """A fact as the log keeps it: `facts.to_json`, in JSON."""
    if isinstance(fact, facts.Opened):  # it has parts with kinds of their own
        return _encode(facts.to_json(fact))
    return _head(fact.kind) + _encode(fact)[1:]


@cache
def _head(kind: str) -> bytes:
    return b'{"v":%d,"kind":"%b",' % (facts.VERSION, kind.encode())


def read_fact(data: bytes) -> Fact:
    """The fact of these bytes."""
    return facts.from_json(_decode(data))


class UnknownRules(Damaged):
    """A table that was begun by a version of the rules that this program does not know."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(str(refused))
        self.refused = refused


def follow(table: Table | None, data: bytes) -> tuple[Fact, Table]:
    """A fact of the log, and the table after it. Raises `Damaged` if it cannot be followed."""
    try:
        fact = read_fact(data)
        return fact, evolve(table, fact)
    except (Refused, BadFact, msgspec.DecodeError) as error:
        if isinstance(error, Refused) and error.rule == "unknown-rules":
            raise UnknownRules(error) from error
        raise Damaged(f"a log that today's rules cannot follow: {error}") from error


class Busy(Exception):
    """The store cannot take it now. Nothing was changed, as far as anybody can tell."""


class Change(NamedTuple):
    """One fact, with the table before and after it."""

    number: int
    fact: Fact
    before: Table
    after: Table


Changed = Callable[["TableActor", Sequence[Change]], None]
"""Told of every change, in order, once."""


class TableActor:
    """One live table. All that changes it goes through `do`."""

    def __init__(
        self, slug: str, store: Log, changed: Changed, appended: Callable[[int], None]
    ) -> None:
        self.slug = slug
        self._store = store
        self._changed = changed
        self.appended = appended  # told of the new head, when we made it
        self._table: Table | None = None
        self.number = 0
        self.recent: deque[Change] = deque(maxlen=RECENT_CHANGES)
        self._lock = asyncio.Lock()
        self._answers: OrderedDict[str, int | Refused] = OrderedDict()
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        self.used = time.monotonic()

    @property
    def table(self) -> Table:
        """The table as it stands."""
        assert self._table is not None, "load it first"
        return self._table

    @property
    def busy(self) -> bool:
        """Whether a command is under way."""
        return self._lock.locked()

    async def reload(self) -> list[Change]:
        """Read the whole log anew: names in it were erased. Nobody is told of old facts again."""
        async with self._lock:
            changes = await self._replayed(0)
            known = [change for change in changes if change.number <= self.number]
            self._table = known[-1].after if known else self._table
            self.recent.clear()
            self.recent.extend(known)
            if new := [Stage(change.fact, change.after) for change in changes[len(known) :]]:
                self._apply(new)
        return changes

    async def load(self) -> bool:
        """Read the whole log; false if there is no such table."""
        async with self._lock:
            await self._catch_up()
        return self._table is not None

    def close(self) -> None:
        """Forget the timers; the log stays."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for task in self._tasks:
            task.cancel()

    # --- commands ---------------------------------------------------------------------------------

    async def do(self, command: commands.Command, key: str | None = None) -> int:
        """Carry out a command, or raise `Refused` or `Busy`; answers with the last fact's number.

        `key` is unique for the person and the command: what was answered once is answered again.
        """
        self.used = time.monotonic()
        async with self._lock:
            if key is not None and key in self._answers:
                return self._first_answer(key)
            try:
                number = await self._decide_and_append(command, key)
            except Unavailable as error:
                log.warning("store-unavailable", why=str(error))
                raise Busy from error
            except Refused as refused:
                known = await self._number_of(key)
                if known is None:
                    self._remember(key, refused)
                    raise
                number = known
            self._remember(key, number)
            return number

    async def _decide_and_append(self, command: commands.Command, key: str | None) -> int:
        for _ in range(APPEND_TRIES):
            decided = stages(self.table, command, now_ms(), pick)
            if not decided:
                return self.number
            began = time.perf_counter()
            try:
                data = [write_fact(stage.fact) for stage in decided]
                answer = await self._store.append(self.slug, self.number, data, key)
            except Unknown:
                await self._catch_up()  # it tells whether they were written
                continue
            if isinstance(answer, Conflict):
                metrics.CONFLICTS.inc()
                await self._catch_up()
                continue
            if answer.repeated:
                await self._catch_up()
                return answer.last
            metrics.APPEND.observe(time.perf_counter() - began)
            for stage in decided:
                metrics.FACTS.add(stage.fact.kind)
            self._apply(decided)
            self.appended(answer.last)
            return answer.last
        raise Busy

    async def _number_of(self, key: str | None) -> int | None:
        """The number with which a command was done before this node knew the table, if it was."""
        if key is None:
            return None
        try:
            found = await self._store.find_by_key(self.slug, key)
        except Unavailable as error:
            raise Busy from error
        if found is None:
            return None
        await self._catch_up()
        return found.last

    def _first_answer(self, key: str) -> int:
        answer = self._answers[key]
        if isinstance(answer, Refused):
            raise answer
        return answer

    def _remember(self, key: str | None, answer: int | Refused) -> None:
        if key is None:
            return
        self._answers[key] = answer
        if len(self._answers) > ANSWERS_KEPT:
            self._answers.popitem(last=False)

    # --- facts ------------------------------------------------------------------------------------

    async def catch_up(self, head: int | None = None) -> int:
        """Read and apply what the log has more than we; tells how many facts that was."""
        if head is not None and head <= self.number:
            return 0
        async with self._lock:
            before = self.number
            await self._catch_up()
            return self.number - before

    async def _catch_up(self) -> None:
        found = await self._store.read(self.slug, after=self.number)
        table, read = self._table, []
        for _number, data in found:
            fact, table = follow(table, data)
            read.append(Stage(fact, table))
        if read:
            self._apply(read)

    def _apply(self, happened: Iterable[Stage]) -> None:
        """Advance by these facts, and tell of them."""
        changes = []
        for fact, after in happened:
            before, self._table = self._table, after
            self.number = after.number
            if before is not None:
                changes.append(Change(after.number, fact, before, after))
        self.recent.extend(changes)
        self._set_timer()
        self._changed(self, changes)

    def since(self, number: int) -> list[Change] | None:
        """The changes after this number, or `None` if they are too long ago."""
        missing = self.number - number
        if missing < 0 or missing > len(self.recent):
            return None
        return list(self.recent)[len(self.recent) - missing :]

    async def history(self, number: int) -> list[Change] | None:
        """The changes after this number, read from the log if need be; `None`: too many."""
        missing = self.number - number
        if number < 1 or not 0 <= missing <= RESUME_EVENTS:
            return None
        found = self.since(number)
        if found is None:
            found = await self._replayed(number)
            # What has happened meanwhile is fresh, and nothing is waited for any more.
            meanwhile = self.since(found[-1].number)
            return None if meanwhile is None else found + meanwhile
        return found

    async def _replayed(self, number: int) -> list[Change]:
        table: Table | None = None
        changes = []
        for _number, data in await self._store.read(self.slug):
            before = table
            fact, table = follow(table, data)
            if before is not None and table.number > number:
                changes.append(Change(table.number, fact, before, table))
        return changes

    # --- time -------------------------------------------------------------------------------------

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = next_tick(self.table)
        if due is None or self._closed:
            return
        delay = max(0, due - now_ms()) / 1000
        self._timer = asyncio.get_running_loop().call_later(delay, self._start_tick)

    def _start_tick(self) -> None:
        self._timer = None
        self.spawn(self._tick())

    async def _tick(self) -> None:
        before = self.number
        try:
            await self.do(commands.Tick())
        except (Refused, Busy):
            await asyncio.sleep(1)
        except Exception as error:  # a fault of ours must not leave a game standing still
            log.error("tick-fault", exc_info=error)
            await asyncio.sleep(5)
        if self.number == before and self._timer is None:
            await asyncio.sleep(0.05)  # a clock may be a little early; never spin
            self._set_timer()

    def spawn(self, work: Any) -> None:
        """Do something that belongs to this table beside everything else."""
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_done)

    def _task_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("task-failed", exc_info=error)

    def seat_of(self, player: str | None) -> Seat | None:
        """The seat of a person, `None` for a spectator."""
        return None if player is None else self.table.seat_of(player)
