"""Bounds on what one visitor can make the server do, beside those of `test_rates`."""

from __future__ import annotations

import asyncio
import itertools
import re
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.server.house import house, table_of_two, whose_turn
from tuilerie.match import clock, moves, race
from tuilerie.match import table as match_table
from tuilerie.server import process
from tuilerie.server.http import auth
from tuilerie.server.http.auth import MOST_SEATS, OTHER_SEATS
from tuilerie.server.http.security import HOST_LENGTH
from tuilerie.server.http.tables import LOBBY
from tuilerie.server.ops import limits, upkeep
from tuilerie.server.ops.limits import Limiter
from tuilerie.server.settings import Settings
from tuilerie.server.ws.endpoint import _Inbox
from tuilerie.store.accounts import SESSION_MS
from tuilerie.store.seats import MOST_TOKENS, RECOVERY_MS, Seats
from tuilerie.store.tokens import AT_ONCE, Passwords


async def test_a_record_that_is_too_long_is_refused(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        browser = server.browser()
        for length, rule in ((0, "not-json"), (1, "bad-request")):
            answer = await browser.post("/replay", {"record": "x" * (400_000 + length)})
            assert (answer.status_code, answer.json()["rule"]) == (400, rule)


async def test_few_passwords_are_hashed_at_once() -> None:
    go, most, here, lock = threading.Event(), 0, 0, threading.Lock()

    class Hasher:
        def hash(self, _password: bytes) -> str:
            nonlocal most, here
            with lock:
                here += 1
                most = max(most, here)
            assert go.wait(60)
            with lock:
                here -= 1
            return "hash"

    hasher: Any = Hasher()
    passwords = Passwords(hasher)
    tasks = [asyncio.create_task(passwords.hash("x")) for _ in range(6)]
    while here < AT_ONCE:
        await asyncio.sleep(0.001)
    await asyncio.sleep(0.05)
    go.set()
    assert await asyncio.gather(*tasks) == ["hash"] * 6
    assert most == AT_ONCE == 2


async def test_many_seat_cookies_cost_few_lookups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    plain = Seats.resolve

    async def resolve(self: Seats, token: str) -> Any:
        asked.append(token)
        return await plain(self, token)

    monkeypatch.setattr(Seats, "resolve", resolve)
    async with house(tmp_path) as server:
        slug = await server.browser().create("blockers", 2)
        asked.clear()
        cookies = "; ".join(f"tuilerie-seat-t{n}={n:032}" for n in range(200))
        line = server.browser().line(cookie=cookies)
        await line.open()
        await line.hello(slug)
        assert len(asked) == OTHER_SEATS == 12


async def test_the_oldest_seat_cookies_expire(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MOST_SEATS == 60
    monkeypatch.setattr(auth, "MOST_SEATS", 2)
    async with house(tmp_path) as server:
        ada = server.browser()
        slugs = [await ada.create("blockers", 2) for _ in range(5)]
        kept = [name for name in ada.http.cookies if name.startswith("tuilerie-seat-")]
        assert [name.removeprefix("tuilerie-seat-") for name in kept] == slugs[-3:]


async def test_over_tls_browsers_are_told_to_stay_there(tmp_path: Path) -> None:
    for url, wanted in (("https://games.test", "max-age=31536000"), (None, None)):
        async with house(tmp_path, public_url=url) as server:
            answer = await server.browser().http.get("/api/version")
            assert answer.headers.get("strict-transport-security") == wanted


def test_silent_connections_are_closed() -> None:
    config = process._config(Settings(), None)
    assert config.ws_ping_interval == config.ws_ping_timeout == limits.PING_SECONDS
    assert config.timeout_keep_alive <= 60


def test_requests_are_not_logged() -> None:
    """Their paths hold the ids of tables, and each line an address."""
    config = process._config(Settings(), None)
    assert not config.access_log


async def test_an_internal_error_tells_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path) as server:
        slug, (ada, _), lines = await table_of_two(server)

        async def fail(*_: Any) -> None:
            raise RuntimeError("a secret detail")

        monkeypatch.setattr(type(server.registry), "fresh", fail)
        answer = await ada.get(f"/tables/{slug}")
        assert (answer.status_code, answer.json()["rule"]) == (500, "our-fault")
        assert "secret" not in answer.text
        assert "content-security-policy" in answer.headers
        lines[0].send({"t": "hello", "table": slug})
        refused = await lines[0].until("refused")
        assert (refused["code"], refused["rule"]) == ("fault", "our-fault")
        assert "secret" not in str(refused)


async def test_facts_beside_a_game_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path) as server:
        _, _, lines = await table_of_two(server)
        monkeypatch.setattr(match_table, "MOST_BESIDE", 1)
        refused = await lines[0].do("react", reaction="hello")
        assert refused["rule"] == "too-many-changes"
        turn = whose_turn(lines)
        done = await turn.do("make", move=turn.view["play"]["legal"][0])
        assert done["t"] == "done", "the game goes on"
        assert (await turn.do("ask-takeback"))["t"] == "refused"


COSTS = {
    "file of the client": "GET /t/x, GET /assets/app.js",
    "list of tables": "GET /api/tables",
    "new table": "POST /api/tables",
    "password": "POST /api/session, POST /api/account, POST /api/account/password,"
    " DELETE /api/account",
    "replay": "POST /api/replay, GET /api/tables/x/replay",
    "record for an account": "POST /api/account/records",
}


def test_costs_of_requests_are_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "limits.md").read_text("utf-8")
    listed = " ".join(text.split()).partition("millisecond of work: ")[2].partition(". ")[0]
    stated = dict(re.findall(r"\ba ([a-z ]+) ([\d.]+)", listed))
    assert stated.keys() == COSTS.keys()
    for what, requests in COSTS.items():
        for each in requests.split(", "):
            assert limits.request_cost(*each.split(" ")) == float(stated[what]), each


def test_no_spelling_of_a_path_makes_a_request_cheaper() -> None:
    for method, path in (("GET", "/api/my/tables"), ("GET", "/api/tables/x/replay")):
        for other in (path + "/", path.replace("/api/", "/api//"), path + "//"):
            assert limits.request_cost(method, other) == limits.request_cost(method, path) == 10
    assert limits.request_cost("GET", "//") == limits.FILE_COST
    assert limits.request_cost("POST", "/") == limits.request_cost("POST", "//") == 1


async def test_few_messages_wait_while_one_is_answered() -> None:
    """As when the store hangs: pings are answered, within their limit; the others wait."""
    pushed: list[bytes] = []
    ping, other = {"type": "", "text": '{"t":"ping","n":1}'}, {"type": "", "text": "{}"}

    async def receive() -> Any:
        return next(sent)

    connection: Any = SimpleNamespace(push=pushed.append, pinged=lambda: None)
    sent = itertools.chain(itertools.repeat(ping, 100), itertools.repeat(other))
    bucket = Limiter(lambda: 0.0).bucket(limits.Rate("x", 5, 1))
    inbox = _Inbox(receive, connection, bucket, lambda: 0.0)
    await asyncio.wait_for(inbox._read(), 60)
    assert len(pushed) == 5
    assert len(inbox._waiting) == limits.WAITING_MESSAGES == 8


def test_promised_times_are_kept() -> None:
    text = (Path(__file__).parents[2] / "docs" / "threats.md").read_text("utf-8")
    assert (clock.GRACE, race.HOLD, limits.SPECTATOR_DELAY_SECONDS) == (150, 75, 60)
    for stated in ("at most 150 ms on its own clock", "within 75 ms", "a delay of one minute"):
        assert stated in " ".join(text.split())
    assert Settings().metrics_host == "127.0.0.1", "metrics are private"


FIXED = {
    "head of a request": (limits.HEAD_BYTES // 1024, limits.HEADERS, limits.HEAD_SECONDS,
                          limits.COOKIE_BYTES // 1024),
    "sizes of chunks and trailers, beside a body": (limits.HEAD_BYTES // 1024,),
    "`Host` of a request": (HOST_LENGTH,),
    "requests on a connection that wait for the first": (limits.PIPELINED,),
    "body of a request": (limits.BODY_BYTES // 1024, limits.BODY_SECONDS, limits.RECORD_LENGTH),
    "message over a WebSocket": (limits.FRAME_BYTES // 1024,),
    "connections in all": (process.OWN_FILES, process.MOST_FILES),
    "sockets at a table": (limits.SPECTATORS_PER_TABLE, limits.SOCKETS_PER_PLAYER),
    "an answer that is not read": (limits.READER_BYTES // 1024, limits.READER_SECONDS),
    "messages waiting for a slow socket": (limits.QUEUE_MESSAGES,),
    "malformed messages of a socket": (limits.REFUSALS_PER_SOCKET,),
    "facts of a table before its game begins": (match_table.MOST_CHANGES, match_table.MOST_BESIDE),
    "moves of a seat in a game": (moves.MOST_ACTIONS,),
    "changes that a client can resume from": (limits.RECENT_TRANSITIONS,),
    "a replay": (limits.REPLAY_SECONDS, limits.REPLAY_HANG_SECONDS, limits.REPLAYS_WAITING,
                 limits.REPLAYS_EACH),
    "requests that wait for their turn (`all-requests`)": (limits.REQUESTS_WAITING,
                                                           limits.REQUESTS_WAITING_EACH),
    "connections accepted in one turn of the event loop": (limits.ACCEPTS,),
    "a recovery link": (RECOVERY_MS // 86_400_000,),
    "a login session": (SESSION_MS // 86_400_000,),
    "tokens of a seat": (MOST_TOKENS,),
    "seats that a browser keeps": (MOST_SEATS,),
    "a token that another server revoked": (auth.CACHE_SECONDS,),
    "tables in a list": (LOBBY,),
    "free space for the database": (
        limits.DISK_LOW_BYTES // 2**20,
        limits.DISK_FULL_BYTES // 2**20,
    ),
    "answer of the health check": (upkeep.FRESH_SECONDS,),
    "a command that waits for the store": (limits.COMMAND_SECONDS,),
}  # fmt: skip


def test_fixed_bounds_are_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "limits.md").read_text("utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    stated = {row[0]: row[1] for row in rows if len(row) == 2 and row[0] != "What"}
    assert set(stated) == set(FIXED)
    for what, numbers in FIXED.items():
        for number in numbers:
            assert f"{number:,g}" in stated[what] or f"{number:,}" in stated[what], (
                what,
                number,
            )
