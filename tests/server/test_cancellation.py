"""Tasks that swallow a cancellation end as well."""

from __future__ import annotations

import asyncio

from tuilerie.server.cancellation import cancel_and_wait


async def test_a_task_that_swallows_cancellation_is_cancelled_again() -> None:
    swallowed = 0

    async def deaf() -> None:
        nonlocal swallowed
        while swallowed < 2:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                swallowed += 1
        await asyncio.Event().wait()

    task = asyncio.create_task(deaf())
    await asyncio.sleep(0)
    await cancel_and_wait(task, again=0.01)
    assert task.cancelled()
    assert swallowed == 2


async def test_exceptions_of_cancelled_tasks_are_ignored() -> None:
    async def broken() -> None:
        raise ValueError

    async def stubborn() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            raise KeyError

    tasks = [asyncio.create_task(each()) for each in (broken, stubborn)]
    await asyncio.sleep(0)
    await cancel_and_wait(*tasks)
    assert all(task.done() for task in tasks)
    await cancel_and_wait()
