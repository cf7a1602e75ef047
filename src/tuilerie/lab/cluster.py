"""Worker pool on a Ray cluster, behind a separate driver process.

Ray kills a program that loses its cluster. So a separate process, `ray_driver`, connects to the
cluster; when it dies, finished games are already stored. Ray is an optional dependency, imported
only there: `pip install 'tuilerie[ray]'`.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from typing import Any

from tuilerie.lab.local_workers import WorkersLost, end
from tuilerie.lab.pipe import pack, unpack
from tuilerie.lab.plan import BadPlan, Job
from tuilerie.lab.referee import Failure, Outcome, Thinker, play

PATIENCE = 30
"""Seconds that the driver may take to disconnect."""


LOCAL = "local"
"""In place of an address: a temporary cluster on this machine."""


@cache
def _thinker() -> Thinker:
    """Return the bot process of this Ray worker, shared by its games."""
    return Thinker()


def play_here(job: Job) -> Outcome | Failure:
    """Play a game in a Ray worker."""
    return play(job, _thinker())


def check_installed() -> None:
    """Raise `BadPlan` if Ray is not installed."""
    if find_spec("ray") is None:
        raise BadPlan("--ray needs the optional dependency Ray: pip install 'tuilerie[ray]'")


def _check_reachable(address: str) -> None:
    """Check that the address accepts connections: Ray itself would retry for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():
        return
    try:
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or error
        raise WorkersLost(f"No Ray cluster can be reached at ‘{address}’: {why}.") from None


class RayCluster:
    """Runs games as Ray tasks, one per processor of the cluster."""

    def __init__(self, address: str, workers: int | None) -> None:
        self._address = address
        self._out = 0
        _check_reachable(address)
        command = [sys.executable, "-m", "tuilerie.lab.ray_driver", address, str(workers or 0)]
        pipe = subprocess.PIPE
        # A new session: Ctrl+C goes to the arena, which stops the driver.
        self._driver = subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True)
        self._room, error = self._receive()
        if error is not None:
            self.close()
            raise WorkersLost(f"No Ray cluster can be reached at ‘{address}’: {error}.")
        self.where = f"Ray at {address}, {self._room} processors"

    def _receive(self) -> tuple[int, Any]:
        """Receive the current number of processors and a message."""
        assert self._driver.stdout is not None
        try:
            room, result = unpack(self._driver.stdout)  # type: ignore[arg-type]
        except (EOFError, OSError):
            raise WorkersLost(f"The Ray cluster at ‘{self._address}’ is lost.") from None
        return room, result

    @property
    def free(self) -> int:
        """How many games can be submitted now: machines come and go."""
        return max(1, self._room) - self._out

    def give(self, job: Job) -> None:
        """Submit a game."""
        assert self._driver.stdin is not None
        try:
            self._driver.stdin.write(pack(job))
            self._driver.stdin.flush()
        except OSError:
            raise WorkersLost(f"The Ray cluster at ‘{self._address}’ is lost.") from None
        self._out += 1

    def wait(self) -> list[Outcome | Failure]:
        """Wait for the next finished game."""
        self._room, answer = self._receive()
        self._out -= 1
        return [answer]

    def close(self) -> None:
        """Disconnect from the cluster; running games are lost."""
        try:
            self._driver.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            end(self._driver)
