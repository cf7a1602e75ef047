"""Counting moves: how many ways a game can go on for so many actions, from a fixed deal.

Chance always decides the same here (from a seed that is the number of the last event), so that the
count is that of the moves alone. Where seats act at the same time, the first of them goes first.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from tests.tables import Table
from tuilerie.games.game import Action, AnyGame, Json


def settle(game: AnyGame, state: Json) -> Json:
    """The state after all chance that is due."""
    while game.due(state):
        chance = game.chance(state, Random(state.number).randrange)
        state = game.apply(state, chance).state
    return state


def perft(game: AnyGame, state: Json, depth: int) -> int:
    """How many ways there are to go on for `depth` actions; a game that is over counts once."""
    state = settle(game, state)
    if depth == 0 or game.result(state) is not None:
        return 1
    seat = game.actors(state)[0]
    moves = game.legal(state, seat)
    if depth == 1:
        return len(moves)
    return sum(perft(game, game.apply(state, Action(seat, m)).state, depth - 1) for m in moves)


def divide(game: AnyGame, state: Json, depth: int) -> Mapping[str, int]:
    """The count under each first move: where two engines disagree, this shows which move."""
    state = settle(game, state)
    seat = game.actors(state)[0]
    return {
        str(move): perft(game, game.apply(state, Action(seat, move)).state, depth - 1)
        for move in game.legal(state, seat)
    }


def after(table: Table, actions: int) -> Json:
    """The state after so many actions, chosen by leaping through the lists of legal moves."""
    game = table.rules
    options = game.draw_lots(table.players, table.options, lambda n: 0)
    state = settle(game, game.start(table.players, options))
    for turn in range(actions):
        seat = game.actors(state)[0]
        moves = game.legal(state, seat)
        move = moves[(7919 * (turn + 1)) % len(moves)]
        state = settle(game, game.apply(state, Action(seat, move)).state)
    return state
