"""The container deployment: valid settings and no exposed services."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from tuilerie.server.http.security import parse_proxies
from tuilerie.server.ops.commands import COMMANDS
from tuilerie.store import open_store
from tuilerie.store.log import TableMeta
from tuilerie.store.maintenance.backup import restore

DEPLOY = Path(__file__).parent.parent / "deploy"


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    return found


def services() -> dict[str, Any]:
    found: dict[str, Any] = compose()["services"]
    return found


def dockerfile() -> str:
    return (DEPLOY / "Dockerfile").read_text("utf-8")


def ours() -> dict[str, Any]:
    """Return the services that run Tuilerie."""
    return {name: each for name, each in services().items() if "build" in each}


def test_container_settings_are_command_options() -> None:
    commands = {command.name: command for command in COMMANDS}
    runs = {name: each["command"] or ["backup"] for name, each in ours().items()}
    assert runs == {
        "server-1": ["serve"],
        "server-2": ["serve"],
        "worker": ["worker"],
        "backup": ["backup"],
    }
    for name, each in ours().items():
        known = {option.envvar for option in commands[runs[name][0]].params}
        assert set(each["environment"]) <= known


def test_only_the_proxy_is_exposed_and_containers_are_limited() -> None:
    assert [name for name, each in services().items() if "ports" in each] == ["proxy"]
    for name, each in services().items():
        assert each["read_only"] is True, name
        assert each["cap_drop"] == ["ALL"], name
        assert each["security_opt"] == ["no-new-privileges:true"], name
        assert {"mem_limit", "cpus", "pids_limit"} <= set(each), name
        assert each["logging"]["options"]["max-size"], name


def test_images_and_networks_are_pinned_and_apart() -> None:
    whole = compose()
    for name, each in services().items():
        assert "build" in each or re.search(r":\d+\.\d+", each["image"]), name
    assert re.findall(r"^FROM python:\d+\.\d+\.\d+-", dockerfile(), re.MULTILINE) != []
    assert [name for name, each in services().items() if "edge" in each["networks"]] == ["proxy"]
    for name in ("database", "redis", "worker", "backup"):
        assert services()[name]["networks"] == ["data"], name
    assert all(whole["networks"][name]["internal"] for name in ("front", "data"))
    (subnet,) = whole["networks"]["front"]["ipam"]["config"]
    trusted = services()["server-1"]["environment"]["TUILERIE_PROXIES"]
    assert [str(each) for each in parse_proxies(trusted)] == [subnet["subnet"]]


def test_database_and_redis_have_passwords() -> None:
    settings = services()["server-1"]["environment"]
    assert ":${POSTGRES_PASSWORD:?}@" in settings["TUILERIE_DATABASE_URL"]
    assert ":${REDIS_PASSWORD:?}@" in settings["TUILERIE_REDIS_URL"]
    assert (
        services()["worker"]["environment"]["TUILERIE_REDIS_URL"] == settings["TUILERIE_REDIS_URL"]
    )
    assert "requirepass" in services()["redis"]["command"][-1]


@pytest.mark.slow
def test_backup_job_keeps_the_newest_and_they_restore(tmp_path: Path) -> None:
    program = tmp_path / "tuilerie"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m tuilerie.cli "$@"\n')
    program.chmod(0o755)
    data, folder = tmp_path / "data", tmp_path / "backups"
    folder.mkdir()

    async def fill() -> None:
        async with await open_store(data) as store:
            await store.log.create("t", [b"1"], TableMeta("genial", 1))

    asyncio.run(fill())
    old = [folder / f"tuilerie-2020010{day}T000000Z.jsonl" for day in range(1, 5)]
    for file in old:
        file.write_text("old")
    environment = {
        **os.environ,
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "TUILERIE_DATA": str(data),
        "BACKUP_FOLDER": str(folder),
        "BACKUP_KEEP": "3",
    }
    script = ["sh", str(DEPLOY / "backup.sh"), "once"]
    subprocess.run(script, env=environment, check=True, capture_output=True)
    *kept, newest = sorted(folder.iterdir())
    assert kept == old[2:]

    async def check() -> list[tuple[int, bytes]]:
        await restore(newest, tmp_path / "other")
        async with await open_store(tmp_path / "other") as store:
            return await store.log.read("t")

    assert asyncio.run(check()) == [(1, b"1")]


def test_unit_is_valid_and_sandboxed(tmp_path: Path) -> None:
    text = (DEPLOY / "tuilerie.service").read_text("utf-8")
    for line in ("ProtectSystem=strict", "NoNewPrivileges=yes", "DynamicUser=yes", "MemoryMax=1G"):
        assert line in text.splitlines()
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd is not installed")
    unit = tmp_path / "tuilerie.service"
    unit.write_text(text.replace("/usr/local/bin/tuilerie", shutil.which("true") or "/bin/true"))
    words = [analyze, "verify", "--man=no", str(unit)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "tuilerie.service" not in done.stderr, done.stderr


def test_proxy_has_timeouts_and_limits() -> None:
    proxy = (DEPLOY / "Caddyfile").read_text("utf-8")
    for limit in (
        "read_header 10s",
        "read_body 20s",
        "max_header_size",
        "max_size",
        "dial_timeout",
    ):
        assert limit in proxy
    assert proxy.count("{") == proxy.count("}")


def test_proxy_has_both_servers_and_database_has_a_volume() -> None:
    proxy = (DEPLOY / "Caddyfile").read_text("utf-8")
    for name, each in ours().items():
        if each["command"] == ["serve"]:
            assert f"{name}:8080" in proxy
    whole = compose()
    for each in services().values():
        for volume in each.get("volumes", ()):
            source = volume.split(":")[0]
            assert source in whole["volumes"] or (DEPLOY / source).is_file()


def test_image_uses_pinned_packages() -> None:
    text = dockerfile()
    assert "--require-hashes" in text
    for line in text.splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            for source in line.split()[1:-1]:
                assert (DEPLOY.parent / source).exists()
