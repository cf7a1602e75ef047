"""Every deliberate fault is found by the tests that are named with it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.breakages import BREAKAGES
from tests.breakages.breakage import Breakage
from tests.server.test_threats import lines
from tuilerie.server.ops.limits import RATES

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "tuilerie"

QUICK = {"cookies are unquoted", "any host", "the press time that a client tells decides"}
"""Those that `make test` tries, too."""

LONG = {
    "test_nothing_is_lost_in_three_hundred_kills_with_sqlite",
    "test_nothing_is_lost_in_three_hundred_kills_with_postgresql",
    "test_fifty_games_survive_each_fault_in_turn",
}
"""Longer versions of tests that have a fault."""


def copy_with(breakage: Breakage, place: Path) -> Path:
    """The source with the fault in it."""
    # With what Python has compiled: else every run would compile all modules again.
    shutil.copytree(
        SOURCE, place / "tuilerie", ignore=shutil.ignore_patterns("engine_dist"), symlinks=True
    )
    file = place / "tuilerie" / breakage.file
    file.write_text(file.read_text("utf-8").replace(breakage.old, breakage.new), "utf-8")
    return place


def failed(breakage: Breakage, place: Path) -> tuple[set[str], str]:
    """Which of the named tests fail, and what pytest says."""
    files = sorted({test.split("::")[0] for test in breakage.tests})
    names = sorted({re.split(r"::|\[", test)[1] for test in breakage.tests})
    one = len(breakage.tests) == 1 and "[" not in breakage.tests[0]  # else all must be seen to fail
    words = ["-q", "-x" if one else "-q", "-p", "no:cacheprovider", "-rf"]
    words += ["-k", " or ".join(names), *(str(ROOT / "tests" / file) for file in files)]
    environment = {**os.environ, "PYTHONPATH": str(copy_with(breakage, place))}
    environment["TUILERIE_WAIT"] = "20"  # what a fault keeps from coming is not waited for as long
    environment.pop("PYTEST_XDIST_WORKER", None)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=1800,
    )
    found = re.findall(r"^(?:FAILED|ERROR) tests/(\S+)", done.stdout, re.MULTILINE)
    return {test for test in breakage.tests if any(each.startswith(test) for each in found)}, (
        done.stdout[-3000:] + done.stderr[-1000:]
    )


@pytest.mark.parametrize("breakage", BREAKAGES, ids=lambda breakage: breakage.name)
def test_every_fault_still_fits_the_source(breakage: Breakage) -> None:
    text = (SOURCE / breakage.file).read_text("utf-8")
    assert text.count(breakage.old) == 1, breakage
    assert breakage.tests
    for test in breakage.tests:
        assert " " not in test, "pytest's summary is read up to the first space"
        file, name = test.partition("[")[0].split("::")
        code = (ROOT / "tests" / file).read_text("utf-8")
        assert re.search(rf"^(async )?def {name}\(", code, re.MULTILINE), test


def test_every_test_of_the_threat_model_has_a_fault() -> None:
    assert len(BREAKAGES) >= 40
    assert max(Counter(breakage.name for breakage in BREAKAGES).values()) == 1
    named = {re.split(r"::|\[", test)[1] for breakage in BREAKAGES for test in breakage.tests}
    assert {f"no limit: {key}" for key in RATES} <= {breakage.name for breakage in BREAKAGES}
    promised = {test for tests in lines().values() for test in tests}
    assert promised - named - LONG - _of_the_browser() == set()


def _of_the_browser() -> set[str]:
    """They need Chromium, and each has a test of the server beside it."""
    files = (ROOT / "tests" / "browser").rglob("*.py")
    text = "".join(path.read_text("utf-8") for path in files)
    return set(re.findall(r"^def (test_\w+)", text, re.MULTILINE))


@pytest.mark.slow
@pytest.mark.parametrize(
    "breakage",
    [
        pytest.param(each, marks=[] if each.name in QUICK else [pytest.mark.proof], id=each.name)
        for each in BREAKAGES
    ],
)
def test_a_fault_is_found(breakage: Breakage, tmp_path: Path) -> None:
    found, said = failed(breakage, tmp_path)
    assert found == set(breakage.tests), said
