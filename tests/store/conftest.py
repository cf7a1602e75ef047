from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio

from tests.servers import postgres, postgres_url
from tests.store.memory_log import MemoryLog
from tuilerie.store import Store, open_store
from tuilerie.store.log import Log

__all__ = ["postgres", "postgres_url"]

Open = Callable[[], Awaitable[Store]]


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str | Path:
    """A place with nothing in it but today's schema; each database in turn."""
    if request.param == "sqlite":
        return tmp_path / "data"
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest_asyncio.fixture
async def open_again(place: str | Path) -> AsyncIterator[Open]:
    """Opens the same place as often as one likes, and closes everything at the end."""
    async with AsyncExitStack() as stack:

        async def open_one() -> Store:
            return await stack.enter_async_context(await open_store(place))

        yield open_one


@pytest_asyncio.fixture
async def store(open_again: Open) -> Store:
    return await open_again()


@pytest_asyncio.fixture(params=["memory", "sqlite", "postgres"])
async def log(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Log]:
    """Every implementation of the log in turn."""
    if request.param == "memory":
        yield MemoryLog()
        return
    sqlite = request.param == "sqlite"
    place = tmp_path / "data" if sqlite else request.getfixturevalue("postgres_url")
    async with await open_store(place) as opened:
        yield opened.log
