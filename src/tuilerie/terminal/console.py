"""Where the table speaks and listens. Anything that can write, ask and tell the time will do."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from tuilerie.terminal.style import wants_colour

try:
    import termios
except ImportError:  # where terminals are of another kind
    termios = None  # type: ignore[assignment]

Status = Callable[[], str]
"""A line that changes with time, such as the seconds left."""


class Gone(Exception):
    """Nobody is there any more: the input has ended, or Ctrl-C was pressed."""


class Console(Protocol):
    """What a table needs to talk with a person."""

    colour: bool
    width: int
    height: int | None  # lines on the screen, where there is one

    def write(self, text: str = "") -> None:
        """Write a text and end the line."""
        ...

    def page(self, lines: Sequence[str], more: str) -> None:
        """Write many lines, with a pause where they do not fit; `more` is what is asked then."""
        ...

    def ask(
        self, prompt: str, until: float | None = None, status: Status | None = None
    ) -> str | None:
        """A line of input; `None` when the time `until` comes first. Raises `Gone`.

        `status` is shown above the prompt, and kept up to date where that is possible. An empty
        prompt goes on waiting at the one that was shown before.
        """
        ...

    def forget(self) -> None:
        """Throw away what was typed so far and not sent: it comes too late."""
        ...

    def now(self) -> float:
        """The time, in seconds since any moment."""
        ...


class Terminal:
    """The real one: standard input and output."""

    def __init__(self) -> None:
        self.interactive = sys.stdin.isatty() and sys.stdout.isatty()
        self.colour = wants_colour(sys.stdout)
        self.width = min(shutil.get_terminal_size().columns, 100) if self.interactive else 80
        self.height = shutil.get_terminal_size().lines if self.interactive else None
        self._typed = b""  # what was read beyond the line that was asked for
        if hasattr(sys.stdout, "reconfigure"):  # a sign that cannot be written is no reason to stop
            sys.stdout.reconfigure(errors="replace")
        if self.interactive:
            with contextlib.suppress(ImportError):  # arrow keys and history, where there are any
                __import__("readline")

    def write(self, text: str = "") -> None:
        """Write a text and end the line."""
        try:
            print(text, flush=True)
        except BrokenPipeError:
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - until the end
            raise Gone from None

    def page(self, lines: Sequence[str], more: str) -> None:
        """Write lines screen by screen; anything typed but Enter stops."""
        height = shutil.get_terminal_size().lines - 2 if self.interactive else len(lines)
        for at in range(0, len(lines), max(1, height)):
            if at and self.ask(more):
                return
            self.write("\n".join(lines[at : at + height]))

    def forget(self) -> None:
        """Throw away what stands in the line, on a terminal; what comes from a file is kept."""
        if self.interactive and termios is not None:
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
        self.write()

    def now(self) -> float:
        """The time of the machine, which never goes back."""
        return time.monotonic()

    def ask(
        self, prompt: str, until: float | None = None, status: Status | None = None
    ) -> str | None:
        """A line of input; `None` when the time comes first."""
        try:
            if until is None and self.interactive:
                return input(prompt)
            if status is not None and prompt:
                print(status())
            print(prompt, end="", flush=True)
            line = self._line(until, status if self.interactive else None)
            if line is not None and not sys.stdin.isatty():
                print(line)  # so that what is written reads like a table
            return line
        except (EOFError, KeyboardInterrupt, BrokenPipeError):
            raise Gone from None

    def _line(self, until: float | None, status: Status | None) -> str | None:
        """A line as the terminal gives it, waited for no longer than until that time."""
        stream = sys.stdin.fileno()
        while b"\n" not in self._typed:
            if until is not None and not self._ready(stream, until, status):
                return None
            read = os.read(stream, 4096)
            if not read and not self._typed:
                raise EOFError
            self._typed += read or b"\n"
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(sys.stdin.encoding or "utf-8", "replace").rstrip("\r")

    def _ready(self, stream: int, until: float, status: Status | None) -> bool:
        """Whether something was typed before that time. Shows the status anew every second."""
        if os.name == "nt":  # consoles there cannot be waited for: the time is looked at afterwards
            return True
        while (left := until - self.now()) > 0:
            if select.select([stream], [], [], min(left, 1.0))[0]:
                return True
            if status is not None:  # write over the line above the prompt, where nobody types
                print(f"\x1b7\x1b[1A\r\x1b[2K{status()}\x1b8", end="", flush=True)
        return bool(select.select([stream], [], [], 0)[0])
