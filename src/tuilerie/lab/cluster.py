"""Worker pool on a Ray cluster, behind a separate driver process.

Ray kills a program whose cluster is gone. So `ray_driver`, a separate process, connects to the
cluster; when it dies, finished games have been reported and kept. Ray itself is an extra that is
imported only there: `pip install 'tuilerie[ray]'`.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from typing import Any

from tuilerie.bots.thinker import pack, unpack
from tuilerie.lab.local_workers import WorkersLost, end
from tuilerie.lab.plan import BadPlan, Job
from tuilerie.lab.referee import Failure, Outcome, Thinker, play

PATIENCE = 30
"""How many seconds the driver may take to leave the cluster."""


LOCAL = "local"
"""Not an address: a cluster of this machine alone, for as long as the arena runs."""


@cache
def _thinker() -> Thinker:
    """The thinker of a process of Ray's, for all games that come to it."""
    return Thinker()


def play_here(job: Job) -> Outcome | Failure:
    """What the cluster's processes do."""
    return play(job, _thinker())


def check_installed() -> None:
    """Refuses where Ray is missing."""
    if find_spec("ray") is None:
        raise BadPlan("--ray needs Ray, which is an extra: pip install 'tuilerie[ray]'")


def _knock(address: str) -> None:
    """Refuses an address where nobody answers: Ray itself would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():
        return
    try:
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or error
        raise WorkersLost(f"No Ray cluster can be reached at ‘{address}’: {why}.") from None


class RayCluster:
    """Games as Ray's tasks: one on each processor of the cluster at a time."""

    def __init__(self, address: str, workers: int | None) -> None:
        self._address = address
        self._out = 0
        _knock(address)
        command = [sys.executable, "-m", "tuilerie.lab.ray_driver", address, str(workers or 0)]
        pipe = subprocess.PIPE
        # A session of its own: Ctrl+C is for the arena, which ends the driver by itself.
        self._driver = subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True)
        self._room, trouble = self._hear()
        if trouble is not None:
            self.close()
            raise WorkersLost(f"No Ray cluster can be reached at ‘{address}’: {trouble}.")
        self.where = f"Ray at {address}, {self._room} processors"

    def _hear(self) -> tuple[int, Any]:
        """How many processors there are now, and what is told."""
        assert self._driver.stdout is not None
        try:
            room, told = unpack(self._driver.stdout)  # type: ignore[arg-type]
        except (EOFError, OSError):
            raise WorkersLost(f"The Ray cluster at ‘{self._address}’ is lost.") from None
        return room, told

    @property
    def free(self) -> int:
        """How many games can be given out now: machines come and go."""
        return max(1, self._room) - self._out

    def give(self, job: Job) -> None:
        """Let a game be played."""
        assert self._driver.stdin is not None
        try:
            self._driver.stdin.write(pack(job))
            self._driver.stdin.flush()
        except OSError:
            raise WorkersLost(f"The Ray cluster at ‘{self._address}’ is lost.") from None
        self._out += 1

    def wait(self) -> list[Outcome | Failure]:
        """The next game that has ended."""
        self._room, answer = self._hear()
        self._out -= 1
        return [answer]

    def close(self) -> None:
        """Leave the cluster; games that are being played are lost."""
        try:
            self._driver.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            end(self._driver)
