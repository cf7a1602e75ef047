"""Plays one game by the Python rules. Bots run in a separate process, which gets only views."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from typing import Literal

from tuilerie import __version__, native, record
from tuilerie.bots.bot import SEEDS
from tuilerie.bots.thinker import (
    Answer,
    Question,
    decode,
    encode,
    framed,
    question,
    read_frame,
)
from tuilerie.codec import to_builtins
from tuilerie.games import GAMES
from tuilerie.games.game import AnyView, Json, Pick, Refused
from tuilerie.lab.deals import PairedDeals
from tuilerie.lab.luck import luck_by_seat
from tuilerie.lab.plan import Entrant, Job
from tuilerie.simulate import play_with


class BotFault(Exception):
    """A bot failed or made an illegal move; the message says which one and when."""


class BotProcessDied(Exception):
    """The bot process died; the game can be retried."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a finished game."""

    kind: Literal["outcome"] = field(default="outcome", init=False)
    number: int
    reason: str
    places: tuple[int, ...]
    scores: tuple[Json, ...]
    moves: tuple[int, ...]  # per seat
    seconds: tuple[float, ...]  # total thinking time per seat
    engine: str  # on the machine that played it
    version: str
    record: str
    luck: tuple[float, ...] = ()  # per seat, as a share of the win; empty: not measured


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a game has no outcome."""

    kind: Literal["failure"] = field(default="failure", init=False)
    number: int
    why: str
    again: bool  # whether a retry may succeed


# --- bot process ----------------------------------------------------------------------------------


class BotProcess:
    """The bot process of one referee, started on first use."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, asked: Question) -> Answer:
        """Return a move. Raises `BotProcessDied` or `BotFault`."""
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(framed(encode(asked)))
            process.stdin.flush()
            answer = decode(Answer, read_frame(process.stdout))  # type: ignore[arg-type]
        except (OSError, EOFError):
            self.end()
            raise BotProcessDied("the bot process died") from None
        if not answer.good:
            raise BotFault(answer.text)
        return answer

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "tuilerie.bots.thinker"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self._process

    def end(self) -> None:
        """Kill the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()


class _Seated:
    """An entrant as a bot on a seat, with its move count and thinking time."""

    def __init__(self, game: str, entrant: Entrant, bot_process: BotProcess) -> None:
        self._game = game
        self._entrant = entrant
        self._bot_process = bot_process
        self.moves = 0
        self.seconds = 0.0

    def __call__(self, view: AnyView, pick: Pick) -> str:
        who = self._entrant
        rules = GAMES[self._game]
        try:
            answer = self._bot_process.ask(question(rules, who.bot, view, pick(SEEDS), who.budget))
            rules.parse_move(answer.text)
        except (BotFault, Refused) as fault:
            raise BotFault(f"{who.name} failed at its move {self.moves + 1}: {fault}") from None
        self.moves += 1
        self.seconds += answer.seconds
        return answer.text


# --- one game -------------------------------------------------------------------------------------


def play(job: Job, bot_process: BotProcess) -> Outcome | Failure:
    """Play a game to its end, or return why it failed."""
    seats = [_Seated(job.game, entrant, bot_process) for entrant in job.seats]
    names = [entrant.name for entrant in job.seats]
    try:
        deals = PairedDeals(job.seed)
        named = list(zip(names, seats, strict=True))
        replay = play_with(GAMES[job.game], job.options, named, deals)
    except BotProcessDied as dead:
        return Failure(job.number, str(dead), again=True)
    except BotFault as fault:
        return Failure(job.number, str(fault), again=False)
    except Refused as refused:
        made = ", ".join(f"{name} {seat.moves}" for name, seat in zip(names, seats, strict=True))
        return Failure(
            job.number, f"a move was refused ({refused}); moves so far: {made}", again=False
        )
    result = replay.result
    assert result is not None
    return Outcome(
        number=job.number,
        reason=result.reason,
        places=result.places,
        scores=tuple(to_builtins(score) for score in result.scores),
        moves=tuple(seat.moves for seat in seats),
        seconds=tuple(round(seat.seconds, 4) for seat in seats),
        engine=native.engine(),
        version=__version__,
        record=record.write(replay),
        luck=luck_by_seat(replay) if job.adjust else (),
    )
