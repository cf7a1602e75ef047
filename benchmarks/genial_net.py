"""What the network of Génial! costs: per move that it values, beside the greedy bot's scoring.

Both value every legal move of the same positions, taken from random games. Rounds alternate, so
that a noisy machine is noisy for both. Instructions are counted by callgrind, where valgrind is
there, less those of a run that values nothing.

    python benchmarks/genial_net.py [--rounds 5]
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import time

from tuilerie.native import genial

WEIGHTS = genial.Weights(genial.WEIGHTS.read_bytes())


def positions(count: int, players: int = 2) -> list[str]:
    """Positions in which a placement is due, with all tiles known."""
    found: list[str] = []
    seed = 0
    while len(found) < count:
        entries, _ = genial.random_game(genial.start(players), seed)
        position = genial.start(players)
        for entry, *_ in entries:
            position = genial.apply(position, entry)
            if position.split(" ")[3] == "place":
                found.append(position)
        seed += 1
    return found[:count]


def net(texts: list[str]) -> None:
    """Value all moves of all positions by the network; of one candidate, nothing is simulated."""
    for text in texts:
        genial.think_with_net(WEIGHTS, text, 1, 1000, 0.0, 1, 0, 1)


def greedy(texts: list[str]) -> None:
    """Value all moves by the own markers."""
    for text in texts:
        genial.think(text, 1, 0, 0.0, 1, 0)


def instructions(what: str, count: int) -> int:
    """Count the instructions of a process that values this many positions."""
    command = [
        *("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"),
        *(sys.executable, __file__, "--only", what, "--positions", str(count)),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    assert found is not None
    return int(found[1])


def main() -> None:
    """Print nanoseconds, instructions and moves per second."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--only", choices=("net", "greedy", "none"))
    asked = parser.parse_args()
    texts = positions(asked.positions)
    players = {"net": net, "greedy": greedy}
    if asked.only:
        players.get(asked.only, lambda _: None)(texts)
        return
    moves = sum(len(genial.moves(text)) for text in texts)
    times: dict[str, list[float]] = {name: [] for name in players}
    for _ in range(asked.rounds):
        for name, value in players.items():
            begin = time.thread_time()
            value(texts)
            times[name].append((time.thread_time() - begin) / moves)
    for name, each in times.items():
        middle = statistics.median(each)
        line = f"{name:6} {1e9 * middle:6.0f} ns a move, {1 / middle:,.0f} moves a second"
        if shutil.which("valgrind"):
            few = 10
            counted = sum(len(genial.moves(text)) for text in texts[:few])
            more = instructions(name, few) - instructions("none", few)
            line += f", {more / counted:,.0f} instructions"
        print(f"{line} ({moves / len(texts):.0f} moves a position)")


if __name__ == "__main__":
    main()
