"""Saved games: their folder, and a record file that grows entry by entry.

Each entry is written before it is shown, so a game can be resumed after a crash at any moment.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

from tuilerie import record
from tuilerie.games import GAMES
from tuilerie.games.game import AnyGame, AnyMove, AnyState, Entry
from tuilerie.record import Played, Replay

ENDING = ".jsonl"


def data_folder(environment: Mapping[str, str] | None = None) -> Path:
    """Return the folder of saved games in the user's data folder (XDG)."""
    env = os.environ if environment is None else environment
    chosen = env.get("XDG_DATA_HOME", "")
    # The XDG specification ignores relative paths.
    base = Path(chosen) if Path(chosen).is_absolute() else Path.home() / ".local" / "share"
    return base / "tuilerie" / "games"


def free_path(folder: Path, game: str, started: str) -> Path:
    """Return an unused path for a new game."""
    stem = f"{game}-{started[:19].replace(':', '-').replace('T', '-')}"
    names = [f"{stem}{ENDING}", *(f"{stem}-{number}{ENDING}" for number in range(2, 1000))]
    return next(folder / name for name in names if not (folder / name).exists())


class GameLog:
    """A game in progress: its entries, and the record file that they are appended to."""

    def __init__(self, replay: Replay, path: Path | None = None) -> None:
        self.replay = replay
        self.path: Path | None = None
        self.error: OSError | None = None  # why saving failed
        self._ends: list[int] = []  # the end offset of each line in the file
        if path is not None:
            self._begin(path)

    @property
    def game(self) -> AnyGame:
        """The rules."""
        return self.replay.game

    @property
    def state(self) -> AnyState:
        """The state after the last entry."""
        return self.replay.state

    def add(self, entry: Entry[AnyMove], ms: int) -> Played:
        """Apply an entry and append it to the file. If it raises `Refused`, nothing has changed."""
        state, events = self.game.apply(self.state, entry)
        line = len(self.replay.played) + 2
        played = Played(line, entry, ms, state, events)
        self._write(record.entry_line(self.game, entry, ms))
        self.replay.played.append(played)
        result = self.game.result(state)
        if result is not None:
            self._write(record.result_line(result))
        return played

    def undo(self) -> None:
        """Undo the last entry."""
        self.replay.played.pop()
        self._ends.pop()
        if self.path is not None:
            try:
                os.truncate(self.path, self._ends[-1])
            except OSError as error:
                self._fail(error)

    def copy_to(self, path: Path) -> None:
        """Write the game so far to a new file. Raises `FileExistsError` if it exists."""
        with open(path, "x", encoding="utf-8", newline="\n") as file:
            file.write(record.write(self.replay))

    # --- the file ---------------------------------------------------------------------------------

    def _begin(self, path: Path) -> None:
        """Rewrite the file with all entries so far, and note the end of each line."""
        lines = [record.header_line(self.replay.header)]
        lines += [record.entry_line(self.game, p.entry, p.ms) for p in self.replay.played]
        data = [f"{line}\n".encode() for line in lines]
        ends = [sum(map(len, data[: at + 1])) for at in range(len(data))]
        self._ends = ends
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Replace atomically: never leave a partial file.
            part = path.with_name(path.name + ".part")
            part.write_bytes(b"".join(data))
            os.replace(part, path)
            self.path = path
        except OSError as error:
            with contextlib.suppress(OSError, UnboundLocalError):
                part.unlink(missing_ok=True)
            self._fail(error)

    def _write(self, line: str) -> None:
        data = f"{line}\n".encode()
        self._ends.append((self._ends[-1] if self._ends else 0) + len(data))
        if self.path is None:
            return
        try:
            with open(self.path, "ab", buffering=0) as file:
                file.write(data)
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        """Continue without a file; the game loop warns once."""
        self.path, self.error = None, error


def load(path: Path, games: Mapping[str, AnyGame] = GAMES) -> Replay:
    """Replay a saved game. Raises `OSError` or `RecordError`."""
    return record.replay(record.decode(path.read_bytes()), games)


def last_unfinished(folder: Path) -> Path | None:
    """Return the most recent game, if it is not over."""
    with contextlib.suppress(OSError):
        files = sorted(folder.glob(f"*{ENDING}"), key=lambda path: path.stat().st_mtime)
        if files and b'"kind": "result"' not in files[-1].read_bytes()[-4096:]:
            return files[-1]
    return None
