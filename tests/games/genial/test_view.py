"""What a viewer sees of Génial!, and what it remembers."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, pairwise

import pytest

from tests.tables import Moment, Table, random_game
from tuilerie.games.genial import GAME
from tuilerie.games.genial.events import Drawn, Swapped
from tuilerie.games.genial.view import View

SOLO, TWO, THREE = (Table("genial", players) for players in (1, 2, 3))
DUEL = Table("genial", 2, {"variant": "duel"})


def game_with_swaps(table: Table) -> list[Moment]:
    """The first random game in which hands are swapped, and a tile that went back is laid later."""
    for seed in range(50):
        moments = list(random_game(table, seed))
        back = [each.after.returned for each in moments]
        if any(
            len(before) == len(after) and before != after and after
            for before, after in pairwise(back)
        ):
            return moments
    raise AssertionError("no hand was swapped in fifty games")


@pytest.mark.parametrize("table", [SOLO, TWO, THREE, DUEL], ids=str)
def test_a_view_that_follows_the_events_is_the_view_of_the_state(table: Table) -> None:
    moments = game_with_swaps(table) if table is TWO else list(random_game(table, 1))
    for viewer in (None, *range(table.players)):
        view = GAME.view(moments[0].before, viewer)
        for moment in moments:
            for event in moment.events:
                view = GAME.follow(view, GAME.redact(event, viewer))
            assert view == GAME.view(moment.after, viewer), moment.entry
        assert view.result is not None


def test_only_its_own_seat_sees_what_it_draws() -> None:
    moments = game_with_swaps(TWO)
    drawn = [e for e in chain(*(each.events for each in moments)) if isinstance(e, Drawn)]
    assert {event.seat for event in drawn} == {0, 1}
    for event in drawn:
        assert GAME.redact(event, event.seat) == event
        for viewer in (1 - event.seat, None):
            assert GAME.redact(event, viewer) == replace(event, tiles=None)


def test_all_see_the_hand_that_is_swapped() -> None:
    """Before a hand is swapped it is shown: nobody may swap whose hand is not poor enough."""
    for moment in game_with_swaps(TWO):
        for event in moment.events:
            if isinstance(event, Swapped):
                assert event.shown == moment.before.hands[event.seat]
                assert GAME.redact(event, None) == event


def test_hands_and_unseen_tiles_are_all_that_is_not_on_the_board() -> None:
    moments = list(random_game(TWO, 3))
    state = moments[len(moments) // 2].after
    held = sorted(chain(state.bag, *state.hands))
    for viewer in (0, 1):
        view: View = GAME.view(state, viewer)
        assert view.hand is not None
        assert view.hand == state.hands[viewer]
        assert sorted((*view.unseen, *view.hand)) == held
        assert all(str(GAME.parse_move(text)) == text for text in view.legal)
    watching: View = GAME.view(state, None)
    assert watching.hand is None
    assert list(watching.unseen) == held
    assert watching.legal == ()
