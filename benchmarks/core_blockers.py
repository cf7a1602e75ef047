"""Blockers! a second: the compiled core beside the Python rules, in the same run, on one core.

Random games: each legal move equally likely, in both engines. Greedy games: at every turn the cost
of every legal move is weighed, in Python by the greedy bot on views. Rounds of both alternate, so
that a noisy machine is noisy for both; times are those of the process alone. What counts is the
ratio.

    python benchmarks/core_blockers.py [--rounds 3] [--seconds 1]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from random import Random

from tuilerie import native
from tuilerie.bots.blockers import greedy_move
from tuilerie.games.blockers import GAME
from tuilerie.games.blockers.state import State
from tuilerie.games.game import Action, Pick


def python_game(players: int, pick: Pick, greedy: bool) -> None:
    """One game by the Python rules."""
    state = GAME.start(players, {})
    while GAME.result(state) is None:
        if GAME.due(state):
            state = GAME.apply(state, GAME.chance(state, pick)).state
            continue
        if greedy:
            move = GAME.parse_move(greedy_move(GAME.view(state, state.seat), pick))
        else:
            moves = GAME.legal(state, state.seat)
            move = moves[pick(len(moves))]
        state = GAME.apply(state, Action(state.seat, move)).state


def speed(play: Callable[[int], None], batch: int, seconds: float) -> float:
    """Games a second; `play` plays so many."""
    begin, games = time.process_time(), 0
    while time.process_time() - begin < seconds:
        play(batch)
        games += batch
    return games / (time.process_time() - begin)


def measure(players: int, greedy: bool, rounds: int, seconds: float) -> None:
    """Print one line of the table."""
    from tuilerie.native.blockers import playouts  # noqa: PLC0415 (only where it is compiled)

    start = GAME.start(players, {})
    assert isinstance(start, State)
    pick = Random(1).randrange
    python, core = [], []
    for number in range(rounds):
        python.append(speed(lambda _: python_game(players, pick, greedy), 1, seconds))
        core.append(speed(lambda n: void(playouts(start, n, number, greedy)), 200, seconds))  # noqa: B023
    ratio = statistics.median(ours / plain for ours, plain in zip(core, python, strict=True))
    kind = "greedy" if greedy else "random"
    middle = f"{statistics.median(python):9.1f} {statistics.median(core):11,.0f}"
    print(f"  {kind} games, {players} players {middle} {ratio:9,.0f} ×", flush=True)


def void(_: object) -> None:
    """Discard the result."""


def main() -> None:
    """Print a table of ratios."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--seconds", type=float, default=1)
    asked = arguments.parse_args()
    if not native.is_compiled():
        raise SystemExit(f"The compiled core is not built: {native.why_not_compiled()}")
    print("Blockers!, games a second     Python rules        core     ratio")
    for greedy in (False, True):
        for players in GAME.card.players:
            measure(players, greedy, asked.rounds, asked.seconds)


if __name__ == "__main__":
    main()
