"""A real server in its own process, which can be killed and restarted."""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import httpx

from tests.servers import free_port

PATIENCE = 120.0


class Zygote:
    """The process that all servers are forked from."""

    def __init__(self) -> None:
        self._turn = Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.server.zygote"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def ask(self, word: str, argument: Any) -> int:
        """Start a server, or wait for its end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._turn:
            self._process.stdin.write(json.dumps([word, argument]).encode() + b"\n")
            self._process.stdin.flush()
            return int(self._process.stdout.readline())

    def close(self) -> None:
        """End it, and every server that is still running."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE)
        self._process.stdout.close()


@cache
def zygote() -> Zygote:
    """Return the one zygote of this test process: importing the server takes seconds."""
    made = Zygote()
    atexit.register(made.close)
    return made


class ServerProcess:
    """`tuilerie serve` at a fixed port, with the same data each time it is started."""

    def __init__(self, data: Path, *words: str) -> None:
        self.port = free_port()
        self._words = [
            "--port", str(self.port), "--data", str(data), "--bot-pause", "0.02",
            "--limit-factor", "10000", "--log-level", "warning", *words,
        ]  # fmt: skip
        data.mkdir(parents=True, exist_ok=True)
        self.log = data / f"server-{self.port}.log"
        self.log.touch()
        self.pid: int | None = None
        self._zygote = zygote()

    async def start(self) -> None:
        """Start it, and wait until it answers."""
        self.pid = await asyncio.to_thread(self._zygote.ask, "start", [str(self.log), *self._words])
        async with httpx.AsyncClient() as http, asyncio.timeout(PATIENCE):
            while True:
                os.kill(self.pid, 0)  # it is there
                try:
                    await http.get(f"http://127.0.0.1:{self.port}/healthz")
                    return
                except httpx.HTTPError:
                    await asyncio.sleep(0.02)

    def kill(self) -> None:
        """Kill it with SIGKILL."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Stop it with SIGTERM; returns the exit code."""
        return self._end(signal.SIGTERM)

    def close(self) -> None:
        """Kill it, if it still runs."""
        self.kill()

    def said(self) -> str:
        """The end of its log."""
        return self.log.read_text("utf-8")[-3000:]

    def _end(self, how: signal.Signals) -> int:
        if self.pid is None:
            return 0
        with suppress(ProcessLookupError):
            os.kill(self.pid, how)
        code = self._zygote.ask("wait", self.pid)
        self.pid = None
        return code
