"""Pool of local worker processes that play games, each a referee with its own bot process."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
from typing import Any, Protocol

from tuilerie.lab.pipe import Report, receive, send
from tuilerie.lab.plan import Job
from tuilerie.lab.referee import Failure, Outcome


class WorkersLost(Exception):
    """All workers are lost; the message says why."""


class WorkerPool(Protocol):
    """Interface of a pool of workers that play games."""

    where: str
    """Description: '2 processes', 'Ray at …, 16 processors'."""

    @property
    def free(self) -> int:
        """How many games can be submitted now."""
        ...

    def give(self, job: Job) -> None:
        """Submit a game."""
        ...

    def wait(self) -> list[Outcome | Failure]:
        """Wait for finished games, at least one. Raises `WorkersLost`."""
        ...

    def close(self) -> None:
        """Stop all workers; running games are lost."""
        ...


class LocalWorkers:
    """Pool of local processes. A dead one is replaced, and its game can be retried."""

    def __init__(self, count: int) -> None:
        self.where = f"{count} process{'es' if count > 1 else ''}"
        self._idle: list[subprocess.Popen[bytes]] = []
        self._busy: dict[subprocess.Popen[bytes], int] = {}
        self._count = count

    @property
    def pids(self) -> list[int]:
        """The ids of all processes, busy or idle."""
        return [each.pid for each in (*self._busy, *self._idle)]

    @property
    def free(self) -> int:
        """How many games can be submitted now."""
        return self._count - len(self._busy)

    def give(self, job: Job) -> None:
        """Submit a game."""
        while True:
            process = self._idle.pop() if self._idle else _start()
            assert process.stdin is not None
            try:
                send(process.stdin, job)  # type: ignore[arg-type]
            except OSError:  # it died while idle
                end(process)
                continue
            self._busy[process] = job.number
            return

    def wait(self) -> list[Outcome | Failure]:
        """Wait for finished games, at least one."""
        streams: dict[Any, subprocess.Popen[bytes]] = {each.stdout: each for each in self._busy}
        ready, _, _ = select.select(list(streams), [], [])
        return [self._take(streams[stream]) for stream in ready]

    def _take(self, process: subprocess.Popen[bytes]) -> Outcome | Failure:
        number = self._busy.pop(process)
        try:
            answer = receive(Report, process.stdout).game  # type: ignore[arg-type]
            assert answer is not None
        except (EOFError, OSError, ValueError):
            code = end(process)
            return Failure(number, f"its process died (exit status {code})", again=True)
        self._idle.append(process)
        return answer

    def close(self) -> None:
        """Stop the processes."""
        for process in (*self._idle, *self._busy):
            end(process)
        self._idle, self._busy = [], {}


def _start() -> subprocess.Popen[bytes]:
    # A new session: Ctrl+C goes to the arena, which stops its workers.
    return subprocess.Popen(
        [sys.executable, "-m", "tuilerie.lab.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )


def end(process: subprocess.Popen[bytes]) -> int:
    """Kill a worker and its bot process, which is in the same process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, 9)
    process.communicate()
    return process.returncode
