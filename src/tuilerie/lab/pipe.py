"""Messages between the processes of an arena, on one machine or several: length-prefixed JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO, TypeVar

from tuilerie.bots.thinker import decode, encode, framed, read_frame
from tuilerie.lab.referee import Failure, Outcome

D = TypeVar("D")


@dataclass(frozen=True, slots=True)
class Report:
    """What a worker sends: a game, played or failed. A cluster also sends how many games it can
    play at a time, and why it cannot be reached."""

    game: Outcome | Failure | None
    room: int = 1
    error: str | None = None


def send(stream: BinaryIO, message: object) -> None:
    """Write a message to a pipe."""
    stream.write(framed(encode(message)))
    stream.flush()


def receive(kind: type[D], stream: BinaryIO) -> D:
    """Read the next message of a pipe. Raises `EOFError` at its end."""
    return decode(kind, read_frame(stream))
