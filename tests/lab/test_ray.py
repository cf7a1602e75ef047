"""Arenas on a Ray cluster: a local one, and one that loses a machine or fails entirely.

Ray is an 80 MB dependency with a slow start, so these tests run in `make proof`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from tuilerie.cli import commands
from tuilerie.lab import cluster

with_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is missing: `make ray`")

PAIR = ("blockers", "--bots", "greedy,random", "--no-records")


def games(out: Path) -> list[int]:
    lines = (out / "games.jsonl").read_text("utf-8").splitlines()
    return sorted(json.loads(line)["number"] for line in lines)


def test_missing_ray_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    words = ["arena", *PAIR, "--ray", "auto", "--out", str(tmp_path / "arena")]
    result = CliRunner().invoke(commands, words)
    assert result.exit_code == 1
    assert "pip install 'tuilerie[ray]'" in result.output
    assert not (tmp_path / "arena").exists()


def test_unreachable_address_prints_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda _: True)
    words = ["arena", *PAIR, "--ray", "127.0.0.1:1", "--out", str(tmp_path / "arena")]
    result = CliRunner().invoke(commands, words)
    assert result.exit_code == 1
    assert "No Ray cluster can be reached at ‘127.0.0.1:1’: Connection refused" in result.output


@pytest.mark.proof
@with_ray
def test_local_cluster_plays_the_same_games(tmp_path: Path) -> None:
    for name, where in (("ray", ("--ray", "local")), ("processes", ())):
        words = ["arena", *PAIR, "--games", "6", "--workers", "2", *where]
        command = [sys.executable, "-m", "tuilerie.cli", *words, "--out", str(tmp_path / name)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=500)
        assert done.returncode == 0, done.stderr
    reports = [
        json.loads((tmp_path / name / "results.json").read_text()) for name in ("ray", "processes")
    ]
    assert games(tmp_path / "ray") == [1, 2, 3, 4, 5, 6]
    assert reports[0]["pairs"] == reports[1]["pairs"]


LOSE = """
import subprocess, sys, time
from pathlib import Path
from ray.cluster_utils import Cluster

out, what = Path(sys.argv[1]), sys.argv[2]
cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
other = cluster.add_node(num_cpus=1)
words = ["arena", "blockers", "--bots", "greedy,random", "--no-records", "--games", sys.argv[3]]
words += ["--ray", cluster.address, "--out", str(out)]
command = [sys.executable, "-m", "tuilerie.cli", *words]
arena = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
games = out / "games.jsonl"
while arena.poll() is None and (not games.exists() or games.read_bytes().count(b"\\n") < 2):
    time.sleep(0.05)
if what == "machine":
    cluster.remove_node(other, allow_graceful=False)
else:
    cluster.shutdown()
print(arena.communicate(timeout=400)[1])
cluster.shutdown()
sys.exit(arena.returncode)
"""


def lose(out: Path, what: str, count: int) -> subprocess.CompletedProcess[str]:
    """Run an arena on a cluster of two machines, one or both of which are lost after two games."""
    script = textwrap.dedent(LOSE)
    command = [sys.executable, "-c", script, str(out), what, str(count)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=500)


@pytest.mark.proof
@with_ray
def test_lost_machine_loses_no_game(tmp_path: Path) -> None:
    done = lose(tmp_path / "arena", "machine", 30)
    assert done.returncode == 0, done.stdout + done.stderr
    assert games(tmp_path / "arena") == list(range(1, 31))


@pytest.mark.proof
@with_ray
def test_lost_cluster_prints_an_error_and_keeps_the_games(tmp_path: Path) -> None:
    done = lose(tmp_path / "arena", "cluster", 5000)
    assert done.returncode == 1
    assert "is lost. Finished games are in" in done.stdout
    assert len(games(tmp_path / "arena")) >= 2
    assert (tmp_path / "arena" / "results.json").exists()
