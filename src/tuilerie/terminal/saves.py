"""Games on disk: where they lie, and a record that grows entry by entry.

Each entry is written before anybody is told of it, so that a game that is cut off at any moment can
be gone on with.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

from tuilerie import record
from tuilerie.games import GAMES
from tuilerie.games.game import AnyGame, Entry, Json
from tuilerie.record import Played, Replay

ENDING = ".jsonl"


def data_folder(environment: Mapping[str, str] | None = None) -> Path:
    """Where games are kept: the user's folder for data."""
    env = os.environ if environment is None else environment
    chosen = env.get("XDG_DATA_HOME", "")
    # Only a full path counts, as the standard for these folders says.
    base = Path(chosen) if Path(chosen).is_absolute() else Path.home() / ".local" / "share"
    return base / "tuilerie" / "games"


def free_path(folder: Path, game: str, started: str) -> Path:
    """A path for a new game, where no file is yet."""
    stem = f"{game}-{started[:19].replace(':', '-').replace('T', '-')}"
    names = [f"{stem}{ENDING}", *(f"{stem}-{number}{ENDING}" for number in range(2, 1000))]
    return next(folder / name for name in names if not (folder / name).exists())


class Log:
    """A game as it is played: its entries, and the file that holds them."""

    def __init__(self, replay: Replay, path: Path | None = None) -> None:
        self.replay = replay
        self.path: Path | None = None
        self.trouble: OSError | None = None  # why nothing is saved
        self._ends: list[int] = []  # where each entry ends in the file
        if path is not None:
            self._begin(path)

    @property
    def game(self) -> AnyGame:
        """The rules that are played by."""
        return self.replay.game

    @property
    def state(self) -> Json:
        """The state after the last entry."""
        return self.replay.state

    def add(self, entry: Entry[Json], ms: int) -> Played:
        """Let something happen. Raises `Refused`, and then nothing has changed."""
        state, events = self.game.apply(self.state, entry)
        line = len(self.replay.played) + 2
        played = Played(line, entry, ms, state, events)
        self._write(record.entry_line(self.game, entry, ms))
        self.replay.played.append(played)
        result = self.game.result(state)
        if result is not None:
            self._write(record.result_line(result))
        return played

    def take_back(self) -> None:
        """Undo the last entry."""
        self.replay.played.pop()
        self._ends.pop()
        if self.path is not None:
            try:
                os.truncate(self.path, self._ends[-1])
            except OSError as error:
                self._fail(error)

    def copy_to(self, path: Path) -> None:
        """Write the game as it is now to another file, which must not be there yet."""
        with open(path, "x", encoding="utf-8", newline="\n") as file:
            file.write(record.write(self.replay))

    # --- the file ---------------------------------------------------------------------------------

    def _begin(self, path: Path) -> None:
        """Write what has happened so far, whole and well, and remember where each entry ends."""
        lines = [record.header_line(self.replay.header)]
        lines += [record.entry_line(self.game, p.entry, p.ms) for p in self.replay.played]
        data = [f"{line}\n".encode() for line in lines]
        ends = [sum(map(len, data[: at + 1])) for at in range(len(data))]
        self._ends = ends
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Never leave half a file behind where a whole one was.
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
        """Go on without a file; the table says so once."""
        self.path, self.trouble = None, error


def load(path: Path, games: Mapping[str, AnyGame] = GAMES) -> Replay:
    """Replay a saved game. Raises `OSError` or `RecordError`."""
    return record.replay(record.decode(path.read_bytes()), games)


def last_unfinished(folder: Path) -> Path | None:
    """The game that was played last, if it is not over."""
    with contextlib.suppress(OSError):
        files = sorted(folder.glob(f"*{ENDING}"), key=lambda path: path.stat().st_mtime)
        if files and b'"kind": "result"' not in files[-1].read_bytes()[-4096:]:
            return files[-1]
    return None
