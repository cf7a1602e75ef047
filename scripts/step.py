"""Runs one set-up step and shows it as one line: `step.py TITLE [--lock FILE] -- COMMAND`.

The command's output goes to a log. On a terminal, the line shows the progress, and finally the
result. A command without output had nothing to do, and prints no line. Lines that begin with
`Tuilerie:` are messages for the user. If the command fails, the end of its log is shown, with a
hint. Uses only the standard library.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

LOGS = Path("build", "log")
TAIL = 12  # log lines shown when a step fails
FOR_PEOPLE = "Tuilerie: "

PACKAGE = re.compile(r"(?:Collecting|Ignoring|Requirement already satisfied:) ")
INSTALLED = re.compile(r"Successfully installed (.+)")
FILE = re.compile(r"\[(\d+)/(\d+)\] ")  # Ninja's progress

HINTS = {
    r"No space left on device|ENOSPC": "The disk is full: Tuilerie needs about 1 GB.",
    r"ensurepip is not available|No module named '?(?:venv|ensurepip)": (
        "This Python cannot make virtual environments. On Debian or Ubuntu, install python3-venv."
    ),
    r"CERTIFICATE_VERIFY_FAILED|certificate verify failed|SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER": (
        "The package index showed a certificate that is not trusted here: is there a proxy?"
    ),
    r"NewConnectionError|Failed to establish a new connection|NameResolutionError|ConnectTimeout"
    r"|ReadTimeout|EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT"
    r"|from versions: none": (
        "The package index cannot be reached: check the network, or the settings of the proxy."
    ),
    r"Permission denied|EACCES": (
        "A file here belongs to somebody else: was `make` run as root before?"
    ),
    r"has requirement .+ but you have|, which is not installed": (
        "Something else was installed into .venv: remove it (rm -r .venv)."
    ),
}
"""Hints by pattern in the log of a failed command; the first match counts."""


class Progress:
    """The progress of a command, parsed from its output."""

    def __init__(self, packages: int) -> None:
        self.said = False
        self.installed = 0
        self._done, self._all = 0, packages
        self._began = time.monotonic()

    def read(self, line: str) -> None:
        """Parse one line of output."""
        self.said = True
        if counted := FILE.match(line):
            self._done, self._all = int(counted[1]), int(counted[2])
        elif PACKAGE.match(line):
            self._done += 1
        elif installed := INSTALLED.match(line):
            self.installed += len(installed[1].split())

    def seconds(self) -> str:
        """Return the elapsed time."""
        return f"{time.monotonic() - self._began:.0f} s"

    def __str__(self) -> str:
        counted = f"{min(self._done, self._all)} of {self._all}, " if self._all else ""
        return counted + self.seconds()


@contextlib.contextmanager
def shown(title: str, progress: Progress) -> Iterator[None]:
    """Keep a progress line on a terminal; show nothing elsewhere."""
    if not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    over = threading.Event()

    def paint() -> None:
        while not over.wait(0.1):
            text = f"{title} … {progress}"[: shutil.get_terminal_size().columns - 1]
            print(f"\r{text}\x1b[K", end="", flush=True)

    painter = threading.Thread(target=paint, daemon=True)
    painter.start()
    try:
        yield
    finally:
        over.set()
        painter.join()
        print("\r\x1b[K", end="", flush=True)


def run(command: list[str], title: str, log: Path, progress: Progress) -> tuple[int, list[str]]:
    """Run a command with its output to a log; return its exit code and its messages."""
    log.parent.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    told = []
    with (
        log.open("w", buffering=1, encoding="utf-8") as kept,
        shown(title, progress),
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            encoding="utf-8",
            errors="replace",
        ) as process,
    ):
        assert process.stdout is not None
        for line in process.stdout:
            kept.write(line)
            progress.read(line)
            if line.startswith(FOR_PEOPLE):
                told.append(line.removeprefix(FOR_PEOPLE).strip())
    code = process.returncode
    return (code if code >= 0 else 128 - code), told


def explain(log: Path) -> None:
    """Print why a step failed: the end of its log, and a hint for common errors."""
    text = log.read_text("utf-8")
    for line in text.splitlines()[-TAIL:]:
        print(f"    {line}", file=sys.stderr)
    print(f"The whole log: {log}", file=sys.stderr)
    hint = next((hint for sign, hint in HINTS.items() if re.search(sign, text)), None)
    if hint:
        print(f"{hint} Then run the same command again.", file=sys.stderr)


def main() -> int:
    """Run the step of the command line."""
    parser = argparse.ArgumentParser(description="Run one step of the set-up.")
    parser.add_argument("title")
    parser.add_argument("--lock", type=Path, help="the lock whose packages are installed")
    parser.add_argument("command", nargs="+")
    given = parser.parse_args()
    packages = given.lock.read_text("utf-8").count("==") if given.lock else 0
    name = re.sub(r"\W+", "-", re.sub(r"\[.*?\]", "", given.title).lower()).strip("-")
    log, progress = LOGS / f"{name}.log", Progress(packages)
    code, told = run(given.command, given.title, log, progress)
    if code:
        print(f"{given.title} … failed after {progress.seconds()}:", file=sys.stderr)
        explain(log)
    elif told:
        print(f"{given.title} … {' '.join(told)}")
    elif progress.said:
        what = f"{progress.installed} installed" if packages else "done"
        print(f"{given.title} … {what} in {progress.seconds()}")
    return code


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # not every terminal can encode every character
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:  # the log cannot be written, or the command does not exist
        sys.exit(f"{error.filename or 'build'}: {error.strerror}")
