"""All tests of the compiled core once more, on a build that watches its memory and its arithmetic.

They run in a process of their own, with few games: the sanitizers stop at the first wrong access,
so what counts is that every line is reached.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tuilerie import native

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = ROOT / "build" / "sanitized"
SANITIZERS = "address,undefined"
GAMES = "3"


def test_the_core_passes_its_tests_under_sanitizers() -> None:
    if not native.is_compiled():
        pytest.skip(f"the compiled core is not built: {native.why_not_compiled()}")
    environment = {
        **os.environ,
        "LD_PRELOAD": " ".join(_runtimes()),
        "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter frees not all that it took
        "TUILERIE_CORE": str(BUILD),
        "TUILERIE_GAMES": GAMES,
    }
    build = [sys.executable, "native/build.py", "--sanitize", SANITIZERS, "--into", str(BUILD)]
    subprocess.run(build, cwd=ROOT, check=True)
    run = [sys.executable, "-m", "pytest", "-x", "-p", "no:xdist", "-p", "no:cacheprovider"]
    run += ["-m", "not proof", "--ignore", __file__, str(HERE)]
    done = subprocess.run(
        run, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _runtimes() -> list[str]:
    """The libraries that must be there before the interpreter's own: the watcher, and (for it to
    see exceptions) the one of C++."""
    compiler = _compiler()
    found = []
    for name in ("libasan.so", "libstdc++.so"):
        ask = [compiler, f"-print-file-name={name}"]
        path = subprocess.run(ask, capture_output=True, text=True, check=False).stdout.strip()
        if not Path(path).is_absolute():
            pytest.skip(f"{compiler} has no {name}")
        found.append(str(Path(path).resolve()))
    return found


def _compiler() -> str:
    """The machine's compiler, as `native/build.py` finds it."""
    spec = importlib.util.spec_from_file_location("native_build", ROOT / "native" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    compiler = build._compiler_of_machine()
    if compiler is None:
        pytest.skip("there is no compiler on this machine")
    return str(compiler)
