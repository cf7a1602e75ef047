"""Perft: the number of move sequences of a given length from a fixed deal.

Chance outcomes are fixed (seeded by the number of the last event), so only moves are counted. If
seats act simultaneously, the first of them moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from tests.tables import Table
from tuilerie.games.game import Action, AnyGame, Json


def settle(game: AnyGame, state: Json) -> Json:
    """Apply all due chance entries."""
    while game.due(state):
        chance = game.chance(state, Random(state.number).randrange)
        state = game.apply(state, chance).state
    return state


def perft(game: AnyGame, state: Json, depth: int) -> int:
    """Count the move sequences of length `depth`; a finished game counts once."""
    state = settle(game, state)
    if depth == 0 or game.result(state) is not None:
        return 1
    seat = game.actors(state)[0]
    moves = game.legal(state, seat)
    if depth == 1:
        return len(moves)
    return sum(perft(game, game.apply(state, Action(seat, m)).state, depth - 1) for m in moves)


def divide(game: AnyGame, state: Json, depth: int) -> Mapping[str, int]:
    """Return the count for each first move, to locate disagreements."""
    state = settle(game, state)
    seat = game.actors(state)[0]
    return {
        str(move): perft(game, game.apply(state, Action(seat, move)).state, depth - 1)
        for move in game.legal(state, seat)
    }


def after(table: Table, actions: int) -> Json:
    """Return the state after this many actions, spread over the lists of legal moves."""
    game = table.rules
    options = game.draw_lots(table.players, table.options, lambda n: 0)
    state = settle(game, game.start(table.players, options))
    for turn in range(actions):
        seat = game.actors(state)[0]
        moves = game.legal(state, seat)
        move = moves[(7919 * (turn + 1)) % len(moves)]
        state = settle(game, game.apply(state, Action(seat, move)).state)
    return state
