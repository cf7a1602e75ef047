"""Plans: pairings, seats, deals and budgets, and invalid requests."""

from __future__ import annotations

import pytest

from tuilerie.bots.bot import Budget
from tuilerie.games.game import Refused
from tuilerie.lab.plan import BadPlan, Entrant, Plan, make_plan, read_budget, read_entrants


def plan(bots: str, players: int | None = None, game: str = "genial", **options: object) -> Plan:
    return make_plan(game, read_entrants(game, bots, None), players, options, "7")


def names(arena: Plan, number: int) -> str:
    return " ".join(entrant.name for entrant in arena.job(number).seats)


def test_pair_plays_every_deal_with_seats_swapped() -> None:
    arena = plan("greedy,random")
    assert [names(arena, number) for number in (1, 2, 3)] == [
        "greedy random",
        "random greedy",
        "greedy random",
    ]
    assert [arena.job(number).seed for number in (1, 2, 3)] == ["7/0", "7/0", "7/1"]


def test_last_bot_fills_the_remaining_seats() -> None:
    arena = plan("greedy,random", 4, "blockers")
    seats = [names(arena, number).split().index("greedy") for number in range(1, 5)]
    assert sorted(seats) == [0, 1, 2, 3]
    assert {names(arena, number).count("random") for number in range(1, 5)} == {3}
    assert arena.turns == 4


def test_identical_seatings_are_played_once() -> None:
    arena = plan("greedy,random,greedy,random", 4, variant="teams")
    assert arena.turns == 2
    assert [names(arena, number) for number in (1, 2)] == [
        "greedy random greedy random",
        "random greedy random greedy",
    ]


def test_more_bots_than_seats_play_all_combinations() -> None:
    arena = plan("greedy,random,greedy@5n")
    met = [{*names(arena, number).split()} for number in (1, 3, 5, 7)]
    assert met == [
        {"greedy", "random"},
        {"greedy", "greedy@5n"},
        {"random", "greedy@5n"},
        {"greedy", "random"},
    ]


def test_neighbours_option_pairs_only_neighbours() -> None:
    named = read_entrants("genial", "random,greedy,greedy@5n,greedy@9n", None)
    pairs = make_plan("genial", named, 2, {}, "7", neighbours=True)
    assert pairs.lineups == ((0, 1), (1, 2), (2, 3))
    assert names(pairs, 6) == "greedy@9n greedy@5n"
    assert names(pairs, 7) == "random greedy"
    threes = make_plan("genial", named, 3, {}, "7", neighbours=True)
    assert threes.lineups == ((0, 1, 2), (1, 2, 3))
    with pytest.raises(BadPlan, match="more bots than the 4 seats"):
        make_plan("genial", named, 4, {}, "7", neighbours=True)


def test_games_are_rounded_up_to_whole_deals() -> None:
    arena = plan("greedy,random", 3)
    assert (arena.turns, arena.deals(9), arena.deals(10)) == (3, 3, 4)
    assert [job.number for job in arena.jobs(2)] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("50ms", Budget(seconds=0.05)),
        ("0.5s", Budget(seconds=0.5)),
        ("2s", Budget(seconds=2)),
        ("2000n", Budget(nodes=2000)),
    ],
)
def test_budgets_are_parsed(text: str, budget: Budget) -> None:
    assert read_budget(text) == budget


def test_own_budget_overrides_the_common_one() -> None:
    found = read_entrants("genial", "greedy@10ms, random", Budget(nodes=5))
    assert found == (
        Entrant("greedy@10ms", "greedy", Budget(seconds=0.01)),
        Entrant("random", "random", Budget(nodes=5)),
    )


@pytest.mark.parametrize("text", ["", "50", "ms", "0ms", "-5ms", "5min", "1.5n", "1e3n", "nan s"])
def test_bad_budgets_are_refused(text: str) -> None:
    with pytest.raises(BadPlan, match="is not a budget"):
        read_budget(text)


@pytest.mark.parametrize(
    ("bots", "players", "said"),
    [
        ("greedy,clever", None, "no bot ‘clever’ for Génial! There are: random, greedy"),
        ("greedy", None, "at least two bots"),
        ("greedy,greedy", None, "two different bots"),
        ("greedy,random", 1, "2 to 4 players, not 1"),
        ("greedy,random", 5, "2 to 4 players, not 5"),
        ("greedy,random,greedy", 2, "name each bot only once"),
        ("greedy,random@soon", None, "‘soon’ is not a budget"),
        ("greedy,,random", None, "no bot ‘’"),
    ],
)
def test_bad_plans_are_refused(bots: str, players: int | None, said: str) -> None:
    with pytest.raises(BadPlan, match=said):
        plan(bots, players)


def test_bad_options_are_refused() -> None:
    with pytest.raises(Refused):
        plan("greedy,random", 2, variant="chess")
