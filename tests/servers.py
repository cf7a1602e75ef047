"""PostgreSQL and Redis servers for tests, run as an unprivileged user on loopback.

Without them the tests that need them are skipped; with `CI=true` they fail instead.
`scripts/test-servers` installs them on Debian.
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
from functools import cache
from pathlib import Path
from random import SystemRandom
from typing import Any, NoReturn, TypeVar
from uuid import uuid4

import asyncpg  # type: ignore[import-untyped]
import pytest

from tuilerie.store.database import FILE_NAME
from tuilerie.store.migrate import migrate

PATIENCE = 120.0  # seconds; a busy machine is slow
PORTS = (15_000, 32_000)  # below the ephemeral ports of Linux, macOS and Windows
T = TypeVar("T")


def lacking(what: str, remedy: str = "run scripts/test-servers") -> NoReturn:
    """Skip a test without its server, or fail in CI."""
    reason = f"{what} is not installed: {remedy}"
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def free_port() -> int:
    """Return a free port on loopback.

    Not an ephemeral port: while a server restarts, one of its own clients could get its port.
    """
    while True:
        port = SystemRandom().randrange(*PORTS)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):
                probe.bind(("127.0.0.1", port))
                return port


def wait_until(done: Callable[[], bool], process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a server is up; raise with its log if it exits."""
    until = time.monotonic() + PATIENCE
    while not done():
        if process.poll() is not None or time.monotonic() > until:
            raise RuntimeError(f"it did not start: {log.read_text('utf-8', 'replace')[-2000:]}")
        time.sleep(0.02)


def listens(port: int) -> bool:
    """Return whether a port accepts connections."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def dropping_root(name: str) -> dict[str, Any]:
    """Return the Popen arguments to drop root privileges; empty if not root."""
    if os.getuid() != 0:
        return {}
    user = pwd.getpwnam(name)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def own_folder(name: str) -> Path:
    """Create a folder owned by the user that the server runs as."""
    folder = Path(tempfile.mkdtemp(prefix="tuilerie-"))
    if os.getuid() == 0:
        user = pwd.getpwnam(name)
        os.chown(folder, user.pw_uid, user.pw_gid)
    return folder


# --- PostgreSQL -----------------------------------------------------------------------------------


def find_postgres() -> Path | None:
    """Return the folder of the newest PostgreSQL binaries."""
    debian = Path("/usr/lib/postgresql").glob("*/bin/postgres")
    newest = sorted(debian, key=lambda path: float(path.parts[-3]), reverse=True)
    if newest:
        return newest[0].parent
    found = shutil.which("postgres")
    return Path(found).resolve().parent if found else None


class PostgresServer:
    """A private PostgreSQL server with a template database."""

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
                start_new_session=True,  # Ctrl-C must not kill it: `stop` does
                **dropping_root(self.USER),
            )
        wait_until(lambda: _outside(self._is_ready), self._process, log)

    @property
    def pid(self) -> int | None:
        """The number of its process, while it runs."""
        return self._process.pid if self._process else None

    def start_if_stopped(self) -> None:
        """Restart it after a failed test that stopped it."""
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
        """Stop it; `at_once`: like a crash."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGQUIT if at_once else signal.SIGINT)
        self._process.wait(PATIENCE)
        self._process = None

    def remove(self) -> None:
        """Stop it and delete its data."""
        self.stop(at_once=True)
        shutil.rmtree(self._folder, ignore_errors=True)

    def execute(self, *statements: str) -> None:
        """Run statements in the administrative database."""

        async def run() -> None:
            connection = await asyncpg.connect(self.url())
            for statement in statements:
                await connection.execute(statement)
            await connection.close()

        _outside(run)

    def empty_database(self) -> str:
        """Create an empty database; return its URL."""
        name = f"t{uuid4().hex}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE template0 STRATEGY file_copy")
        return self.url(name)

    def drop(self, url: str) -> None:
        """Drop a database, closing its connections."""
        self.start_if_stopped()
        self.execute(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")

    def database(self) -> str:
        """Create a database with the current schema; return its URL."""
        if not self._has_template:
            self.execute("CREATE DATABASE ready")
            _outside(lambda: migrate(self.url("ready")))
            self._has_template = True
        name = f"t{uuid4().hex}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE ready STRATEGY file_copy")
        return self.url(name)


def _outside(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine in its own thread and loop, even from an async test."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work())).result()


@cache
def _migrated_file() -> bytes:
    """A new SQLite database with the current schema: migrating takes far longer than copying."""
    with tempfile.TemporaryDirectory(prefix="tuilerie-template-") as folder:
        _outside(lambda: migrate(folder))
        return (Path(folder) / FILE_NAME).read_bytes()


def prepare_folder(folder: Path) -> None:
    """Put a new database into a data folder, unless it has one."""
    file = folder / FILE_NAME
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_migrated_file())
        file.chmod(0o600)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A server shared by all tests of this process."""
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
    """A database for one test, with the current schema."""
    url = postgres.database()
    yield url
    postgres.drop(url)


# --- Redis ----------------------------------------------------------------------------------------


class RedisServer:
    """A private Redis server without persistence."""

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
        """Kill it: it has no data."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(PATIENCE)
            self._process = None

    def remove(self) -> None:
        """Stop it and remove its folder."""
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)


@pytest.fixture
def redis_server() -> Iterator[RedisServer]:
    """A Redis server for one test, which may stop and start it."""
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
    """The URL of an empty Redis server."""
    return redis_server.url
