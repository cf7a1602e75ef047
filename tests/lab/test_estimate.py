"""Win shares, Elo and intervals on data with known parameters."""

from __future__ import annotations

from random import Random

import pytest

from tuilerie.lab.estimate import (
    MOST_ELO,
    ArenaTally,
    Deal,
    Range,
    elo,
    elo_range,
    expected,
    ladder,
    share_range,
    spent,
)
from tuilerie.lab.plan import Plan, make_plan, read_entrants
from tuilerie.lab.results_store import GameLine
from tuilerie.lab.skill import skills


def plan(bots: str, players: int = 2, game: str = "genial") -> Plan:
    return make_plan(game, read_entrants(game, bots, None), players, {}, "1")


def line(arena: Plan, number: int, *places: int) -> GameLine:
    seats = arena.seats(number)
    return GameLine(number, seats, places, (2,) * len(seats), (0.5,) * len(seats))


def test_elo_and_expected_score_are_inverse() -> None:
    assert elo(0.5) == 0
    assert elo(0.75) == pytest.approx(190.8, abs=0.1)
    assert expected(190.8) == pytest.approx(0.75, abs=1e-4)
    assert (elo(0.0), elo(1.0)) == (-MOST_ELO, MOST_ELO)
    assert elo_range(Range(0.5, 0.25, 0.75)).low == pytest.approx(-190.8, abs=0.1)


def test_deal_counts_once_all_its_games_are_played() -> None:
    arena = plan("greedy,random")
    tally = ArenaTally(arena, [line(arena, 1, 1, 2)])
    assert (tally.games, tally.deals) == (1, [])
    tally.add(line(arena, 2, 1, 1))  # seats rotated; a shared win
    (deal,) = tally.deals
    assert deal.scores == {(0, 1): 0.75}
    assert deal.shares == {0: 0.75, 1: 0.25}
    assert deal.fair == {0: 0.5, 1: 0.5}


def test_leading_deals_stop_at_the_first_incomplete_one() -> None:
    arena = plan("greedy,random")
    tally = ArenaTally(arena, [line(arena, number, 1, 2) for number in (1, 2, 5, 6)])
    assert (len(tally.deals), len(tally.leading)) == (2, 1)
    tally.add(line(arena, 4, 1, 2))
    tally.add(line(arena, 3, 1, 2))
    assert len(tally.leading) == 3


def test_fair_share_of_one_against_three_is_a_quarter() -> None:
    arena = plan("greedy,random", 4)
    games = [line(arena, 1, 1, 2, 3, 4), *(line(arena, number, 1, 2, 2, 4) for number in (2, 3, 4))]
    (deal,) = ArenaTally(arena, games).deals
    assert deal.fair == {0: 0.25, 1: 0.75}
    assert sum(deal.shares.values()) == pytest.approx(1)
    assert deal.shares[0] == 0.25  # greedy sat first in one of the four games


def test_interval_has_95_percent_coverage() -> None:
    random, held = Random(5), 0
    for _ in range(1000):
        scores = [(random.random() < 0.8) / 2 + (random.random() < 0.8) / 2 for _ in range(60)]
        found = share_range(scores)
        held += found.low <= 0.8 <= found.high
    assert 0.93 < held / 1000 < 0.97


def test_paired_deals_narrow_the_interval() -> None:
    """The better hand always wins, so each pair of games is a draw."""
    paired = share_range([0.5] * 90 + [0.75] * 5 + [0.25] * 5)
    alone = share_range([1.0, 0.0] * 100)
    assert paired.high - paired.low < (alone.high - alone.low) / 4


def test_interval_of_identical_deals_is_not_zero() -> None:
    found = share_range([1.0] * 10)
    assert found.value == 1
    assert found.high == pytest.approx(1)
    assert 0.6 < found.low < 0.8
    assert share_range([]) == Range(0.5, 0.0, 1.0)


def truth(ratings: list[float], count: int, seed: int) -> list[Deal]:
    random, deals = Random(seed), []
    for _ in range(count):
        for one in range(len(ratings)):
            for other in range(one + 1, len(ratings)):
                chance = expected(ratings[one] - ratings[other])
                score = ((random.random() < chance) + (random.random() < chance)) / 2
                deals.append(Deal({}, {}, {(one, other): score}))
    return deals


def test_ladder_recovers_known_ratings() -> None:
    ratings = [-200.0, 0.0, 200.0]
    rungs = ladder(truth(ratings, 150, seed=2), 3)
    assert [rung.entrant for rung in rungs] == [2, 1, 0]
    for rung in rungs:
        assert rung.elo.low < ratings[rung.entrant] < rung.elo.high
        assert rung.elo.high - rung.elo.low < 120
    for rung in rungs[:2]:
        assert rung.above is not None
        assert rung.above.low < 200 < rung.above.high
    assert rungs[2].above is None


def test_unbeaten_entrant_has_a_finite_rating_and_wide_interval() -> None:
    first, second = ladder([Deal({}, {}, {(0, 1): 1.0})] * 50, 2)
    assert (first.entrant, second.entrant) == (0, 1)
    assert first.above is not None
    assert 600 < first.above.value < 900
    assert first.above.high - first.above.low > 200


def test_openskill_ranks_by_results() -> None:
    arena = plan("greedy,random", 3)
    games = []
    for number in range(1, 61):
        places = [1 if who == 0 else 2 for who in arena.seats(number)]
        games.append(line(arena, number, *places))
    better, worse = skills(games, 2)
    assert better.ordinal > worse.mu
    assert better.sigma < 25 / 3


def test_time_is_averaged_per_move() -> None:
    arena = plan("greedy,random")
    assert spent([line(arena, 1, 1, 2), line(arena, 2, 1, 2)], 2) == [250.0, 250.0]
