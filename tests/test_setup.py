"""The set-up: locked installs, independence from new releases, and its messages."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement

from tests.test_project import pins

ROOT = Path(__file__).parent.parent
NEWER = "999"  # a release newer than the lock


def run(command: list[str], folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command without pip settings and outside any other `make`."""
    ours = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PIP_", "MAKE", "MFLAGS"))
    }
    return subprocess.run(
        command,
        cwd=folder,
        env={**ours, "PIP_CONFIG_FILE": os.devnull, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


# --- the locks ------------------------------------------------------------------------------------


def wheel(folder: Path, name: str, version: str) -> str:
    """Make an empty wheel with the real package's requirements; return its hash."""
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
    try:
        real = metadata(name)
    except PackageNotFoundError:  # not needed on this platform
        pass
    else:
        for field in ("Provides-Extra", "Requires-Dist"):
            lines += [f"{field}: {value}" for value in real.get_all(field, [])]
    stem = f"{name.replace('-', '_')}-{version}"
    files = {
        f"{stem}.dist-info/METADATA": "\n".join(lines) + "\n",
        f"{stem}.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = f"{stem}.dist-info/RECORD"
    files[record] = "".join(f"{path},{_in_record(text)}\n" for path, text in files.items())
    files[record] += f"{record},,\n"
    made = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(made, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return hashlib.sha256(made.read_bytes()).hexdigest()


def _in_record(text: str) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest())
    return f"sha256={digest.decode().rstrip('=')},{len(text.encode())}"


def index(folder: Path, pinned: dict[str, str]) -> dict[str, str]:
    """Make a package index with each pinned release and a newer one; return the pinned hashes."""
    hashes = {}
    for name, version in pinned.items():
        project = folder / name
        project.mkdir(parents=True)
        hashes[name] = wheel(project, name, version)
        wheel(project, name, NEWER)
        links = [f'<a href="{path.name}">{path.name}</a>' for path in project.glob("*.whl")]
        (project / "index.html").write_text("\n".join(links))
    return hashes


def copy_lock(lock: str, to: Path, hashes: dict[str, str]) -> None:
    """Copy a lock with the hashes of the test index."""
    text = re.sub(r" \\\n    --hash=\S+", "", (ROOT / lock).read_text("utf-8"))
    lines = [f"{line} --hash=sha256:{hashes[line.split('==')[0]]}" for line in text.splitlines()]
    (to / lock).write_text("\n".join(lines) + "\n")


def needed_here(lock: str) -> dict[str, str]:
    """Return the pins of a lock for this platform."""
    text = (ROOT / lock).read_text("utf-8")
    elsewhere = {
        name
        for name, marker in re.findall(r"^(\S+)==\S+ ; (.+?) \\$", text, re.MULTILINE)
        if not Marker(marker).evaluate()
    }
    return {name: version for name, version in pins(lock).items() if name not in elsewhere}


@pytest.mark.slow
@pytest.mark.proof
def test_locks_are_installed_exactly_despite_newer_releases(tmp_path: Path) -> None:
    site = tmp_path / "checkout"
    shutil.copytree(ROOT / "scripts", site / "scripts")
    shutil.copy(ROOT / "Makefile", site)
    offered = tmp_path / "simple"
    hashes = index(offered, pins("requirements-dev.lock"))
    # First `make play`, then `make test`, as a new user does.
    for stamp, lock in (("play", "requirements-play.lock"), ("dev", "requirements-dev.lock")):
        copy_lock(lock, site, hashes)
        made = run(
            ["make", f".venv/{stamp}", f"PYTHON={sys.executable}"],
            site,
            PIP_INDEX_URL=offered.as_uri(),
            PIP_CACHE_DIR=str(tmp_path / "cache"),
        )
        assert made.returncode == 0, made.stdout + made.stderr
        assert len(made.stdout.splitlines()) == 1, "one line for one step"
        pip = [str(site / ".venv/bin/python"), "-m", "pip"]
        listed = json.loads(run([*pip, "list", "--format=json"], site).stdout)
        found = {each["name"]: each["version"] for each in listed}
        assert {name: found.get(name) for name in found if name not in ("pip", "setuptools")} == (
            needed_here(lock)
        )
        checked = run([*pip, "check"], site)
        assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("path", ["Makefile", "deploy/Dockerfile"])
def test_locks_are_installed_without_resolution(path: str) -> None:
    lines = [
        line for line in (ROOT / path).read_text("utf-8").splitlines() if "--require-hashes" in line
    ]
    assert lines
    assert all("--no-deps" in line for line in lines)


def test_make_play_installs_no_test_packages() -> None:
    play = pins("requirements-play.lock")
    assert not {"sphinx", "mypy", "playwright", "pytest", "ruff", "hypothesis"} & set(play)


def test_the_build_tools_are_pinned_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    tools = project["project"]["optional-dependencies"]["build"]
    play = pins("requirements-play.lock")
    for tool in map(Requirement, tools):
        assert str(tool.specifier) == f"=={play[tool.name]}"
    assert set(project["build-system"]["requires"]) <= set(tools)
    names = "|".join(Requirement(tool).name for tool in tools)
    for path in ("Makefile", "hatch_build.py", "native/build.py", "deploy/Dockerfile"):
        text = (ROOT / path).read_text("utf-8")
        assert not re.search(rf"\b(?:{names})\s*[=<>~!]=", text), path
        assert not re.search(r"pip.+install.+(?:PACKAGE|[=<>]=\d)", text.replace("uv==", "")), path


def test_old_python_is_reported(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "requirements-play.lock").touch()
    old = tmp_path / "python"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.9.2\n')
    old.chmod(0o755)
    made = run(["make", ".venv/play", f"PYTHON={old}"], tmp_path)
    assert made.returncode != 0
    assert "Tuilerie needs Python 3.11 or newer" in made.stderr
    assert "Python 3.9.2." in made.stderr
    assert "PYTHON=python3.12" in made.stderr


# --- the compiled core ----------------------------------------------------------------------------


def compiled(into: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Build the core over one of older sources."""
    into.mkdir(parents=True, exist_ok=True)
    (into / "_old.so").touch()
    (into / ".stamp").write_text("other sources")
    command = [sys.executable, str(ROOT / "native" / "build.py"), "--into", str(into)]
    return run(command, into, **environment)


def test_failing_compiler_is_an_error_and_removes_stale_builds() -> None:
    into = ROOT / "build" / "no-core"  # a fixed path: each has its own build folder
    done = compiled(into, CXX=str(shutil.which("false")))
    assert done.returncode != 0
    assert "The core was not built" in done.stderr
    assert not list(into.iterdir())


def test_missing_compiler_prints_one_line_and_removes_stale_builds(tmp_path: Path) -> None:
    done = compiled(tmp_path, CXX="", PATH=str(tmp_path))
    assert done.returncode == 0
    assert re.fullmatch(r"Tuilerie: no C\+\+ compiler here .+\n", done.stdout)
    assert not list(tmp_path.iterdir())
