"""The console in a subprocess, on a pipe and on a pseudo-terminal."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tuilerie.terminal.style import PAINTS, Style, wants_colour

GAME = """
import sys
from pathlib import Path
from tuilerie.terminal.play import play
options = {"kaos": False, "draft": False, "seconds": 30} if sys.argv[2] == "timer" else {}
game = "kaosmos" if sys.argv[2] == "timer" else "genial"
play(game, lang="en", seed="1", players=2, options=options, folder=Path(sys.argv[1]))
"""


def command(folder: Path, kind: str = "plain") -> list[str]:
    return [sys.executable, "-c", GAME, str(folder), kind]


def environment(**more: str) -> Mapping[str, str]:
    known = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
    return known | {"TERM": "xterm", "PYTHONIOENCODING": "utf-8"} | more


def played(folder: Path, text: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(folder),
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
        env=environment(**more),
    )


@pytest.mark.slow
def test_piped_input_gets_no_colour_and_eof_exits_cleanly(
    tmp_path: Path,
) -> None:
    done = played(tmp_path, "hint\nmoves")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "The bot would play" in done.stdout
    assert "All places of a tile" in done.stdout  # the last line needs no newline
    assert "\x1b" not in done.stdout
    (path,) = tmp_path.iterdir()
    assert f"play --resume {path}" in done.stdout


@pytest.mark.slow
def test_unencodable_characters_are_replaced(tmp_path: Path) -> None:
    done = subprocess.run(
        command(tmp_path),
        input=b"quit\n",
        capture_output=True,
        timeout=60,
        check=False,
        env=environment(PYTHONIOENCODING="ascii"),
    )
    assert done.returncode == 0
    assert b"R?" in done.stdout  # a letter goes with every shape


@pytest.mark.slow
def test_broken_pipe_prints_no_traceback(tmp_path: Path) -> None:
    process = subprocess.Popen(
        command(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    process.stdin.write(b"moves\n" * 50)
    process.stdin.close()
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    process.wait(30)


class TerminalProcess:
    """A game in a subprocess on a pseudo-terminal."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.main, other = pty.openpty()
        self.process = subprocess.Popen(
            command(folder, kind), stdin=other, stdout=other, stderr=other, env=environment()
        )
        os.close(other)
        self.seen = ""

    def until(self, words: str, seconds: float = 30.0) -> str:
        end = time.monotonic() + seconds
        start = len(self.seen)
        while words not in self.seen[start:]:
            assert time.monotonic() < end, self.seen[-2000:]
            if select.select([self.main], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self.main, 65536).decode("utf-8", "replace")
                except OSError:  # the process has ended
                    break
        assert words in self.seen[start:], self.seen[-2000:]
        return self.seen[start:]

    def type(self, text: str) -> None:
        os.write(self.main, text.encode())

    def interrupt(self) -> int:
        """Send SIGINT until the process ends: one just before the read begins is missed."""
        for _ in range(10):
            self.process.send_signal(signal.SIGINT)
            try:
                return self.process.wait(3)
            except subprocess.TimeoutExpired:
                continue
        raise AssertionError(self.seen[-2000:])


@pytest.fixture
def processes() -> Iterator[list[TerminalProcess]]:
    made: list[TerminalProcess] = []
    yield made
    for process in made:
        process.process.kill()
        process.process.wait()
        os.close(process.main)


@pytest.mark.slow
def test_terminal_gets_colour_and_ctrl_c_exits_cleanly(
    tmp_path: Path, processes: list[TerminalProcess]
) -> None:
    processes.append(TerminalProcess(tmp_path, "plain"))
    assert "\x1b[" in processes[0].until("(help): ")
    assert processes[0].interrupt() == 0
    assert "Traceback" not in processes[0].until("play --resume")


def test_eof_on_a_terminal_exits_cleanly(tmp_path: Path, processes: list[TerminalProcess]) -> None:
    processes.append(TerminalProcess(tmp_path, "plain"))
    processes[0].until("(help): ")
    processes[0].type("\x04")
    processes[0].until("play --resume")
    assert processes[0].process.wait(10) == 0


@pytest.mark.slow
def test_timer_counts_down_while_waiting_for_input(
    tmp_path: Path, processes: list[TerminalProcess]
) -> None:
    processes.append(TerminalProcess(tmp_path, "timer"))
    processes[0].until("Enter to turn them up")
    processes[0].type("\n")
    processes[0].until("(help): ")
    processes[0].until("28 s left", 10)
    processes[0].type("1 b2\n")
    processes[0].until("As it lies")
    assert processes[0].interrupt() == 0
    processes[0].until("play --resume")


# --- colour ---------------------------------------------------------------------------------------


class Stream:
    def __init__(self, terminal: bool) -> None:
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(
    ("terminal", "env", "wanted"),
    [
        (True, {}, True),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (True, {"TERM": "dumb"}, False),
        (False, {}, False),
    ],
)
def test_colour_depends_on_terminal_and_environment(
    terminal: bool, env: dict[str, str], wanted: bool
) -> None:
    assert wants_colour(Stream(terminal), env) is wanted  # type: ignore[arg-type]


def test_plain_style_leaves_text_unchanged() -> None:
    for paint in PAINTS:
        assert Style(colour=False)("word", paint) == "word"
        assert Style(colour=True)("word", paint) != "word"
        assert Style(colour=True)("", paint) == ""
