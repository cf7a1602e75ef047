"""What a worker process does: reads a view, answers with a bot's move, until its master is gone.

`python -m tuilerie.server.thinker`, with length and pickle on the standard streams. Both ends are
the same program; nothing from outside ever gets here.
"""

from __future__ import annotations

import pickle
import sys
from random import SystemRandom
from typing import Any, BinaryIO

from tuilerie.bots import BOTS

LENGTH = 4


def pack(value: Any) -> bytes:
    """A value as it goes through a pipe."""
    data = pickle.dumps(value, protocol=5)
    return len(data).to_bytes(LENGTH, "big") + data


def think(game: str, level: str, view: Any) -> tuple[bool, str]:
    """The move of a bot, or the name of its fault: that must not take the process with it."""
    try:
        return True, BOTS[game][level](view, SystemRandom().randrange)
    except Exception as error:
        return False, type(error).__name__


def main(asked: BinaryIO, answers: BinaryIO) -> None:
    """Answer, one after the other, as long as somebody asks."""
    while len(head := asked.read(LENGTH)) == LENGTH:
        data = asked.read(int.from_bytes(head, "big"))
        answers.write(pack(think(*pickle.loads(data))))
        answers.flush()


if __name__ == "__main__":
    try:
        main(sys.stdin.buffer, sys.stdout.buffer)
    except (KeyboardInterrupt, BrokenPipeError):
        sys.exit(0)
