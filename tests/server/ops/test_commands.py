"""The host's commands, from the command line to the data on disk."""

from __future__ import annotations

import asyncio
import gc
import json
import re
import socket
import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner
from websockets.exceptions import ConnectionClosed

from tests.server.house import house, table_of_two
from tests.server.players import Room
from tests.server.process import ServerProcess
from tests.server.test_kill import progress
from tests.servers import free_port
from tuilerie.server.ops import metrics
from tuilerie.server.ops.commands import COMMANDS, backup, purge, restore, serve, verify
from tuilerie.server.ops.garbage_collection import (
    HOUSEKEEPING_SECONDS,
    IDLE_SECONDS,
    NEVER,
    SKIPPED_RUNS,
    GarbageCollector,
    next_pause,
)
from tuilerie.server.ops.limits import BOT_RACE_MS, BOT_SHOWN_MS, CLOSE_WAIT_MS
from tuilerie.server.settings import Settings, data_folder
from tuilerie.server.ws.connection import GOING_AWAY
from tuilerie.store.database import FILE_NAME, parse_database
from tuilerie.store.errors import Unavailable
from tuilerie.store.sqlite.files import exclusive


async def play_a_little(place: Path) -> str:
    async with house(place) as server:
        slug, _, lines = await table_of_two(server)
        turn = next(line for line in lines if line.view["play"]["legal"])
        await turn.do("make", move=turn.view["play"]["legal"][0])
        await turn.do("resign")
    return str(slug)


def run(command: object, *words: object) -> tuple[int, str]:
    result = CliRunner().invoke(command, [str(word) for word in words])  # type: ignore[arg-type]
    return result.exit_code, result.output


async def _stored(place: Path) -> list[str]:
    async with house(place) as server:
        return [row.table for row in await server.registry.store.log.tables()]


AGREES = "1 tables: 1 agrees, 0 unfinished, 0 differs\n  blockers, rules version 1: 1\n"


@pytest.mark.slow
def test_a_backup_restores_everything(tmp_path: Path) -> None:
    data, other = tmp_path / "data", tmp_path / "other"
    slug = asyncio.run(play_a_little(data))
    for file in (tmp_path / "games.db", tmp_path / "games.jsonl"):
        assert run(backup, file, "--data", data)[0] == 0
        code, output = run(backup, file, "--data", data)
        assert code == 1, "it writes over nothing"
        assert "exists" in output
        assert run(restore, file, "--data", other / file.suffix)[0] == 0
        assert asyncio.run(_stored(other / file.suffix)) == [slug]
    code, output = run(verify, "--data", data)
    assert (code, output) == (0, AGREES)
    assert run(restore, tmp_path / "nothing.db", "--data", other)[0] == 1


async def test_verify_reports_a_damaged_page(tmp_path: Path) -> None:
    await play_a_little(tmp_path)
    path = tmp_path / FILE_NAME
    assert await asyncio.to_thread(run, verify, "--data", tmp_path) == (0, AGREES)
    content = bytearray(path.read_bytes())
    content[4096:8192] = b"\xff" * 4096
    path.write_bytes(content)
    code, output = await asyncio.to_thread(run, verify, "--data", tmp_path)
    assert code == 1
    assert "damaged" in output


async def test_verify_fails_on_a_damaged_page_that_no_game_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play_a_little(tmp_path)

    async def damaged(_database: Any) -> list[str]:
        return ["page 7 is never used"]

    monkeypatch.setattr("tuilerie.server.ops.commands.page_faults", damaged)
    code, told = await asyncio.to_thread(run, verify, "--data", tmp_path)
    assert code == 1
    assert "damaged: page 7 is never used" in told
    assert AGREES.strip() in told


async def test_purge_is_refused_beside_a_server_and_a_dry_run_is_not(tmp_path: Path) -> None:
    await play_a_little(tmp_path)
    with exclusive(parse_database(tmp_path)):
        code, told = await asyncio.to_thread(run, purge, "--data", tmp_path)
        assert code == 1
        assert "another server" in told
        code, told = await asyncio.to_thread(run, purge, "--data", tmp_path, "--dry-run")
        assert code == 0
        assert told.count("would be deleted") == 3
    code, told = await asyncio.to_thread(run, purge, "--data", tmp_path)
    assert (code, told.count(" deleted\n")) == (0, 3)


def test_idle_server_collects_garbage_less_often() -> None:
    pause = HOUSEKEEPING_SECONDS
    for _ in range(10):
        pause = next_pause(pause, used=0.0001)
    assert pause == IDLE_SECONDS
    assert next_pause(pause, used=0.05) == HOUSEKEEPING_SECONDS


def test_every_setting_can_be_set_by_environment() -> None:
    options = {str(option.name) for option in serve.params if option.name != "show"}
    for option in serve.params:
        if option.name in options:
            assert option.envvar == f"TUILERIE_{str(option.name).upper()}"
    assert options == set(Settings.__dataclass_fields__)
    assert {command.name for command in COMMANDS} == {
        "serve",
        "worker",
        "verify",
        "backup",
        "restore",
        "doctor",
        "purge",
    }


@pytest.mark.parametrize(
    "wrong", ["--proxies=*", "--limits=nothing=2", "--limits=replays", "--limits=replays=0"]
)
def test_wrong_settings_are_refused_before_anything_starts(wrong: str) -> None:
    code, text = run(serve, wrong)
    assert code == 2
    assert "Invalid value" in text


def test_single_limits_can_be_set() -> None:
    option = next(option for option in serve.params if option.name == "limits")
    assert option.callback is not None
    read: Any = option.callback
    assert read(None, option, "replays=2, hellos=0.5") == {"replays": 2.0, "hellos": 0.5}


def test_every_setting_is_documented() -> None:
    text = (Path(__file__).parents[3] / "docs" / "host.md").read_text("utf-8")
    for option in serve.params:
        if not getattr(option, "hidden", False):
            assert f"`{option.opts[0]}`" in text


def test_every_metric_is_documented() -> None:
    text = (Path(__file__).parents[3] / "docs" / "host.md").read_text("utf-8")
    names = {family.name for family in metrics.REGISTRY.collect()}
    assert names == {
        name.removesuffix("_total") for name in re.findall(r"\btuilerie_[a-z_]+\b", text)
    }


@pytest.mark.slow
async def test_every_metric_is_served_and_counts(tmp_path: Path) -> None:
    port = free_port()
    server = ServerProcess(tmp_path, "--metrics-port", str(port))
    room, stop = Room([server.port], seed=1), asyncio.Event()
    try:
        await server.start()
        playing = asyncio.create_task(room.play(stop))
        await progress([room], 10)
        stop.set()
        await playing
        async with httpx.AsyncClient() as http:
            text = (await http.get(f"http://127.0.0.1:{port}/metrics")).text
    finally:
        server.close()
    exported = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}
    names = {family.name for family in metrics.REGISTRY.collect()}
    assert {name.removesuffix("_total").removesuffix("_created") for name in exported} == names
    counted = {
        line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1])
        for line in text.splitlines()
        if not line.startswith("#")
    }
    for name in ("append_seconds", "delivery_seconds", "bot_wait_seconds", "loop_lag_seconds"):
        assert counted[f"tuilerie_{name}_count"] > 0
    moves = sum(len(player.moved) for player in room.players)
    assert counted['tuilerie_commands_total{answer="done"}'] >= moves
    assert counted['tuilerie_facts_total{kind="entered"}'] >= moves - len(room.players)


async def test_facts_are_counted_on_the_node_that_appends_them(tmp_path: Path) -> None:
    def seated() -> float | None:
        return metrics.REGISTRY.get_sample_value("tuilerie_facts_total", {"kind": "seated"})

    async with house(tmp_path) as server:
        before = seated() or 0
        slug = await server.browser().create("blockers", 2)
        await server.browser().sit(slug)
        assert seated() == before + 1  # the first one came with the table
    async with house(tmp_path) as server:
        assert await server.registry.table(slug) is not None
        assert seated() == before + 1


async def test_health_check_fails_without_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path) as server:
        http = server.browser().http
        assert (await http.get("/healthz")).status_code == 200

        async def lost(_tables: object) -> dict[str, int]:
            raise Unavailable("gone")

        async def late(_tables: object) -> dict[str, int]:
            await asyncio.Event().wait()
            return {}

        monkeypatch.setattr("tuilerie.server.ops.upkeep.HEALTH_SECONDS", 0.01)
        monkeypatch.setattr("tuilerie.server.ops.upkeep.FRESH_SECONDS", 0)
        for heads in (lost, late):
            monkeypatch.setattr(server.registry.store.log, "heads", heads)
            answer = await http.get("/healthz")
            assert answer.status_code == 503
            assert answer.json()["status"] == "no-store"


def test_the_data_folder_follows_the_platform(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert data_folder() == Path("/somewhere/tuilerie")
    assert Settings().database == Path("/somewhere/tuilerie")
    assert Settings(database_url="postgresql://x").database == "postgresql://x"


@pytest.mark.slow
async def test_a_server_shuts_down_gracefully(tmp_path: Path) -> None:
    """Clients get a time to reconnect, and find the table unchanged."""
    server = ServerProcess(tmp_path)
    room = Room([server.port], seed=1)
    try:
        await server.start()
        _, player = await room.set_up()
        async with player.connected() as socket:
            await socket.send(json.dumps({"t": "hello", "table": player.slug, "last": 0}))
            await socket.recv()
            code = await asyncio.to_thread(server.stop)
            received = await until_closed(socket)
            assert socket.close_code == GOING_AWAY
        bye = json.loads(received[-1])
        assert (bye["t"], bye["code"]) == ("bye", "restart")
        assert CLOSE_WAIT_MS[0] <= bye["wait"] <= CLOSE_WAIT_MS[1]
        assert code == 0, server.said()
    finally:
        server.close()


async def until_closed(socket: Any) -> list[str]:
    """All further messages of a socket."""
    received = []
    with suppress(ConnectionClosed):
        while True:
            received.append(await socket.recv())
    return received


def test_the_garbage_collector_sets_and_restores_thresholds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    usual = gc.get_threshold()
    keeper = GarbageCollector()
    keeper.begin()
    try:
        assert gc.get_threshold()[1:] == (NEVER, NEVER), "what is old is left alone"
        assert keeper.look() is False
        monkeypatch.setattr("tuilerie.server.ops.garbage_collection.GROWTH_BYTES", -(2**40))
        assert keeper.look() is True
    finally:
        keeper.end()
    assert gc.get_threshold() == usual


def test_young_objects_are_collected_only_after_garbage_was_found() -> None:
    keeper, runs = GarbageCollector(), list[int]()

    def watch(phase: str, info: Mapping[str, int]) -> None:
        if phase == "stop":
            runs.append(info["collected"])

    keeper.begin()
    gc.set_threshold(NEVER, NEVER, NEVER)  # no automatic runs
    gc.callbacks.append(watch)
    try:
        keeper.look()
        runs.clear()
        for _ in range(SKIPPED_RUNS):
            keeper.look()
        assert not runs, "what is new is put aside"
        leave_garbage()
        keeper.look()
        leave_garbage()
        keeper.look()
        assert len(runs) == 2, "there was some, so that the next look is a look"
        assert all(runs)
    finally:
        gc.callbacks.remove(watch)
        keeper.end()


def leave_garbage() -> None:
    ring: list[object] = []
    ring.append(ring)


def test_bot_delays_are_in_the_documented_range() -> None:
    assert BOT_SHOWN_MS[0] >= 500
    assert BOT_RACE_MS[0] >= 2_000
    assert BOT_RACE_MS[1] <= 4_000


# --- what a host may get wrong --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "output"),
    [
        (["--port", "99999"], "99999 is not in the range"),
        (["--database-url", "nonsense"], "expected a URL like postgresql://"),
        (["--database-url", "mysql://here/games"], "expected a URL like postgresql://"),
        (["--database-url", "postgresql://ada:geheim@host:port/games"], "expected a URL like"),
        (["--redis-url", "nonsense"], "expected a URL like redis://"),
        (["--public-url", "games.example"], "expected a URL like https://"),
        (["--host", "999.1.1.1"], "999.1.1.1 is not an address of this machine"),
        (["--host", "192.0.2.1"], "cannot listen on 192.0.2.1, port 0: Cannot assign"),
        (["--data", "/proc/nowhere"], "/proc/nowhere/tuilerie.db cannot be written"),
        (["--database-url", "postgresql://127.0.0.1:1/games"], "postgresql://127.0.0.1/games: the"),
    ],
)
def test_an_invalid_setting_gets_a_one_line_error(
    words: list[str], output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tuilerie.store.migrate.PATIENCE", 0.1)
    result = CliRunner().invoke(serve, ["--port", "0", *words])
    assert result.exit_code in (1, 2)
    assert output in result.output
    assert isinstance(result.exception, SystemExit), "and not with a traceback"
    assert "geheim" not in result.output


@pytest.mark.parametrize("option", ["--port", "--metrics-port"])
def test_a_port_in_use_gets_a_one_line_error(tmp_path: Path, option: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        code, output = run(serve, "--port", 0, "--data", tmp_path, option, port)
    assert code == 1
    assert output == (
        f"Error: cannot listen on 127.0.0.1, port {port}: Address already in use;"
        f" choose another one with {option}\n"
    )


def test_a_database_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    asyncio.run(_stored(tmp_path))
    with closing(sqlite3.connect(tmp_path / "tuilerie.db")) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
    for command in (serve, verify):
        words = ("--port", 0) if command is serve else ()
        code, output = run(command, "--data", tmp_path, *words)
        assert code == 1
        assert "schema 9999, which is newer than this program" in output


def test_verify_reports_a_tampered_game(tmp_path: Path) -> None:
    slug = asyncio.run(play_a_little(tmp_path))
    with closing(sqlite3.connect(tmp_path / "tuilerie.db")) as database:
        (body,) = database.execute(
            "SELECT body FROM facts WHERE CAST(body AS TEXT) LIKE '%places%'"
        ).fetchone()
        fact = json.loads(body)
        fact["places"].reverse()  # the other one has won
        new = json.dumps(fact).encode()
        database.execute("UPDATE facts SET body = ? WHERE body = ?", (new, body))
        database.commit()
    code, output = run(verify, "--data", tmp_path)
    assert code == 1
    assert slug in output
    assert "1 tables: 0 agrees, 0 unfinished, 1 differs\n" in output
    assert output.endswith("  blockers, rules version 1: 1\n")


def test_verify_without_a_database_fails(tmp_path: Path) -> None:
    code, output = run(verify, "--data", tmp_path / "nowhere")
    assert (code, output) == (1, f"Error: there is no database: {tmp_path}/nowhere/tuilerie.db\n")
    assert not (tmp_path / "nowhere").exists()
