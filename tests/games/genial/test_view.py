"""What a viewer sees of Génial!, and what it remembers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain, pairwise

from tests.tables import Moment, Table, random_game
from tuilerie.games.genial import GAME
from tuilerie.games.genial.events import Drawn, Swapped
from tuilerie.games.genial.tiles import Tile
from tuilerie.games.genial.view import View

TWO = Table("genial", 2)


def tiles_of(counts: Mapping[Tile, int]) -> list[Tile]:
    return [tile for tile, count in counts.items() for _ in range(count)]


def game_with_swaps(table: Table) -> list[Moment]:
    """Find a random game with swaps in which a returned tile is laid later."""
    for seed in range(50):
        moments = list(random_game(table, seed))
        back = [each.after.returned for each in moments]
        if any(
            len(before) == len(after) and before != after and after
            for before, after in pairwise(back)
        ):
            return moments
    raise AssertionError("no hand was swapped in fifty games")


def test_drawn_tiles_are_visible_only_to_their_seat() -> None:
    moments = game_with_swaps(TWO)
    drawn = [e for e in chain(*(each.events for each in moments)) if isinstance(e, Drawn)]
    assert {event.seat for event in drawn} == {0, 1}
    for event in drawn:
        assert GAME.redact(event, event.seat) == event
        for viewer in (1 - event.seat, None):
            assert GAME.redact(event, viewer) == replace(event, tiles=None)


def test_swapped_hand_is_visible_to_everyone() -> None:
    """By the rule, a hand is shown before it is swapped."""
    for moment in game_with_swaps(TWO):
        for event in moment.events:
            if isinstance(event, Swapped):
                assert event.shown == moment.before.hands[event.seat]
                assert GAME.redact(event, None) == event


def test_hidden_tiles_are_all_tiles_not_on_the_board() -> None:
    moments = list(random_game(TWO, 3))
    state = moments[len(moments) // 2].after
    held = sorted(chain(state.bag, *state.hands))
    for viewer in (0, 1):
        view: View = GAME.view(state, viewer)
        assert view.hand is not None
        assert view.hand == state.hands[viewer]
        assert sorted((*tiles_of(view.unseen), *view.hand)) == held
        assert all(str(GAME.parse_move(text)) == text for text in view.legal)
    watching: View = GAME.view(state, None)
    assert watching.hand is None
    assert tiles_of(watching.unseen) == held
    assert watching.legal == ()


def test_legal_moves_of_a_swap_are_two_words() -> None:
    swaps = [each.after for each in game_with_swaps(TWO) if each.after.phase == "swap"]
    for state in swaps:
        assert GAME.view(state, state.seat).legal == ("swap", "keep")
        assert GAME.view(state, 1 - state.seat).legal == ()
    assert swaps
