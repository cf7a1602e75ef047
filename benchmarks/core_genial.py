"""Génial! on the compiled core, beside the plain Python rules, momaland and OpenSpiel, in one run.

Random games: each legal move equally likely; the rules and momaland list all of them at every turn,
the core chooses without a list (tests show that it is as even). Greedy games: all legal placements
are weighed at every turn, by the greedy bot on views, and by the core. momaland (GPL) and OpenSpiel
run in separate environments under build/, made on the first run. Rounds of all alternate, so
that a noisy machine is noisy for all; what counts is the ratio. Instructions are counted by
callgrind, where valgrind is there: they do not depend on the machine's load.

    python benchmarks/core_genial.py [--rounds 3] [--seconds 2]
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import random_games

from tuilerie.bots.genial import greedy_move
from tuilerie.games import GAMES
from tuilerie.games.game import Action, Entry, Json
from tuilerie.native import genial

BUILD = Path(__file__).resolve().parent.parent / "build"
OPEN_SPIEL = "open_spiel==2.0.2"

OPEN_SPIEL_ROUND = """
import random, sys, time
import pyspiel

game = pyspiel.load_game(sys.argv[1])
begin, games, moves = time.process_time(), 0, 0
while time.process_time() - begin < float(sys.argv[2]):
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
        moves += 1
    games += 1
passed = time.process_time() - begin
print(games / passed, moves / passed)
"""

CALLGRIND_ROUND = """
import sys
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
name, path, position, games, greedy = sys.argv[1:]
loader = ExtensionFileLoader(name, path)
core = module_from_spec(spec_from_file_location(name, path, loader=loader))
loader.exec_module(core)
print(core.playouts(position, 1, int(games), 1, greedy == "greedy")[1])
"""


# --- who plays ------------------------------------------------------------------------------------


def core_games(players: int, greedy: bool, seconds: float) -> float:
    """Games per CPU second of the compiled core, on one thread."""
    begin, position = time.process_time(), genial.start(players)
    games, lot = 0, 2_000
    while (passed := time.process_time() - begin) < seconds:
        games += genial.playouts(position, games, lot, greedy=greedy).games
    return games / passed


def rules_greedy_games(players: int, seconds: float) -> float:
    """Games per CPU second between greedy bots, on the plain rules."""
    begin, games, random = time.process_time(), 0, Random(1)
    while (passed := time.process_time() - begin) < seconds or not games:
        _greedy_game(players, random)
        games += 1
    return games / passed


def _greedy_game(players: int, random: Random) -> None:
    game, pick = GAMES["genial"], random.randrange
    state = game.start(players, game.options(players, {}))
    while game.result(state) is None:
        entry: Entry[Json]
        if game.due(state):
            entry = game.chance(state, pick)
        else:
            move = greedy_move(game.view(state, state.seat), pick)
            entry = Action(state.seat, game.parse_move(move))
        state = game.apply(state, entry).state


def open_spiel(game: str, seconds: float) -> float:
    """Random games per CPU second of OpenSpiel, measured in a separate process."""
    home = BUILD / "open_spiel"
    python = str(home / "bin" / "python")
    if not (home / "ready").exists():
        print(f"Installing {OPEN_SPIEL} under build/ …", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
        subprocess.run([*pip, OPEN_SPIEL], check=True)
        (home / "ready").touch()
    run = [python, "-c", OPEN_SPIEL_ROUND, game, str(seconds)]
    done = subprocess.run(run, check=True, capture_output=True, text=True)
    return float(done.stdout.split()[0])


# --- instructions ---------------------------------------------------------------------------------


def instructions_per_placement(position: str, greedy: bool) -> float | None:
    """What one more placement costs: the difference of a short and a longer run."""
    if shutil.which("valgrind") is None:
        return None
    (few, some), (more, many) = (_callgrind(position, games, greedy) for games in (50, 250))
    return (many - some) / (more - few)


def _callgrind(position: str, games: int, greedy: bool) -> tuple[int, int]:
    """Placements and instructions."""
    name = genial.core.__name__.rpartition(".")[2]
    run = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.executable, "-ISc"]
    run += [CALLGRIND_ROUND, name, str(genial.core.__file__), position, str(games)]
    run.append("greedy" if greedy else "random")
    done = subprocess.run(run, check=True, capture_output=True, text=True)
    counted = re.search(r"Collected : (\d+)", done.stderr)
    assert counted is not None
    return int(done.stdout), int(counted[1])


# --- the table ------------------------------------------------------------------------------------

Side = tuple[str, Callable[[float], float]]


def compare(title: str, core: Side, others: tuple[Side, ...], rounds: int, seconds: float) -> None:
    """Print the games per CPU second of all sides, and how many times faster the core is."""
    speeds: dict[str, list[float]] = {name: [] for name, _ in (core, *others)}
    for _ in range(rounds):
        for name, play in (core, *others):
            speeds[name].append(play(seconds))
    print(f"\n{title}: games per CPU second, median of {rounds} rounds")
    for name, each in speeds.items():
        ratio = statistics.median(
            mine / other for mine, other in zip(speeds[core[0]], each, strict=True)
        )
        times = "" if name == core[0] else f"   core: {ratio:10,.0f} ×"
        print(f"  {name:34} {statistics.median(each):12,.1f}{times}")


def main() -> None:
    """Print the tables."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--seconds", type=float, default=2)
    asked = arguments.parse_args()
    compare(
        "Génial! for two, random",
        ("compiled core, one thread", lambda s: core_games(2, False, s)),
        (
            ("plain Python rules", lambda s: random_games.ours("genial", 2, s)),
            ("momaland", random_games.theirs),
            ("OpenSpiel hex 11×11", lambda s: open_spiel("hex", s)),
            ("OpenSpiel havannah 6", lambda s: open_spiel("havannah(board_size=6)", s)),
        ),
        asked.rounds,
        asked.seconds,
    )
    compare(
        "Génial! for two, greedy, every legal move weighed",
        ("compiled core, one thread", lambda s: core_games(2, True, s)),
        (("plain Python rules", lambda s: rules_greedy_games(2, s)),),
        asked.rounds,
        asked.seconds,
    )
    for players in (3, 4):
        speeds = [f"{core_games(players, greedy, asked.seconds):,.0f}" for greedy in (False, True)]
        what = f"{speeds[0]} random and {speeds[1]} greedy"
        print(f"\nGénial! for {players}: {what} games per CPU second")
    print("\nInstructions for one placement (callgrind)")
    for name, greedy in (("random", False), ("greedy", True)):
        count = instructions_per_placement(genial.start(2), greedy)
        shown = "valgrind is not on this machine" if count is None else f"{count:,.0f}"
        print(f"  {name}: {shown}")


if __name__ == "__main__":
    main()
