"""What a bot's process does: reads a view, answers with a move, until its master is gone.

`python -m tuilerie.bots.thinker`, with length and pickle on the standard streams. Both ends are
the same program; nothing from outside ever gets here. The process holds no state of any game: what
a bot may not know is not there to be found.
"""

from __future__ import annotations

import pickle
import sys
import time
from dataclasses import dataclass
from random import Random, SystemRandom
from typing import Any, BinaryIO, NamedTuple

from tuilerie.bots import BOTS
from tuilerie.bots.bot import Budget, Level

LENGTH = 4


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a bot. The same seed and node budget give the same move."""

    game: str
    bot: str
    view: Any
    seed: int | None = None  # None: any luck will do
    budget: Budget | None = None  # None: the bot's own; plain bots know none


class Answer(NamedTuple):
    """What a bot says."""

    good: bool
    text: str  # a move, or what went wrong
    seconds: float  # how long it thought


def think(question: Question) -> Answer:
    """The move of a bot, or its fault in a few words: that must not take the process with it."""
    began = time.perf_counter()
    try:
        good, text = True, _move(question)
    except Exception as error:
        good, text = False, f"{type(error).__name__}: {error}"
    return Answer(good, text, time.perf_counter() - began)


def _move(asked: Question) -> str:
    bot = BOTS[asked.game][asked.bot]
    random = SystemRandom() if asked.seed is None else Random(asked.seed)
    if isinstance(bot, Level) and asked.budget is not None:
        return bot.within(asked.budget)(asked.view, random.randrange)
    return bot(asked.view, random.randrange)


# --- through a pipe -------------------------------------------------------------------------------


def pack(value: Any) -> bytes:
    """A value as it goes through a pipe."""
    data = pickle.dumps(value, protocol=5)
    return len(data).to_bytes(LENGTH, "big") + data


def unpack(stream: BinaryIO) -> Any:
    """The next value that comes through a pipe. Raises `EOFError` where none comes any more."""
    head = stream.read(LENGTH)
    size = int.from_bytes(head, "big")
    if len(head) < LENGTH or len(data := stream.read(size)) < size:
        raise EOFError
    return pickle.loads(data)


def main(asked: BinaryIO, answers: BinaryIO) -> None:
    """Answer, one after the other, as long as somebody asks."""
    while True:
        try:
            question = unpack(asked)
        except EOFError:
            return
        answers.write(pack(tuple(think(question))))
        answers.flush()


if __name__ == "__main__":
    try:
        main(sys.stdin.buffer, sys.stdout.buffer)
    except (KeyboardInterrupt, BrokenPipeError):
        sys.exit(0)
