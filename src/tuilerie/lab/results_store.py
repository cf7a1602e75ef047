"""Results of an arena on disk. The same command resumes an interrupted arena.

`arena.json`        the plan: written first, never changed
`games.jsonl`       one line per finished game
`records/`          the record of each game, 000001.jsonl and so on, written before its line
`results.json`      statistics, rewritten at every stop
`ladder.svg`        the ladder as a plot
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from errno import ENOSPC
from pathlib import Path
from types import TracebackType
from typing import Any

from tuilerie.lab.plan import BadPlan, Plan
from tuilerie.lab.referee import Outcome

FORMAT = "tuilerie-arena"
VERSION = 1


@dataclass(frozen=True, slots=True)
class GameLine:
    """A finished game, reduced to what the statistics need."""

    number: int
    seats: tuple[int, ...]  # entrants by index
    places: tuple[int, ...]
    moves: tuple[int, ...]
    seconds: tuple[float, ...]
    luck: tuple[float, ...] = ()  # by seat, as a share of the win; empty: not measured


class ResultsStore:
    """The directory of one arena, open for appending games."""

    def __init__(self, path: Path, plan: Plan, engine: str, *, records: bool = True) -> None:
        self.path = path
        self._plan = plan
        self._engine = engine
        self._records = records
        self.games: dict[int, GameLine] = {}
        path.mkdir(parents=True, exist_ok=True)
        self._claim()
        self._lines = self._open_lines()

    def __enter__(self) -> ResultsStore:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._lines.close()

    # --- the plan ---------------------------------------------------------------------------------

    def _claim(self) -> None:
        """Write the plan, or check that the stored one is the same."""
        file = self.path / "arena.json"
        asked = {
            "format": FORMAT,
            "version": VERSION,
            "engine": self._engine,
            **self._plan.to_json(),
        }
        if not file.exists():
            if any(self.path.iterdir()):
                raise BadPlan(f"{self.path} holds other files. Name an empty folder or a new one.")
            write_atomically(file, json.dumps(asked, ensure_ascii=False, indent=2) + "\n")
            return
        try:
            there = json.loads(file.read_bytes())
            assert isinstance(there, dict)
        except (ValueError, AssertionError):
            raise BadPlan(f"{file} is not a valid arena file.") from None
        if differs := _difference(there, asked):
            raise BadPlan(
                f"{self.path} holds another arena: {differs}. "
                "Repeat its command to resume it, or name another folder."
            )

    # --- the games --------------------------------------------------------------------------------

    def _open_lines(self) -> Any:
        """Read finished games, truncate a partial last line, and open the file for appending."""
        file = self.path / "games.jsonl"
        whole = 0
        if file.exists():
            data = file.read_bytes()
            whole = data.rfind(b"\n") + 1
            for at, line in enumerate(data[:whole].splitlines(), 1):
                game = self._read(file, at, line)
                self.games[game.number] = game
        lines = file.open("ab", buffering=0)
        lines.truncate(whole)
        return lines

    def _read(self, file: Path, at: int, line: bytes) -> GameLine:
        try:
            fields = json.loads(line)
            number = fields["number"]
            game = GameLine(
                number,
                self._plan.seats(number),
                tuple(map(int, fields["places"])),
                tuple(map(int, fields["moves"])),
                tuple(map(float, fields["seconds"])),
                tuple(map(float, fields.get("luck", ()))),
            )
            names = [self._plan.entrants[seat].name for seat in game.seats]
            good = number >= 1 and fields["seats"] == names
            good = good and len(game.places) == len(game.moves) == len(game.seconds) == len(names)
            good = good and len(game.luck) == (len(names) if self._plan.adjust else 0)
        except (ValueError, KeyError, TypeError):
            good = False
        if not good:
            raise BadPlan(
                f"{file}, line {at}, is not a game of this arena. "
                "Fix or delete that line; its game is then played again."
            )
        return game

    def add(self, outcome: Outcome) -> None:
        """Store a finished game: first its record, then its line."""
        seats = self._plan.seats(outcome.number)
        fields: dict[str, Any] = {
            "number": outcome.number,
            "seats": [self._plan.entrants[seat].name for seat in seats],
            "places": outcome.places,
            "scores": outcome.scores,
            "reason": outcome.reason,
            "moves": outcome.moves,
            "seconds": outcome.seconds,
            **({"luck": outcome.luck} if outcome.luck else {}),
        }
        if self._records:
            records = self.path / "records"
            records.mkdir(exist_ok=True)
            write_atomically(records / f"{outcome.number:06}.jsonl", outcome.record)
        self._append((json.dumps(fields, ensure_ascii=False) + "\n").encode())
        self.games[outcome.number] = GameLine(
            outcome.number, seats, outcome.places, outcome.moves, outcome.seconds, outcome.luck
        )

    def _append(self, line: bytes) -> None:
        """Append a line, or truncate back to the old size on failure."""
        before = os.fstat(self._lines.fileno()).st_size
        try:
            if self._lines.write(line) < len(line):
                raise OSError(ENOSPC, os.strerror(ENOSPC))
        except OSError as error:
            self._lines.truncate(before)
            raise OSError(error.errno, error.strerror, self._lines.name) from None

    def write(self, name: str, text: str) -> None:
        """Replace a results file."""
        write_atomically(self.path / name, text)


def write_atomically(path: Path, text: str) -> None:
    """Replace a file atomically: write a temporary file, then rename it."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text, encoding="utf-8", newline="\n")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from None


def _difference(there: Mapping[str, Any], asked: Mapping[str, Any]) -> str | None:
    """Describe the first difference between two plans."""
    for name, value in asked.items():
        if there.get(name) != value:
            found = json.dumps(there.get(name), ensure_ascii=False)
            return f"{name} is {found} there, and {json.dumps(value, ensure_ascii=False)} here"
    return None
