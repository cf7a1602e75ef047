"""Kaosmos: the compiled core samples the tiles that a viewer does not know."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tests.tables import Table, random_game
from tuilerie import native
from tuilerie.games.game import TilesDrawn
from tuilerie.games.kaosmos import GAME
from tuilerie.games.kaosmos.box import BOX
from tuilerie.games.kaosmos.versions import VERSIONS

if not native.is_compiled():
    pytest.skip(f"no compiled core: {native.why_not_compiled()}", allow_module_level=True)

from tuilerie.native import kaosmos as fast


def views(table: Table, seed: int) -> Iterator[tuple[Any, Any]]:
    """Views along a random game, with their states."""
    random = Random(seed)
    for moment in random_game(table, seed):
        if moment.after.result is None and random.randrange(6) == 0:
            viewer = random.randrange(table.players)
            yield table.rules.view(moment.after, viewer), moment.after


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("draft", [True, False])
@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_resampling_is_consistent_with_the_view(players: int, draft: bool, version: int) -> None:
    for view, state in views(Table("kaosmos", players, {"draft": draft}, version), 3):
        sampled = dict(word.split("=") for word in fast.resample(view, 7).split())
        true = dict(word.split("=") for word in fast.write_position(state).split())
        own = f"{view.viewer}."
        hidden = [f"{s}.{pile}" for s in range(players) for pile in ("packet", "kept", "supply")]
        unseen = [f"{own}kept"] if state.phase == "draw" else []  # hidden from itself, too
        for name, value in true.items():
            if name in unseen or (name in hidden and not name.startswith(own)):
                assert sampled[name].count("T") == value.count("T")
            elif not name.endswith("choice"):
                assert sampled[name] == value, name
        tiles = [t for name in hidden for t in sampled[name].split(",") if t != "-"]
        assert len(set(tiles)) == len(tiles)


def held(position: str, seat: int) -> set[str]:
    """Return all tiles of a seat in a position."""
    words = dict(word.split("=") for word in position.split())
    piles = [words[f"{seat}.{pile}"] for pile in ("packet", "kept", "supply", "aside")]
    galaxy = words[f"{seat}.galaxy"].split(",")
    tiles = {tile for pile in piles for tile in pile.split(",")}
    return (tiles | {laid[3:6] for laid in galaxy}) - {"-", ""}


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_resampling_remembers_passed_packets(players: int) -> None:
    met = 0
    for view, state in views(Table("kaosmos", players, {"kaos": False}), 11):
        if state.phase != "building":
            continue
        met += 1
        assert view.viewer is not None
        following = state.next_to(view.viewer)
        last = state.next_to(following)
        _, six, _, three = view.seen
        for seed in range(20):
            position = fast.resample(view, seed)
            assert set(three) <= held(position, following)
            assert len(set(six) & held(position, following)) == 3
            assert len(set(six) & held(position, last)) == 3
    assert met > 5


def test_resampling_treats_face_down_tiles_as_unknown_to_their_owner() -> None:
    game = GAME.by_version(2)
    state = game.start(2, {"kaos": False, "draft": False})
    state = game.apply(state, TilesDrawn("draw", 0, BOX.tiles.ids[:9])).state
    view = game.view(state, 0)
    sampled = [held(fast.resample(view, seed), 0) for seed in range(100)]
    assert {len(tiles) for tiles in sampled} == {9}
    assert set().union(*sampled) == set(BOX.tiles.ids)


@pytest.mark.slow
def test_resampling_is_uniform_over_hidden_tiles() -> None:
    """Two players in the first draft: each unseen tile is equally often the other's."""
    state = GAME.start(2, {"kaos": False})
    random = Random(1)
    while GAME.due(state):
        state = GAME.apply(state, GAME.chance(state, random.randrange)).state
    view = GAME.view(state, 0)
    number = 6000
    times = dict.fromkeys(set(BOX.tiles.ids) - set(state.hands[0].packet), 0)
    for seed in range(number):
        for tile in held(fast.resample(view, seed), 1):
            times[tile] += 1
    expected = number * 9 / 45
    chi_square = sum((seen - expected) ** 2 / expected for seen in times.values())
    assert chi_square < 90  # 44 degrees of freedom: exceeded once in many thousand seeds
