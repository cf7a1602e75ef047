"""A bot process: reads questions and answers each with a move, until the stream is closed.

`python -m tuilerie.bots.thinker`, with length-prefixed JSON on stdin and stdout. The process never
gets a game's state: what a bot may not know is not in its memory.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random, SystemRandom
from typing import BinaryIO, TypeVar

from tuilerie.bots import HINT, named
from tuilerie.bots.bot import SEEDS, Budget, Candidate, Level
from tuilerie.codec import from_builtins, to_builtins
from tuilerie.games import GAMES
from tuilerie.games.game import AnyGame, AnyView, Json

LENGTH = 4
"""The size of the length prefix, in bytes."""

D = TypeVar("D")


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a bot. The same seed and node budget give the same move."""

    game: str
    rules: int  # their version
    bot: str
    view: Mapping[str, Json]  # as `Game.write_view` makes it
    seed: int | None  # None: a random one
    budget: Budget | None  # None: the bot's own; simple bots ignore it


@dataclass(frozen=True, slots=True)
class Answer:
    """A bot's answer."""

    good: bool
    text: str  # a move, or the error; of `HINT`, what `hints_text` makes
    seconds: float  # how long it thought


def question(
    rules: AnyGame, bot: str, view: AnyView, seed: int | None = None, budget: Budget | None = None
) -> Question:
    """The question to a bot for this view."""
    return Question(rules.card.name, rules.version, bot, rules.write_view(view), seed, budget)


def think(asked: Question) -> Answer:
    """A bot's move, or its error as text: an exception must not end the process."""
    began = time.perf_counter()
    try:
        good, text = True, _move(asked)
    except Exception as error:
        good, text = False, f"{type(error).__name__}: {error}"
    return Answer(good, text, time.perf_counter() - began)


def _move(asked: Question) -> str:
    bot = named(asked.game, asked.bot)
    if bot is None:
        raise KeyError(asked.bot)
    view = GAMES[asked.game].by_version(asked.rules).read_view(asked.view)
    random = SystemRandom() if asked.seed is None else Random(asked.seed)
    if isinstance(bot, Level) and asked.budget is not None:
        bot = bot.within(asked.budget)
    if asked.bot == HINT and isinstance(bot, Level):
        return hints_text(bot.think(view, random.randrange(SEEDS), bot.budget))
    return bot(view, random.randrange)


# --- hints ----------------------------------------------------------------------------------------

HINTS = 3
"""How many moves a hint has."""


def hints_text(found: Sequence[Candidate]) -> str:
    """The best candidates, as the text of an answer: those that the bot prefers, in the order of
    what is shown of them."""
    shown = sorted(found[:HINTS], key=lambda each: -each.value)
    return json.dumps(to_builtins(shown))


def read_hints(text: str) -> tuple[Candidate, ...]:
    """The inverse of `hints_text`."""
    return tuple(from_builtins(Candidate, each, "hint") for each in json.loads(text))


# --- messages -------------------------------------------------------------------------------------


def encode(message: object) -> bytes:
    """A message as JSON."""
    return json.dumps(to_builtins(message)).encode()


def decode(kind: type[D], data: bytes) -> D:
    """Decode a message. Raises `ValueError`."""
    return from_builtins(kind, json.loads(data), kind.__name__)


def framed(data: bytes) -> bytes:
    """A message with its length prefix."""
    return len(data).to_bytes(LENGTH, "big") + data


def read_frame(stream: BinaryIO) -> bytes:
    """Read the next message of a pipe. Raises `EOFError` at its end."""
    head = stream.read(LENGTH)
    size = int.from_bytes(head, "big")
    if len(head) < LENGTH or len(data := stream.read(size)) < size:
        raise EOFError
    return data


def main(asked: BinaryIO, answers: BinaryIO) -> None:
    """Answer questions until the stream ends."""
    while True:
        try:
            data = read_frame(asked)
        except EOFError:
            return
        answers.write(framed(encode(think(decode(Question, data)))))
        answers.flush()


if __name__ == "__main__":
    try:
        main(sys.stdin.buffer, sys.stdout.buffer)
    except (KeyboardInterrupt, BrokenPipeError):
        sys.exit(0)
