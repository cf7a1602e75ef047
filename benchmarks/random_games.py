"""Random games a second: ours beside momaland's Ingenious, in the same run.

Both play whole games of Génial! for two, and list **all** legal moves at every turn to choose one
at random. momaland (GPL) runs in an environment of its own, made under build/ on the first run.
Rounds of both alternate, so that a noisy machine is noisy for both; what counts is the ratio.

    python benchmarks/random_games.py [--rounds 5] [--seconds 3]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from tuilerie.games import GAMES
from tuilerie.games.game import Action, Entry, Json

HERE = Path(__file__).resolve().parent
OPPONENT = HERE.parent / "build" / "momaland"
MOMALAND = "momaland==0.2.0"

MOMALAND_ROUND = """
import random, sys, time
from momaland.envs.ingenious.ingenious_base import IngeniousBase

def play():
    game = IngeniousBase(num_agents=2)
    game.reset_game()
    while not game.end_flag:
        allowed = [at for at, one in enumerate(game.return_action_list()) if one]
        game.set_action_index(random.choice(allowed))

play()
begin, games = time.perf_counter(), 0
while time.perf_counter() - begin < float(sys.argv[1]):
    play()
    games += 1
print(games / (time.perf_counter() - begin))
"""


def play(name: str, players: int, random: Random) -> None:
    """One random game, every legal move listed at every turn."""
    game = GAMES[name]
    pick = random.randrange
    state = game.start(players, game.draw_lots(players, {}, pick))
    while game.result(state) is None:
        entry: Entry[Json]
        if game.due(state):
            entry = game.chance(state, pick)
        else:
            seat = game.actors(state)[0]
            moves = game.legal(state, seat)
            entry = Action(seat, moves[pick(len(moves))])
        state = game.apply(state, entry).state


def ours(name: str, players: int, seconds: float) -> float:
    """Our random games a second."""
    random = Random(1)
    play(name, players, random)
    begin, games = time.perf_counter(), 0
    while time.perf_counter() - begin < seconds:
        play(name, players, random)
        games += 1
    return games / (time.perf_counter() - begin)


def theirs(seconds: float) -> float:
    """momaland's random games a second, measured in a process of its own."""
    python = str(OPPONENT / "bin" / "python")
    if not Path(python).exists():
        print(f"Installing {MOMALAND} under build/ …", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(OPPONENT)], check=True)
        pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", MOMALAND]
        subprocess.run(pip, check=True)
    run = [python, "-c", MOMALAND_ROUND, str(seconds)]
    return float(subprocess.run(run, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    """Print both sides and their ratio."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--seconds", type=float, default=3)
    asked = arguments.parse_args()
    ratios = []
    print("Génial! for two, random games a second, all moves listed at every turn")
    for number in range(1, asked.rounds + 1):
        mine, other = ours("genial", 2, asked.seconds), theirs(asked.seconds)
        ratios.append(mine / other)
        speeds = f"tuilerie {mine:6.1f}   momaland {other:6.1f}"
        print(f"  round {number}: {speeds}   {ratios[-1]:.2f} ×")
    print(f"  median ratio: {statistics.median(ratios):.2f} × momaland")
    for name, players in (("genial", 4), ("blockers", 2), ("blockers", 4)):
        speed = ours(name, players, asked.seconds)
        print(f"  {GAMES[name].card.title} for {players}: {speed:.1f} games a second")


if __name__ == "__main__":
    main()
