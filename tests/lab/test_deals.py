"""Paired deals: the same seed gives the same deal, whichever bots play."""

from __future__ import annotations

from collections import defaultdict

import pytest

from tests.amounts import one_in
from tests.tables import TABLES, Table
from tuilerie.bots import BOTS
from tuilerie.games import GAMES
from tuilerie.games.game import Chance, TilesDrawn
from tuilerie.lab.deals import PairedDeals
from tuilerie.record import Replay
from tuilerie.simulate import play_with

SHORT = [table for table in TABLES if table.players in (2, 3)]


def play(table: Table, bots: tuple[str, ...], seed: str) -> Replay:
    game = GAMES[table.game]
    seats = [(name, BOTS[table.game][name]) for name in bots]
    return play_with(game, table.options, seats, PairedDeals(seed))


def first_hands(replay: Replay) -> list[Chance]:
    entries = [played.entry for played in replay.played]
    return [entry for entry in entries[: len(replay.header.seats)] if isinstance(entry, Chance)]


@pytest.mark.slow
@pytest.mark.parametrize("table", one_in(3, SHORT), ids=str)
def test_different_bots_get_the_same_deal(table: Table) -> None:
    rest = ("random",) * (table.players - 1)
    one, other = play(table, ("greedy", *rest), "5"), play(table, (*rest, "greedy"), "5")
    assert one.header.options == other.header.options
    assert first_hands(one) == first_hands(other)
    assert first_hands(one) != first_hands(play(table, ("greedy", *rest), "6"))


def test_separate_pile_is_drawn_in_the_same_order_whatever_is_played() -> None:
    """In Blockers! for four, each player draws from a pile of one colour."""
    drawn: dict[int, set[tuple[str, ...]]] = defaultdict(set)
    table = Table("blockers", 4)
    for bots in (
        ("greedy", "random", "random", "random"),
        ("random", "random", "greedy", "greedy"),
    ):
        replay = play(table, bots, "11")
        for seat in range(4):
            draws = [
                played.entry.tiles
                for played in replay.played
                if isinstance(played.entry, TilesDrawn) and played.entry.seat == seat
            ]
            drawn[seat].add(tuple(tile for tiles in draws[:8] for tile in tiles))
    assert all(len(orders) == 1 for orders in drawn.values())


def test_same_seed_plays_the_same_game() -> None:
    table = Table("genial", 2)
    one, other = (play(table, ("greedy", "random"), "3") for _ in range(2))
    assert [each.entry for each in one.played] == [each.entry for each in other.played]
