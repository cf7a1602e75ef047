"""`tuilerie serve --open`: choose a free port and open a browser when the server is up."""

from __future__ import annotations

import socket
import threading
import time
import webbrowser
from collections.abc import Callable

import click

PATIENCE = 30.0


def port_to_use(host: str, wanted: int) -> int:
    """The requested port, or any free one if it is taken."""
    for port in (wanted, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            found: int = probe.getsockname()[1]
            return found
    return wanted


def open_when_up(
    host: str, port: int, show: Callable[[str], bool] = webbrowser.open
) -> threading.Thread:
    """Wait in a thread until the server answers, then print its address and open it."""
    address = f"http://{host}:{port}/"

    def wait() -> None:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with socket.socket() as probe:
                if probe.connect_ex((host, port)) == 0:
                    click.echo(f"\n  Tuilerie: {address}   (Ctrl-C: stop)\n")
                    show(address)
                    return
            time.sleep(0.1)

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    return thread
