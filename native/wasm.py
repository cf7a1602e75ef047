"""Builds the core as WebAssembly: `python native/wasm.py`, one module for each game.

The compiler is the Python package `ziglang`, pinned in pyproject.toml. The results are kept in
build/wasm and rebuilt only when the sources or the compiler have changed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

SOURCE = Path(__file__).resolve().parent
ROOT = SOURCE.parent
BUILT = ROOT / "build" / "wasm"

GAMES = ("genial", "blockers", "kaosmos")

MEMORY = 256 * 2**20
"""The most memory that a module can have, in bytes."""

COMPILE = (
    *("-target", "wasm32-wasi", "-std=c++20", "-O3", "-msimd128", "-fno-exceptions", "-fno-rtti"),
    *("-Wall", "-Wextra", "-Wpedantic", "-Werror", "-DNDEBUG"),
)
MORE = {"blockers": ("-mllvm", "-inline-threshold=1000")}
"""Its search calls many small functions; with them in line it is an eighth faster."""
LINK = (*("-mexec-model=reactor", "-s", f"-Wl,--max-memory={MEMORY}", "-Wl,-z,stack-size=1048576"),)


class NoCompiler(Exception):
    """The package `ziglang` is not installed."""


def build_wasm(into: Path = BUILT) -> dict[str, Path]:
    """Compile the modules, unless they are up to date. Returns the file of each game."""
    made = {game: into / f"{game}.wasm" for game in GAMES}
    stamp, digest = into / ".stamp", _digest()
    if stamp.is_file() and stamp.read_text() == digest:
        return made
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    for game, file in made.items():
        source = str(SOURCE / f"{game}_wasm.cpp")
        _zig("c++", *COMPILE, *MORE.get(game, ()), *LINK, "-o", str(file), source)
    stamp.write_text(digest)
    return made


def _digest() -> str:
    """Return a hash of the sources, the settings and the version of the compiler."""
    try:
        compiler = version("ziglang")
    except PackageNotFoundError:
        raise NoCompiler(
            "the package 'ziglang' is not installed (`make setup` installs it)"
        ) from None
    found = hashlib.sha256(f"{compiler}{COMPILE}{MORE}{LINK}".encode())
    for path in sorted([*SOURCE.glob("*.h"), *SOURCE.glob("*_wasm.cpp")]):
        found.update(path.name.encode())
        found.update(path.read_bytes())
    return found.hexdigest()


def _zig(*words: str) -> None:
    """Run the compiler; its own cache is kept below build/."""
    cache = str(ROOT / "build" / "zig")
    places = {"ZIG_GLOBAL_CACHE_DIR": cache, "ZIG_LOCAL_CACHE_DIR": cache}
    command = [sys.executable, "-m", "ziglang", *words]
    if subprocess.run(command, env={**os.environ, **places}, check=False).returncode:
        raise SystemExit(f"The WebAssembly core was not built: `zig {words[0]} …` failed.")


if __name__ == "__main__":
    try:
        build_wasm()
    except NoCompiler as error:
        sys.exit(f"Tuilerie: {error}")
