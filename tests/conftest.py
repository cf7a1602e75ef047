"""What holds for all tests."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """Heed ctrl-C, and let every program that a test starts heed it.

    A shell makes what it starts in the background ignore it, and programs pass that on.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
