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

from tuilerie.bots.thinker import decode, encode
from tuilerie.lab.local_workers import WorkersLost, end
from tuilerie.lab.pipe import Report, receive, send
from tuilerie.lab.plan import BadPlan, Job
from tuilerie.lab.referee import BotProcess, Failure, Outcome, play

PATIENCE = 30
"""Seconds that the driver may take to disconnect."""


LOCAL = "local"
"""In place of an address: a temporary cluster on this machine."""


@cache
def _bot_process() -> BotProcess:
    """Return the bot process of this Ray worker, shared by its games."""
    return BotProcess()


def play_here(job: bytes) -> bytes:
    """Play a game in a Ray worker. Machines exchange JSON: what comes back is decoded strictly."""
    return encode(Report(play(decode(Job, job), _bot_process())))


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
        first = self._receive()
        if first.error is not None:
            self.close()
            raise WorkersLost(f"No Ray cluster can be reached at ‘{address}’: {first.error}.")
        self._room = first.room
        self.where = f"Ray at {address}, {self._room} processors"

    def _receive(self) -> Report:
        """Receive a game and the current number of processors."""
        assert self._driver.stdout is not None
        try:
            return receive(Report, self._driver.stdout)  # type: ignore[arg-type]
        except (EOFError, OSError, ValueError):
            raise WorkersLost(f"The Ray cluster at ‘{self._address}’ is lost.") from None

    @property
    def free(self) -> int:
        """How many games can be submitted now: machines come and go."""
        return max(1, self._room) - self._out

    def give(self, job: Job) -> None:
        """Submit a game."""
        assert self._driver.stdin is not None
        try:
            send(self._driver.stdin, job)  # type: ignore[arg-type]
        except OSError:
            raise WorkersLost(f"The Ray cluster at ‘{self._address}’ is lost.") from None
        self._out += 1

    def wait(self) -> list[Outcome | Failure]:
        """Wait for the next finished game."""
        report = self._receive()
        self._room = report.room
        assert report.game is not None
        self._out -= 1
        return [report.game]

    def close(self) -> None:
        """Disconnect from the cluster; running games are lost."""
        try:
            self._driver.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            end(self._driver)
