from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.servers import PostgresServer, postgres, postgres_url
from tests.store.memory_log import MemoryLog
from tests.store.people import QUICK, FakeClock, People, people_of
from tuilerie.store import Store, open_store
from tuilerie.store.database import engine_for, parse_database
from tuilerie.store.log import Log
from tuilerie.store.tokens import Passwords

__all__ = ["postgres", "postgres_url"]

Open = Callable[[], Awaitable[Store]]


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str | Path:
    """An empty, migrated database; SQLite and PostgreSQL in turn."""
    if request.param == "sqlite":
        return tmp_path / "data"
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture(params=["sqlite", "postgres"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str | Path]:
    """A database without a schema; SQLite and PostgreSQL in turn."""
    if request.param == "sqlite":
        yield tmp_path / "empty"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    url = server.empty_database()
    yield url
    server.drop(url)


@pytest_asyncio.fixture
async def open_again(database: str | Path) -> AsyncIterator[Open]:
    """Open the same database several times; all are closed at the end."""
    async with AsyncExitStack() as stack:

        async def open_one() -> Store:
            return await stack.enter_async_context(await open_store(database))

        yield open_one


@pytest_asyncio.fixture
async def store(open_again: Open) -> Store:
    return await open_again()


@pytest_asyncio.fixture(params=["memory", "sqlite", "postgres"])
async def log(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Log]:
    """Each implementation of the log in turn."""
    if request.param == "memory":
        yield MemoryLog()
        return
    sqlite = request.param == "sqlite"
    database = tmp_path / "data" if sqlite else request.getfixturevalue("postgres_url")
    async with await open_store(database) as opened:
        yield opened.log


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest_asyncio.fixture
async def engine(store: Store, database: str | Path) -> AsyncIterator[AsyncEngine]:
    made = engine_for(parse_database(database))
    yield made
    await made.dispose()


@pytest.fixture
def people(engine: AsyncEngine, clock: FakeClock) -> People:
    return people_of(engine, clock, Passwords(QUICK))
