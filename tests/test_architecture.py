"""Imports point one way: no room knows of a room above it, and the rules know of nothing but rules.

The whole source is read as a syntax tree, so an import inside a function counts like any other.
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

FLOORS: tuple[frozenset[str], ...] = (
    frozenset({"games"}),
    frozenset({"record", "dealer", "native"}),
    frozenset({"bots", "analysis", "language", "texts"}),
    frozenset({"match", "simulate"}),
    frozenset({"store", "terminal", "lab"}),
    frozenset({"server"}),
    frozenset({"cli"}),
    frozenset({"__main__"}),
)
"""The rooms from the ground up. A room may use what lies on the floors below its own."""

WORDS = frozenset({"language", "texts"})
SPEAKERS = frozenset({"terminal", "server", "cli"})
"""Words for people are used only by the rooms that speak to people."""

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
"""What a room may use beside the standard library; nothing, where it is not named."""

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
"""What the rules may use of the standard library: nothing that knows the world outside."""

IMPURE_CALLS = frozenset(
    {"__import__", "breakpoint", "compile", "eval", "exec", "id", "input", "open", "print"}
)


class Import(NamedTuple):
    """One imported thing: `module` is what is named, `thing` includes the name taken from it."""

    module: str
    thing: str
    line: int


def module_name(file: Path, source: Path) -> str:
    parts = ("tuilerie", *file.relative_to(source).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(file: Path, source: Path) -> Iterator[Import]:
    """Everything that a file imports, wherever in it, with relative imports spelt out."""
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


def room_of(thing: str) -> str | None:
    """The room that a dotted name of ours lies in; `None` for the front door, `tuilerie` itself."""
    _, _, inside = thing.partition(".")
    room = inside.split(".")[0]
    return None if room in ("", "__version__") else room


def floor_of(room: str) -> int | None:
    return next((floor for floor, rooms in enumerate(FLOORS) if room in rooms), None)


def may_use(room: str, other: str) -> bool:
    floor, below = floor_of(room), floor_of(other)
    if floor is None or below is None or below >= floor:
        return False
    return other not in WORDS or room in SPEAKERS


def complaint_about_rules(name: str, found: Import, source: Path) -> str | None:
    """What is wrong with an import in `games/`, where more is asked than elsewhere."""
    if not found.thing.startswith("tuilerie."):
        pure = found.module in PURE_MODULES or found.thing in PURE_MODULES
        return None if pure else f"the rules may not use {found.thing}"
    if not found.thing.startswith("tuilerie.games."):
        return f"the rules may not use {found.thing}"
    game = name.split(".")[2:3]
    is_game = bool(game) and (source / "games" / game[0]).is_dir()
    other = found.thing.split(".")[2]
    shared = (source / "games" / f"{other}.py").is_file()
    if (is_game and [other] == game) or shared or name == "tuilerie.games":
        return None
    return f"a game may not use {found.thing}"


def complaint(name: str, found: Import, source: Path) -> str | None:
    room = room_of(name)
    if room == "games":
        return complaint_about_rules(name, found, source)
    top = found.module.split(".")[0]
    if top != "tuilerie":
        allowed = top in sys.stdlib_module_names or top in LIBRARIES.get(room or "", ())
        return None if allowed else f"{room or 'tuilerie'} may not use {top}"
    other = room_of(found.thing)
    if other is None or other == room or (room is not None and may_use(room, other)):
        return None
    return f"{room or 'tuilerie'} may not use {other}"


def impure_calls(file: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Name) and called.id in IMPURE_CALLS:
            yield called.lineno, called.id


def complaints(source: Path) -> list[str]:
    """All that breaks the order of the house, as `file:line: what`."""
    found = []
    for file in sorted(source.rglob("*.py")):
        name, where = module_name(file, source), file.relative_to(source).as_posix()
        room = room_of(name)
        if room is not None and floor_of(room) is None:
            found.append(f"{where}:1: {room} is a room that no floor names")
            continue
        for each in imports_of(file, source):
            if what := complaint(name, each, source):
                found.append(f"{where}:{each.line}: {what}")
        if room == "games":
            calls = impure_calls(file)
            found += [f"{where}:{line}: the rules may not call {call}" for line, call in calls]
    return found


def test_imports_point_one_way() -> None:
    assert complaints(SOURCE) == []


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


def test_a_house_in_order_passes(tmp_path: Path) -> None:
    assert complaints(build(tmp_path, GOOD)) == []


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
        ("attic.py", "", "attic is a room that no floor names"),
    ],
)
def test_a_house_out_of_order_is_found(tmp_path: Path, file: str, text: str, expected: str) -> None:
    assert complaints(build(tmp_path, {**GOOD, file: text})) == [f"{file}:1: {expected}"]


def test_an_import_inside_a_function_counts(tmp_path: Path) -> None:
    late = {"record.py": "def replay():\n    from tuilerie.cli import main\n"}
    assert complaints(build(tmp_path, GOOD | late)) == ["record.py:2: record may not use cli"]
