"""What a host starts in containers: names that exist, and nothing open that should not be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from tuilerie.server.ops.commands import COMMANDS

DEPLOY = Path(__file__).parent.parent / "deploy"


def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]
    return found


def ours() -> dict[str, Any]:
    """Those that run Tuilerie."""
    return {name: each for name, each in services().items() if "build" in each}


def test_every_setting_of_a_container_is_one_of_its_command() -> None:
    commands = {command.name: command for command in COMMANDS}
    assert {name: each["command"] for name, each in ours().items()} == {
        "server-1": ["serve"],
        "server-2": ["serve"],
        "worker": ["worker"],
    }
    for each in ours().values():
        known = {option.envvar for option in commands[each["command"][0]].params}
        assert set(each["environment"]) <= known


def test_only_the_proxy_can_be_reached_and_ours_have_no_rights() -> None:
    assert [name for name, each in services().items() if "ports" in each] == ["proxy"]
    for each in ours().values():
        assert each["read_only"] is True
        assert each["cap_drop"] == ["ALL"]


def test_the_proxy_knows_both_servers_and_the_database_its_volume() -> None:
    proxy = (DEPLOY / "Caddyfile").read_text("utf-8")
    for name, each in ours().items():
        if each["command"] == ["serve"]:
            assert f"{name}:8080" in proxy
    whole = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    for each in services().values():
        for volume in each.get("volumes", ()):
            source = volume.split(":")[0]
            assert source in whole["volumes"] or (DEPLOY / source).is_file()


def test_the_image_is_built_from_what_is_pinned() -> None:
    text = (DEPLOY / "Dockerfile").read_text("utf-8")
    assert "--require-hashes" in text
    for line in text.splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            for source in line.split()[1:-1]:
                assert (DEPLOY.parent / source).exists()
