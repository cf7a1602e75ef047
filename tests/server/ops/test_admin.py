"""`tuilerie admin`, and what a running server makes of it."""

from __future__ import annotations

import asyncio
import json
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.server.house import Closed, House, house, table_of_two
from tuilerie.server.ops.admin import admin
from tuilerie.server.ops.bans import Bans
from tuilerie.server.ws.connection import GOING_AWAY

ANA = {"login": "Ana", "password": "a good password"}


def run(data: Path, *words: str, answer: str | None = None) -> Result:
    return CliRunner().invoke(admin, ["--data", str(data), *words], input=answer)


def done(data: Path, *words: str) -> str:
    result = run(data, *words)
    assert result.exit_code == 0, result.output
    return result.output


async def notice(server: House) -> None:
    """Let the server read the audit log now."""
    await server.front.upkeep.act_on_audit()


async def output_of(data: Path, *words: str, answer: str | None = None) -> str:
    """What is said to a command that fails."""
    result = await asyncio.to_thread(run, data, *words, answer=answer)
    assert result.exit_code != 0
    return result.output


async def in_thread(data: Path, *words: str) -> str:
    return await asyncio.to_thread(done, data, *words)


async def test_tables_are_listed_and_closed(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        slug, (ada, _), lines = await table_of_two(server)
        said = await in_thread(tmp_path, "tables")
        assert f"{slug}  " in said
        assert "Ada, Bob" in said
        assert slug not in await in_thread(tmp_path, "tables", "--status", "over")
        assert "Delete table" in await output_of(tmp_path, "close", slug, answer="n\n")
        assert (await ada.get(f"/tables/{slug}")).status_code == 200
        assert await in_thread(tmp_path, "close", slug, "--yes") == f"closed {slug}\n"
        await notice(server)
        assert [await line.end() for line in lines] == [GOING_AWAY, GOING_AWAY]
        assert (await ada.get(f"/tables/{slug}")).status_code == 404
        assert (await ada.get("/my/tables")).json() == []
    assert "there is no table" in await output_of(tmp_path, "close", slug, "--yes")


async def test_banned_network_cannot_connect(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        _, (ada, _), lines = await table_of_two(server)
        said = await in_thread(tmp_path, "ban-network", "10.0.0.9/24", "--yes", "--reason", "spam")
        assert said.splitlines()[-1] == "banned 10.0.0.0/24"  # a log line may come first
        await notice(server)
        assert [await line.end() for line in lines] == [GOING_AWAY, GOING_AWAY]
        answer = await ada.get("/tables")
        assert (answer.status_code, answer.json()["rule"]) == (403, "banned")
        with pytest.raises(Closed):
            await ada.line().open()
        assert "10.0.0.0/24" in await in_thread(tmp_path, "bans")
        await in_thread(tmp_path, "unban-network", "10.0.0.0/24")
        await notice(server)
        assert (await ada.get("/tables")).status_code == 200
    assert "is not banned" in await output_of(tmp_path, "unban-network", "10.0.0.0/24")
    assert "was expected" in await output_of(tmp_path, "ban-network", "nonsense", "--yes")


async def test_bans_hold_after_a_restart(tmp_path: Path) -> None:
    async with house(tmp_path):
        await in_thread(tmp_path, "ban-network", "10.0.0.1", "--yes")
    async with house(tmp_path) as server:
        assert (await server.browser().get("/tables")).status_code == 403


async def test_banned_account_is_logged_out_and_cannot_log_in(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ana = server.browser()
        assert (await ana.post("/account", ANA)).status_code == 201
        slug = await ana.create("blockers", 2)
        line = await ana.join(slug)
        await in_thread(tmp_path, "ban-account", "ana", "--yes", "--reason", "insults")
        await notice(server)
        assert await line.end() == GOING_AWAY
        assert (await ana.get("/session")).json()["login"] is None
        answer = await ana.post("/session", ANA)
        assert (answer.status_code, answer.json()["rule"]) == (403, "banned")
        assert "insults" in await in_thread(tmp_path, "bans")
        await in_thread(tmp_path, "unban-account", "Ana")
        assert (await ana.post("/session", ANA)).status_code == 201
    assert "there is no account" in await output_of(tmp_path, "ban-account", "nobody", "--yes")


async def test_sessions_are_listed_and_revoked_and_passwords_reset(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ana, phone = server.browser(), server.browser()
        await ana.post("/account", ANA)
        await phone.post("/session", ANA)
        assert (await in_thread(tmp_path, "sessions", "Ana")).count("since ") == 2
        assert (
            await in_thread(tmp_path, "revoke-sessions", "Ana", "--yes") == "2 sessions revoked\n"
        )
        for browser in (ana, phone):
            assert (await browser.get("/session")).json()["login"] is None
        await ana.post("/session", ANA)
        password = (await in_thread(tmp_path, "reset-password", "Ana", "--yes")).strip()
        assert (await ana.get("/session")).json()["login"] is None
        assert (await ana.post("/session", ANA)).status_code == 403
        answer = await ana.post("/session", {**ANA, "password": password})
        assert answer.status_code == 201
        assert password not in await in_thread(tmp_path, "audit")
        assert "Ana" in await in_thread(tmp_path, "accounts")


async def test_a_person_is_exported_and_deleted(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ana = server.browser()
        await ana.post("/account", ANA)
        slug = await ana.create("blockers", 2)
        file = tmp_path / "ana.json"
        await in_thread(tmp_path, "export-person", "Ana", str(file))
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        found = json.loads(file.read_text("utf-8"))
        assert found["account"]["name"] == "Ana"
        assert [(seat["table"], seat["name"]) for seat in found["seats"]] == [(slug, "Ada")]
        assert len(found["sessions"]) == 1
        assert "hash" not in file.read_text("utf-8")
        assert "exists already" in await output_of(tmp_path, "export-person", "Ana", str(file))
        await in_thread(tmp_path, "delete-person", "Ana", "--yes")
        await notice(server)
        names = [seat["name"] for seat in (await ana.get(f"/tables/{slug}")).json()["seats"]]
        assert names == ["#1", None]
        audit = await in_thread(tmp_path, "audit")
        assert [line.split()[3] for line in audit.splitlines()] == [
            "delete-person",
            "export-person",
        ]


async def test_every_change_is_in_the_audit_log(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ana = server.browser()
        await ana.post("/account", ANA)
        slug = await ana.create("blockers", 2)
        changes = [
            ("ban-network", "192.0.2.0/24", "--yes"),
            ("unban-network", "192.0.2.0/24"),
            ("revoke-sessions", "Ana", "--yes"),
            ("reset-password", "Ana", "--yes"),
            ("ban-account", "Ana", "--yes", "--reason", "insults"),
            ("unban-account", "Ana"),
            ("export-person", "Ana", str(tmp_path / "ana.json")),
            ("delete-person", "Ana", "--yes"),
            ("close", slug, "--yes"),
        ]
        for change in changes:
            await in_thread(tmp_path, *change)
            if change[0] == "reset-password":
                assert await in_thread(tmp_path, "sessions", "Ana") == ""
        audit = await in_thread(tmp_path, "audit", "--limit", "50")
        told = [line.split()[3] for line in reversed(audit.splitlines())]
        done = [words[0] for words in changes]
        assert told == [*done[:-1], "close-table"]
        assert "insults" in audit
        for reads in (("tables",), ("accounts",), ("bans",), ("audit",)):
            await in_thread(tmp_path, *reads)
        assert await in_thread(tmp_path, "audit", "--limit", "50") == audit


def test_bans_cover_addresses_of_both_families() -> None:
    bans = Bans()
    assert not bans.covers("192.0.2.7")
    bans.set(["192.0.2.0/24", "2001:db8::/64"])
    for host in (
        "192.0.2.7",
        "::ffff:192.0.2.7",
        "2001:db8::1",
        "2001:db8::/64",
        "2001:db8::1%eth0",
    ):
        assert bans.covers(host), host
    for host in ("192.0.3.7", "2001:db8:0:1::1", "unknown", "", "2001:db9::/64"):
        assert not bans.covers(host), host
    bans.set([])
    assert not bans.covers("192.0.2.7")


def test_admin_without_a_database_is_a_clear_error(tmp_path: Path) -> None:
    result = run(tmp_path / "nowhere", "tables")
    assert result.exit_code == 1
    assert "there is no database" in result.output
