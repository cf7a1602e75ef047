"""The console interface (output, input, clock) and its implementation on stdin and stdout."""

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
except ImportError:  # Windows
    termios = None  # type: ignore[assignment]

Status = Callable[[], str]
"""Returns a status line that changes with time, such as the seconds left."""


class InputClosed(Exception):
    """End of input or Ctrl-C."""


class Console(Protocol):
    """Input and output for one player."""

    colour: bool
    width: int
    height: int | None  # screen height in lines; None without a screen

    def write(self, text: str = "") -> None:
        """Write a text and a newline."""
        ...

    def page(self, lines: Sequence[str], more: str) -> None:
        """Write many lines, screen by screen; `more` is the prompt between screens."""
        ...

    def ask(
        self, prompt: str, until: float | None = None, status: Status | None = None
    ) -> str | None:
        """Read a line; `None` if the time `until` comes first. Raises `InputClosed`.

        `status` is shown above the prompt and refreshed where possible. An empty prompt keeps
        waiting at the previous one.
        """
        ...

    def discard_input(self) -> None:
        """Discard unsent input: it comes too late."""
        ...

    def now(self) -> float:
        """Return the time in seconds since an arbitrary moment."""
        ...


class Terminal:
    """A console on standard input and output."""

    def __init__(self) -> None:
        self.interactive = sys.stdin.isatty() and sys.stdout.isatty()
        self.colour = wants_colour(sys.stdout)
        self.width = min(shutil.get_terminal_size().columns, 100) if self.interactive else 80
        self.height = shutil.get_terminal_size().lines if self.interactive else None
        self._typed = b""  # input read ahead of the current line
        if hasattr(sys.stdout, "reconfigure"):  # never fail on encoding
            sys.stdout.reconfigure(errors="replace")
        if self.interactive:
            with contextlib.suppress(ImportError):  # line editing and history
                __import__("readline")

    def write(self, text: str = "") -> None:
        """Write a text and a newline."""
        try:
            print(text, flush=True)
        except BrokenPipeError:
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - until exit
            raise InputClosed from None

    def page(self, lines: Sequence[str], more: str) -> None:
        """Write lines screen by screen; any input but Enter stops."""
        height = shutil.get_terminal_size().lines - 2 if self.interactive else len(lines)
        for at in range(0, len(lines), max(1, height)):
            if at and self.ask(more):
                return
            self.write("\n".join(lines[at : at + height]))

    def discard_input(self) -> None:
        """Discard unsent input on a terminal; piped input is kept."""
        if self.interactive and termios is not None:
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
        self.write()

    def now(self) -> float:
        """Return the monotonic clock."""
        return time.monotonic()

    def ask(
        self, prompt: str, until: float | None = None, status: Status | None = None
    ) -> str | None:
        """Read a line; `None` if the time `until` comes first."""
        try:
            if until is None and self.interactive:
                return input(prompt)
            if status is not None and prompt:
                print(status())
            print(prompt, end="", flush=True)
            line = self._line(until, status if self.interactive else None)
            if line is not None and not sys.stdin.isatty():
                print(line)  # echo piped input, so that the transcript is complete
            return line
        except (EOFError, KeyboardInterrupt, BrokenPipeError):
            raise InputClosed from None

    def _line(self, until: float | None, status: Status | None) -> str | None:
        """Read a line from the file descriptor, waiting no longer than `until`."""
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
        """Wait for input until that time, refreshing the status every second."""
        if os.name == "nt":  # no select() on consoles: time is checked after reading
            return True
        while (left := until - self.now()) > 0:
            if select.select([stream], [], [], min(left, 1.0))[0]:
                return True
            if status is not None:  # overwrite the line above the prompt
                print(f"\x1b7\x1b[1A\r\x1b[2K{status()}\x1b8", end="", flush=True)
        return bool(select.select([stream], [], [], 0)[0])
