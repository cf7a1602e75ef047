"""The race for what only one seat can have: the bonus tiles of Kaosmos.

`Game.is_race` says which moves race. The first one is held for `HOLD` ms. All that arrive meanwhile
are decided together with it, in an order drawn by lot. Until then a move that is held leaves no
trace: no fact, no event, no number, and no delay for what others do, so nobody can react to it.

Nothing that a client says or does to seem slower counts: not when it says that the player pressed,
and not how late it answers pings. `HOLD` is longer than the ways of players on usual connections
differ (a round trip of 150 ms beside one of 20 ms is 65 ms late), so players who press at the same
moment have the same chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from tuilerie.games.game import Action, Pick, Refused, Seat
from tuilerie.match import commands as c
from tuilerie.match.table import Table

HOLD = 75
"""How long after the first of them racing moves are collected, in ms."""

T = TypeVar("T")


def mover(table: Table, command: c.Command) -> Seat | None:
    """The seat for which a command makes a move, if it does."""
    if isinstance(command, c.BotMoved):
        return command.seat
    return table.seat_of(command.player) if isinstance(command, c.Make) else None


def is_racing(table: Table, command: c.Make | c.BotMoved, seat: Seat) -> bool:
    """Whether a move takes part in a race. What is refused anyway does not."""
    if not table.is_playing or table.is_face_down:
        return False
    rules, state = table.rules, table.game_state
    try:
        move = rules.parse_move(command.move)
        if not rules.is_race(state, seat, move):
            return False
        rules.apply(state, Action(seat, move))
    except Refused:
        return False
    return True


def drawn(moves: Sequence[T], pick: Pick) -> list[T]:
    """These moves in the order in which they are decided."""
    left, order = list(moves), []
    while left:
        order.append(left.pop(pick(len(left))))
    return order
