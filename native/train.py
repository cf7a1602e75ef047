"""Trains the network of Génial! from nothing: `make net`, or `make net SMALL=1` for ten minutes.

Each number of players has a network of its own, trained by self-play in C++ (genial_train.h), in
stages: larger tables go on from what smaller ones have learnt. The same seed and number of games
give the same bytes. An interrupted run goes on where it was: the folder build/net holds its state.
When all are trained, the weights are copied into the package; a
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
from typing import Any, NamedTuple

from build import PACKAGE, ROOT, CannotCompile, build_trainer


class Stage(NamedTuple):
    """One training of the network for a number of players."""

    players: int
    games: int
    begins_with: int = 0
    """The number of players whose network it goes on from; 0: from nothing."""


RECIPE = [Stage(2, 200_000), Stage(3, 80_000, 2), Stage(4, 50_000, 3), Stage(2, 250_000, 2)]
SMALL = [Stage(2, 60_000)]
BAR = 40


def train(trainer: Path, folder: Path, recipe: list[Stage], seed: int) -> dict[str, Any]:
    """Train all stages into a folder, and return the report."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = folder / "genial.net"
    stages = []
    for number, stage in enumerate(recipe, 1):
        name = f"{number}-{stage.players}-players-{stage.games}-games-seed-{seed}"
        curve, state, done = (folder / f"{name}.{end}" for end in ("jsonl", "state", "net"))
        if done.exists():
            shutil.copy(done, weights)
        else:
            if not state.exists():
                curve.unlink(missing_ok=True)
            _run(trainer, stage, seed, state, weights, curve)
            shutil.copy(weights, done)
            state.unlink(missing_ok=True)
        points = map(json.loads, curve.read_text().splitlines())
        # After an interruption the last points are computed once more.
        kept = list({point["games"]: point for point in points}.values())
        stages.append({**stage._asdict(), "states": kept[-1]["states"], "curve": kept})
    data = weights.read_bytes()
    return {
        "seed": seed,
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
        "stages": stages,
    }


def _run(  # noqa: PLR0913, PLR0917
    trainer: Path, stage: Stage, seed: int, state: Path, weights: Path, curve: Path
) -> None:
    """Train one network, with a bar of its progress."""
    players, games, begins_with = stage
    command = [str(trainer), *map(str, (players, games, seed, begins_with, state, weights))]
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
    parser.add_argument("--games", type=int, help="games of each stage, instead of the recipe's")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where to train")
    parser.add_argument("--sanitize", default="", metavar="LIST", help="for the tests")
    asked = parser.parse_args()
    recipe = SMALL if asked.small else RECIPE
    if asked.games:
        recipe = [stage._replace(games=asked.games) for stage in recipe]
    folder = asked.folder or ROOT / "build" / ("net-small" if asked.small else "net")
    try:
        trainer = build_trainer(asked.sanitize)
    except CannotCompile as error:
        raise SystemExit(f"Tuilerie: {error}") from None
    report = train(trainer, folder, recipe, asked.seed)
    (folder / "report.json").write_text(json.dumps(report, indent=2) + "\n")
    if not asked.small and not asked.games:
        shutil.copy(folder / "genial.net", PACKAGE / "genial.net")
    print(f"{folder / 'genial.net'}: {report['bytes']} bytes, sha256 {report['sha256']}")


if __name__ == "__main__":
    main()
