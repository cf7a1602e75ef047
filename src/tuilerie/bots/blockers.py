"""Simple bots for Blockers!."""

from __future__ import annotations

from tuilerie.games.blockers.board import NEIGHBOURS, parts_around
from tuilerie.games.blockers.card import BLOCKERS
from tuilerie.games.blockers.notation import Capture, Discard, parse_move
from tuilerie.games.blockers.tiles import cells_by_colour, count_of
from tuilerie.games.blockers.view import View
from tuilerie.games.game import Pick


def random_move(view: View, pick: Pick) -> str:
    """Any legal move, each equally likely."""
    legal = view.legal
    return legal[pick(len(legal))]


def greedy_move(view: View, pick: Pick) -> str:
    """The move after which the own score is lowest, without looking ahead.

    Among equals: rather no capture, for that is what breaks a tie at the end; rather not the joker,
    which fits everywhere later, too; rather where there is room to grow.
    """
    ties = greedy_choices(view)
    return ties[pick(len(ties))]


def greedy_choices(view: View) -> tuple[str, ...]:
    """The best moves of the greedy bot, which it values equally."""
    costs = _costs(view)
    best = min(costs)
    return tuple(move for move, cost in zip(view.legal, costs, strict=True) if cost == best)


Cost = tuple[int, bool, bool, int]


def _costs(view: View) -> list[Cost]:
    """What each legal move costs: points, a capture, the joker, and less for room around it."""
    assert view.viewer is not None
    captured = view.captures[view.viewer]
    counts = {colour: count_of(captured, colour) for colour in view.options.in_play}
    most = max(counts.values())
    cells = cells_by_colour(view.board, view.options.in_play)
    costs = []
    for text in view.legal:
        move = parse_move(text)
        joker = move.tile[1] == "*"
        if isinstance(move, Discard):
            costs.append((0, False, joker, 0))
            continue
        points = 1 - parts_around(cells[move.tile[0]], move.cell)
        captures = isinstance(move, Capture)
        if captures and view.options.scoring == BLOCKERS:
            points += counts[view.board[move.cell][0]] == most
        room = sum(near not in view.board for near in NEIGHBOURS[move.cell])
        costs.append((points, captures, joker, -room))
    return costs
