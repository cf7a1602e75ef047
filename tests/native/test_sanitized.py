"""The tests of the compiled core once more, on a build with sanitizers.

They run in separate processes, with few games: the sanitizers stop at the first wrong access,
so what counts is that every line is reached. `make test` runs what is not slow, with some of the
parameters; `make proof` runs all.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import lacking
from tuilerie import native

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = ROOT / "build" / "sanitized"
SANITIZERS = "address,undefined"


@pytest.mark.slow
def test_the_core_passes_its_tests_under_sanitizers() -> None:
    run_sanitized("not proof and not slow", games=1, every=12)


@pytest.mark.proof
def test_the_core_passes_all_its_tests_under_sanitizers() -> None:
    run_sanitized("not proof", games=3, every=1)
    run_sanitized("proof", games=3, every=1, names="same_seed_trains")


def run_sanitized(which: str, games: int, every: int, names: str = "") -> None:
    """Build the core with sanitizers, and run its tests on that build."""
    if not native.is_compiled():
        pytest.skip(f"the compiled core is not built: {native.why_not_compiled()}")
    environment = {
        **os.environ,
        "LD_PRELOAD": " ".join(_runtimes()),
        "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter itself leaks at exit
        "TUILERIE_CORE": str(BUILD),
        "TUILERIE_GAMES": str(games),
        "TUILERIE_EVERY": str(every),
    }
    build = [sys.executable, "native/build.py", "--sanitize", SANITIZERS, "--into", str(BUILD)]
    subprocess.run(build, cwd=ROOT, check=True)
    run = [sys.executable, "-m", "pytest", "-x", "-p", "no:xdist", "-p", "no:cacheprovider"]
    run += ["-m", which, "-k", names, "--ignore", __file__, str(HERE)]
    done = subprocess.run(
        run, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _runtimes() -> list[str]:
    """Return the libraries to preload: the sanitizer runtime and, for exceptions, libstdc++."""
    compiler = _compiler()
    found = []
    for name in ("libasan.so", "libstdc++.so"):
        ask = [compiler, f"-print-file-name={name}"]
        path = subprocess.run(ask, capture_output=True, text=True, check=False).stdout.strip()
        if not Path(path).is_absolute():
            lacking(f"{name} of {compiler}", "install the sanitizers of the compiler")
        found.append(str(Path(path).resolve()))
    return found


def _compiler() -> str:
    """Return the compiler that `native/build.py` uses."""
    spec = importlib.util.spec_from_file_location("native_build", ROOT / "native" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    compiler = build._compiler_of_machine()
    if compiler is None:
        pytest.skip("no compiler found")
    return str(compiler)
