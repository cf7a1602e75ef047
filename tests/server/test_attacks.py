"""Attacks by a single visitor, each tried once on a server without limits of its kind."""

from __future__ import annotations

import asyncio
import json
import os
import random
import threading
from collections import Counter
from pathlib import Path
from random import SystemRandom
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from tests.server.house import HOST, house, table_of_two
from tuilerie import record
from tuilerie.games.game import Refused
from tuilerie.server.child import NICENESS, ChildProcess
from tuilerie.server.http import errors, tables
from tuilerie.server.ops import limits
from tuilerie.server.ops.limits import REPLAYS_EACH, REPLAYS_WAITING, Limiter, TooOften
from tuilerie.server.records import replayer as replayer_module
from tuilerie.server.records.replayer import Replayer
from tuilerie.server.records.worker import Done, Replay, pack
from tuilerie.server.tables import actor, log_codec, registry
from tuilerie.server.tables import room as room_module
from tuilerie.server.tables.actor import Busy
from tuilerie.server.tables.registry import new_slug
from tuilerie.store.tokens import new_token

# --- chance ---------------------------------------------------------------------------------------


def test_chance_comes_from_the_system() -> None:
    """Tiles, first seats and lots: no seed, and no generator whose numbers reveal its state."""
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


# --- what takes time ------------------------------------------------------------------------------


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


async def test_pings_are_answered_while_a_command_waits_for_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tuilerie.server.ws.endpoint.LISTEN_SECONDS", 0.01)
    async with house(tmp_path) as server:
        _, _, lines = await table_of_two(server)
        monkeypatch.setattr(limits, "COMMAND_SECONDS", 0.05)
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
    plain = log_codec._follow_here

    def follow(*args: Any) -> Any:
        threads.append(threading.current_thread())
        return plain(*args)

    monkeypatch.setattr(log_codec, "_follow_here", follow)
    monkeypatch.setattr(log_codec, "THREAD_FACTS", 5)
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


HEADER = '{"format":"tuilerie","version":1,"game":"blockers","rules":1,"seats":["A","B"]}\n'


async def test_a_replay_may_take_only_so_much_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = {"record": HEADER + '{"kind":"chance"}\n'}
    async with house(tmp_path) as server:
        browser = server.browser()
        assert (await browser.post("/replay", body)).status_code == 200
        monkeypatch.setattr(limits, "REPLAY_SECONDS", -1.0)
        answer = await browser.post("/replay", body)
        assert (answer.status_code, answer.json()["rule"]) == (400, "too-long")


BAD_RECORD = Replay("x", None, 0, 10, False, 1.0)


async def refused(replayer: Replayer, record: str = BAD_RECORD.record) -> str:
    """Why this record is refused."""
    with pytest.raises(Refused) as wrong:
        await replayer.ask("192.0.2.1", msgspec.structs.replace(BAD_RECORD, record=record))
    return wrong.value.rule


async def test_records_are_replayed_in_a_process_of_lower_priority() -> None:
    replayer = Replayer(Limiter())
    try:
        assert await refused(replayer) == "not-json"
        assert replayer._process is not None
        own = os.getpriority(os.PRIO_PROCESS, 0)
        its = os.getpriority(os.PRIO_PROCESS, replayer._process.pid)
        assert its == min(19, own + NICENESS)
    finally:
        await replayer.stop()


async def test_a_process_that_replays_for_ever_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Replayer(Limiter())
    try:
        with monkeypatch.context() as hurry:
            hurry.setattr(replayer_module, "REPLAY_HANG_SECONDS", 0.0)
            with pytest.raises(Busy):
                await run.ask("192.0.2.1", BAD_RECORD)
        assert await refused(run, "") == "no-header", "not what the first one was asked"
    finally:
        await run.stop()


@pytest.mark.parametrize(
    "record",
    [
        HEADER.replace('"version":1', f'"version":{10**30}'),
        HEADER.replace('"tuilerie"', "[" * 900 + "]" * 900),
        HEADER.replace('"tuilerie"', '"\\ud800"'),
    ],
    ids=["number", "depth", "surrogate"],
)
async def test_what_is_refused_does_not_end_the_process_that_replays(record: str) -> None:
    """It says what was found, if that can be sent."""
    run = Replayer(Limiter())
    try:
        assert await refused(run) == "not-json"
        process = run._process
        assert await refused(run, record) == "bad-header"
        assert run._process is process
    finally:
        await run.stop()


async def test_a_huge_number_of_entries_is_refused(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        answer = await server.browser().post("/replay", {"record": HEADER, "after": 10**30})
        assert answer.status_code == 400


async def test_a_replay_without_a_process_can_be_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As when the system has no more processes or files."""
    run = Replayer(Limiter())

    async def fail(_module: str) -> Any:
        raise BlockingIOError

    try:
        with monkeypatch.context() as full:
            full.setattr(ChildProcess, "start", fail)
            with pytest.raises(Busy):
                await run.ask("192.0.2.1", BAD_RECORD)
        assert await refused(run) == "not-json"
    finally:
        await run.stop()


async def test_few_replays_run_at_once_and_few_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """And fewer of one network, so that nobody takes all places."""
    go, running = asyncio.Event(), Counter[str]()

    class Slow:
        async def ask(self, _question: bytes, _patience: float) -> bytes:
            running["now"] += 1
            running["most"] = max(running["most"], running["now"])
            await go.wait()
            running["now"] -= 1
            return pack(Done(b"done"))

        async def end(self) -> None:
            pass

    async def start(_module: str) -> Slow:
        return Slow()

    monkeypatch.setattr(ChildProcess, "start", start)
    run = Replayer(Limiter())

    async def ask(network: str, times: int) -> list[asyncio.Task[bytes]]:
        tasks = [asyncio.create_task(run.ask(network, BAD_RECORD)) for _ in range(times)]
        await asyncio.sleep(0.01)
        return tasks

    tasks = await ask("192.0.2.1", REPLAYS_EACH)
    (one_more,) = await ask("192.0.2.1", 1)
    assert isinstance(one_more.exception(), TooOften)
    for other in range(1 + REPLAYS_WAITING - REPLAYS_EACH):
        tasks += await ask(f"192.0.2.{other + 2}", 1)
    (one_more,) = await ask("192.0.2.99", 1)
    assert isinstance(one_more.exception(), TooOften)
    go.set()
    assert await asyncio.gather(*tasks) == [b"done"] * (1 + REPLAYS_WAITING)
    assert running["most"] == 1


async def test_the_process_that_replays_starts_with_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To start one later would hold up all moves."""
    started: list[str] = []

    async def start(module: str) -> Any:
        started.append(module)

    monkeypatch.setattr(ChildProcess, "start", start)
    monkeypatch.setattr("tests.server.house.ReplayerHere.start", Replayer.start)
    async with house(tmp_path):
        assert started == ["tuilerie.server.records.worker"]


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


async def test_half_a_request_leaves_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its client has left: nobody's fault is logged."""
    logged: list[Any] = []
    log = SimpleNamespace(error=lambda *given, **_: logged.append(given))
    monkeypatch.setattr(errors, "log", log)
    async with house(tmp_path) as server:
        headers = {"host": HOST, "origin": f"http://{HOST}", "x-tuilerie": "1"}
        scope = {
            "type": "http", "method": "POST", "path": "/api/recover", "query_string": b"",
            "client": ("192.0.2.1", 1), "scheme": "http", "http_version": "1.1",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }  # fmt: skip
        come = iter([{"type": "http.request", "body": b"{", "more_body": True}])
        sent = []

        async def receive() -> Any:
            return next(come, {"type": "http.disconnect"})

        async def send(message: Any) -> None:
            sent.append(message)

        await server.front(scope, receive, send)
        assert sent[0]["status"] == 400
        assert logged == []


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
        other = {"login": "Анна", "password": password}  # all in Cyrillic letters
        assert (await server.browser().post("/account", other)).status_code == 201
        for name in ("расо", "PACO", "рaco", "Aннa", "анна", "ahha"):  # all, some or none Cyrillic
            answer = await server.browser().post("/account", {"login": name, "password": password})
            assert (answer.status_code, answer.json()["rule"]) == (409, "name-taken"), name
        for account in (first, other):
            assert (await server.browser().post("/session", account)).status_code == 201


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
