"""The short way in: what a socket sends is read in order, and waited for by one task."""

from __future__ import annotations

import asyncio

import pytest

from tuilerie.server.lines import Inbox


async def test_messages_are_read_in_the_order_in_which_they_came() -> None:
    inbox = Inbox()
    for number in range(3):
        inbox.put_nowait(number)
    assert not inbox.empty()
    assert [await inbox.get() for _ in range(3)] == [0, 1, 2]
    assert inbox.empty()


async def test_who_waits_is_woken_once_for_several() -> None:
    inbox = Inbox()
    reader = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    inbox.put_nowait("first")
    inbox.put_nowait("second")
    assert await reader == "first"
    assert await inbox.get() == "second"


async def test_a_reader_that_gives_up_loses_nothing() -> None:
    """So it is when nobody says hello in time."""
    inbox = Inbox()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await inbox.get()
    inbox.put_nowait("late")
    assert await inbox.get() == "late"
    reader = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    inbox.put_nowait("just")
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader
    assert await inbox.get() == "just"
