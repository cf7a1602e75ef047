"""What the browser tests share: one server, one Chromium, a new visitor for each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.house import Visitor, chromium_path, running_browser, running_server
from tests.browser.wire import Wire
from tests.servers import lacking
from tuilerie.server.http.pages import FOLDER

AWAY = re.compile(r"net::ERR_(INTERNET_DISCONNECTED|CONNECTION_\w+|EMPTY_RESPONSE)")
"""What Chromium itself says while there is no network; no page can keep it silent."""


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """A server with the built client."""
    if not (FOLDER / "index.html").is_file():
        lacking("The built client", "run make web")
    if chromium_path() is None:
        lacking("Chromium")
    with running_server() as found:
        yield found


@pytest.fixture(scope="session")
def browser(address: str) -> Iterator[Any]:
    """A Chromium."""
    with running_browser() as found:
        yield found


@pytest.fixture
def visit(browser: Any, address: str) -> Iterator[Callable[..., Visitor]]:
    """Opens visitors; after the test it checks that no console logged anything and no other host
    was contacted."""
    visitors: list[Visitor] = []

    def come(wire: Wire | None = None, at: str = address, **how: Any) -> Visitor:
        visitors.append(Visitor(browser, wire.address if wire else at, **how))
        return visitors[-1]

    yield come
    said = [line for visitor in visitors for line in visitor.said]
    foreign = [url for visitor in visitors for url in visitor.foreign()]
    for visitor in visitors:
        visitor.close()
    assert [line for line in said if not AWAY.search(line)] == []
    assert foreign == []


@pytest.fixture
def wire(address: str) -> Iterator[Wire]:
    """A proxy to the server that can be cut."""
    made = Wire(address)
    yield made
    made.close()
