"""Import rules: packages import only packages below them, and the rules only other rules.

The source is parsed, so imports inside functions count, too.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "tuilerie"

LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"codec", "names"}),
    frozenset({"games"}),
    frozenset({"record", "dealer", "native"}),
    frozenset({"bots", "language", "texts"}),
    frozenset({"match", "simulate"}),
    frozenset({"store", "terminal", "lab", "local"}),
    frozenset({"server"}),
    frozenset({"cli"}),
    frozenset({"__main__"}),
)
"""The layers from bottom to top. A package may use those of lower layers."""

WORDS = frozenset({"language", "texts"})
SPEAKERS = frozenset({"terminal", "server", "cli"})
"""Messages for users are used only by user interfaces."""

LIBRARIES = {
    "lab": frozenset({"click", "openskill", "ray"}),
    "terminal": frozenset({"click"}),
    "cli": frozenset({"click"}),
    "store": frozenset({"aiosqlite", "alembic", "argon2", "asyncpg", "sqlalchemy"}),
    "server": frozenset(
        {
            "click",
            "litestar",
            "msgspec",
            "prometheus_client",
            "redis",
            "segno",
            "structlog",
            "uvicorn",
            "websockets",
            "uvloop",
        }
    ),
}
"""Third-party libraries by package; none by default."""

PURE_MODULES = frozenset(
    {
        "__future__",
        "bisect",
        "collections",
        "collections.abc",
        "dataclasses",
        "enum",
        "functools",
        "hashlib",
        "heapq",
        "importlib.resources",  # a game's own data files, which are part of its rules
        "itertools",
        "json",
        "math",
        "operator",
        "re",
        "types",
        "typing",
    }
)
"""The standard library modules that the rules may use: pure ones only."""

IMPURE_CALLS = frozenset(
    {"__import__", "breakpoint", "compile", "eval", "exec", "id", "input", "open", "print"}
)


class Import(NamedTuple):
    """An import: `module` is the module, `thing` includes the imported name."""

    module: str
    thing: str
    line: int


def module_name(file: Path, source: Path) -> str:
    parts = ("tuilerie", *file.relative_to(source).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(file: Path, source: Path) -> Iterator[Import]:
    """Return all imports of a file, with relative ones resolved."""
    package = ["tuilerie", *file.relative_to(source).parent.parts]
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, alias.name, node.lineno)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                yield Import(module, f"{module}.{alias.name}", node.lineno)


def package_of(thing: str) -> str | None:
    """Return the package of a dotted name; `None` for `tuilerie` itself."""
    _, _, inside = thing.partition(".")
    package = inside.split(".")[0]
    return None if package in ("", "__version__") else package


def layer_of(package: str) -> int | None:
    return next((layer for layer, packages in enumerate(LAYERS) if package in packages), None)


def may_use(package: str, other: str) -> bool:
    layer, below = layer_of(package), layer_of(other)
    if layer is None or below is None or below >= layer:
        return False
    return other not in WORDS or package in SPEAKERS


def violation_in_rules(name: str, found: Import, source: Path) -> str | None:
    """Return the violation of an import in `games/`, which has stricter rules."""
    if not found.thing.startswith("tuilerie."):
        pure = found.module in PURE_MODULES or found.thing in PURE_MODULES
        return None if pure else f"the rules may not use {found.thing}"
    if package_of(found.thing) == "codec":
        return None  # pure, too: dataclasses to JSON's own types
    if not found.thing.startswith("tuilerie.games."):
        return f"the rules may not use {found.thing}"
    game = name.split(".")[2:3]
    is_game = bool(game) and (source / "games" / game[0]).is_dir()
    other = found.thing.split(".")[2]
    shared = (source / "games" / f"{other}.py").is_file()
    if (is_game and [other] == game) or shared or name == "tuilerie.games":
        return None
    return f"a game may not use {found.thing}"


def violation(name: str, found: Import, source: Path) -> str | None:
    package = package_of(name)
    if package == "games":
        return violation_in_rules(name, found, source)
    top = found.module.split(".")[0]
    if top != "tuilerie":
        allowed = top in sys.stdlib_module_names or top in LIBRARIES.get(package or "", ())
        return None if allowed else f"{package or 'tuilerie'} may not use {top}"
    other = package_of(found.thing)
    if other is None or other == package or (package is not None and may_use(package, other)):
        return None
    return f"{package or 'tuilerie'} may not use {other}"


def impure_calls(file: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Name) and called.id in IMPURE_CALLS:
            yield called.lineno, called.id


def violations(source: Path) -> list[str]:
    """Return all violations, as `file:line: what`."""
    found = []
    for file in sorted(source.rglob("*.py")):
        name, where = module_name(file, source), file.relative_to(source).as_posix()
        package = package_of(name)
        if package is not None and layer_of(package) is None:
            found.append(f"{where}:1: {package} is in no layer")
            continue
        for each in imports_of(file, source):
            if what := violation(name, each, source):
                found.append(f"{where}:{each.line}: {what}")
        if package == "games":
            calls = impure_calls(file)
            found += [f"{where}:{line}: the rules may not call {call}" for line, call in calls]
    return found


def test_imports_point_one_way() -> None:
    assert violations(SOURCE) == []


GOOD = {
    "__init__.py": "__version__ = '1'",
    "games/__init__.py": "from tuilerie.games.chess import GAME\nfrom .game import Card",
    "games/game.py": "from dataclasses import dataclass\nimport collections.abc",
    "games/chess/__init__.py": "from .board import CELLS\nfrom ..game import Card",
    "games/chess/board.py": "from importlib import resources\nfrom tuilerie.games import game",
    "games/go/__init__.py": "from tuilerie.games.game import Card",
    "record.py": "import json, datetime\nfrom tuilerie.games import GAMES",
    "dealer.py": "import random\nimport tuilerie.games.game",
    "bots/__init__.py": "from tuilerie import dealer, record",
    "terminal/__init__.py": "import click\nfrom tuilerie import bots, language",
    "language/__init__.py": "import tomllib\nfrom tuilerie.record import Fault",
    "simulate.py": "from tuilerie import bots, dealer",
    "cli.py": "import click\nfrom tuilerie import __version__, record, terminal",
    "__main__.py": "from tuilerie.cli import main",
}


def build(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def test_valid_source_passes(tmp_path: Path) -> None:
    assert violations(build(tmp_path, GOOD)) == []


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("games/go/__init__.py", "import random", "the rules may not use random"),
        ("games/go/__init__.py", "from time import time", "the rules may not use time.time"),
        ("games/go/__init__.py", "import os.path", "the rules may not use os.path"),
        ("games/go/__init__.py", "import importlib", "the rules may not use importlib"),
        ("games/go/__init__.py", "import click", "the rules may not use click"),
        ("games/go/__init__.py", "open('a')", "the rules may not call open"),
        ("games/go/__init__.py", "import tuilerie.record", "the rules may not use tuilerie.record"),
        (
            "games/go/__init__.py",
            "from tuilerie.games.chess import GAME",
            "a game may not use tuilerie.games.chess.GAME",
        ),
        (
            "games/go/__init__.py",
            "from tuilerie.games import GAMES",
            "a game may not use tuilerie.games.GAMES",
        ),
        ("games/game.py", "from . import go", "a game may not use tuilerie.games.go"),
        ("games/go/__init__.py", "from ... import record", "the rules may not use tuilerie.record"),
        ("record.py", "from tuilerie import bots", "record may not use bots"),
        ("record.py", "from . import dealer", "record may not use dealer"),
        ("record.py", "import click", "record may not use click"),
        ("bots/__init__.py", "from tuilerie.terminal import x", "bots may not use terminal"),
        ("bots/__init__.py", "from tuilerie import language", "bots may not use language"),
        ("bots/deep.py", "from ..cli import main", "bots may not use cli"),
        ("language/__init__.py", "import tuilerie.bots", "language may not use bots"),
        ("simulate.py", "from tuilerie import texts", "simulate may not use texts"),
        ("terminal/__init__.py", "import requests", "terminal may not use requests"),
        ("__init__.py", "from tuilerie.cli import main", "tuilerie may not use cli"),
        ("attic.py", "", "attic is in no layer"),
    ],
)
def test_violation_is_reported(tmp_path: Path, file: str, text: str, expected: str) -> None:
    assert violations(build(tmp_path, {**GOOD, file: text})) == [f"{file}:1: {expected}"]


def test_an_import_inside_a_function_counts(tmp_path: Path) -> None:
    late = {"record.py": "def replay():\n    from tuilerie.cli import main\n"}
    assert violations(build(tmp_path, GOOD | late)) == ["record.py:2: record may not use cli"]
