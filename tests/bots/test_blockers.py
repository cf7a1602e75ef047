"""The simple bots for Blockers!: what they choose, and that they are worth their names."""

from __future__ import annotations

import random

import pytest

from tests.games.blockers.helpers import EMPTY, STUCK, STUCK_RACKS, position
from tuilerie.bots import Bot
from tuilerie.bots.blockers import greedy_move, random_move
from tuilerie.games.blockers import GAME
from tuilerie.games.blockers.state import State
from tuilerie.games.game import Action, Json, Result


def first(n: int) -> int:
    return 0


def last(n: int) -> int:
    return n - 1


def greedy_choices(state: State) -> set[str]:
    """All moves that the greedy bot may choose, by trying every random outcome."""
    view = GAME.view(state, state.seat)
    sizes: list[int] = []

    def ask(n: int) -> int:
        sizes.append(n)
        return 0

    greedy_move(view, ask)
    return {greedy_move(view, lambda n, i=i: i) for i in range(sizes[0])}  # type: ignore[misc]


def test_the_random_bot_takes_any_move() -> None:
    view = GAME.view(position(EMPTY, ["b1 b2 b3 b4 b5", "", ""]), 0)
    chosen = {random_move(view, lambda n, i=i: i) for i in range(len(view.legal))}  # type: ignore[misc]
    assert chosen == set(view.legal)


def test_the_greedy_bot_joins_groups() -> None:
    state = position("b.b" + EMPTY[3:], ["b2 b5 b6 b7 b*", "", ""])
    assert greedy_choices(state) == {"b2-A2"}


def test_the_greedy_bot_goes_where_there_is_room() -> None:
    state = position(".b" + EMPTY[2:], ["b1 b2 b7 b8 b9", "", ""])
    assert greedy_choices(state) == {"b2-B2"}


def test_the_greedy_bot_keeps_its_joker() -> None:
    board = "." * 40 + "b" + "." * 40
    state = position(board, ["b* b5 b9 b8 b7", "", ""])
    assert greedy_choices(state) == {"b5-D5", "b5-F5"}


BETWEEN = "bybgb" + "." * 76
"""Blue can join its tiles over a yellow and over a green one."""


def test_the_greedy_bot_captures_the_colour_that_costs_least() -> None:
    rack = ["b2 b4 bF b#6 b#9", "", ""]
    assert greedy_choices(position(BETWEEN, rack, captures=["y7 y8 g7", "", ""])) == {"b4xA4"}
    assert greedy_choices(position(BETWEEN, rack, captures=["g7 g8 y7", "", ""])) == {"b2xA2"}


def test_in_uptown_a_capture_costs_nothing() -> None:
    rack = ["b2 b4 bF b#6 b#9", "", ""]
    state = position(BETWEEN, rack, captures=["y7 y8 g7", "", ""], scoring="uptown")
    assert greedy_choices(state) == {"b2xA2", "b4xA4"}


def test_the_greedy_bot_rather_lays_than_captures() -> None:
    board = "bg......." + "." * 72
    state = position(board, ["b1 b2 bB bF bG", "", ""], captures=["y7 y8 g7", "", ""])
    # b2xA2 and b1-B1, bB-B1 are worth the same; a capture counts in a tie.
    assert greedy_choices(state) == {"b1-B1", "bB-B1"}


def test_both_bots_discard_where_nothing_else_is_left() -> None:
    view = GAME.view(position(STUCK, STUCK_RACKS), 0)
    assert (greedy_move(view, first), greedy_move(view, last)) == ("discard bA", "discard b#3")
    assert random_move(view, last) == "discard b#3"


def result_between(bots: list[Bot], seed: int, options: dict[str, Json]) -> Result:
    pick = random.Random(seed).randrange
    state = GAME.start(len(bots), GAME.draw_lots(len(bots), options, pick))
    while (result := GAME.result(state)) is None:
        if GAME.due(state):
            state = GAME.apply(state, GAME.chance(state, pick)).state
        else:
            text = bots[state.seat](GAME.view(state, state.seat), pick)
            state = GAME.apply(state, Action(state.seat, GAME.parse_move(text))).state
    return result


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("scoring", ["blockers", "uptown"])
def test_the_greedy_bot_beats_the_random_one(players: int, scoring: str) -> None:
    for seed in range(4):
        bots: list[Bot] = [random_move] * players
        bots[seed % players] = greedy_move
        result = result_between(bots, seed, {"scoring": scoring})
        assert [seat for seat in range(players) if result.places[seat] == 1] == [seed % players]
