"""What of a request is trusted: cookies, origins, hosts and addresses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.server.house import Closed, house, table_of_two
from tuilerie.server import process
from tuilerie.server.http import security
from tuilerie.server.http.security import network, read_cookies
from tuilerie.server.ops import limits
from tuilerie.server.settings import Settings

# --- cookies, origins, hosts ----------------------------------------------------------------------


def forbid_slow_parsers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail if a cookie is unquoted by Python's own parser, or by the framework's, which uses it."""

    def refuse(*_: Any) -> None:
        raise AssertionError("the slow parser was used")

    for parser in (
        "http.cookies._unquote",
        "http.cookies.BaseCookie.load",
        "litestar._parsers.unquote_cookie",
    ):
        monkeypatch.setattr(parser, refuse)


def test_cookies_are_split_and_never_unquoted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's own parser takes quadratic time for backslashes in quotes (CVE-2024-7592)."""

    forbid_slow_parsers(monkeypatch)
    hostile = 'a="' + "\\" * 8_000 + '"; b=2; c; =d; e=f=g'
    assert read_cookies(hostile) == {"a": '"' + "\\" * 8_000 + '"', "b": "2", "": "d", "e": "f=g"}
    assert read_cookies(None) == read_cookies("") == {}
    assert read_cookies("x" * limits.COOKIE_BYTES + "=1") == {}


async def test_a_hostile_cookie_reaches_no_slow_parser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path) as server:
        slug, browsers, _ = await table_of_two(server)
        cookies = browsers[0].line().cookie
        forbid_slow_parsers(monkeypatch)
        hostile = {"Cookie": cookies + '; x="' + "\\" * 8_000 + '"'}
        for path in (f"/api/tables/{slug}", "/api/session", "/api/my/tables", "/"):
            answer = await server.browser().http.get(path, headers=hostile)
            assert answer.status_code == 200, answer.text
        line = server.browser().line(cookie=hostile["Cookie"])
        await line.open()
        await line.hello(slug)
        assert line.you == 0, "the cookie beside it still counts"


async def test_a_cookie_header_that_is_too_long_is_refused(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        long = {"Cookie": "x=" + "y" * limits.COOKIE_BYTES}
        answer = await server.browser().http.get("/api/session", headers=long)
        assert answer.status_code == 431


INVALID_ORIGINS = ["http://[", "http://[::1", "//", "null", "http://games.test@evil.test", "\xff"]


@pytest.mark.parametrize("origin", INVALID_ORIGINS)
async def test_an_invalid_origin_is_refused_with_security_headers(
    tmp_path: Path, origin: str
) -> None:
    async with house(tmp_path) as server:
        browser = server.browser()
        headers = {b"Origin": origin.encode("latin-1")}
        answer = await browser.http.post("/api/session", json={}, headers=headers)
        assert answer.status_code == 403
        for name in security.HEADERS:
            assert name in answer.headers
        line = browser.line(origin=origin)
        with pytest.raises(Closed):
            await line.open()


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "", "[", "games.test.evil.example"]
)
async def test_an_unknown_host_is_refused(tmp_path: Path, host: str) -> None:
    """Against DNS rebinding: another site that points its name at our address."""
    async with house(tmp_path) as server:
        browser = server.browser()
        headers = {"Host": host, "Origin": f"http://{host}"}
        assert (await browser.http.get("/api/session", headers=headers)).status_code == 421
        with pytest.raises(Closed):
            await browser.line(**{key.lower(): value for key, value in headers.items()}).open()
        assert (await browser.http.get("/healthz", headers=headers)).status_code == 200


def test_known_hosts_are_our_own_names_and_addresses() -> None:
    hosts = security.Hosts("https://games.example", ["play.local"])
    for good in (
        "games.example",
        "GAMES.example:443",
        "play.local",
        "127.0.0.1:80",
        "[::1]:80",
        "localhost",
    ):
        assert good in hosts
    for bad in (
        None,
        "",
        "example",
        "games.example.org",
        "1.2.3.4.evil.test",
        "a@games.example.org",
    ):
        assert bad not in hosts


INVALID_HOSTS = ["127.0.0.1:226E6", "127.0.0.1:99999", "[::1", "", "localhost:-1"]
LONG_HOSTS = [f"localhost:{'0' * 2000}80", f"[::1%{'a' * 2000}]", "a@localhost", "a:b@127.0.0.1"]


@pytest.mark.parametrize("host", LONG_HOSTS, ids=lambda host: host[:12])
async def test_a_host_that_would_make_a_long_link_is_unknown(tmp_path: Path, host: str) -> None:
    """A QR code of 2,000 letters takes a tenth of a second; one of 3,000 is impossible."""
    async with house(tmp_path) as server:
        browser = server.browser()
        slug = await browser.create("blockers", 2)
        answer = await browser.http.get(f"/api/tables/{slug}/qr.svg", headers={"Host": host})
        assert (answer.status_code, answer.json()["rule"]) == (421, "unknown-host")


@pytest.mark.parametrize("host", INVALID_HOSTS)
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


# --- networks and proxies -------------------------------------------------------------------------


def test_a_network_is_an_ipv4_address_or_an_ipv6_64() -> None:
    assert network("192.0.2.1") != network("192.0.2.2")
    assert network("2001:db8::1") == network("2001:db8:0:0:ffff::2") == network("2001:0db8::")
    assert network("2001:db8::1") != network("2001:db8:0:1::1")
    assert network("::ffff:192.0.2.1") == "192.0.2.1"
    assert network("fe80::1%eth0") == network("fe80::2")
    assert network("x" * 1000) == "x" * 64


async def forwarded(proxies: str, peer: str, header: bytes) -> str:
    """The address that a request counts as."""
    seen = []

    async def app(scope: Any, _receive: Any, _send: Any) -> None:
        seen.append(scope["client"][0])

    config = process._config(Settings(proxies=proxies), app)
    config.load()
    scope = {"type": "http", "client": (peer, 1), "headers": [(b"x-forwarded-for", header)]}
    await config.loaded_app(scope, None, None)
    found: str = seen[0]
    return found


async def test_only_trusted_proxies_forward_addresses_and_the_last_untrusted_one_counts() -> None:
    trusted = "172.30.0.0/24, 10.0.0.9"
    claimed = b"1.1.1.1, 203.0.113.7, 172.30.0.4"
    assert await forwarded(trusted, "172.30.0.3", claimed) == "203.0.113.7"
    assert await forwarded(trusted, "10.0.0.9", b"203.0.113.7") == "203.0.113.7"
    assert await forwarded(trusted, "198.51.100.1", claimed) == "198.51.100.1"
    assert await forwarded("", "127.0.0.1", claimed) == "127.0.0.1"


@pytest.mark.parametrize("proxies", ["*", "everybody", "10.0.0.0/33", "10.0.0.1/8"])
def test_proxies_must_be_addresses_or_networks(proxies: str) -> None:
    with pytest.raises(ValueError, match=r"does not appear|has host bits"):
        security.parse_proxies(proxies)
