"""Child processes that answer questions, one at a time, beside the event loop.

Python runs one thread at a time: what computes in a thread takes its time from the event loop, what
computes in a process takes it from another core, or waits for one.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from pathlib import Path

from tuilerie.bots.thinker import LENGTH, framed

NICENESS = 10
"""How much lower the priority of these processes is than the server's: where all cores are busy,
the moves of people come first, and bots think less."""

READ_BYTES = 2**20
"""How much of an answer is read at once."""


class ChildLate(Exception):
    """It does not answer in time. It must be replaced."""


class ChildDied(Exception):
    """It does not run any more. It must be replaced."""


class ChildProcess:
    """A Python module that reads questions and answers each, with a length prefix, on its standard
    input and output."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, module: str) -> ChildProcess:
        """Start the process."""
        pipe = asyncio.subprocess.PIPE
        # In its own process group: Ctrl+C stops the server, and the server stops its children.
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", module),
            stdin=pipe,
            stdout=pipe,
            start_new_session=True,
            limit=READ_BYTES,
        )
        lower_priority(process.pid)
        return cls(process)

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    async def ask(self, question: bytes, patience: float) -> bytes:
        """The answer. Raises `ChildLate` or `ChildDied`."""
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None
        assert answers is not None
        try:
            async with asyncio.timeout(patience):
                asked.write(framed(question))
                await asked.drain()
                head = await answers.readexactly(LENGTH)
                return await answers.readexactly(int.from_bytes(head, "big"))
        except TimeoutError:
            raise ChildLate from None
        except (asyncio.IncompleteReadError, OSError) as error:
            raise ChildDied from error

    async def end(self) -> None:
        """Kill the process."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()


def lower_priority(pid: int) -> None:
    """Give a process that was just started less of the processors than this one has."""
    if not hasattr(os, "setpriority"):  # Windows
        return
    with contextlib.suppress(ProcessLookupError):  # it has died already: seen when asked
        own = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, pid, own + NICENESS)
    # Linux may share the processors out among sessions first: then only this counts.
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(f"{NICENESS}")
