"""A process that has imported the whole server, and forks one on request.

Importing takes far longer than starting: all servers of a test run come from one such process, and
tests can kill and restart a server often. `start [LOG, ARGS…]` answers with the process ID, `wait
PID` with the exit code. At the end the remaining servers are killed.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

import httptools
import uvloop
from uvicorn.protocols.http import httptools_impl
from uvicorn.protocols.websockets import websockets_sansio_impl

from tests.server.steering import steer
from tuilerie.server.http.pages import packaged_pages
from tuilerie.server.ops.commands import serve

LOADED = (httptools, uvloop, httptools_impl, websockets_sansio_impl)


def start(log: str, words: list[str]) -> int:
    """Start a server in a new process, with its output in this file."""
    pid = os.fork()
    if pid:
        return pid
    output = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    for number, file in ((0, os.open(os.devnull, os.O_RDONLY)), (1, output), (2, output)):
        os.dup2(file, number)
    code = 1
    steer(Path(log).parent)
    try:
        serve.main(words, standalone_mode=False)
        code = 0
    except BaseException as error:
        print(repr(error), file=sys.stderr)
    finally:
        sys.stderr.flush()
        os._exit(code)


def main() -> None:
    packaged_pages()
    gc.collect()
    gc.freeze()  # shared pages stay shared: the collector does not touch these objects
    running = set()
    for line in sys.stdin:
        word, argument = json.loads(line)
        if word == "start":
            answer = start(argument[0], argument[1:])
            running.add(answer)
        else:
            answer = -1
            running.discard(argument)
            with suppress(ChildProcessError):
                answer = os.waitstatus_to_exitcode(os.waitpid(argument, 0)[1])
        print(answer, flush=True)
    for pid in running:
        os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
