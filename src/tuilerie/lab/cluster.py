"""A Ray cluster that plays games. Its machines need the same tuilerie, and nothing else of ours.

Ray is an extra (`pip install 'tuilerie[ray]'`) and is loaded only where it is asked for.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from tuilerie.lab.crew import CrewLost
from tuilerie.lab.plan import BadPlan, Job
from tuilerie.lab.referee import Failure, Outcome, Thinker, play

LOCAL = "local"
"""Not an address: a cluster of this machine alone, for as long as the arena runs."""


@cache
def _thinker() -> Thinker:
    """The thinker of this process of Ray's, for all games that come to it."""
    return Thinker()


def _play(job: Job) -> Outcome | Failure:
    return play(job, _thinker())


class RayTasks:
    """Games as Ray's tasks: one on each processor of the cluster at a time."""

    def __init__(self, address: str, workers: int | None) -> None:
        try:
            import ray  # noqa: PLC0415 - an extra, and slow to load
        except ImportError:
            raise BadPlan("--ray needs Ray: pip install 'tuilerie[ray]'") from None
        self._ray: Any = ray
        self._most = workers
        self._out: dict[Any, int] = {}
        self._connect(address, workers)
        # The arena itself gives out again what is lost, and counts how often.
        self._task = ray.remote(num_cpus=1, max_retries=0)(_play)
        self.where = f"Ray at {address}, {self._room()} processors"

    def _connect(self, address: str, workers: int | None) -> None:
        given: dict[str, Any] = {"address": address}
        if address == LOCAL:
            given = {"num_cpus": workers or os.cpu_count() or 1, "include_dashboard": False}
        try:
            self._ray.init(**given, log_to_driver=False, logging_level="error")
        except (ConnectionError, OSError, ValueError, RuntimeError) as error:
            why = str(error).splitlines()[0]
            raise CrewLost(f"No Ray cluster can be reached at ‘{address}’: {why}.") from None

    def _room(self) -> int:
        try:
            processors = int(self._ray.cluster_resources().get("CPU", 0))
        except Exception as error:  # Ray has many ways to say that nobody is there
            raise CrewLost(f"The Ray cluster is lost: {error}.") from None
        return min(processors, self._most) if self._most else processors

    @property
    def free(self) -> int:
        """How many games can be given out now: machines come and go."""
        return max(1, self._room()) - len(self._out)

    def give(self, job: Job) -> None:
        """Let a game be played."""
        self._out[self._task.remote(job)] = job.number

    def wait(self) -> list[Outcome | Failure]:
        """Games that have ended, at least one."""
        try:
            ready, _ = self._ray.wait(list(self._out), num_returns=1)
        except Exception as error:
            raise CrewLost(f"The Ray cluster is lost: {error}.") from None
        return [self._take(each) for each in ready]

    def _take(self, task: Any) -> Outcome | Failure:
        number = self._out.pop(task)
        try:
            outcome: Outcome | Failure = self._ray.get(task)
        except self._ray.exceptions.RayError as error:  # its process or its machine is gone
            why = str(error).strip().splitlines()[0]
            return Failure(number, f"its process or machine is lost ({why})", again=True)
        return outcome

    def close(self) -> None:
        """Leave the cluster; games that are being played are lost."""
        for task in self._out:
            self._ray.cancel(task, force=True)
        self._out = {}
        self._ray.shutdown()
