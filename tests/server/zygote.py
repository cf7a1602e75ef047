"""A process that has loaded the whole server, and forks one each time it is asked to.

Loading takes far longer than starting: a server can so be killed and started often in a test.
`start ARGS…` answers with the process's id, `wait PID` with its exit code.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from contextlib import suppress

import httptools
import uvloop
from uvicorn.protocols.http import httptools_impl
from uvicorn.protocols.websockets import websockets_sansio_impl

from tuilerie.server.ops.commands import serve

LOADED = (httptools, uvloop, httptools_impl, websockets_sansio_impl)


def start(words: list[str]) -> int:
    """A server in a new process."""
    pid = os.fork()
    if pid:
        return pid
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(2, 1)
    code = 1
    try:
        serve.main(words, standalone_mode=False)
        code = 0
    except BaseException as error:
        print(repr(error), file=sys.stderr)
    finally:
        sys.stderr.flush()
        os._exit(code)


def main() -> None:
    gc.collect()
    gc.freeze()  # what is loaded is not looked at again by every server, nor copied for that
    for line in sys.stdin:
        word, argument = json.loads(line)
        if word == "start":
            answer = start(argument)
        else:
            answer = -1
            with suppress(ChildProcessError):
                answer = os.waitstatus_to_exitcode(os.waitpid(argument, 0)[1])
        print(answer, flush=True)


if __name__ == "__main__":
    main()
