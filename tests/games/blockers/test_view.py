"""What a viewer sees, what it does not see, and that it keeps up with the game."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.games.blockers.helpers import (
    EMPTY,
    STUCK,
    STUCK_RACK,
    STUCK_RACKS,
    moves_of,
    play,
    position,
    steps,
    tiles,
    whole_game,
)
from tuilerie.codec import to_builtins
from tuilerie.games.blockers import GAME
from tuilerie.games.blockers.events import Dealt, Discarded, Drawn
from tuilerie.games.blockers.state import State
from tuilerie.games.blockers.tiles import with_tiles, without_tile
from tuilerie.games.game import Action


def viewers(state: State) -> tuple[int | None, ...]:
    return (*range(len(state.racks)), None)


def test_everyone_sees_the_public_table() -> None:
    state, _ = whole_game(4, 3)
    for viewer in viewers(state):
        view = GAME.view(state, viewer)
        assert view.board == state.board
        assert view.captures == state.captures
        assert view.result == state.result
        assert view.piles == {"b": 0, "y": 0, "g": 0, "r": 0}
        assert view.racks == ({"b": 4}, {"y": 4}, {"g": 4}, {"r": 4})
        assert state.result is not None
        assert list(view.groups) == [score["groups"] for score in state.result.scores]
        assert (view.phase, view.turn, view.actors, view.legal) == ("over", None, (), ())
        assert view.number == state.number


def test_seat_sees_its_rack_and_only_the_size_of_others() -> None:
    state = position(EMPTY, ["b1 b2 b3 b4 b5", "y1 y2 y3 y4 y5", "g1 g2 g3 g4 g5"])
    for seat in range(3):
        view = GAME.view(state, seat)
        assert view.rack == state.racks[seat]
        assert view.racks == ({"b": 5}, {"y": 5}, {"g": 5})
    assert GAME.view(state, None).rack is None


def test_only_the_seat_to_act_has_legal_moves() -> None:
    state = position(EMPTY, ["b1 b2 b3 b4 b5", "y1 y2 y3 y4 y5", "g1 g2 g3 g4 g5"], seat=1)
    assert list(GAME.view(state, 1).legal) == moves_of(state)
    for viewer in (0, 2, None):
        view = GAME.view(state, viewer)
        assert view.legal == ()
        assert (view.turn, view.actors) == (1, (1,))


def swapped(state: State, seat: int) -> State:
    """The same but for one hidden thing: a tile of a seat's rack is another one."""
    held = state.racks[seat][0]
    pile = state.piles[held[0]]
    rack = with_tiles(without_tile(state.racks[seat], held), pile[:1])
    racks = (*state.racks[:seat], rack, *state.racks[seat + 1 :])
    return replace(state, racks=racks, piles={**state.piles, held[0]: (*pile[1:], held)})


def test_racks_are_hidden_from_other_viewers() -> None:
    turns = [state for state, entry, _ in steps(4, 8) if isinstance(entry, Action)]
    for state in turns[:40:7]:
        for seat in range(4):
            other = swapped(state, seat)
            assert other != state
            for viewer in (v for v in viewers(state) if v != seat):
                assert to_builtins(GAME.view(other, viewer)) == to_builtins(
                    GAME.view(state, viewer)
                )
            assert GAME.view(other, seat) != GAME.view(state, seat)


def test_drawn_tile_is_visible_only_to_its_seat() -> None:
    deal = Dealt(1, tiles("y1 y2 y3 y4 y5"))
    draw = Drawn(1, "y", tiles("y7")[0])
    for viewer in (0, 2, None):
        assert GAME.redact(deal, viewer) == Dealt(1, None)
        assert GAME.redact(draw, viewer) == Drawn(1, "y", None)
    assert GAME.redact(deal, 1) == deal
    assert GAME.redact(draw, 1) == draw


def test_shown_rack_is_visible_to_everyone() -> None:
    state = position(STUCK, STUCK_RACKS)
    after, events = play(state, "discard bB")
    for viewer in viewers(state):
        seen = GAME.redact(events[0], viewer)
        assert isinstance(seen, Discarded)
        assert seen.rack == tiles(STUCK_RACK)
        view = GAME.view(after, viewer)
        assert view.shown == (tiles("bA b#1 b#2 b#3"), (), ())
        assert view.discards == tiles("bB")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_last_turn_of_each_seat_is_announced(players: int) -> None:
    announced = []
    turns = 0
    for state, entry, _ in steps(players, 4):
        view = GAME.view(state, None)
        if isinstance(entry, Action):
            turns += 1
            if view.last_turn:
                announced.append((turns, entry.seat))
        else:
            assert not view.last_turn
    first = announced[0][1]
    last_round = range(turns - players + 1, turns + 1)
    assert announced == [(turn, (first + i) % players) for i, turn in enumerate(last_round)]


def test_views_events_and_states_are_json_serialisable() -> None:
    for state, _, step in steps(2, 6):
        for value in (state, step.events, GAME.view(state, 0), GAME.view(state, None)):
            text = json.dumps(to_builtins(value))
            assert json.loads(text) == to_builtins(value)
            assert "_cells" not in text
