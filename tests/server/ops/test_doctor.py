"""The doctor tells what is there, what is missing, what cannot be reached; it changes nothing."""

from __future__ import annotations

import os
from pathlib import Path

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


def test_it_tells_versions_engine_and_folder(tmp_path: Path) -> None:
    result = ask(data=tmp_path / "new")
    assert f"{__version__}, Python 3." in line(result, "tuilerie")
    assert "openskill" in line(result, "packages")
    assert native.engine() in line(result, "engine")
    assert "not made yet" in line(result, "data folder")
    assert "not asked for" in line(result, "Redis")
    assert not (tmp_path / "new").exists()


def test_a_missing_core_is_told_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "why_not_compiled", lambda: "no compiler was there")
    monkeypatch.setattr(doctor, "engine", lambda: "python")
    result = ask(data=tmp_path)
    assert result.exit_code == 1
    assert line(result, "engine").startswith("✗ engine")
    assert "python: no compiler was there" in line(result, "engine")


def test_all_is_good_where_all_is_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "why_not_compiled", lambda: None)
    monkeypatch.setattr(doctor, "_levels", lambda: [])
    monkeypatch.setattr(pages, "FOLDER", tmp_path / "client")
    assert "missing" in line(ask(data=tmp_path), "browser client")
    (tmp_path / "client").mkdir()
    (tmp_path / "client" / "index.html").write_text("<!doctype html>")
    result = ask(data=tmp_path)
    assert result.exit_code == 0, result.output
    assert "✗" not in result.output


async def test_a_database_that_is_there_answers(tmp_path: Path) -> None:
    async with await open_store(tmp_path):
        pass
    findings = await doctor.examine(tmp_path, None, None)
    (found,) = [each for each in findings if each.what == "database"]
    assert found.good
    assert found.text.endswith("answers")


def test_what_cannot_be_reached_is_said_without_its_password(tmp_path: Path) -> None:
    nowhere = "127.0.0.1:1"
    urls = [f"postgresql://ada:secret@{nowhere}/x", f"redis://:secret@{nowhere}"]
    result = ask("--database-url", urls[0], "--redis-url", urls[1], data=tmp_path)
    assert result.exit_code == 1
    assert line(result, "database").startswith("✗")
    assert line(result, "Redis").startswith("✗")
    assert "secret" not in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize("url", ["nonsense", "redis://:port:", "http://127.0.0.1"])
async def test_an_address_that_is_none_is_said(tmp_path: Path, url: str) -> None:
    (found,) = [each for each in await doctor.examine(tmp_path, None, url) if each.what == "Redis"]
    assert not found.good
    assert "cannot be reached" in found.text


def test_redis_answers(tmp_path: Path, redis_server: RedisServer) -> None:
    result = ask("--redis-url", redis_server.url, data=tmp_path)
    assert line(result, "Redis").endswith("answers")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_to_is_said(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    assert "may not be written to" in line(ask(data=closed / "new"), "data folder")
