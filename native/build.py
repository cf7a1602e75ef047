"""Builds the compiled core into the package: `python native/build.py`.

Needs CMake, Ninja and nanobind (Python packages pinned in pyproject.toml) and a system compiler.
Without a compiler nothing is built, and everything runs on the Python rules; if the compiler fails,
so does the build. Rebuilds only when native/ or the interpreter has changed. For the tests,
`--sanitize address,undefined --into DIR` builds with sanitizers.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

SOURCE = Path(__file__).resolve().parent
ROOT = SOURCE.parent
PACKAGE = ROOT / "src" / "tuilerie" / "native"

COMPILERS = ("c++", "g++", "clang++", "cl")


class CannotCompile(Exception):
    """A build tool is missing on this machine."""


def build_core(into: Path = PACKAGE, sanitize: str = "") -> None:
    """Compile the core into a folder, unless it is up to date."""
    stamp, digest = into / ".stamp", _digest(sanitize)
    if stamp.is_file() and stamp.read_text() == digest:
        return
    _remove(into)
    _look_for_compiler()
    into.mkdir(parents=True, exist_ok=True)
    work = _configure(f"{into}{sanitize}", sanitize)
    _run(["cmake", "--build", str(work)])
    _run(["cmake", "--install", str(work), "--prefix", str(into)])
    stamp.write_text(digest)


def build_trainer(sanitize: str = "") -> Path:
    """Compile the trainer of the network, and return its path."""
    _look_for_compiler()
    work = _configure(f"trainer{sanitize}", sanitize)
    _run(["cmake", "--build", str(work), "--target", "genial_train"])
    return work / "genial_train"


def _configure(name: str, sanitize: str = "") -> Path:
    """Configure a build in its own folder, and return the folder."""
    work = ROOT / "build" / "core" / hashlib.sha256(name.encode()).hexdigest()[:12]
    work.mkdir(parents=True, exist_ok=True)
    configure = [
        *("cmake", "-S", str(SOURCE), "-B", str(work), "-G", "Ninja"),
        *("-DCMAKE_BUILD_TYPE=Release", f"-DPython_EXECUTABLE={sys.executable}"),
        f"-DTUILERIE_SANITIZE={sanitize}",
    ]
    _run(configure)
    return work


def _remove(folder: Path) -> None:
    """Remove stale binaries, so that no test runs against them."""
    for pattern in (".stamp", "*.so", "*.pyd"):
        for path in folder.glob(pattern):
            path.unlink()


def _look_for_compiler() -> None:
    """Raise `CannotCompile` if a build tool is missing."""
    if _compiler_of_machine() is None:
        missing, package = "C++ compiler", "g++"
    elif not Path(sysconfig.get_path("include"), "Python.h").is_file():
        missing, package = "headers of Python", "python3-dev"
    else:
        return
    raise CannotCompile(
        f"no {missing} here (Debian: {package}), so the plain rules are used: bots are weaker."
    )


def _digest(sanitize: str) -> str:
    """Return a hash of the sources and the build settings."""
    found = hashlib.sha256(f"{sys.version}{sysconfig.get_platform()}{sanitize}".encode())
    for path in sorted(SOURCE.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            found.update(path.relative_to(SOURCE).as_posix().encode())
            found.update(path.read_bytes())
    return found.hexdigest()


def _compiler_of_machine() -> str | None:
    named = os.environ.get("CXX")
    return named or next((found for name in COMPILERS if (found := shutil.which(name))), None)


def _run(command: list[str]) -> None:
    """Run a tool of this Python environment."""
    beside = [str(Path(sys.executable).parent), sysconfig.get_path("scripts")]
    path = os.pathsep.join([*beside, os.environ.get("PATH", "")])
    done = subprocess.run(command, env={**os.environ, "PATH": path}, check=False)
    if done.returncode:
        raise SystemExit(f"The core was not built: `{' '.join(command[:2])} …` failed.")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Build the compiled core.")
    parser.add_argument("--into", type=Path, default=PACKAGE)
    parser.add_argument("--sanitize", default="", metavar="LIST")
    chosen = parser.parse_args()
    try:
        build_core(chosen.into, chosen.sanitize)
    except CannotCompile as error:
        print(f"Tuilerie: {error}")
