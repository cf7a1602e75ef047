"""Builds the compiled core into the package: `python native/build.py`.

Needs CMake, Ninja and nanobind, which come as Python packages. The compiler is the machine's own;
where there is none, one comes as a package, too (`ziglang`). It is built anew only when something
in native/ or the interpreter has changed. `--sanitize address,undefined --into DIR` makes a build
that watches itself, for the tests.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

SOURCE = Path(__file__).resolve().parent
ROOT = SOURCE.parent
PACKAGE = ROOT / "src" / "tuilerie" / "native"

TOOLS = ("cmake>=3.24", "ninja", "nanobind>=2.4")
COMPILER_PACKAGE = "ziglang>=0.13"
COMPILERS = ("c++", "g++", "clang++", "cl")


def build_core(into: Path = PACKAGE, sanitize: str = "") -> None:
    """Compile the core into a folder, unless just these sources were compiled into it."""
    stamp, digest = into / ".stamp", _digest(sanitize)
    if stamp.is_file() and stamp.read_text() == digest:
        return
    work = ROOT / "build" / "core" / hashlib.sha256(f"{into}{sanitize}".encode()).hexdigest()[:12]
    work.mkdir(parents=True, exist_ok=True)
    into.mkdir(parents=True, exist_ok=True)
    environment = _environment()
    configure = [
        *("cmake", "-S", str(SOURCE), "-B", str(work), "-G", "Ninja"),
        *("-DCMAKE_BUILD_TYPE=Release", f"-DPython_EXECUTABLE={sys.executable}"),
        f"-DTUILERIE_SANITIZE={sanitize}",
    ]
    _run(configure, environment)
    _run(["cmake", "--build", str(work)], environment)
    _run(["cmake", "--install", str(work), "--prefix", str(into)], environment)
    stamp.write_text(digest)


def needs() -> list[str]:
    """The Python packages that a build on this machine needs."""
    return [*TOOLS, *([] if _compiler_of_machine() else [COMPILER_PACKAGE])]


def _digest(sanitize: str) -> str:
    """What the core is built from, in short."""
    found = hashlib.sha256(f"{sys.version}{sysconfig.get_platform()}{sanitize}".encode())
    for path in sorted(SOURCE.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            found.update(path.relative_to(SOURCE).as_posix().encode())
            found.update(path.read_bytes())
    return found.hexdigest()


def _compiler_of_machine() -> str | None:
    named = os.environ.get("CXX")
    return named or next((found for name in COMPILERS if (found := shutil.which(name))), None)


def _environment() -> dict[str, str]:
    """The environment of the build: the tools beside this Python first, and a compiler."""
    environment = dict(os.environ)
    beside = [str(Path(sys.executable).parent), sysconfig.get_path("scripts")]
    environment["PATH"] = os.pathsep.join([*beside, environment.get("PATH", "")])
    if not _compiler_of_machine():
        if importlib.util.find_spec("ziglang") is None:
            pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
            subprocess.run([*pip, "install", COMPILER_PACKAGE], check=True)
        environment["CXX"] = f"{sys.executable} -m ziglang c++"
    return environment


def _run(command: list[str], environment: dict[str, str]) -> None:
    """Run quietly; what was printed is shown where it fails."""
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        raise SystemExit(f"The core was not built: `{' '.join(command[:2])} …` failed.")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Build the compiled core.")
    parser.add_argument("--into", type=Path, default=PACKAGE)
    parser.add_argument("--sanitize", default="", metavar="LIST")
    chosen = parser.parse_args()
    build_core(chosen.into, chosen.sanitize)
