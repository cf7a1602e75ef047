"""The offline audit of dependencies."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).parent.parent / "scripts" / "audit.py"


def entry(number: str, **more: Any) -> dict[str, Any]:
    package = {"ecosystem": "PyPI", "name": "Some_Package"}
    return {"id": number, "affected": [{"package": package, **more}], "summary": "bad"}


def export(folder: Path, *found: dict[str, Any]) -> str:
    with zipfile.ZipFile(folder / "all.zip", "w") as archive:
        for each in found:
            archive.writestr(f"{each['id']}.json", json.dumps(each))
    return str(folder / "all.zip")


def audit(*words: str) -> tuple[int, list[str]]:
    words = (sys.executable, str(SCRIPT), *words)
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()


def test_affected_version_is_found(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    lock.write_text("some-package==1.2 \\\n    --hash=sha256:00\nother==3\n")
    bad, old = entry("A-1", versions=["1.1", "1.2"]), entry("A-2", versions=["1.0"])
    gone = {**entry("A-3", versions=["1.2"]), "withdrawn": "2026-01-01"}
    ranges = entry("A-4", ranges=[{"type": "ECOSYSTEM"}])
    code, output = audit(export(tmp_path, bad, old, gone, ranges), str(lock))
    assert code == 1
    assert output[0] == "A-1: some-package 1.2: bad"
    assert output[1].startswith("unchecked: A-4")
    assert output[2] == "2 packages, 1 findings, 1 unchecked"
    assert audit(export(tmp_path, old), str(lock)) == (0, ["2 packages, 0 findings, 0 unchecked"])


def test_locks_of_the_project_are_read(tmp_path: Path) -> None:
    lock = SCRIPT.parent.parent / "requirements.lock"
    many = len(
        [line for line in lock.read_text("utf-8").splitlines() if "==" in line.split(";")[0]]
    )
    code, output = audit(export(tmp_path), str(lock))
    assert (code, output) == (0, [f"{many} packages, 0 findings, 0 unchecked"])


def test_audit_needs_a_file() -> None:
    assert audit()[0] == 2
