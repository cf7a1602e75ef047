"""A person at a table, for tests: a console that answers by itself, with a clock of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tuilerie.terminal.console import Gone, Status
from tuilerie.terminal.table import play

Answer = Callable[[str], str | None]
"""What is typed at a prompt; `None` to let the time pass."""

HINT = re.compile(r"(?:The bot would play|Le robot jouerait) (.+)")


class Desk:
    """A console for tests. `seconds` pass at each question."""

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
        """All that was written."""
        return "\n".join(self.out)

    def write(self, text: str = "") -> None:
        self.out += text.split("\n")

    def page(self, lines: Sequence[str], more: str) -> None:
        self.write("\n".join(lines))

    def forget(self) -> None:
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
            raise Gone from None

    return answer


class Player:
    """Plays a whole game by asking for a hint each time, and doing that."""

    def __init__(self, before: Sequence[str] = (), leave_after: int | None = None) -> None:
        self.before = list(before)  # what is typed first, whatever is asked
        self.leave_after = leave_after  # so many moves, and then the input ends
        self.moves: list[str] = []
        self.desk: Desk | None = None
        self._hinted = False

    def __call__(self, prompt: str) -> str:
        assert self.desk is not None
        if self.before:
            return self.before.pop(0)
        if is_pause(prompt):
            return ""
        if not self._hinted:
            self._hinted = True
            return "hint"
        self._hinted = False
        if self.leave_after is not None and len(self.moves) >= self.leave_after:
            raise Gone
        found = [match[1] for line in self.desk.out if (match := HINT.search(line))]
        self.moves.append(found[-1])
        return found[-1]


def is_pause(prompt: str) -> bool:
    """Whether Enter is all that is asked for."""
    return "Enter" in prompt or "Entrée" in prompt


def sit(player: Player | Iterable[str] | Answer, folder: Path, **how: Any) -> Desk:
    """Play at a desk, and give it back."""
    seconds, colour = how.pop("seconds", 0.0), how.pop("colour", False)
    desk = Desk(player, seconds, colour)
    if isinstance(player, Player):
        player.desk = desk
    play(how.pop("game", None), console=desk, folder=folder, **{"lang": "en", "seed": "7"} | how)
    return desk
