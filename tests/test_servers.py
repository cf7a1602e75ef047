"""The test servers: unprivileged, restartable, and removed afterwards."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests import servers
from tests.servers import PostgresServer, RedisServer, free_port, listens, postgres, redis_server

__all__ = ["postgres", "redis_server"]

ROOT = Path(__file__).parent.parent


def owner(pid: int | None) -> int:
    return Path(f"/proc/{pid}").stat().st_uid


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
def test_no_server_runs_as_root(postgres: PostgresServer, redis_server: RedisServer) -> None:
    for server in (postgres, redis_server):
        assert owner(server.pid) != 0


def test_redis_answers_and_can_be_stopped_and_started(redis_server: RedisServer) -> None:
    for _ in range(2):
        with socket.create_connection(("127.0.0.1", redis_server.port)) as connection:
            connection.sendall(b"PING\r\n")
            assert connection.recv(100) == b"+PONG\r\n"
        redis_server.stop()
        assert not listens(redis_server.port)
        redis_server.start()


def test_missing_server_skips_a_test_except_in_ci(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CI", "")
    with pytest.raises(pytest.skip.Exception, match="Redis is not installed: run scripts"):
        servers.lacking("Redis")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="Redis is not installed: run scripts"):
        servers.lacking("Redis")


NEEDING = (
    "tests/test_servers.py::test_no_server_runs_as_root",
    "tests/test_servers.py::test_redis_answers_and_can_be_stopped_and_started",
    "tests/browser/test_pages.py::test_the_app_can_be_installed",
)
"""A test for each of PostgreSQL, Redis and Chromium."""


@pytest.mark.slow
@pytest.mark.parametrize(("ci", "outcome"), [("", "3 skipped"), ("true", "3 errors")])
def test_missing_servers_are_errors_in_ci(ci: str, outcome: str, tmp_path: Path) -> None:
    """Runs real tests with a pytest that finds none of the programs."""
    (tmp_path / "finds_nothing.py").write_text(
        "import shutil\nfrom tests import servers\n"
        "shutil.which = lambda name: None\nservers.find_postgres = lambda: None\n"
    )
    run = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "finds_nothing"]
    paths = os.pathsep.join([str(tmp_path), *(path for path in sys.path if path)])
    done = subprocess.run(
        [*run, *NEEDING],
        cwd=ROOT,
        env={**os.environ, "CI": ci, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines()[-1].startswith(f"{outcome} in "), done.stdout + done.stderr


def test_free_port_is_not_in_use() -> None:
    assert not listens(free_port())


SCRIPT = ROOT / "scripts" / "test-servers"


def test_install_script_is_executable() -> None:
    assert os.access(SCRIPT, os.X_OK)


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_install_script_lists_missing_programs_without_root(
    ci: str, code: int, tmp_path: Path
) -> None:
    somebody = tmp_path / "id"
    somebody.write_text("#!/bin/sh\necho 1000\n")
    somebody.chmod(0o755)
    here = {"PATH": str(tmp_path), "CI": ci}  # without any other program
    done = subprocess.run(
        ["/bin/sh", SCRIPT], env=here, capture_output=True, text=True, check=False
    )
    assert done.returncode == code
    output = done.stderr if code else done.stdout
    assert "Redis, Chromium" in output
    assert ("are skipped" in output) is (code == 0)
