"""Questions that come at once are asked in few queries, and each gets its own answer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from tuilerie.store.batch_loader import MOST, BatchLoader
from tuilerie.store.errors import Unavailable


class Oracle:
    """Knows the squares of even numbers; counts how often it is asked."""

    def __init__(self) -> None:
        self.asked: list[Sequence[int]] = []
        self.trouble = False

    async def __call__(self, keys: Sequence[int]) -> Mapping[int, int]:
        self.asked.append(keys)
        await asyncio.sleep(0)
        if self.trouble:
            raise Unavailable("not now")
        return {key: key * key for key in keys if key % 2 == 0}


async def test_a_crowd_is_answered_in_few_queries() -> None:
    oracle = Oracle()
    ask = BatchLoader(oracle)
    count = 3 * MOST
    found = await asyncio.gather(*(ask(key) for key in range(count)))
    assert found == [key * key if key % 2 == 0 else None for key in range(count)]
    assert [len(keys) for keys in oracle.asked] == [MOST, MOST, MOST]


async def test_two_who_ask_the_same_share_the_answer_and_later_ones_ask_anew() -> None:
    oracle = Oracle()
    ask = BatchLoader(oracle)
    first, second = await asyncio.gather(ask(4), ask(4))
    assert (first, second) == (16, 16)
    assert await ask(4) == 16
    assert oracle.asked == [[4], [4]]


async def test_who_asks_while_an_answer_is_on_its_way_is_in_the_next_query() -> None:
    oracle = Oracle()
    ask = BatchLoader(oracle)
    first = asyncio.create_task(ask(2))
    while not oracle.asked:
        await asyncio.sleep(0)
    assert await ask(2) == 4
    assert await first == 4
    assert oracle.asked == [[2], [2]], "what is asked later sees what was written meanwhile"


async def test_trouble_is_told_to_all_who_wait_and_ends_with_them() -> None:
    oracle = Oracle()
    ask = BatchLoader(oracle)
    oracle.trouble = True
    found = await asyncio.gather(ask(1), ask(2), return_exceptions=True)
    assert [str(error) for error in found] == ["not now", "not now"]
    assert found[0] is not found[1]
    oracle.trouble = False
    assert await ask(2) == 4


async def test_who_gives_up_takes_nobody_along() -> None:
    oracle = Oracle()
    ask = BatchLoader(oracle)
    impatient, patient = asyncio.create_task(ask(2)), asyncio.create_task(ask(2))
    await asyncio.sleep(0)
    impatient.cancel()
    with pytest.raises(asyncio.CancelledError):
        await impatient
    assert await patient == 4


async def test_where_there_is_trouble_nobody_waits_for_it_in_turn() -> None:
    oracle = Oracle()
    ask = BatchLoader(oracle)
    oracle.trouble = True
    found = await asyncio.gather(*(ask(key) for key in range(3 * MOST)), return_exceptions=True)
    assert {str(error) for error in found} == {"not now"}
    assert len(oracle.asked) == 1


async def test_after_the_end_nothing_is_asked_and_who_waits_is_told() -> None:
    oracle = Oracle()
    ask = BatchLoader(oracle)
    waiting = [asyncio.create_task(ask(key)) for key in range(2 * MOST)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert len(oracle.asked) == 1
    await ask.close()
    await ask.close()
    found = await asyncio.gather(*waiting, return_exceptions=True)
    assert {str(error) for error in found} == {"the store is closed"}
    with pytest.raises(Unavailable):
        await ask(1)
    assert len(oracle.asked) == 1


async def test_the_end_may_come_before_anything_was_asked() -> None:
    oracle = Oracle()
    ask = BatchLoader(oracle)
    waiting = asyncio.create_task(ask(2))
    await asyncio.sleep(0)  # it waits, and the query is to begin in the next turn of the loop
    assert not oracle.asked
    await ask.close()
    with pytest.raises(Unavailable):
        await waiting
    assert not oracle.asked
