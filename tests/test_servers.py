"""The servers that tests start are real, have no rights, and are gone afterwards."""

from __future__ import annotations

import os
import socket
import subprocess
from pathlib import Path

import pytest

from tests import servers
from tests.servers import PostgresServer, RedisServer, free_port, listens, postgres, redis_server

__all__ = ["postgres", "redis_server"]


def owner(pid: int | None) -> int:
    return Path(f"/proc/{pid}").stat().st_uid


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="only where /proc tells of processes")
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


def test_what_is_not_installed_skips_a_test_but_never_on_the_integration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CI", "")
    with pytest.raises(pytest.skip.Exception, match="Redis is not installed: run scripts"):
        servers.lacking("Redis")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="Redis is not installed: run scripts"):
        servers.lacking("Redis")


def test_a_free_port_is_one_that_nobody_listens_on() -> None:
    assert not listens(free_port())


SCRIPT = Path(__file__).parent.parent / "scripts" / "test-servers"


def test_the_script_that_installs_them_can_be_run() -> None:
    assert os.access(SCRIPT, os.X_OK)


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_who_may_not_install_them_is_told_which_are_missing(
    ci: str, code: int, tmp_path: Path
) -> None:
    somebody = tmp_path / "id"
    somebody.write_text("#!/bin/sh\necho 1000\n")
    somebody.chmod(0o755)
    here = {"PATH": str(tmp_path), "CI": ci}  # where there is no other program
    done = subprocess.run(
        ["/bin/sh", SCRIPT], env=here, capture_output=True, text=True, check=False
    )
    assert done.returncode == code
    told = done.stderr if code else done.stdout
    assert "Redis, Chromium" in told
    assert ("are skipped" in told) is (code == 0)
