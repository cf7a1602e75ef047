"""Games that were played in the Python of a browser replay on the command line to the same end."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.local.wasm import ROOT, node
from tests.servers import lacking
from tuilerie import record
from tuilerie.cli import commands
from tuilerie.server.http.pages import ENGINE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "number"),
    [
        ("genial", 1),
        *(
            pytest.param(game, 200, marks=pytest.mark.proof)
            for game in ("genial", "blockers", "kaosmos")
        ),
    ],
)
def test_records_of_a_browser_replay_to_the_same_result(
    game: str, number: int, tmp_path: Path
) -> None:
    if not (ENGINE / "manifest.json").is_file():
        lacking("The engine", "run make engine")
    script = ROOT / "web" / "dev" / "games.mjs"
    done = subprocess.run(
        [node(), "--no-warnings", str(script), str(ENGINE), game, str(number)],
        capture_output=True,
        text=True,
        check=True,
    )
    played = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(played) == number
    for at, each in enumerate(played):
        replay = record.replay(each["record"])
        result = replay.game.result(replay.played[-1].state)
        assert result is not None
        assert list(result.places) == each["places"]
        file = tmp_path / f"{at}.jsonl"
        file.write_text(each["record"], encoding="utf-8")
        if at < 5:  # through the command itself, which replays in the same way
            found = CliRunner().invoke(commands, ["replay", str(file)])
            assert found.exit_code == 0, found.output
