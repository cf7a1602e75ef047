"""Driver process of a Ray cluster: submits games to it and reports their outcomes.

`python -m tuilerie.lab.ray_driver ADDRESS WORKERS`, with the messages of `pipe` on
stdin and stdout. It exits at end of input; Ray kills it when the cluster is lost.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from typing import Any, BinaryIO

import ray

from tuilerie.bots.thinker import decode, encode
from tuilerie.lab.cluster import LOCAL, play_here
from tuilerie.lab.pipe import Report, receive, send
from tuilerie.lab.plan import Job
from tuilerie.lab.referee import Failure, Outcome


def _connect(address: str, workers: int) -> None:
    given: dict[str, Any] = {"address": address}
    if address == LOCAL:
        given = {"num_cpus": workers or os.cpu_count() or 1, "include_dashboard": False}
    ray.init(**given, log_to_driver=False, logging_level="error")


def _room(workers: int) -> int:
    processors = int(ray.cluster_resources().get("CPU", 0))
    return min(processors, workers) if workers else processors


def _result(task: Any, number: int) -> Outcome | Failure:
    try:
        game = decode(Report, ray.get(task)).game
    except ray.exceptions.RayTaskError as error:
        why = str(error).strip().splitlines()[-1]
        return Failure(number, f"the machine that played it failed ({why})", again=False)
    except ray.exceptions.RayError as error:  # its process or its machine is lost
        why = str(error).strip().splitlines()[0]
        return Failure(number, f"its process or machine is lost ({why})", again=True)
    assert game is not None
    return game


def _read(asked: BinaryIO, jobs: queue.Queue[Job | None]) -> None:
    try:
        while True:
            jobs.put(receive(Job, asked))
    except EOFError:
        jobs.put(None)


def main(address: str, workers: int, asked: BinaryIO, answers: BinaryIO) -> None:
    """Connect, then submit games until the end of input."""
    try:
        _connect(address, workers)
    except Exception as error:  # Ray raises many types when the cluster is unreachable
        why = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
        send(answers, Report(None, 0, why))
        return
    send(answers, Report(None, _room(workers)))
    # The arena itself retries lost games.
    remote: Any = ray.remote(num_cpus=1, max_retries=0)(play_here)
    jobs: queue.Queue[Job | None] = queue.Queue()
    threading.Thread(target=_read, args=(asked, jobs), daemon=True).start()
    out: dict[Any, int] = {}
    while True:
        while not out or not jobs.empty():
            job = jobs.get()
            if job is None:
                ray.shutdown()
                return
            out[remote.remote(encode(job))] = job.number
        ready, _ = ray.wait(list(out), num_returns=1, timeout=0.1)
        for task in ready:
            send(answers, Report(_result(task, out.pop(task)), _room(workers)))


if __name__ == "__main__":
    quiet = os.fdopen(os.dup(1), "wb")  # keep Ray's own output out of the answers
    os.dup2(2, 1)
    main(sys.argv[1], int(sys.argv[2]), sys.stdin.buffer, quiet)
