"""Values between the processes of one arena on one machine: length-prefixed pickles."""

from __future__ import annotations

import pickle
from typing import Any, BinaryIO

from tuilerie.bots.thinker import framed, read_frame


def pack(value: Any) -> bytes:
    """A value as it goes through a pipe."""
    return framed(pickle.dumps(value, protocol=5))


def unpack(stream: BinaryIO) -> Any:
    """The next value that comes through a pipe. Raises `EOFError` at its end."""
    return pickle.loads(read_frame(stream))
