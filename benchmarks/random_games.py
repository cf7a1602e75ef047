"""Random games per CPU second: ours beside momaland's Ingenious, in the same run.

All play whole games of Génial! for two, and list **all** legal moves at every turn to choose one
at random. momaland (GPL) runs in a separate environment, made under build/ on the first run. It
is used as somebody would who wants speed: the environment is built once and reset for each game,
and the mask of actions is read by `numpy.flatnonzero`. Rounds alternate, and CPU time counts, so
that a busy machine changes little. There are two ratios to momaland: of our Python rules, and of
our compiled core.

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
import numpy as np
from momaland.envs.ingenious.ingenious_base import IngeniousBase

game = IngeniousBase(num_agents=2)

def play():
    game.reset_game()
    while not game.end_flag:
        allowed = np.flatnonzero(game.return_action_list())
        game.set_action_index(int(allowed[random.randrange(len(allowed))]))

play()
begin, games = time.process_time(), 0
while time.process_time() - begin < float(sys.argv[1]):
    play()
    games += 1
print(games / (time.process_time() - begin))
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
    """Random games of our Python rules per CPU second."""
    random = Random(1)
    play(name, players, random)
    begin, games = time.process_time(), 0
    while time.process_time() - begin < seconds:
        play(name, players, random)
        games += 1
    return games / (time.process_time() - begin)


def theirs(seconds: float) -> float:
    """momaland's random games per CPU second, measured in its own process."""
    python = str(OPPONENT / "bin" / "python")
    if not Path(python).exists():
        print(f"Installing {MOMALAND} under build/ …", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(OPPONENT)], check=True)
        pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", MOMALAND]
        subprocess.run(pip, check=True)
    run = [python, "-c", MOMALAND_ROUND, str(seconds)]
    return float(subprocess.run(run, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    """Print all sides and both ratios."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--seconds", type=float, default=3)
    asked = arguments.parse_args()
    from core_genial import core_games  # noqa: PLC0415 (it imports this module)

    rules, core = list[float](), list[float]()
    print("Génial! for two, random games per CPU second, all moves listed at every turn")
    for number in range(1, asked.rounds + 1):
        mine, other = ours("genial", 2, asked.seconds), theirs(asked.seconds)
        compiled = core_games(2, False, asked.seconds)
        rules.append(mine / other)
        core.append(compiled / other)
        speeds = f"rules {mine:6.1f}   core {compiled:9,.0f}   momaland {other:6.1f}"
        print(f"  round {number}: {speeds}   {rules[-1]:.2f} × and {core[-1]:,.0f} ×")
    print(f"  median: rules {statistics.median(rules):.2f} × momaland,")
    print(f"          core {statistics.median(core):,.0f} × momaland")
    for name, players in (("genial", 4), ("blockers", 2), ("blockers", 4)):
        speed = ours(name, players, asked.seconds)
        print(f"  {GAMES[name].card.title} for {players}: {speed:.1f} games per CPU second")


if __name__ == "__main__":
    main()
