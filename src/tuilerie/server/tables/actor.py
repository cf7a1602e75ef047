"""Actor of one live table: holds its current state and runs its commands one after the other.

`decide → append → evolve → deliver`. `number` grows only by applying facts in order: after a lost
append race, a gap or a hint from the bus the missing facts are read from the log, applied and
delivered like any others, and the command is decided again.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence
from random import SystemRandom
from typing import Any, NamedTuple

import structlog

from tuilerie.games.game import Code, Refused, Seat
from tuilerie.match import commands, race
from tuilerie.match.batch import Applied
from tuilerie.match.decide import decide
from tuilerie.match.facts import Fact
from tuilerie.match.table import Table
from tuilerie.match.ticks import next_tick
from tuilerie.server.ops import metrics
from tuilerie.server.ops.limits import APPEND_TRIES, HISTORY_SECONDS, RECENT_TRANSITIONS
from tuilerie.server.tables.log_codec import follow_all, write_fact
from tuilerie.store.errors import Unavailable, Unknown
from tuilerie.store.log import Conflict, Log

ANSWERS_KEPT = 512

pick = SystemRandom().randrange

log: Any = structlog.get_logger("tuilerie.actor")


def now_ms() -> int:
    """The server's clock."""
    return time.time_ns() // 1_000_000


class Busy(Exception):
    """The store did not take the command's facts; they may have been written all the same."""


class Transition(NamedTuple):
    """One fact, with the table before and after it."""

    number: int
    fact: Fact
    before: Table
    after: Table


class _HeldMove(NamedTuple):
    """A racing move that is not decided yet."""

    seat: Seat
    command: commands.Make | commands.BotMoved
    key: str | None
    arrived: int
    answer: asyncio.Future[int]


Listener = Callable[[Sequence[Transition], bool], None]
"""Called with all transitions, in order, once each; and whether this node made them."""


class TableActor:
    """One live table. Everything that changes it goes through `do`. It does not know its
    subscribers: the room, the bot driver and the registry."""

    def __init__(self, slug: str, store: Log, outages: Sequence[tuple[int, int]] = ()) -> None:
        self.slug = slug
        self._store = store
        self._outages = tuple(outages)
        self._listeners: list[Listener] = []
        self._reading: asyncio.Task[list[Transition]] | None = None
        self._table: Table | None = None
        self.number = 0
        self.recent: deque[Transition] = deque(maxlen=RECENT_TRANSITIONS)
        self._past: list[Transition] | None = None  # short-lived cache of the whole log
        self._forget: asyncio.TimerHandle | None = None
        self._reloads = 0
        self._lock = asyncio.Lock()
        self._answers: OrderedDict[str, int | Refused] = OrderedDict()
        self._timer: asyncio.TimerHandle | None = None
        self._race: list[_HeldMove] = []
        self._race_timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        self.used = time.monotonic()

    @property
    def table(self) -> Table:
        """The table as it stands."""
        assert self._table is not None, "not loaded"
        return self._table

    @property
    def busy(self) -> bool:
        """Whether a command is under way."""
        return self._lock.locked()

    async def reload(self) -> list[Transition]:
        """Read the whole log again, because names in it were erased. Facts that were delivered
        before are not delivered again."""
        async with self._lock:
            self._reloads += 1  # a read that is under way may still hold the names
            transitions = await self.replay()
            self._forget_past()
            known = [each for each in transitions if each.number <= self.number]
            self._table = known[-1].after if known else self._table
            self.recent.clear()
            self.recent.extend(known)
            if new := [Applied(each.fact, each.after) for each in transitions[len(known) :]]:
                self._apply(new)
        return transitions

    async def load(self) -> bool:
        """Read the whole log. Returns false if there is no such table."""
        async with self._lock:
            self._keep_past(await self._catch_up())  # the clients for whom it is loaded need it
            if self._table is not None and any(end > self._table.at for _, end in self._outages):
                await self._decide_and_append(commands.GiveBack(self._outages))
        return self._table is not None

    def close(self) -> None:
        """Cancel timers and tasks."""
        self._closed = True
        self._listeners.clear()
        self._forget_past()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._race_timer is not None:
            self._race_timer.cancel()
        for held in self._race:
            held.answer.cancel()
        for task in self._tasks:
            task.cancel()

    # --- commands ---------------------------------------------------------------------------------

    async def do(self, command: commands.Command, key: str | None = None) -> int:
        """Carry out a command and return the number of its last fact. Raises `Refused` or `Busy`.

        `key` is the idempotency key, unique per player and command: a repeated command gets the
        first answer again.
        """
        self.used = time.monotonic()
        async with self._lock:
            if key is not None and key in self._answers:
                return self._first_answer(key)
            held = await self._hold(command, key)
            if held is None:
                return await self._carry_out(command, key)
        return await asyncio.shield(held.answer)

    async def _carry_out(
        self, command: commands.Command, key: str | None, arrived: int | None = None
    ) -> int:
        try:
            number = await self._decide_and_append(command, key, arrived)
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

    # --- races ------------------------------------------------------------------------------------

    async def _hold(self, command: commands.Command, key: str | None) -> _HeldMove | None:
        """Keep a racing move until the race is decided; `None`: it is no such move. A race is
        decided before anything else that is due, as its moves were made before."""
        now = now_ms()
        if self._race and (next_tick(self.table) or now + 1) <= now:
            await self._decide_race()
        if not self.table.rules.card.simultaneous:
            return None
        seat = race.mover(self.table, command)
        if seat is None or not isinstance(command, (commands.Make, commands.BotMoved)):
            return None
        for held in self._race:
            if held.seat == seat and key is not None and held.key == key:
                return held  # a retry
            if held.seat == seat:
                raise Refused(Code.NOT_YOUR_TURN, "claim-pending")
        if not race.is_racing(self.table, command, seat):
            return None
        loop = asyncio.get_running_loop()
        if not self._race:
            self._race_timer = loop.call_later(race.HOLD / 1000, self._end_race)
        held = _HeldMove(seat, command, key, now, loop.create_future())
        self._race.append(held)
        return held

    def _end_race(self) -> None:
        self.spawn(self._decide_race_soon())

    async def _decide_race_soon(self) -> None:
        async with self._lock:
            await self._decide_race()

    async def _decide_race(self) -> None:
        """Carry out the moves that were held, as of when they arrived."""
        moves, self._race = self._race, []
        if self._race_timer is not None:
            self._race_timer.cancel()
            self._race_timer = None
        try:
            for held in race.drawn(moves, pick):
                try:
                    number = await self._carry_out(held.command, held.key, held.arrived)
                except Exception as error:  # raised to its caller
                    held.answer.set_exception(error)
                    held.answer.exception()  # mark as retrieved: the caller may be gone
                else:
                    held.answer.set_result(number)
        finally:
            for held in moves:
                if not held.answer.done():
                    held.answer.set_exception(Busy())
                    held.answer.exception()

    async def _decide_and_append(
        self, command: commands.Command, key: str | None = None, arrived: int | None = None
    ) -> int:
        for _ in range(APPEND_TRIES):
            at = now_ms() if arrived is None else arrived
            decided = decide(self.table, command, at, pick)
            if not decided:
                return self.number
            began = time.perf_counter()
            try:
                data = [write_fact(each.fact) for each in decided]
                answer = await self._store.append(self.slug, self.number, data, key)
            except Unknown:
                await self._catch_up()  # the log shows whether they were written
                continue
            if isinstance(answer, Conflict):
                metrics.CONFLICTS.inc()
                await self._catch_up()
                continue
            if answer.repeated:
                await self._catch_up()
                return answer.last
            metrics.APPEND.observe(time.perf_counter() - began)
            for each in decided:
                metrics.FACTS.labels(each.fact.kind).inc()
            self._apply(decided, ours=True)
            return answer.last
        raise Busy

    async def _number_of(self, key: str | None) -> int | None:
        """The number of the last fact of a command that was done earlier, perhaps by another node;
        `None` if it was not."""
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
        """Read and apply the facts that are missing here. Returns how many there were."""
        if head is not None and head <= self.number:
            return 0
        async with self._lock:
            before = self.number
            await self._catch_up()
            return self.number - before

    async def _catch_up(self) -> list[Transition]:
        found = await self._store.read(self.slug, after=self.number)
        read = await follow_all(self._table, [data for _number, data in found])
        return self._apply(read) if read else []

    def subscribe(self, listener: Listener) -> None:
        """Call this with every transition from now on."""
        self._listeners.append(listener)

    def _apply(self, happened: Iterable[Applied], *, ours: bool = False) -> list[Transition]:
        """Advance by these facts, and notify the listeners."""
        transitions = []
        for fact, after in happened:
            before, self._table = self._table, after
            self.number = after.number
            if before is not None:
                transitions.append(Transition(after.number, fact, before, after))
        self.recent.extend(transitions)
        self._set_timer()
        for listener in tuple(self._listeners):
            try:
                listener(transitions, ours)
            except Exception as error:  # the facts are in the log: notify the other listeners
                log.error("listener-fault", exc_info=error)
        return transitions

    def since(self, number: int) -> list[Transition] | None:
        """The transitions after this number, or `None` if they are too long ago."""
        missing = self.number - number
        if missing < 0 or missing > len(self.recent):
            return None
        return list(self.recent)[len(self.recent) - missing :]

    async def history(self, number: int) -> list[Transition]:
        """The transitions after this number up to `self.number`, read from the log if necessary.
        No `await` follows the last of them: the caller gets the newest."""
        found = self.since(max(number, 1))  # the first fact makes the table: it is not a transition
        while found is None:
            past = self._past or await self._shared_reading()
            # The log may hold facts that are not applied here yet; those are delivered later.
            read = [each for each in past if each.number <= self.number]
            meanwhile = self.since(read[-1].number if read else 1)
            if meanwhile is None:  # more happened than `recent` holds: read again
                self._forget_past()
            else:
                found = [each for each in (*read, *meanwhile) if each.number > number]
        return found

    async def _shared_reading(self) -> list[Transition]:
        """`_read_past`, once for all that ask at the same time."""
        if self._reading is None:
            self._reading = asyncio.get_running_loop().create_task(self._read_past())
        reading = self._reading
        try:
            return await asyncio.shield(reading)
        finally:
            if self._reading is reading and reading.done():
                self._reading = None

    async def _read_past(self) -> list[Transition]:
        """All transitions of the log, cached for a moment."""
        while True:
            reloads = self._reloads
            past = await self.replay()
            if reloads == self._reloads:  # else it may hold names that were erased
                break
        self._keep_past(past)
        return past

    def _keep_past(self, past: list[Transition]) -> None:
        self._forget_past()
        if not self._closed:
            self._past = past
            loop = asyncio.get_running_loop()
            self._forget = loop.call_later(HISTORY_SECONDS, self._forget_past)

    def _forget_past(self) -> None:
        self._past = None
        if self._forget is not None:
            self._forget.cancel()
            self._forget = None

    async def replay(self) -> list[Transition]:
        """All transitions of the log."""
        found = await self._store.read(self.slug)
        read = await follow_all(None, [data for _number, data in found])
        return [
            Transition(after.number, fact, before, after)
            for (_, before), (fact, after) in itertools.pairwise(read)
        ]

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
        except Exception as error:  # an internal error must not block the game
            log.error("tick-fault", exc_info=error)
            await asyncio.sleep(5)
        if self.number == before and self._timer is None:
            await asyncio.sleep(0.05)  # timers may fire a little early; do not spin
            self._set_timer()

    def spawn(self, work: Any) -> None:
        """Run a background task of this table; `close` cancels it."""
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_done)

    def _task_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("task-failed", exc_info=error)

    def seat_of(self, player: str | None) -> Seat | None:
        """The seat of a player, `None` for a spectator."""
        return None if player is None else self.table.seat_of(player)
