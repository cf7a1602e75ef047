"""Real servers for tests: PostgreSQL and Redis, started as somebody without rights, on loopback.

Where they are not installed the tests that need them are skipped, and say so; on the continuous
integration (`CI=true`) they fail instead. `scripts/test-servers` installs them on Debian.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import SystemRandom
from typing import Any, NoReturn, TypeVar
from uuid import uuid4

import asyncpg  # type: ignore[import-untyped]
import pytest

from tuilerie.store.migrate import migrate

PATIENCE = 120.0  # seconds; a machine with much to do takes long
PORTS = (15_000, 32_000)  # below the first that Linux, macOS or Windows gives away by itself
T = TypeVar("T")


def lacking(what: str) -> NoReturn:
    """Skip a test for want of a server, or fail where everything must be tested."""
    reason = f"{what} is not installed: run scripts/test-servers"
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def free_port() -> int:
    """A port on loopback that nobody listens on.

    Not one of those that the system gives to whoever connects somewhere: while a server that is
    started again is away, its own clients could be given its port, and keep it.
    """
    while True:
        port = SystemRandom().randrange(*PORTS)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):
                probe.bind(("127.0.0.1", port))
                return port


def wait_until(done: Callable[[], bool], process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait for a server to be up; tell what it said if it ends instead."""
    until = time.monotonic() + PATIENCE
    while not done():
        if process.poll() is not None or time.monotonic() > until:
            raise RuntimeError(f"it did not start: {log.read_text('utf-8', 'replace')[-2000:]}")
        time.sleep(0.02)


def listens(port: int) -> bool:
    """Whether somebody answers on a port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def dropping_root(name: str) -> dict[str, Any]:
    """How to start a process as another user, where we are root; nothing where we are not."""
    if os.getuid() != 0:
        return {}
    user = pwd.getpwnam(name)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def own_folder(name: str) -> Path:
    """A new folder that this user can use, whoever we are."""
    folder = Path(tempfile.mkdtemp(prefix="tuilerie-"))
    if os.getuid() == 0:
        user = pwd.getpwnam(name)
        os.chown(folder, user.pw_uid, user.pw_gid)
    return folder


# --- PostgreSQL -----------------------------------------------------------------------------------


def find_postgres() -> Path | None:
    """The folder with the programs of PostgreSQL, the newest of several."""
    debian = Path("/usr/lib/postgresql").glob("*/bin/postgres")
    newest = sorted(debian, key=lambda path: float(path.parts[-3]), reverse=True)
    if newest:
        return newest[0].parent
    found = shutil.which("postgres")
    return Path(found).resolve().parent if found else None


class PostgresServer:
    """A PostgreSQL server of our own, with a template from which databases are cloned."""

    USER = "postgres"

    def __init__(self, programs: Path, *, fsync: bool = False) -> None:
        self.port = free_port()
        self._programs = programs
        self._fsync = fsync
        self._folder = own_folder(self.USER)
        self._process: subprocess.Popen[bytes] | None = None
        self._has_template = False
        make = ["initdb", "--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8"]
        self._run([*make, "--locale=C.UTF-8", "--pgdata", str(self._folder / "data")])

    def _run(self, words: list[str]) -> None:
        command = [str(self._programs / words[0]), *words[1:]]
        how = dropping_root(self.USER)
        done = subprocess.run(command, cwd=self._folder, capture_output=True, check=False, **how)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.decode("utf-8", "replace"))

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Start it, or start it again, and wait until it answers."""
        durable = "on" if self._fsync else "off"
        settings = {
            "port": str(self.port),
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "fsync": durable,
            "full_page_writes": durable,
            "max_connections": "200",
        }
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        log = self._folder / "log"
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                [str(self._programs / "postgres"), "-D", str(self._folder / "data"), *words],
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,  # an interrupted test run ends it by `stop`
                **dropping_root(self.USER),
            )
        wait_until(lambda: _outside(self._is_ready), self._process, log)

    @property
    def pid(self) -> int | None:
        """The number of its process, while it runs."""
        return self._process.pid if self._process else None

    def start_if_stopped(self) -> None:
        """For the next test, when one has failed that stops it."""
        if self._process is None:
            self.start()

    async def _is_ready(self) -> bool:
        try:
            connection = await asyncpg.connect(self.url(), timeout=5)
        except (OSError, asyncpg.PostgresError):
            return False
        await connection.close()
        return True

    def stop(self, *, at_once: bool = False) -> None:
        """End it; `at_once`: as if it had crashed."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGQUIT if at_once else signal.SIGINT)
        self._process.wait(PATIENCE)
        self._process = None

    def remove(self) -> None:
        """End it and forget all that was in it."""
        self.stop(at_once=True)
        shutil.rmtree(self._folder, ignore_errors=True)

    def execute(self, *statements: str) -> None:
        """Run statements outside of any test's database."""

        async def run() -> None:
            connection = await asyncpg.connect(self.url())
            for statement in statements:
                await connection.execute(statement)
            await connection.close()

        _outside(run)

    def empty_database(self) -> str:
        """The address of a new database with nothing in it."""
        name = f"t{uuid4().hex}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE template0 STRATEGY wal_log")
        return self.url(name)

    def drop(self, url: str) -> None:
        """Remove a database, whoever still uses it."""
        self.start_if_stopped()
        self.execute(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")

    def database(self) -> str:
        """The address of a new database with today's schema."""
        if not self._has_template:
            self.execute("CREATE DATABASE ready")
            _outside(lambda: migrate(self.url("ready")))
            self._has_template = True
        name = f"t{uuid4().hex}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE ready STRATEGY wal_log")
        return self.url(name)


def _outside(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run something asynchronous, even from within a test that is so itself."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work())).result()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A running server, the same for all tests of this process."""
    programs = find_postgres()
    if programs is None:
        lacking("PostgreSQL")
    server = PostgresServer(programs)
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> Iterator[str]:
    """A database of the test's own, with today's schema."""
    url = postgres.database()
    yield url
    postgres.drop(url)


# --- Redis ----------------------------------------------------------------------------------------


class RedisServer:
    """A Redis server of our own, which keeps nothing."""

    USER = "nobody"

    def __init__(self, program: str) -> None:
        self.port = free_port()
        self._program = program
        self._folder = own_folder(self.USER)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The number of its process, while it runs."""
        return self._process.pid if self._process else None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start it, or start it again, and wait until it answers."""
        words = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self._folder)]
        log = self._folder / "log"
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                [self._program, *words, "--save", "", "--appendonly", "no"],
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                **dropping_root(self.USER),
            )
        wait_until(lambda: listens(self.port), self._process, log)

    def stop(self) -> None:
        """Kill it: it has nothing to lose."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(PATIENCE)
            self._process = None

    def remove(self) -> None:
        """End it and remove its folder."""
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)


@pytest.fixture
def redis_server() -> Iterator[RedisServer]:
    """A Redis server of the test's own, which it may stop and start."""
    program = shutil.which("redis-server")
    if program is None:
        lacking("Redis")
    server = RedisServer(program)
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture
def redis_url(redis_server: RedisServer) -> str:
    """The address of a Redis server that has nothing in it."""
    return redis_server.url
