"""Trains the network of Génial! from nothing: `make net`, or `make net SMALL=1` for ten minutes.

Each number of players has a network of its own, trained by self-play in C++ (genial_train.h). The
same seed and number of games give the same bytes. An interrupted run goes on where it was: the
folder build/net holds its state. When all are trained, the weights are copied into the package; a
small run leaves it alone.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from build import PACKAGE, ROOT, CannotCompile, build_trainer

GAMES = {2: 200_000}
"""By players. Three go on from the network of two, four from that of three (`--players`)."""

SMALL = {2: 60_000}
BAR = 40


def train(trainer: Path, folder: Path, plan: dict[int, int], seed: int) -> dict[str, Any]:
    """Train all networks of a plan into a folder, and return the report."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = folder / "genial.net"
    curves = {}
    for players, games in plan.items():
        curve = folder / f"{players}.jsonl"
        state = folder / f"{players}.state"
        if not state.exists():
            curve.unlink(missing_ok=True)
        _run(trainer, players, games, seed, state, weights, curve)
        points = map(json.loads, curve.read_text().splitlines())
        # After an interruption the last points are computed once more.
        curves[players] = list({point["games"]: point for point in points}.values())
    data = weights.read_bytes()
    return {
        "seed": seed,
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
        "players": {
            str(players): {
                "games": plan[players],
                "states": curve[-1]["states"],
                "states_per_second": curve[-1]["states_per_second"],
                "curve": curve,
            }
            for players, curve in curves.items()
        },
    }


def _run(  # noqa: PLR0913, PLR0917
    trainer: Path, players: int, games: int, seed: int, state: Path, weights: Path, curve: Path
) -> None:
    """Train one network, with a bar of its progress."""
    command = [str(trainer), str(players), str(games), str(seed), str(state), str(weights)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            with curve.open("a") as file:
                file.write(line)
            point = json.loads(line)
            done = BAR * point["games"] // games
            print(
                f"\r{players} players [{'#' * done}{'.' * (BAR - done)}] {point['games']} games, "
                f"{100 * point['against_greedy']:.0f} % against greedy",
                end="",
                file=sys.stderr,
                flush=True,
            )
    print(file=sys.stderr)
    if process.returncode:
        raise SystemExit(f"The training for {players} players failed.")


def main() -> None:
    """Train, and print where weights and report are."""
    parser = argparse.ArgumentParser(description="Train the network of Génial!.")
    parser.add_argument("--small", action="store_true", help="two players, in ten minutes")
    parser.add_argument("--players", type=int, nargs="+", help="with --games: for which tables")
    parser.add_argument("--games", type=int, help="games of each network, instead of the recipe's")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where to train")
    parser.add_argument("--sanitize", default="", metavar="LIST", help="for the tests")
    asked = parser.parse_args()
    plan = SMALL if asked.small else GAMES
    if asked.games:
        plan = dict.fromkeys(asked.players or plan, asked.games)
    folder = asked.folder or ROOT / "build" / ("net-small" if asked.small else "net")
    try:
        trainer = build_trainer(asked.sanitize)
    except CannotCompile as error:
        raise SystemExit(f"Tuilerie: {error}") from None
    report = train(trainer, folder, plan, asked.seed)
    (folder / "report.json").write_text(json.dumps(report, indent=2) + "\n")
    if not asked.small and not asked.games:
        shutil.copy(folder / "genial.net", PACKAGE / "genial.net")
    print(f"{folder / 'genial.net'}: {report['bytes']} bytes, sha256 {report['sha256']}")


if __name__ == "__main__":
    main()
