"""A real server in a process of its own, which can be killed and started again."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx

from tests.servers import free_port

PATIENCE = 120.0


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
        self.pid: int | None = None
        with self.log.open("ab") as log:
            self._zygote = subprocess.Popen(
                [sys.executable, "-m", "tests.server.zygote"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
            )

    async def start(self) -> None:
        """Start it, and wait until it answers."""
        self.pid = await asyncio.to_thread(self._ask, "start", self._words)
        async with httpx.AsyncClient() as http, asyncio.timeout(PATIENCE):
            while True:
                os.kill(self.pid, 0)  # it is there
                try:
                    await http.get(f"http://127.0.0.1:{self.port}/healthz")
                    return
                except httpx.HTTPError:
                    await asyncio.sleep(0.02)

    def kill(self) -> None:
        """End it as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to end; its exit code."""
        return self._end(signal.SIGTERM)

    def close(self) -> None:
        """End everything."""
        self.kill()
        assert self._zygote.stdin is not None
        self._zygote.stdin.close()
        self._zygote.wait(PATIENCE)
        assert self._zygote.stdout is not None
        self._zygote.stdout.close()

    def said(self) -> str:
        """The end of its log."""
        return self.log.read_text("utf-8")[-3000:]

    def _end(self, how: signal.Signals) -> int:
        if self.pid is None:
            return 0
        with suppress(ProcessLookupError):
            os.kill(self.pid, how)
        code = self._ask("wait", self.pid)
        self.pid = None
        return code

    def _ask(self, word: str, argument: Any) -> int:
        assert self._zygote.stdin is not None
        assert self._zygote.stdout is not None
        self._zygote.stdin.write(json.dumps([word, argument]).encode() + b"\n")
        self._zygote.stdin.flush()
        return int(self._zygote.stdout.readline())
