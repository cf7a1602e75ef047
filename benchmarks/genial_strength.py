"""How strong the players of Génial! are against each other, by CPU time, in one process.

Each deal is played twice with two players (seats exchanged); with three or four, the first player
takes each seat once against copies of the second. In all games of a deal, each seat draws by the
same random numbers. Players get only the view of their seat, but for `seeing`. A player is one of

    net              the network alone, over the 100 best moves by a quick estimate
    net:0n:1:10000   the same over all moves (10,000 candidates)
    net:8n:1:4       the network with 8 simulated lines over one more own turn, of 4 candidates
    net:600n:2       the network with 600 lines, each over two more own turns, of 8 candidates
    net:30ms:2       the same with 30 ms a move
    netof:0n:150     the network alone, over 150 random moves
    seeing:200n:3    as net:200n:3, but it sees all hands: the most that guessing them could give
    old:3000n:16     the search without a network: simulated games, candidates
    greedy           the best immediate result

    python benchmarks/genial_strength.py net old:3000n:16 --deals 1000 [--players 2]
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from tuilerie.native import genial

Think = Callable[[str, int], str]
SEEING = "seeing"


def player(name: str, weights: genial.Weights) -> Think:
    """From the name of a player to its function: from a position and a seed to a move."""
    kind, *rest = name.split(":")
    budget = rest[0] if rest else "0n"
    nodes = int(budget[:-1]) if budget.endswith("n") else 0
    seconds = float(budget[:-2]) / 1000 if budget.endswith("ms") else 0.0
    number = int(rest[1]) if len(rest) > 1 else 0
    more = int(rest[2]) if len(rest) > 2 else 8
    if kind in {"net", SEEING}:
        return lambda text, seed: genial.think_with_net(
            weights, text, seed, nodes, seconds, more, 0, number or 1
        )[0][0]
    if kind == "netof":
        return lambda text, seed: genial.think_with_net(weights, text, seed, 0, 0, 1, number, 1)[0][
            0
        ]
    if kind == "old":
        return lambda text, seed: genial.think(text, seed, nodes, seconds, number or 16, 0)[0][0]
    if kind == "greedy":
        return lambda text, seed: genial.think(text, seed, 0, 0, 1, number)[0][0]
    raise SystemExit(f"unknown player: {name}")


def hidden(text: str) -> str:
    """What the seat on turn knows: other hands are unknown, their tiles are among the unseen."""
    words = text.split(" ")
    hands, seat = words[10].split("/"), int(words[4])
    unseen = words[11].replace("-", "")
    for other, hand in enumerate(hands):
        if other != seat:
            unseen += hand.replace("-", "")
            hands[other] = "??" * (len(hand) // 2) or "-"
    words[10], words[11] = "/".join(hands), unseen or "-"
    return " ".join(words)


def play(
    seats: list[Think], deal: int, spent: dict[Think, list[float]], seeing: Think | None
) -> tuple[int, ...]:
    """Play a game to its end and return the places."""
    players = len(seats)
    position = genial.start(players, {"first": deal % players})
    draws = [Random(f"{deal} {seat}") for seat in range(players)]
    seeds = Random(deal)
    while (ended := genial.result(position)) is None:
        words = position.split(" ")
        seat, phase = int(words[4]), words[3]
        if phase in {"deal", "draw"}:
            hands = words[10].split("/")
            if phase == "deal":
                seat = hands.index("-")
            bag = [words[11][at : at + 2] for at in range(0, len(words[11]), 2)]
            count = 6 - len(hands[seat].replace("-", "")) // 2
            drawn = [bag.pop(int(draws[seat].random() * len(bag))) for _ in range(count)]
            position = genial.apply(position, f"{phase} {seat} {''.join(drawn)}")
            continue
        view = position if seats[seat] is seeing else hidden(position)
        seed = seeds.randrange(2**62)
        begin = time.thread_time()
        move = seats[seat](view, seed)
        clock = spent[seats[seat]]
        clock[0] += time.thread_time() - begin
        clock[1] += 1
        position = genial.apply(position, move)
    return tuple(ended[1])


def main() -> None:
    """Print the share of wins of the first player with its 95 % interval, and both times a move."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=25, help="deals between two lines")
    parser.add_argument("--weights", type=Path, default=genial.WEIGHTS)
    asked = parser.parse_args()
    weights = genial.Weights(asked.weights.read_bytes())
    one, other = player(asked.first, weights), player(asked.second, weights)
    seeing = one if asked.first.startswith(SEEING) else None
    spent = {one: [0.0, 0.0], other: [0.0, 0.0]}
    shares = []
    for deal in range(asked.seed * 1_000_000, asked.seed * 1_000_000 + asked.deals):
        share = 0.0
        for seat in range(asked.players):
            seats = [other] * asked.players
            seats[seat] = one
            places = play(seats, deal, spent, seeing)
            share += (places[seat] == 1) / places.count(1) / asked.players
        shares.append(share)
        if len(shares) == asked.deals or (len(shares) > 1 and len(shares) % asked.every == 0):
            report(asked, shares, list(spent.values()))


def report(asked: argparse.Namespace, shares: list[float], spent: list[list[float]]) -> None:
    """Print the result so far."""
    mean = sum(shares) / len(shares)
    deviation = math.sqrt(sum((share - mean) ** 2 for share in shares) / max(1, len(shares) - 1))
    half = 1.96 * deviation / math.sqrt(len(shares))
    times = [1000 * seconds / max(1, moves) for seconds, moves in spent]
    games = len(shares) * asked.players
    print(
        f"{asked.players} players, {len(shares)} deals, {games} games: {asked.first} against "
        f"{asked.second}: {100 * mean:.1f} % (±{100 * half:.1f}), "
        f"fair {100 / asked.players:.0f} %, "
        f"{times[0]:.2f} and {times[1]:.2f} ms of CPU time a move",
        flush=True,
    )


if __name__ == "__main__":
    main()
