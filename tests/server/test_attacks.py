"""Attacks by a single visitor, each tried once on a server without limits of its kind."""

from __future__ import annotations

import asyncio
import json
import random
import threading
from pathlib import Path
from random import SystemRandom
from typing import Any

import pytest

from tests.server.house import Closed, House, house, table_of_two
from tuilerie import record
from tuilerie.games.game import Json
from tuilerie.match import table as match_table
from tuilerie.server import process
from tuilerie.server.http import security, tables
from tuilerie.server.http.security import network, read_cookies
from tuilerie.server.http.uvicorn_protocol import ConnectionGate
from tuilerie.server.ops import limits
from tuilerie.server.ops.limits import Limiter, TooOften, Turns
from tuilerie.server.settings import Settings
from tuilerie.server.tables import actor, registry
from tuilerie.server.tables import room as room_module
from tuilerie.server.tables.registry import new_slug
from tuilerie.store.tokens import new_token


def from_network(server: House, address: str) -> Any:
    """A browser with this address."""
    browser = server.browser()
    browser.http._transport.client = (address, 1000)  # type: ignore[attr-defined]
    return browser


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


# --- what nobody can foresee ----------------------------------------------------------------------


def test_chance_comes_from_the_system() -> None:
    """Tiles, first seats and lots: no seed, and no generator whose numbers tell its state."""
    for picked in (actor.pick, registry._random.randrange):
        assert isinstance(picked.__self__, SystemRandom)  # type: ignore[attr-defined]


def test_table_ids_and_tokens_are_random() -> None:
    for make in (new_slug, new_token, tables.new_player):
        found = set()
        for _ in range(200):
            random.seed(1)
            found.add(make())
        assert len(found) == 200
        assert min(map(len, found)) >= 22


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

    gate = ConnectionGate(Limiter())
    config = process._config(Settings(proxies=proxies), app, gate)
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


# --- rates ----------------------------------------------------------------------------------------


async def statuses(browser: Any, path: str, times: int) -> list[int]:
    return [(await browser.http.get(path)).status_code for _ in range(times)]


async def test_requests_are_limited_by_network_and_by_their_cost(tmp_path: Path) -> None:
    async with house(tmp_path, limit_factor=1, refill=False) as server:
        cheap, costly = from_network(server, "192.0.2.1"), from_network(server, "192.0.2.2")
        burst = int(limits.REQUESTS.burst)
        found = await statuses(cheap, "/api/version", burst + 30)
        assert found[:burst] == [200] * burst
        assert 429 in found[burst:]
        found = await statuses(costly, "/api/tables/x/replay", burst)
        assert found.index(429) == burst // limits.request_cost("GET", "/api/tables/x/replay")
        other = from_network(server, "192.0.2.3")
        assert await statuses(other, "/api/version", 1) == [200]


async def test_health_checks_are_limited_apart_from_requests(tmp_path: Path) -> None:
    async with house(tmp_path, limit_factor=1, refill=False) as server:
        browser = from_network(server, "192.0.2.1")
        burst = int(limits.HEALTH_CHECKS.burst)
        found = await statuses(browser, "/healthz", burst + 20)
        assert found[:burst] == [200] * burst
        assert 429 in found[burst:]
        assert await statuses(browser, "/api/version", 1) == [200]


RATED = [
    ("tables-created", "/tables", {"game": "blockers", "players": 2, "name": "A"}),
    ("tokens-tried", "/recover", {"token": "x" * 22}),
    ("replays", "/replay", {"record": "x"}),
    ("logins", "/session", {"login": "ada", "password": "a wrong guess"}),
]


@pytest.mark.parametrize(("key", "path", "body"), RATED, ids=[key for key, *_ in RATED])
async def test_each_costly_request_has_its_own_limit(
    tmp_path: Path, key: str, path: str, body: Json
) -> None:
    """Met before the limit of all requests, which is lifted here."""
    lifted = {"requests": 1000.0, "passwords": 1000.0}
    async with house(tmp_path, limit_factor=1, refill=False, limits=lifted) as server:
        browser = from_network(server, "192.0.2.1")
        burst = int(limits.RATES[key].burst)  # type: ignore[union-attr]
        answers = [await browser.post(path, body) for _ in range(burst + 3)]
        refused = [answer.json()["rule"] for answer in answers if answer.status_code == 429]
        assert refused
        assert set(refused) == {key}
        assert all(answer.status_code != 429 for answer in answers[:burst])
        assert answers[-1].headers["retry-after"] >= "1"
        other = from_network(server, "192.0.2.2")
        assert (await other.post(path, body)).status_code != 429


async def test_seats_and_their_links_are_limited(tmp_path: Path) -> None:
    lifted = {"requests": 1000.0, "tables-created": 1000.0}
    async with house(tmp_path, limit_factor=1, refill=False, limits=lifted) as server:
        ada = from_network(server, "192.0.2.1")
        slug = await ada.create("blockers", 2)
        burst = int(limits.SEATS_TAKEN.burst)
        answers = [await ada.post(f"/tables/{slug}/seat/link") for _ in range(burst + 3)]
        assert answers[-1].status_code == 429
        assert answers[-1].json()["rule"] == "seats-taken"


async def test_wrong_guesses_elsewhere_do_not_lock_the_owner_out(tmp_path: Path) -> None:
    lifted = {"logins": 1000.0, "requests": 1000.0}
    async with house(tmp_path, limit_factor=1, refill=False, limits=lifted) as server:
        ada = from_network(server, "192.0.2.1")
        good = {"login": "ada byron", "password": "correct horse battery"}
        assert (await ada.post("/account", good)).status_code == 201
        names = ["ADA BYRON", "ada  byron", " ada byron", "ａｄａ byron"] * 4
        eve = from_network(server, "192.0.2.66")
        answers = [
            await eve.post("/session", {"login": name, "password": "a wrong guess"})
            for name in names
        ]
        assert [answer.status_code for answer in answers].count(403) == limits.PASSWORDS.burst
        assert answers[-1].json()["rule"] == "passwords", "counted however the name is written"
        assert (await ada.post("/session", good)).status_code == 201


async def test_a_botnet_cannot_guess_for_ever(tmp_path: Path) -> None:
    few = {"logins": 1000.0, "requests": 1000.0, "account-passwords": 0.01}
    async with house(tmp_path, limit_factor=1, refill=False, limits=few) as server:
        guess = {"login": "ada", "password": "a wrong guess"}
        answers = [
            await from_network(server, f"192.0.2.{host}").post("/session", guess)
            for host in range(12)
        ]
        assert answers[-1].json()["rule"] == "account-passwords"


# --- sockets --------------------------------------------------------------------------------------


async def test_sockets_are_limited_by_network(tmp_path: Path) -> None:
    async with house(
        tmp_path, limit_factor=1, refill=False, limits={"sockets-opened": 1000.0}
    ) as server:
        browser = server.browser()
        lines = [browser.line() for _ in range(limits.SOCKETS.count + 1)]
        for line in lines:
            await line.open()
        bye = await lines[-1].until("bye")
        assert bye["code"] == "sockets"
        await lines[0].close()
        again = server.browser().line()
        await again.open()
        assert await again.quiet() == []


async def test_handshakes_are_limited_by_network_whatever_their_origin(tmp_path: Path) -> None:
    async with house(tmp_path, limit_factor=1, refill=False, limits={"sockets": 1000.0}) as server:
        hostile = server.browser()
        for _ in range(int(limits.SOCKETS_OPENED.burst)):
            with pytest.raises(Closed):
                await hostile.line(origin="http://[").open()
        line = server.browser().line()
        await line.open()
        assert (await line.until("bye"))["code"] == "sockets-opened"


async def test_subscriptions_are_limited_by_socket_and_by_network(tmp_path: Path) -> None:
    async with house(
        tmp_path, limit_factor=1, refill=False, limits={"socket-messages": 1000.0}
    ) as server:
        slug = await server.browser().create("blockers", 2)
        line = server.browser().line()
        await line.open()
        for _ in range(int(limits.SOCKET_HELLOS.burst) + 1):
            line.send({"t": "hello", "table": slug})
        assert (await line.until("refused"))["rule"] == "socket-hellos"
    few = {"socket-hellos": 1000.0, "hellos": 0.05}
    async with house(tmp_path, limit_factor=1, refill=False, limits=few) as server:
        for _ in range(int(limits.HELLOS.burst * 0.05)):
            await server.browser().join(slug)
        line = server.browser().line()
        await line.open()
        line.send({"t": "hello", "table": slug})
        assert (await line.until("refused"))["rule"] == "hellos"


async def test_a_client_that_missed_too_much_gets_a_snapshot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_module, "RESUME_EVENTS", 3)  # so that this log is a long one
    async with house(tmp_path) as server:
        slug, browsers, lines = await table_of_two(server)
        room = await server.registry.table(slug)
        assert room is not None
        oldest = room.actor.number - len(room.actor.recent)
        log, reads = server.registry.store.log, 0
        plain = log.read

        async def read(*args: Any, **named: Any) -> Any:
            nonlocal reads
            reads += 1
            return await plain(*args, **named)

        log.read = read  # type: ignore[method-assign]
        for last, answer in ((oldest, "update"), (oldest - 1, "welcome"), (1, "welcome")):
            line = browsers[0].line()
            line.keeps_view = False
            await line.open()
            line.send({"t": "hello", "table": slug, "last": last, "you": lines[0].you})
            assert (await line.recv())["t"] == answer
        assert reads <= 1, "the events that come with a snapshot are read once for all"


async def test_changes_before_the_start_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Toggling `ready` must not fill the disk; the game can still begin."""
    monkeypatch.setattr(match_table, "MOST_CHANGES", 12)
    async with house(tmp_path) as server:
        ada, bob = server.browser(), server.browser()
        slug = await ada.create("blockers", 2)
        await bob.sit(slug)
        first, second = await ada.join(slug), await bob.join(slug)
        rules = set()
        for number in range(40):
            answer = await second.do("ready", ready=number % 2 == 0)
            rules.add(answer.get("rule"))
        assert rules == {None, "too-many-changes"}
        room = await server.registry.table(slug)
        assert room is not None
        assert room.actor.number <= 13
        for command in ({"kind": "stand"}, {"kind": "react", "reaction": "hello"}):
            kind = command.pop("kind")
            assert (await second.do(kind, **command))["rule"] == "too-many-changes"
        assert (await second.do("ready", ready=True))["t"] == "done"
        assert (await first.do("begin"))["t"] == "done"


async def test_changes_before_the_start_are_limited_by_network(tmp_path: Path) -> None:
    lifted = {"socket-messages": 1000.0, "seat-commands": 1000.0}
    async with house(tmp_path, limit_factor=1, refill=False, limits=lifted) as server:
        ada = server.browser()
        line = await ada.join(await ada.create("blockers", 2))
        answers = [
            await line.do("ready", ready=number % 2 == 0)
            for number in range(int(limits.LOBBY_COMMANDS.burst) + 5)
        ]
        assert answers[-1]["rule"] == "lobby-commands"


@pytest.mark.parametrize(
    ("key", "kind", "fields"),
    [("reactions", "react", {"reaction": "hello"}), ("takebacks", "ask-takeback", {})],
)
async def test_reactions_and_takebacks_are_limited(
    tmp_path: Path, key: str, kind: str, fields: dict[str, Json]
) -> None:
    async with house(tmp_path, limit_factor=1, refill=False) as server:
        _, _, lines = await table_of_two(server)
        answers = [await lines[0].do(kind, **fields) for _ in range(7)]
        assert answers[-1]["rule"] == key


async def test_commands_are_limited_by_person_over_all_sockets(tmp_path: Path) -> None:
    lifted = {"socket-messages": 1000.0}
    async with house(tmp_path, limit_factor=1, refill=False, limits=lifted) as server:
        slug, browsers, lines = await table_of_two(server)
        pair = [lines[0], await browsers[0].join(slug)]
        answers = [
            await pair[number % 2].do("answer-takeback", yes=True)
            for number in range(int(limits.SEAT_COMMANDS.burst) + 5)
        ]
        assert answers[-1]["rule"] == "seat-commands"


# --- what takes time ------------------------------------------------------------------------------


async def test_pings_are_answered_while_a_command_waits_for_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tuilerie.server.ws.endpoint.LISTEN_SECONDS", 0.01)
    monkeypatch.setattr(limits, "COMMAND_SECONDS", 0.05)
    async with house(tmp_path) as server:
        _, _, lines = await table_of_two(server)
        log, hangs = server.registry.store.log, asyncio.Event()
        plain = log.append

        async def append(*args: Any, **named: Any) -> Any:
            await hangs.wait()
            return await plain(*args, **named)

        log.append = append  # type: ignore[method-assign]
        line = lines[0]
        line.send({"t": "do", "id": "asked-first", "command": {"kind": "react", "reaction": "wow"}})
        line.send({"t": "do", "id": "asked-next", "command": {"kind": "react", "reaction": "oops"}})
        line.send({"t": "ping", "n": 5})
        assert (await line.until("pong"))["n"] == 5
        busy = await line.until("refused")
        assert (busy["code"], busy["id"]) == ("busy", "asked-first")
        hangs.set()
        assert (await line.until("done"))["id"] == "asked-first"
        assert (await line.until("done"))["id"] == "asked-next", "in order, and none is lost"


async def test_a_long_log_is_followed_in_a_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = []
    plain = actor._follow_here

    def follow(*args: Any) -> Any:
        threads.append(threading.current_thread())
        return plain(*args)

    monkeypatch.setattr(actor, "_follow_here", follow)
    monkeypatch.setattr(actor, "THREAD_FACTS", 5)
    async with house(tmp_path) as server:
        slug, _, _ = await table_of_two(server)
    threads.clear()
    async with house(tmp_path) as server:
        assert await server.registry.table(slug) is not None
    assert threads
    assert threading.main_thread() not in threads


def test_duplicate_keys_are_found_in_linear_time() -> None:
    compared = 0

    class Key(str):
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return str.__eq__(self, other)

    pairs = [(Key(f"k{number}"), 1) for number in range(2_000)]
    with pytest.raises(Exception, match="key-twice"):
        record._unique([*pairs, (Key("k1999"), 2)])
    assert compared < 3 * len(pairs)


async def test_a_replay_may_take_only_so_much_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    header = '{"format":"tuilerie","version":1,"game":"blockers","rules":1,"seats":["A","B"]}\n'
    body = {"record": header + '{"kind":"chance"}\n'}
    async with house(tmp_path) as server:
        browser = server.browser()
        assert (await browser.post("/replay", body)).status_code == 200
        monkeypatch.setattr(limits, "REPLAY_SECONDS", -1.0)
        answer = await browser.post("/replay", body)
        assert (answer.status_code, answer.json()["rule"]) == (400, "too-long")


async def test_few_replays_run_at_once_and_few_wait() -> None:
    turns, go, running = Turns("all-replays", 1, 2), threading.Event(), []

    def work() -> int:
        running.append(threading.current_thread())
        assert go.wait(20)
        return 1

    tasks = [asyncio.create_task(turns.run(work)) for _ in range(3)]
    await asyncio.sleep(0.01)
    with pytest.raises(TooOften):
        await turns.run(work)
    assert len(running) <= 1
    go.set()
    assert await asyncio.gather(*tasks) == [1, 1, 1]
    assert threading.main_thread() not in running


# --- malformed requests ---------------------------------------------------------------------------


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


@pytest.mark.parametrize("depth", [100, 900, 5_000])
async def test_deep_json_is_refused(tmp_path: Path, depth: int) -> None:
    body = '{"game":"blockers","players":2,"name":"A","options":{"x":' + nested(depth) + "}}"

    async with house(tmp_path) as server:
        browser = server.browser()
        headers = {"content-type": "application/json"}
        answer = await browser.http.post("/api/tables", content=body, headers=headers)
        assert 400 <= answer.status_code < 500, answer.text


SURROGATES = [
    '{"format":"tuilerie","version":1,"game":"blockers","rules":1,"seats":["\\ud800","B"]}',
    '{"format":"\\ud800"}',
    '{"format":"tuilerie","version":1,"game":"blockers","rules":1,"seats":["A","B"],"options":{"\\ud800":1}}',
    '{"format":"tuilerie","version":1,"game":"blockers","rules":1,"seats":["A","B"]}\n{"kind":"\\udfff"}',
]


@pytest.mark.parametrize("text", SURROGATES)
async def test_a_lone_surrogate_in_a_record_is_a_client_error(tmp_path: Path, text: str) -> None:
    async with house(tmp_path) as server:
        answer = await server.browser().post("/replay", {"record": text})
        assert answer.status_code in (200, 400), answer.text


async def test_invisible_names_are_refused_everywhere(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada, bob = server.browser(), server.browser()
        slug = await ada.create("blockers", 2)
        for name in (
            "\u202eevil",
            "a\u200bb",
            "\u3164\u3164\u3164",
            "\u2800abc",
            "e\u0301\u0302\u0303\u0304x",
        ):
            assert (await bob.post(f"/tables/{slug}/seat", {"name": name})).status_code == 400
            account = {"login": name, "password": "correct horse battery"}
            assert (await bob.post("/account", account)).status_code == 400
            header = {"format": "tuilerie", "version": 1, "game": "blockers", "rules": 1}
            text = json.dumps(header | {"seats": [name, "B"]})
            assert (await bob.post("/replay", {"record": text})).status_code == 400
        text = json.dumps(header | {"seats": ["x" * 90, "B"]})
        seats = (await bob.post("/replay", {"record": text})).json()["seats"]
        assert len(seats[0]) == limits.NAME_LENGTH


async def test_a_name_that_looks_like_another_is_refused(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        password = "correct horse battery"
        first = {"login": "paco", "password": password}
        assert (await server.browser().post("/account", first)).status_code == 201
        for name in ("расо", "PACO", "рaco"):  # in Cyrillic letters, all or some
            answer = await server.browser().post("/account", {"login": name, "password": password})
            assert (answer.status_code, answer.json()["rule"]) == (409, "name-taken")


@pytest.mark.parametrize(
    "password",
    [
        "aaaaaaaaaaaa",
        "abababababab",
        "1234567890",
        "qwertyuiop",
        "password123",
        "adabyron12",
        "0987654321",
    ],
)
async def test_common_passwords_are_refused(tmp_path: Path, password: str) -> None:
    async with house(tmp_path) as server:
        body = {"login": "adabyron", "password": password}
        answer = await server.browser().post("/account", body)
        assert (answer.status_code, answer.json()["rule"]) == (400, "weak-password")


async def test_api_responses_are_not_cached(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        browser = server.browser()
        for path in ("/api/session", "/api/my/tables", "/api/nothing"):
            assert (await browser.http.get(path)).headers["cache-control"] == "no-store"
        assert "no-store" not in (await browser.http.get("/")).headers["cache-control"]


def test_every_limit_is_in_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs" / "limits.md").read_text("utf-8")
    for key, rate in limits.RATES.items():
        numbers = (rate.burst, rate.per_second) if isinstance(rate, limits.Rate) else (rate.count,)
        row = next(line for line in text.splitlines() if line.startswith(f"| `{key}` "))
        told = " | ".join(f"{number:,g}" if number < 1e6 else str(number) for number in numbers)
        assert told in row, row
