"""Set-up steps: one line per step, and hints on failure."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

STEP = Path(__file__).parent.parent / "scripts" / "step.py"


def step(folder: Path, script: str, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(STEP), "[1/2] The work", *options, "--", "sh", "-c", script]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )


def test_step_prints_one_line_and_logs_its_output(tmp_path: Path) -> None:
    done = step(tmp_path, "echo much; echo more >&2")
    assert re.fullmatch(r"\[1/2\] The work … done in \d+ s\n", done.stdout)
    assert done.stderr == ""
    assert (tmp_path / "build/log/the-work.log").read_text() == "much\nmore\n"


def test_step_without_output_prints_nothing(tmp_path: Path) -> None:
    done = step(tmp_path, ":")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_step_prints_messages_for_the_user(tmp_path: Path) -> None:
    done = step(tmp_path, "echo much; echo 'Tuilerie: no compiler here.'")
    assert done.stdout == "[1/2] The work … no compiler here.\n"


def test_step_counts_installed_packages(tmp_path: Path) -> None:
    lock = tmp_path / "some.lock"
    lock.write_text("a==1\nb==2\n")
    script = "echo Collecting a==1; echo Collecting b==2; echo Successfully installed a-1 b-2"
    done = step(tmp_path, script, "--lock", str(lock))
    assert re.fullmatch(r"\[1/2\] The work … 2 installed in \d+ s\n", done.stdout)


def test_failed_step_shows_its_log_and_returns_its_exit_code(tmp_path: Path) -> None:
    done = step(tmp_path, "seq 100; echo the reason; exit 7")
    assert done.returncode == 7
    assert done.stdout == ""
    assert "failed after" in done.stderr
    assert "    the reason\n" in done.stderr
    assert " 100\n" in done.stderr
    assert " 50\n" not in done.stderr
    assert "build/log/the-work.log" in done.stderr


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("OSError: [Errno 28] No space left on device", "The disk is full"),
        ("created successfully because ensurepip is not available.", "install python3-venv"),
        ("NewConnectionError: Failed to establish a new connection", "check the network"),
        ("ERROR: No version that satisfies a==1 (from versions: none)", "check the network"),
        ("npm error code EAI_AGAIN", "check the network"),
        ("SSLError: CERTIFICATE_VERIFY_FAILED", "a certificate that is not trusted"),
        ("PermissionError: [Errno 13] Permission denied", "belongs to somebody else"),
        ("a 1 has requirement b<2, but you have b 2.", "rm -r .venv"),
    ],
)
def test_failed_step_prints_a_hint(said: str, hint: str, tmp_path: Path) -> None:
    done = step(tmp_path, f"echo '{said}'; exit 1")
    *_, last = done.stderr.splitlines()
    assert hint in last
    assert last.endswith("Then run the same command again.")


def test_step_shows_progress_on_a_terminal(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    script = "echo '[3/4] Building'; sleep 1; echo '[4/4] Linking'"
    command = [sys.executable, str(STEP), "Core", "--", "sh", "-c", script]
    environment = {**os.environ, "TERM": "xterm"}
    subprocess.run(command, cwd=tmp_path, stdout=theirs, env=environment, check=True, timeout=60)
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    assert re.search(r"\rCore … 3 of 4, \d+ s\x1b\[K", shown)
    assert re.search(r"\r\x1b\[KCore … done in \d+ s\r\n$", shown)
    assert shown.count("\n") == 1
