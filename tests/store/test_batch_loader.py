"""Batch loader: concurrent lookups share queries, and each gets its own answer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from tuilerie.store.batch_loader import MOST, BatchLoader
from tuilerie.store.errors import Unavailable


class FakeQuery:
    """Returns the squares of even numbers and records its queries."""

    def __init__(self) -> None:
        self.asked: list[Sequence[int]] = []
        self.trouble = False

    async def __call__(self, keys: Sequence[int]) -> Mapping[int, int]:
        self.asked.append(keys)
        await asyncio.sleep(0)
        if self.trouble:
            raise Unavailable("not now")
        return {key: key * key for key in keys if key % 2 == 0}


async def test_concurrent_lookups_share_few_queries() -> None:
    query = FakeQuery()
    ask = BatchLoader(query)
    count = 3 * MOST
    found = await asyncio.gather(*(ask(key) for key in range(count)))
    assert found == [key * key if key % 2 == 0 else None for key in range(count)]
    assert [len(keys) for keys in query.asked] == [MOST, MOST, MOST]


async def test_equal_keys_share_a_query_but_answers_are_not_cached() -> None:
    query = FakeQuery()
    ask = BatchLoader(query)
    first, second = await asyncio.gather(ask(4), ask(4))
    assert (first, second) == (16, 16)
    assert await ask(4) == 16
    assert query.asked == [[4], [4]]


async def test_lookup_during_a_query_joins_the_next_one() -> None:
    query = FakeQuery()
    ask = BatchLoader(query)
    first = asyncio.create_task(ask(2))
    while not query.asked:
        await asyncio.sleep(0)
    assert await ask(2) == 4
    assert await first == 4
    assert query.asked == [[2], [2]], "a later lookup sees later writes"


async def test_error_fails_all_waiting_lookups_only() -> None:
    query = FakeQuery()
    ask = BatchLoader(query)
    query.trouble = True
    found = await asyncio.gather(ask(1), ask(2), return_exceptions=True)
    assert [str(error) for error in found] == ["not now", "not now"]
    assert found[0] is not found[1]
    query.trouble = False
    assert await ask(2) == 4


async def test_cancelled_lookup_does_not_cancel_others() -> None:
    query = FakeQuery()
    ask = BatchLoader(query)
    impatient, patient = asyncio.create_task(ask(2)), asyncio.create_task(ask(2))
    await asyncio.sleep(0)
    impatient.cancel()
    with pytest.raises(asyncio.CancelledError):
        await impatient
    assert await patient == 4


async def test_pending_lookups_fail_with_the_running_query() -> None:
    query = FakeQuery()
    ask = BatchLoader(query)
    query.trouble = True
    found = await asyncio.gather(*(ask(key) for key in range(3 * MOST)), return_exceptions=True)
    assert {str(error) for error in found} == {"not now"}
    assert len(query.asked) == 1


async def test_close_fails_pending_and_later_lookups() -> None:
    query = FakeQuery()
    ask = BatchLoader(query)
    waiting = [asyncio.create_task(ask(key)) for key in range(2 * MOST)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert len(query.asked) == 1
    await ask.close()
    await ask.close()
    found = await asyncio.gather(*waiting, return_exceptions=True)
    assert {str(error) for error in found} == {"the store is closed"}
    with pytest.raises(Unavailable):
        await ask(1)
    assert len(query.asked) == 1


async def test_close_before_the_first_query() -> None:
    query = FakeQuery()
    ask = BatchLoader(query)
    waiting = asyncio.create_task(ask(2))
    await asyncio.sleep(0)  # the query starts in the next iteration of the loop
    assert not query.asked
    await ask.close()
    with pytest.raises(Unavailable):
        await waiting
    assert not query.asked
