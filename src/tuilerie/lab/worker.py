"""Worker process: plays games from stdin until its parent closes the stream.

`python -m tuilerie.lab.worker`, with length-prefixed pickles on stdin and stdout.
"""

from __future__ import annotations

import sys
from typing import BinaryIO

from tuilerie.lab.pipe import pack, unpack
from tuilerie.lab.referee import Thinker, play


def main(asked: BinaryIO, answers: BinaryIO) -> None:
    """Play the requested games one by one until end of input."""
    thinker = Thinker()
    try:
        while True:
            answers.write(pack(play(unpack(asked), thinker)))
            answers.flush()
    except (EOFError, KeyboardInterrupt, BrokenPipeError):
        pass
    finally:
        thinker.end()


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
