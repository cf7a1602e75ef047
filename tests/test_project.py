"""Project-wide checks: lock files, documents, folders, and the documentation build."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import tuilerie

ROOT = Path(__file__).parent.parent
GAMES = ROOT / "src" / "tuilerie" / "games"
LOCKS = {  # with their dependency groups in pyproject.toml
    "requirements.lock": (),
    "requirements-play.lock": ("build",),
    "requirements-dev.lock": ("build", "dev"),
    "requirements-ray.lock": ("ray",),
}

# --- the lock files -------------------------------------------------------------------------------

PIN = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>[^ ;]+)(?: ; [^#]+)?")
"""A pinned package: a name, an exact version, and perhaps a marker."""


def pins(lock: str) -> dict[str, str]:
    """Return the versions of a lock file, which may only hold pins with hashes."""
    text = (ROOT / lock).read_text("utf-8").replace(" \\\n    --hash=", " --hash=")
    found = {}
    for line in text.splitlines():
        pin, *hashes = line.split(" --hash=")
        match = PIN.fullmatch(pin.rstrip())
        assert match, f"{lock}: not a pin: {pin}"
        assert hashes, f"{lock}: no hash: {pin}"
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", each) for each in hashes), pin
        found[match["name"]] = match["version"]
    return found


def asked_for(*groups: str) -> list[Requirement]:
    """Return the requirements of pyproject.toml: runtime, and the named groups."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    needed = list(project["project"]["dependencies"])
    for group in groups:
        needed += project["project"]["optional-dependencies"][group]
    return [Requirement(each) for each in needed]


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_has_no_host_and_no_path(lock: str) -> None:
    text = (ROOT / lock).read_text("utf-8")
    assert not re.search(r"://|www\.|file:|@|index|find-links|/", text)


@pytest.mark.parametrize(("lock", "groups"), LOCKS.items())
def test_lock_satisfies_the_requirements(lock: str, groups: tuple[str, ...]) -> None:
    pinned = pins(lock)
    for wanted in asked_for(*groups):
        assert wanted.name in pinned, f"{wanted} is not in {lock}: run `make lock`"
        assert wanted.specifier.contains(pinned[wanted.name]), f"{wanted}: run `make lock`"


def test_the_locks_agree() -> None:
    run, play, dev, ray = (pins(lock).items() for lock in LOCKS)
    assert run <= play <= dev
    assert run <= ray
    versions = dict(dev)
    assert all(versions.get(name, version) == version for name, version in ray)


# --- documents ------------------------------------------------------------------------------------

NOT_OURS = re.compile(
    r"\.(?!ci$|gitignore$).+|build|dist|_build|__pycache__|.+\.egg-info|node_modules|web_dist|shots"
)
"""Files and folders that are not part of the project, or are build products."""


def texts(folder: Path = ROOT) -> Iterator[tuple[str, str]]:
    """Yield every text file of the project: its path and its content."""
    for path in sorted(folder.iterdir()):
        if NOT_OURS.fullmatch(path.name):
            continue
        if path.is_dir():
            yield from texts(path)
        else:
            try:
                yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")
            except UnicodeDecodeError:
                continue  # a binary file


@pytest.mark.parametrize(
    ("what", "pattern"),
    [
        ("a path of somebody's machine", r"(?<![\w.])/(?:home|root|Users|work|opt|tmp|var)/"),
        ("material that is not part of the project", r"\bshared[/]"),
        ("something left undone", r"\b(?:TO[D]O|FIX[M]E|XX[X])\b"),
    ],
)
def test_no_file_names(what: str, pattern: str) -> None:
    found = [
        f"{path}:{number}: {what}: {line.strip()}"
        for path, text in texts()
        for number, line in enumerate(text.splitlines(), 1)
        if re.search(pattern, line)
    ]
    assert found == []


def test_the_readme_names_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert "make play" in readme
    assert "make test" in readme


def test_changelog_has_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    headings = re.findall(r"^## \[?([^]\s]+)", changelog, re.MULTILINE)
    assert {"Unreleased", tuilerie.__version__} & set(headings)


def test_ci_runs_make_test() -> None:
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111, "it can be executed"
    lines = script.read_text("utf-8").splitlines()
    assert "set -euo pipefail" in lines
    assert lines.index("export CI=true") < lines.index("make test"), "no server may be missing"


def test_the_makefile_explains_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8").replace("\\\n", "")
    phony = re.search(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    assert phony
    explained = set(re.findall(r"^([a-z-]+):.*  ## .+$", makefile, re.MULTILINE))
    assert set(phony[1].split()) == explained


BUILT = re.compile(r"_(build|dist)\b")  # not in a fresh checkout
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "docs/*.md")


def documents() -> Iterator[tuple[str, str]]:
    for pattern in DOCUMENTS:
        for path in sorted(ROOT.glob(pattern)):
            yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")


def test_documents_name_existing_files() -> None:
    named = re.compile(r"`((?:src|tests|docs|benchmarks)/[\w./-]*)`")
    missing = [
        f"{document}: {name}"
        for document, text in documents()
        for name in named.findall(text)
        if not (ROOT / name).exists() and not BUILT.search(name)
    ]
    assert missing == []


def test_the_architecture_names_existing_files() -> None:
    """Every path in docs/architecture.md: relative to the package, the checkout or native/."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    named = re.findall(r"`([\w./<>*-]+(?:/|\.(?:py|tsx?|h|cpp)))`", text)
    assert len(named) > 50
    known = {path.name for folder in ("src", "web/src", "native") for path in files_in(folder)}
    missing = []
    for name in named:
        for game in [path.name for path in game_folders()] if "<game>" in name else [""]:
            path = name.replace("<game>", game)
            roots = (ROOT / "src" / "tuilerie", ROOT, ROOT / "native")
            if path not in known and not any(any(root.glob(path)) for root in roots):
                missing.append(path)
    assert missing == []


def files_in(folder: str) -> Iterator[Path]:
    return (path for path in (ROOT / folder).rglob("*") if path.is_file())


def test_documents_name_existing_functions_and_targets() -> None:
    code = [*ROOT.glob("src/**/*.py"), *ROOT.glob("tests/**/*.py")]
    functions = set(re.findall(r"def (\w+)", "".join(path.read_text("utf-8") for path in code)))
    targets = (ROOT / "Makefile").read_text("utf-8")
    for document, text in documents():
        for name in re.findall(r"`([a-z]+(?:_[a-z]+)+)`", text):
            assert name in functions, f"{document}: {name}"
        for name in re.findall(r"(?:`|\$ )make ([a-z-]+)", text):
            assert f"\n{name}:" in targets, f"{document}: make {name}"


# --- the folders ----------------------------------------------------------------------------------

GAME_FILES = {  # a game may have more
    "__init__.py",
    "board.py",
    "card.py",
    "events.py",
    "notation.py",
    "rules.py",
    "score.py",
    "state.py",
    "tiles.py",
    "view.py",
}


def game_folders() -> list[Path]:
    return sorted(path.parent for path in GAMES.glob("*/__init__.py"))


def test_every_game_has_the_same_files() -> None:
    assert game_folders()
    for folder in game_folders():
        assert {path.name for path in folder.glob("*.py")} >= GAME_FILES, folder.name


# --- the documentation ----------------------------------------------------------------------------

LOADED = re.compile(
    r"""<(?:script|link|img|iframe|source|video|audio|object|embed)\b[^>]*"""
    r"""\b(?:src|href|srcset|data)\s*=\s*["']?\s*(?:https?:)?//"""
    r"""|(?:url\(|@import)\s*["']?\s*(?:https?:)?//""",
    re.IGNORECASE,
)
"""Markup that makes a browser load something from another host. Plain links are fine."""


@pytest.mark.parametrize(
    ("page", "loads"),
    [
        ('<link rel="stylesheet" href="https://fonts.example/a.css">', True),
        ('<script async src="//cdn.example/a.js">', True),
        ("@import 'https://fonts.example/a.css'", True),
        ("src: url(https://fonts.example/a.woff2)", True),
        ('<a href="https://example.org">', False),
        ('<link rel="stylesheet" href="_static/a.css">', False),
    ],
)
def test_detection_of_resources_from_other_hosts(page: str, loads: bool) -> None:
    assert bool(LOADED.search(page)) is loads


@pytest.mark.slow
def test_documentation_builds_and_loads_nothing_from_other_hosts(tmp_path: Path) -> None:
    site = tmp_path / "site"
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-d", str(tmp_path / "trees")]
    built = subprocess.run(
        [*command, str(ROOT / "docs"), str(site)], capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stdout + built.stderr
    pages = [path for ending in ("html", "css") for path in site.rglob(f"*.{ending}")]
    assert site / "index.html" in pages
    found = [path.name for path in pages if LOADED.search(path.read_text("utf-8"))]
    assert found == []
