"""Batches appends to PostgreSQL: many in one statement, on one connection."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import asyncpg  # type: ignore[import-untyped]

from tuilerie.store.database import PostgresUrl, connect_postgres
from tuilerie.store.errors import NoSuchTable, Unavailable, is_connection_lost, map_postgres_error
from tuilerie.store.log import Appended, Conflict
from tuilerie.store.retry import Backoff, unreachable
from tuilerie.store.rows import HEAD, Append, Lookup, now_ms

BATCH = 500
"""Maximum number of appends per statement."""

Answer = Appended | Conflict

_APPEND = f"""
    WITH asked AS (
        SELECT tables.id, slug, after, place, body, command, span, {HEAD} AS head
        FROM unnest($1::text[], $2::int[], $3::int[], $4::bytea[], $5::text[], $6::int[])
        AS asked(slug, after, place, body, command, span) JOIN tables USING (slug)
    ), first AS (
        INSERT INTO facts (table_id, number, at, body, command, span)
        SELECT id, after + 1, $7, body, command, span FROM asked WHERE place = 1 AND after = head
        ORDER BY id
        ON CONFLICT DO NOTHING
        RETURNING table_id AS id
    ), rest AS (
        INSERT INTO facts (table_id, number, at, body)
        SELECT id, after + place, $7, body FROM asked JOIN first USING (id) WHERE place > 1
    )
    SELECT slug FROM asked JOIN first USING (id) WHERE place = 1"""
"""Inserts the first fact of each append if its number is the next one and no concurrent writer
inserts it (otherwise the append is skipped), then the other facts of those appends. These cannot
conflict: a writer of a later fact must have seen the first. Ordered by table, so that nodes never
deadlock. An append with a known command key is skipped, too."""

_LOST = f"""
    SELECT asked.place, {HEAD}, known.number, known.span,
        ARRAY(SELECT body FROM facts WHERE table_id = tables.id AND number > asked.after
            ORDER BY number LIMIT asked.many)
    FROM unnest($1::int[], $2::text[], $3::text[], $4::int[], $5::int[])
        AS asked(place, slug, command, after, many)
    JOIN tables USING (slug)
    LEFT JOIN facts AS known ON known.table_id = tables.id AND known.command = asked.command"""
"""For lookups and skipped appends: the head, the facts of their key, and (if `many` > 0) the facts
at their position."""


@dataclass(slots=True, eq=False)
class _Waiting:
    """An append or a lookup, with the future of its answer."""

    job: Append | Lookup
    future: asyncio.Future[Answer]
    in_doubt: bool = False  # an earlier attempt may have been committed


class Batches:
    """Collects appends and runs them in batches on one connection."""

    def __init__(self, database: PostgresUrl, patience: float) -> None:
        self._database = database
        self._patience = patience
        self._connection: Any = None
        self._waiting: deque[_Waiting] = deque()
        self._wake = asyncio.Event()
        self._closed = False
        self._task = asyncio.create_task(self._run(), name="store-writer")

    async def add(self, append: Append) -> Answer:
        """Append, and return the answer once it is durable."""
        return await self._ask(append)

    async def find(self, lookup: Lookup) -> Appended | None:
        """Return what was appended with a key, after all earlier appends."""
        answer = await self._ask(lookup)
        return answer if isinstance(answer, Appended) else None

    async def _ask(self, job: Append | Lookup) -> Answer:
        if self._closed:
            raise Unavailable("the store is closed")
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(job, future))
        self._wake.set()
        return await future

    async def close(self) -> None:
        """Finish all pending appends."""
        self._closed = True
        self._wake.set()
        await self._task
        self._let_go()

    async def _run(self) -> None:
        while self._waiting or not self._closed:
            if not self._waiting:
                self._wake.clear()
                await self._wake.wait()
                continue
            batch = self._gather()
            try:
                await self._settle(batch)
            except Exception:
                # A bug in one of them must not fail the others.
                for each in batch:
                    await self._settle_alone(each)

    async def _settle_alone(self, each: _Waiting) -> None:
        try:
            await self._settle([each])
        except Exception as error:
            _fail([each], error)

    def _gather(self) -> list[_Waiting]:
        """Return the next appends, at most one per table: of two, only one could succeed."""
        batch: dict[str, _Waiting] = {}
        later: deque[_Waiting] = deque()
        while self._waiting and len(batch) < BATCH:
            each = self._waiting.popleft()
            if each.job.table in batch:
                later.append(each)
            else:
                batch[each.job.table] = each
        self._waiting.extendleft(reversed(later))
        return sorted(batch.values(), key=lambda each: each.job.table)

    async def _settle(self, batch: list[_Waiting]) -> None:
        """Answer a whole batch, retrying while the connection is lost."""
        patience = Backoff(self._patience)
        while batch := [each for each in batch if not each.future.done()]:
            try:
                await self._attempt(batch)
                continue
            except (asyncpg.DeadlockDetectedError, asyncpg.SerializationError):
                pass  # rolled back: nothing was done
            except Exception as error:
                if is_connection_lost(error):
                    self._let_go()
                elif known := map_postgres_error(error):
                    _fail(batch, known)
                else:
                    raise
            if not await patience.wait():
                for each in batch:
                    _fail([each], unreachable(each.in_doubt))

    async def _attempt(self, batch: list[_Waiting]) -> None:
        """Run the batch once and answer it."""
        if self._connection is None or self._connection.is_closed():
            self._connection = await connect_postgres(self._database)
            # Force the index: the planner's statistics may date from a small database.
            await self._connection.execute("SET enable_seqscan = off")
        connection = self._connection
        try:
            rows = await connection.fetch(_APPEND, *_columns(batch), now_ms())
        except Exception as error:
            if is_connection_lost(error):
                for each in batch:
                    each.in_doubt = isinstance(each.job, Append)
            raise
        added = {row[0] for row in rows}
        for each in batch:
            if each.job.table in added and isinstance(each.job, Append):
                _answer(each, _appended(each.job))
        if lost := [each for each in batch if each.job.table not in added]:
            await _answer_lost(connection, lost)

    def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(Exception):
                connection.terminate()


def _columns(batch: Sequence[_Waiting]) -> list[list[Any]]:
    """Return the facts of all appends as columns: table, after, position, body, command, span."""
    columns: list[list[Any]] = [[], [], [], [], [], []]
    for append in (each.job for each in batch if isinstance(each.job, Append)):
        for place, body in enumerate(append.facts, 1):
            first = place == 1
            row = (append.table, append.after, place, body)
            last = (append.command, len(append.facts)) if first else (None, None)
            for column, value in zip(columns, (*row, *last), strict=True):
                column.append(value)
    return columns


async def _answer_lost(connection: Any, lost: Sequence[_Waiting]) -> None:
    """Answer lookups and skipped appends: repeated or conflicting ones."""
    rows = await connection.fetch(
        _LOST,
        list(range(len(lost))),
        [each.job.table for each in lost],
        [each.job.command for each in lost],
        [each.job.after if isinstance(each.job, Append) else 0 for each in lost],
        [
            len(each.job.facts) if each.in_doubt and isinstance(each.job, Append) else 0
            for each in lost
        ],
    )
    found = {row[0]: row for row in rows}
    for place, each in enumerate(lost):
        if place not in found:
            _fail([each], NoSuchTable(each.job.table))
            continue
        _, head, number, span, bodies = found[place]
        job = each.job
        if each.in_doubt and isinstance(job, Append) and bodies == list(job.facts):
            # The attempt in doubt had been committed.
            _answer(each, _appended(job))
        elif number is not None:
            _answer(each, Appended(number, number + span - 1, repeated=True))
        else:
            _answer(each, Conflict(head))


def _appended(append: Append) -> Appended:
    return Appended(append.after + 1, append.after + len(append.facts))


def _answer(each: _Waiting, answer: Answer) -> None:
    if not each.future.done():
        each.future.set_result(answer)


def _fail(batch: Sequence[_Waiting], error: Exception) -> None:
    for each in batch:
        if not each.future.done():
            alone = len(batch) == 1
            each.future.set_exception(error if alone else type(error)(*error.args))
