"""Diagnostics (`tuilerie doctor`): versions, bot engine, data folder, database and Redis."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from redis.asyncio import Redis
from redis.exceptions import RedisError

from tuilerie import __version__
from tuilerie.bots import LEVELS
from tuilerie.games import GAMES
from tuilerie.native import engine, why_no_network, why_not_compiled
from tuilerie.server.bots.redis_pool import live_processes
from tuilerie.server.http import pages
from tuilerie.server.ops.limits import DISK_LOW_BYTES
from tuilerie.store import open_store
from tuilerie.store.database import SqliteFile, parse_database
from tuilerie.store.errors import StoreError
from tuilerie.store.maintenance.verify import page_faults
from tuilerie.store.sqlite.files import free_bytes

PACKAGES = ("litestar", "uvicorn", "sqlalchemy", "asyncpg", "redis", "openskill", "ray")
EXTRAS = ("ray",)
"""Optional packages."""
PATIENCE = 2.0
"""Seconds to wait for a database; shorter than for a server, since somebody is watching."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    good: bool
    what: str
    text: str


async def examine(data: Path, database_url: str | None, redis_url: str | None) -> list[Finding]:
    """Check everything. Changes and creates nothing."""
    return [
        *_program(),
        _core(),
        _network(),
        *_levels(),
        _client(),
        _folder(data),
        await _store(database_url or data),
        *await _redis(redis_url),
    ]


def _program() -> Iterator[Finding]:
    system = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    yield Finding(True, "tuilerie", f"{__version__}, {system}, {os.cpu_count()} processors")
    found = [f"{name} {_version(name) or 'not installed'}" for name in PACKAGES]
    missing = [name for name in PACKAGES if name not in EXTRAS and _version(name) is None]
    yield Finding(not missing, "packages", ", ".join(found))


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _core() -> Finding:
    why = why_not_compiled()
    if why is None:
        return Finding(True, "engine", engine())
    return Finding(
        False, "engine", f"{engine()}: {why}. Bots play, but weaker; `make core` compiles it."
    )


def _network() -> Finding:
    why = why_no_network()
    if why is None:
        return Finding(True, "network of Génial!", "loaded")
    meaning = "Its two strongest levels search without it, and are weaker."
    return Finding(False, "network of Génial!", f"{why}. {meaning}")


def _levels() -> Iterator[Finding]:
    for name, game in GAMES.items():
        levels = ", ".join(level.name for level in LEVELS[name])
        yield Finding(True, f"bots of {game.card.title}", levels)


def _client() -> Finding:
    there = (pages.FOLDER / "index.html").is_file()
    return Finding(there, "browser client", "built" if there else "missing: `make web` builds it")


def _folder(data: Path) -> Finding:
    there = next(each for each in (data, *data.absolute().parents) if each.exists())
    if not os.access(there, os.W_OK):
        return Finding(False, "data folder", f"{data}: {there} is not writable")
    free = free_bytes(there)
    made = "" if data.exists() else ", not created yet"
    low = ": too little, so no new tables can be created" if free < DISK_LOW_BYTES else ""
    text = f"{data}{made}, {free / 2**30:.1f} GiB free{low}"
    return Finding(not low, "data folder", text)


async def _store(database: str | Path) -> Finding:
    try:
        where = parse_database(database)
        if isinstance(where, SqliteFile) and not where.path.exists():
            return Finding(True, "database", f"{where}, not created yet")
        if found := await page_faults(where):
            return Finding(False, "database", f"{where} is damaged: {found[0]}")
        async with await open_store(where, migrate=False, patience=PATIENCE):
            return Finding(True, "database", f"{where} answers")
    except StoreError as error:
        return Finding(False, "database", str(error))


async def _redis(url: str | None) -> list[Finding]:
    if url is None:
        return [Finding(True, "Redis", "not configured")]
    try:
        redis = Redis.from_url(url, socket_connect_timeout=3, socket_timeout=3)
        try:
            await redis.ping()
            workers = await live_processes(redis)
        finally:
            await redis.aclose()
    except (RedisError, OSError, ValueError) as error:
        return [Finding(False, "Redis", f"cannot be reached: {error}")]
    found = f"{len(workers)} workers, {sum(workers)} processes"
    none = "no `tuilerie worker` runs: each server computes its bots' moves itself"
    return [
        Finding(True, "Redis", "answers"),
        Finding(True, "bot workers", found if workers else none),
    ]


def report(findings: list[Finding], say: Callable[[str], None]) -> bool:
    """Print the findings, one per line. Returns whether all are good."""
    wide = max(len(each.what) for each in findings)
    for each in findings:
        say(f"{'✓' if each.good else '✗'} {each.what:<{wide}}  {each.text}")
    return all(each.good for each in findings)
