"""Rates: how often one visitor, network or account may do what costs something."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.server.house import WAIT, Closed, House, house, table_of_two
from tuilerie.games import GAMES
from tuilerie.games.game import Json
from tuilerie.language import LANGUAGES
from tuilerie.match import table as match_table
from tuilerie.server.http.pages import FOLDER, files_in
from tuilerie.server.ops import limits


def from_network(server: House, address: str) -> Any:
    """A browser with this address."""
    browser = server.browser()
    browser.http._transport.client = (address, 1000)  # type: ignore[attr-defined]
    return browser


# --- requests -------------------------------------------------------------------------------------


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


async def test_ten_new_visitors_of_one_network_get_all_files_and_lists_at_once(
    tmp_path: Path,
) -> None:
    """A family or a class: each browser keeps the whole client, and asks for games and texts."""
    lists = ["/api/games", "/api/games", "/api/session", "/api/my/tables"]
    lists += [f"/api/rules/{game}?lang={lang}" for game in GAMES for lang in LANGUAGES]
    files = [f"/{name}" for name in files_in(FOLDER)] or ["/"] * 120
    async with house(tmp_path, limit_factor=1, refill=False) as server:
        browser = from_network(server, "192.0.2.1")
        for _ in range(10):
            for path in files + lists:
                assert (await browser.http.get(path)).status_code == 200, path


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"X-Tuilerie": "0"}, 403),
        ({"Cookie": "a=" + "x" * limits.COOKIE_BYTES}, 431),
    ],
    ids=["host", "origin", "header", "cookie"],
)
async def test_requests_that_are_refused_count_too(
    tmp_path: Path, headers: dict[str, str], status: int
) -> None:
    cost = limits.request_cost("POST", "/api/recover")
    few = {"requests": 12 * cost / limits.REQUESTS.burst}
    async with house(tmp_path, limit_factor=1, refill=False, limits=few) as server:
        browser = server.browser()
        found = [
            (await browser.http.post("/api/recover", headers=headers)).status_code
            for _ in range(20)
        ]
        assert found == [status] * 12 + [429] * 8


async def test_requests_of_all_networks_wait_their_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But a health check does not."""
    monkeypatch.setattr(limits, "ALL_REQUESTS", limits.Rate("all-requests", 1, 0.0001))
    async with house(tmp_path, limit_factor=1) as server:
        first, second = (from_network(server, f"192.0.2.{number}") for number in (1, 2))
        assert await statuses(first, "/api/version", 1) == [200]
        waiting = asyncio.create_task(second.http.get("/api/version"))
        async with asyncio.timeout(WAIT):
            assert await statuses(second, "/healthz", 3) == [200] * 3
        assert not waiting.done()
        waiting.cancel()


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


async def test_players_around_one_device_open_their_seats_at_every_turn(tmp_path: Path) -> None:
    """Links that open a seat are not counted as tries."""
    lifted = {"requests": 1000.0}
    async with house(tmp_path, limit_factor=1, refill=False, limits=lifted) as server:
        browser = from_network(server, "192.0.2.1")
        made = await browser.post("/tables", {"game": "blockers", "players": 2, "name": "A"})
        key = {"token": made.json()["recovery"]}
        for _ in range(int(limits.TOKENS_TRIED.burst) + 5):
            assert (await browser.post("/recover", key)).status_code == 201
        assert (await browser.post("/recover", {"token": "x" * 22})).status_code == 404


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


async def test_replays_of_tables_and_new_accounts_are_limited_alike(tmp_path: Path) -> None:
    few = {"requests": 1000.0, "replays": 1 / limits.REPLAYS.burst, "logins": 0.1}
    async with house(tmp_path, limit_factor=1, refill=False, limits=few) as server:
        ada = from_network(server, "192.0.2.1")
        slug = await ada.create("blockers", 2)
        rules = [(await ada.get(f"/tables/{slug}/replay")).json()["rule"] for _ in range(2)]
        assert rules == ["game-not-over", "replays"]
        trivial = {"login": "ada", "password": "1234567890"}
        rules = [(await ada.post("/account", trivial)).json()["rule"] for _ in range(2)]
        assert rules == ["weak-password", "logins"]
        eve = from_network(server, "192.0.2.2")
        guess = {"password": "a wrong guess", "new": "another wrong guess"}
        rules = [(await eve.post("/account/password", guess)).json()["rule"] for _ in range(2)]
        assert rules == ["not-logged-in", "logins"]


async def test_seats_and_their_links_are_limited(tmp_path: Path) -> None:
    lifted = {"requests": 1000.0, "tables-created": 1000.0}
    async with house(tmp_path, limit_factor=1, refill=False, limits=lifted) as server:
        ada = from_network(server, "192.0.2.1")
        slug = await ada.create("blockers", 2)
        burst = int(limits.SEATS_TAKEN.burst)
        answers = [await ada.post(f"/tables/{slug}/seat/link") for _ in range(burst + 3)]
        assert answers[-1].status_code == 429
        assert answers[-1].json()["rule"] == "seats-taken"


async def test_hints_are_limited_by_person(tmp_path: Path) -> None:
    lifted = {"requests": 1000.0}
    async with house(tmp_path, limit_factor=1, refill=False, limits=lifted) as server:
        ada, bob = server.browser(), server.browser()
        slug = await ada.create("blockers", 3)
        await bob.sit(slug)
        burst = int(limits.HINTS.burst)
        answers = [await ada.post(f"/tables/{slug}/hint") for _ in range(burst + 2)]
        assert [answer.status_code for answer in answers] == [409] * burst + [429] * 2
        assert answers[-1].json()["rule"] == "hints"
        assert (await bob.post(f"/tables/{slug}/hint")).status_code == 409, "not yet begun"


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
        other = await lines[1].do("answer-takeback", yes=True)
        assert other["rule"] != "seat-commands", "another person of the same network"


def test_every_limit_is_in_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs" / "limits.md").read_text("utf-8")
    for key, rate in limits.RATES.items():
        numbers = (rate.burst, rate.per_second) if isinstance(rate, limits.Rate) else (rate.count,)
        row = next(line for line in text.splitlines() if line.startswith(f"| `{key}` "))
        cells = " | ".join(f"{number:,g}" if number < 1e6 else str(number) for number in numbers)
        assert cells in row, row
