"""Search in the compiled core for Blockers!: exact endgames, budgets and determinism."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.perft import after
from tests.tables import Table
from tuilerie import native
from tuilerie.games.blockers import GAME
from tuilerie.games.blockers.state import State
from tuilerie.games.game import Action

if not native.is_compiled():
    pytest.skip(f"the core is not built: {native.why_not_compiled()}", allow_module_level=True)

from tuilerie.native import _blockers
from tuilerie.native.blockers import text_of_state, text_of_view, think

# --- the last round ---


@dataclass(frozen=True)
class Ending:
    """The win share and the margin of each seat."""

    shares: tuple[float, ...]
    margins: tuple[float, ...]

    def key(self, seat: int) -> tuple[float, float]:
        return round(self.shares[seat], 9), round(self.margins[seat], 9)


def ending(state: State) -> Ending:
    """Solve a game by brute force (max^n)."""
    result = GAME.result(state)
    if result is None:
        seat = state.seat
        moves = GAME.legal(state, seat)
        endings = [ending(GAME.apply(state, Action(seat, move)).state) for move in moves]
        best = max(one.key(seat) for one in endings)
        return mean([one for one in endings if one.key(seat) == best])
    points = [s["score"] + sum(s["captures"].values()) / 128 for s in result.scores]
    rivals = [min(points[:seat] + points[seat + 1 :]) for seat in range(len(points))]
    winners = result.places.count(1)
    return Ending(
        tuple((place == 1) / winners for place in result.places),
        tuple(rival - own for rival, own in zip(rivals, points, strict=True)),
    )


def mean(endings: list[Ending]) -> Ending:
    shares = zip(*(one.shares for one in endings), strict=True)
    margins = zip(*(one.margins for one in endings), strict=True)
    count = len(endings)
    return Ending(tuple(sum(s) / count for s in shares), tuple(sum(m) / count for m in margins))


LENGTH = {2: 96, 3: 72, 4: 96, 5: 120}


@pytest.mark.slow
@pytest.mark.parametrize("scoring", ["blockers", "uptown"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("turns", [1, 2])
def test_endgame_solver_agrees_with_brute_force(players: int, scoring: str, turns: int) -> None:
    state = after(Table("blockers", players, {"scoring": scoring}), LENGTH[players] - turns)
    expected = ending(state)
    found = _blockers.ending(text_of_state(state))
    assert [share for share, _ in found] == pytest.approx(expected.shares)
    assert [margin for _, margin in found] == pytest.approx(expected.margins)


def test_search_plays_the_best_move_of_the_last_round() -> None:
    state = after(Table("blockers", 3), LENGTH[3] - 3)
    evaluated = think(GAME.view(state, state.seat), 1, nodes=1, candidates=100, exact=100_000)
    assert [one.games for one in evaluated] == [1] * len(GAME.legal(state, state.seat))
    values = []
    for one in evaluated:
        then = GAME.apply(state, Action(state.seat, GAME.parse_move(one.move))).state
        share, margin = _blockers.ending(text_of_state(then))[state.seat]
        assert (one.share, one.margin) == pytest.approx((share, margin))
        values.append((round(share, 9), round(margin, 9)))
    assert values == sorted(values, reverse=True)


def test_only_endgames_with_perfect_information_are_solved() -> None:
    state = after(Table("blockers", 3), LENGTH[3] - 4)
    with pytest.raises(ValueError, match="racks: found"):
        _blockers.ending(text_of_state(state))


# --- the search ---


def test_search_respects_the_node_budget_and_the_seed() -> None:
    view = GAME.view(after(Table("blockers", 4), 30), 2)
    evaluated = think(view, 5, nodes=640, candidates=16, exact=0)
    assert len(evaluated) == 16
    assert (
        560 <= sum(one.games for one in evaluated) <= 720
    )  # each halving round completes its sample
    assert {one.move for one in evaluated} <= set(view.legal)
    assert evaluated == think(view, 5, nodes=640, candidates=16, exact=0)
    assert evaluated != think(view, 6, nodes=640, candidates=16, exact=0)
    assert all(0 <= one.share <= 1 for one in evaluated)


def test_better_moves_get_more_simulations() -> None:
    view = GAME.view(after(Table("blockers", 2), 50), 0)
    games = [one.games for one in think(view, 1, nodes=1000, candidates=16, exact=0)]
    assert games == sorted(games, reverse=True)
    assert games[0] > 4 * games[-1]


def test_single_legal_move_is_evaluated() -> None:
    state = after(Table("blockers", 3), 40)
    view = GAME.view(state, state.seat)
    (only,) = think(view, 1, nodes=50, candidates=1, exact=0)
    assert only.move in view.legal
    assert only.games == 1


def test_a_search_without_a_budget_is_refused() -> None:
    text = text_of_view(GAME.view(after(Table("blockers", 3), 40), 1))
    with pytest.raises(ValueError, match="budget: found 'nothing', expected nodes or seconds"):
        _blockers.think(text, 1, 0, 0, 8, 0)
    with pytest.raises(ValueError, match="budget"):
        _blockers.think(text, 1, 0, float("nan"), 8, 0)
    with pytest.raises(ValueError, match="candidates: found '0'"):
        _blockers.think(text, 1, 10, 0, 0, 0)
