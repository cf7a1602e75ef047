"""A fake console with scripted answers and a fake clock."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tuilerie.terminal.console import InputClosed, Status
from tuilerie.terminal.play import play

Answer = Callable[[str], str | None]
"""Returns the input at a prompt; `None` lets the time run out."""

HINT = re.compile(r"(?:The bot would play|Le robot jouerait) (.+)")


class FakeConsole:
    """A console for tests. The clock advances by `seconds` at each question."""

    def __init__(
        self, answers: Iterable[str] | Answer = (), seconds: float = 0.0, colour: bool = False
    ) -> None:
        self.colour = colour
        self.width = 80
        self.height: int | None = None
        self.seconds = seconds
        self.time = 1000.0
        self.out: list[str] = []
        self.asked: list[str] = []
        self.forgotten = 0
        self._answer = answers if callable(answers) else _in_turn(iter(answers))

    @property
    def text(self) -> str:
        """The whole output."""
        return "\n".join(self.out)

    def write(self, text: str = "") -> None:
        self.out += text.split("\n")

    def page(self, lines: Sequence[str], more: str) -> None:
        self.write("\n".join(lines))

    def discard_input(self) -> None:
        self.forgotten += 1

    def now(self) -> float:
        return self.time

    def ask(
        self, prompt: str, until: float | None = None, status: Status | None = None
    ) -> str | None:
        if prompt:
            self.asked.append(prompt)
            if status is not None:
                self.write(status())
        answer = self._answer(prompt)
        if answer is None:
            assert until is not None, f"nobody would ever answer: {prompt}"
            self.time = max(self.time, until)
            return None
        self.time += self.seconds
        self.out.append(f"{prompt}{answer}")
        return answer


def _in_turn(answers: Iterator[str]) -> Answer:
    def answer(prompt: str) -> str:
        try:
            return next(answers)
        except StopIteration:
            raise InputClosed from None

    return answer


class Player:
    """Plays a whole game by following hints."""

    def __init__(self, before: Sequence[str] = (), leave_after: int | None = None) -> None:
        self.before = list(before)  # the first inputs, whatever the prompt
        self.leave_after = leave_after  # end of input after this many moves
        self.moves: list[str] = []
        self.console: FakeConsole | None = None
        self._hinted = False

    def __call__(self, prompt: str) -> str:
        assert self.console is not None
        if self.before:
            return self.before.pop(0)
        if is_pause(prompt):
            return ""
        if not self._hinted:
            self._hinted = True
            return "hint"
        self._hinted = False
        if self.leave_after is not None and len(self.moves) >= self.leave_after:
            raise InputClosed
        found = [match[1] for line in self.console.out if (match := HINT.search(line))]
        self.moves.append(found[-1])
        return found[-1]


def is_pause(prompt: str) -> bool:
    """Return whether the prompt only asks for Enter."""
    return "Enter" in prompt or "Entrée" in prompt


def run_game(player: Player | Iterable[str] | Answer, folder: Path, **how: Any) -> FakeConsole:
    """Play on a fake console and return it."""
    seconds, colour = how.pop("seconds", 0.0), how.pop("colour", False)
    console = FakeConsole(player, seconds, colour)
    if isinstance(player, Player):
        player.console = console
    play(how.pop("game", None), console=console, folder=folder, **{"lang": "en", "seed": "7"} | how)
    return console
