"""match/ is pure: time and chance are arguments, and nothing is read or written."""

from __future__ import annotations

import ast
from pathlib import Path

import tuilerie.match

ROOM = Path(tuilerie.match.__file__).parent

ALLOWED = {"__future__", "collections", "dataclasses", "datetime", "functools", "json", "types"}
ALLOWED |= {"typing", "tuilerie"}

FORBIDDEN_CALLS = {"now", "utcnow", "today", "time", "open", "print", "input", "random"}


def test_match_uses_no_clock_random_generator_or_file() -> None:
    files = sorted(ROOM.glob("*.py"))
    assert len(files) > 10
    for file in files:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                assert {alias.name.split(".")[0] for alias in node.names} <= ALLOWED, file
            elif isinstance(node, ast.ImportFrom):
                assert str(node.module).split(".")[0] in ALLOWED, file
                assert not {alias.name for alias in node.names} & {"random", "time", "dealer"}
            elif isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                assert name not in FORBIDDEN_CALLS, (file, node.lineno)
