"""Configuration of all tests."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from hypothesis import settings

SERVERS = {"postgres", "redis_server", "browser"}
"""The fixtures that start a real server or a browser."""

SERVER_TESTS = Path(__file__).parent / "server"
"""Nearly all of these start the whole application; `make check` runs those of tables and bots."""

LONG = 5.0
"""Seconds: a test that takes longer is no test for `make check`."""

settings.register_profile("test", max_examples=50)
settings.register_profile("proof", max_examples=2_000)
settings.load_profile("test")  # --hypothesis-profile overrides it


def pytest_configure() -> None:
    """Restore the default SIGINT handler, here and in all subprocesses.

    Shells make background processes ignore SIGINT, and children inherit that.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that need a real server as slow, and run the slowest test first, so that no worker
    waits for it at the end."""
    for item in items:
        if _needs_server(item):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: "test_sanitized" not in item.nodeid)


def _needs_server(item: pytest.Item) -> bool:
    """Whether a test names such a fixture, is given its name as the kind of its database, or starts
    the whole application."""
    if not isinstance(item, pytest.Function):
        return False
    if SERVER_TESTS in item.path.parents and item.path.parent.name not in ("tables", "bots"):
        return True
    given = item.callspec.params.values() if hasattr(item, "callspec") else ()
    kinds = {kind for kind in given if isinstance(kind, str)}
    return bool(SERVERS & (set(item.fixturenames) | kinds))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was proven, and name the tests that `make check` should leave out."""
    passed, failed = (terminalreporter.getreports(how) for how in ("passed", "failed"))
    ran = [report for report in passed + failed if report.when == "call"]
    for line in proven(ran):
        terminalreporter.write_line(line)
    for report in ran:
        if report.duration > LONG and not {"slow", "proof"} & set(report.keywords):
            words = f"{report.nodeid}: {report.duration:.1f} s, and not marked slow"
            terminalreporter.write_line(words)


def proven(ran: list[pytest.TestReport]) -> list[str]:
    """One line for each proof: what it proves, by its name, and in how many cases."""
    cases: dict[str, list[bool]] = {}
    for report in ran:
        if "proof" in report.keywords:
            name = report.nodeid.rpartition("::")[2].partition("[")[0]
            cases.setdefault(name, []).append(report.passed)
    return [
        f"{'proven' if all(each) else 'NOT PROVEN'}: "
        f"{name.removeprefix('test_').replace('_', ' ')} ({len(each)})"
        for name, each in sorted(cases.items())
    ]
