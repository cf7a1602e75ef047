"""What holds for all tests."""

from __future__ import annotations

import signal

import pytest


def pytest_configure() -> None:
    """Heed ctrl-C, and let every program that a test starts heed it.

    A shell makes what it starts in the background ignore it, and programs pass that on.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the test that takes longest by far: at the end, one worker would wait for it."""
    items.sort(key=lambda item: "test_sanitized" not in item.nodeid)
