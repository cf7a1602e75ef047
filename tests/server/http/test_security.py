"""Host and origin headers that are no addresses are refused, not passed on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.house import house
from tuilerie.server.http import security

INVALID = ["127.0.0.1:226E6", "127.0.0.1:99999", "[::1", "", "localhost:-1"]


@pytest.mark.parametrize("host", INVALID)
def test_a_host_with_an_invalid_port_or_address_is_unknown(host: str) -> None:
    assert host not in security.Hosts(None)


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "[::1]:80", "localhost"])
def test_addresses_and_localhost_are_known(host: str) -> None:
    assert host in security.Hosts(None)


def test_an_origin_with_an_invalid_port_is_foreign() -> None:
    assert not security.same_origin("http://127.0.0.1:8x", "127.0.0.1:8x", None)


async def test_a_request_with_an_invalid_host_is_refused(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        browser = server.browser(Host="127.0.0.1:226E6")
        assert (await browser.post("/tables", {"unknown": 1})).status_code == 421
