"""One game, judged by the Python rules. Bots think in another process, which gets views alone."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from tuilerie import __version__, native, record
from tuilerie.bots.bot import SEEDS
from tuilerie.bots.thinker import Answer, Question, pack, unpack
from tuilerie.games import GAMES
from tuilerie.games.game import Json, Pick, Refused, plain
from tuilerie.lab.deals import PairedDeals
from tuilerie.lab.plan import Entrant, Job
from tuilerie.simulate import play_with


class BotFault(Exception):
    """A bot gave no legal move: a mistake in the bot. The message tells which and where."""


class Dead(Exception):
    """The process that thinks has died: the game can be played again."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game went."""

    number: int
    reason: str
    places: tuple[int, ...]
    scores: tuple[Json, ...]
    moves: tuple[int, ...]  # how many each seat made
    seconds: tuple[float, ...]  # how long each seat thought in all
    engine: str  # of the machine that played it
    version: str
    record: str


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a game has no outcome."""

    number: int
    why: str
    again: bool  # whether it may go better another time


# --- asking ---------------------------------------------------------------------------------------


class Thinker:
    """The process that thinks for the bots of one referee. It is started when first asked."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, question: Question) -> Answer:
        """A move. Raises `Dead` if the process is lost, `BotFault` if the bot failed."""
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(pack(question))
            process.stdin.flush()
            answer = Answer(*unpack(process.stdout))  # type: ignore[arg-type]
        except (OSError, EOFError):
            self.end()
            raise Dead("the process that thinks has died") from None
        if not answer.good:
            raise BotFault(answer.text)
        return answer

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "tuilerie.bots.thinker"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self._process

    def end(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()


class _Seated:
    """An entrant on its seat, as a bot; it keeps the time."""

    def __init__(self, game: str, entrant: Entrant, thinker: Thinker) -> None:
        self._game = game
        self._entrant = entrant
        self._thinker = thinker
        self.moves = 0
        self.seconds = 0.0

    def __call__(self, view: Any, pick: Pick) -> str:
        who = self._entrant
        question = Question(self._game, who.bot, view, pick(SEEDS), who.budget)
        try:
            answer = self._thinker.ask(question)
            GAMES[self._game].parse_move(answer.text)
        except (BotFault, Refused) as fault:
            raise BotFault(f"{who.name} failed at its move {self.moves + 1}: {fault}") from None
        self.moves += 1
        self.seconds += answer.seconds
        return answer.text


# --- one game -------------------------------------------------------------------------------------


def play(job: Job, thinker: Thinker) -> Outcome | Failure:
    """Play a game to its end, or say why it has none."""
    seats = [_Seated(job.game, entrant, thinker) for entrant in job.seats]
    names = [entrant.name for entrant in job.seats]
    try:
        deals = PairedDeals(job.seed)
        named = list(zip(names, seats, strict=True))
        replay = play_with(GAMES[job.game], job.options, named, deals)
    except Dead as dead:
        return Failure(job.number, str(dead), again=True)
    except BotFault as fault:
        return Failure(job.number, str(fault), again=False)
    except Refused as refused:
        made = ", ".join(f"{name} {seat.moves}" for name, seat in zip(names, seats, strict=True))
        return Failure(
            job.number, f"a move was refused ({refused}); made so far: {made}", again=False
        )
    result = replay.result
    assert result is not None
    return Outcome(
        number=job.number,
        reason=result.reason,
        places=result.places,
        scores=tuple(plain(score) for score in result.scores),
        moves=tuple(seat.moves for seat in seats),
        seconds=tuple(round(seat.seconds, 4) for seat in seats),
        engine=native.engine(),
        version=__version__,
        record=record.write(replay),
    )
