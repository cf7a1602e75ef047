"""Compare the locked packages with known vulnerabilities, from a file and without a network.

    python scripts/audit.py all.zip [requirements.lock …]

The file is the export of the OSV database for PyPI, `PyPI/all.zip` of osv.dev's bucket
`osv-vulnerabilities`: fetch it where there is a network. The program knows a version as affected if
an entry lists it; entries that have ranges only are counted and named as unchecked.
"""

from __future__ import annotations

import json
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LOCKS = ("requirements.lock", "requirements-dev.lock")
PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)", re.MULTILINE)


def pins(text: str) -> set[tuple[str, str]]:
    """The packages and versions of a lock, names normalised."""
    return {(_normal(name), version) for name, version in PIN.findall(text)}


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def entries(archive: Path) -> Iterator[dict[str, Any]]:
    """All entries of an OSV export that were not withdrawn."""
    with zipfile.ZipFile(archive) as opened:
        for name in opened.namelist():
            if name.endswith(".json"):
                entry = json.loads(opened.read(name))
                if "withdrawn" not in entry:
                    yield entry


def audit(archive: Path, locked: set[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """What is affected, and what could not be checked, one line each."""
    affected, unchecked = set[str](), set[str]()
    names = {name for name, _ in locked}
    for entry in entries(archive):
        for each in entry.get("affected", ()):
            package = each.get("package", {})
            name = _normal(str(package.get("name", "")))
            if package.get("ecosystem") != "PyPI" or name not in names:
                continue
            versions = each.get("versions")
            if not versions:
                unchecked.add(f"{entry['id']}: {name}, which has no list of versions")
            affected |= {
                f"{entry['id']}: {name} {version}: {entry.get('summary', 'no summary')}"
                for other, version in locked
                if other == name and version in (versions or ())
            }
    return sorted(affected), sorted(unchecked)


def main(words: list[str]) -> int:
    """Print all findings; 1 if there is one."""
    if not words:
        print(__doc__, file=sys.stderr)
        return 2
    files = [Path(word) for word in words[1:] or LOCKS]
    locked = set[tuple[str, str]]().union(*(pins(file.read_text("utf-8")) for file in files))
    affected, unchecked = audit(Path(words[0]), locked)
    for line in affected:
        print(line)
    for line in unchecked:
        print(f"unchecked: {line}")
    print(f"{len(locked)} packages, {len(affected)} findings, {len(unchecked)} unchecked")
    return 1 if affected else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
