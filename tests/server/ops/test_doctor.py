"""`tuilerie doctor` reports what is present, missing or unreachable, and changes nothing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.servers import RedisServer, redis_server
from tuilerie import __version__, native
from tuilerie.cli import commands
from tuilerie.server.http import pages
from tuilerie.server.ops import doctor
from tuilerie.store import open_store

__all__ = ["redis_server"]


def ask(*words: str, data: Path) -> Result:
    return CliRunner().invoke(commands, ["doctor", "--data", str(data), *words])


def line(result: Result, what: str) -> str:
    return next(each for each in result.output.splitlines() if each[2:].startswith(what))


def test_doctor_reports_versions_engine_and_folder(tmp_path: Path) -> None:
    result = ask(data=tmp_path / "new")
    assert f"{__version__}, Python 3." in line(result, "tuilerie")
    assert "openskill" in line(result, "packages")
    assert native.engine() in line(result, "engine")
    assert "not created yet" in line(result, "data folder")
    assert "not configured" in line(result, "Redis")
    assert not (tmp_path / "new").exists()


def test_doctor_reports_why_the_core_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "why_not_compiled", lambda: "no compiler was there")
    monkeypatch.setattr(doctor, "engine", lambda: "python")
    result = ask(data=tmp_path)
    assert result.exit_code == 1
    assert line(result, "engine").startswith("✗ engine")
    assert "python: no compiler was there" in line(result, "engine")


def test_doctor_succeeds_if_all_checks_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "why_not_compiled", lambda: None)
    monkeypatch.setattr(doctor, "_levels", lambda: [])
    monkeypatch.setattr(pages, "FOLDER", tmp_path / "client")
    assert "missing" in line(ask(data=tmp_path), "browser client")
    (tmp_path / "client").mkdir()
    (tmp_path / "client" / "index.html").write_text("<!doctype html>")
    result = ask(data=tmp_path)
    assert result.exit_code == 0, result.output
    assert "✗" not in result.output


async def test_doctor_reaches_the_database(tmp_path: Path) -> None:
    async with await open_store(tmp_path):
        pass
    findings = await doctor.examine(tmp_path, None, None)
    (found,) = [each for each in findings if each.what == "database"]
    assert found.good
    assert found.text.endswith("answers")


async def test_doctor_reports_a_damaged_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with await open_store(tmp_path):
        pass

    async def damaged(_database: Any) -> list[str]:
        return ["page 7 is never used"]

    monkeypatch.setattr(doctor, "page_faults", damaged)
    findings = await doctor.examine(tmp_path, None, None)
    (found,) = [each for each in findings if each.what == "database"]
    assert not found.good
    assert "is damaged: page 7" in found.text


@pytest.mark.slow
def test_doctor_reports_unreachable_services_without_passwords(tmp_path: Path) -> None:
    nowhere = "127.0.0.1:1"
    urls = [f"postgresql://ada:secret@{nowhere}/x", f"redis://:secret@{nowhere}"]
    result = ask("--database-url", urls[0], "--redis-url", urls[1], data=tmp_path)
    assert result.exit_code == 1
    assert line(result, "database").startswith("✗")
    assert line(result, "Redis").startswith("✗")
    assert "secret" not in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize("url", ["nonsense", "redis://:port:", "http://127.0.0.1"])
async def test_doctor_reports_an_invalid_url(tmp_path: Path, url: str) -> None:
    (found,) = [each for each in await doctor.examine(tmp_path, None, url) if each.what == "Redis"]
    assert not found.good
    assert "cannot be reached" in found.text


def test_doctor_reaches_redis(tmp_path: Path, redis_server: RedisServer) -> None:
    result = ask("--redis-url", redis_server.url, data=tmp_path)
    assert line(result, "Redis").endswith("answers")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_doctor_reports_a_folder_that_is_not_writable(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    assert "is not writable" in line(ask(data=closed / "new"), "data folder")
