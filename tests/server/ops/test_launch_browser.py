"""What `make play` does: a free port, and a browser when the server is up."""

from __future__ import annotations

import socket

import pytest

from tuilerie.server.ops.launch_browser import open_when_up, port_to_use


def test_another_port_is_used_if_the_first_is_taken() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        assert port_to_use("127.0.0.1", taken) != taken
    assert port_to_use("127.0.0.1", taken) == taken


def test_the_browser_opens_when_the_server_answers(capsys: pytest.CaptureFixture[str]) -> None:
    shown: list[str] = []

    def show(address: str) -> bool:
        shown.append(address)
        return True

    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        port = server.getsockname()[1]
        thread = open_when_up("127.0.0.1", port, show)
        server.listen()
        thread.join(timeout=20)
    assert shown == [f"http://127.0.0.1:{port}/"]
    assert shown[0] in capsys.readouterr().out
