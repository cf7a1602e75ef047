"""Every line of the threat model names tests, and they exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINE = re.compile(r"^\| (?P<what>[^|]+) \| (?P<how>[^|]+) \| (?P<tests>[^|]+) \|$", re.MULTILINE)


def lines() -> dict[str, list[str]]:
    """What is protected, with the tests that are named for it."""
    text = (ROOT / "docs" / "threats.md").read_text("utf-8")
    found = {
        line["what"]: re.findall(r"`(test_\w+)`", line["tests"]) for line in LINE.finditer(text)
    }
    found.pop("what")
    return found


def test_every_threat_names_existing_tests() -> None:
    folders = [ROOT / "tests" / room for room in ("server", "store", "match", "browser")]
    code = "".join(path.read_text("utf-8") for folder in folders for path in folder.rglob("*.py"))
    known = set(re.findall(r"^(?:async )?def (test_\w+)", code, re.MULTILINE))
    threats = lines()
    assert len(threats) > 20
    for what, tests in threats.items():
        assert tests, what
        assert set(tests) <= known, (what, set(tests) - known)
