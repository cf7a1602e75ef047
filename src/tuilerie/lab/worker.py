"""Worker process: plays games from stdin until its parent closes the stream.

`python -m tuilerie.lab.worker`, with the messages of `pipe` on stdin and stdout.
"""

from __future__ import annotations

import sys
from typing import BinaryIO

from tuilerie.lab.pipe import Report, receive, send
from tuilerie.lab.plan import Job
from tuilerie.lab.referee import BotProcess, play


def main(asked: BinaryIO, answers: BinaryIO) -> None:
    """Play the requested games one by one until end of input."""
    bot_process = BotProcess()
    try:
        while True:
            send(answers, Report(play(receive(Job, asked), bot_process)))
    except (EOFError, KeyboardInterrupt, BrokenPipeError):
        pass
    finally:
        bot_process.end()


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
