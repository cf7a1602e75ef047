"""The core as WebAssembly gives the answers of the native one, bit by bit."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tests.amounts import few_or_many
from tests.local.wasm import running_core
from tuilerie import native
from tuilerie.bots import BOTS
from tuilerie.dealer import Dealer
from tuilerie.games import GAMES
from tuilerie.games.game import Action
from tuilerie.games.kaosmos.box import BOX
from tuilerie.local import core

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not native.is_compiled(), reason="the core is not compiled"),
]

OPTIONS: dict[str, dict[str, Any]] = {"kaosmos": {"seconds": None}}


@pytest.fixture(scope="module")
def ask() -> Iterator[core.Ask]:
    with running_core() as found:
        yield found


def views(game: str, number: int, *tables: int) -> Iterator[Any]:
    """What seats on turn see, along random games of these numbers of players, or all."""
    rules, random, made = GAMES[game], Random(game), 0
    while True:
        players = random.choice(tables or [each for each in rules.card.players if each > 1])
        dealer = Dealer(f"{game}-{made}")
        options = dealer.options(rules, players, OPTIONS.get(game, {}))
        state = rules.start(players, rules.options(players, options))
        while rules.result(state) is None:
            if rules.due(state):
                state = rules.apply(state, dealer.deal(rules, state)).state
                continue
            seat = random.choice(rules.actors(state))
            view = rules.view(state, seat)
            if random.random() < 0.1:
                yield view
                made += 1
                if made == number:
                    return
            move = rules.parse_move(BOTS[game]["random"](view, random.randrange))
            state = rules.apply(state, Action(seat, move)).state


@few_or_many("number", 20, 1_000)
def test_genial_has_the_same_candidates_values_and_visits(ask: core.Ask, number: int) -> None:
    from tuilerie.native import genial  # noqa: PLC0415

    ours = core.modules(ask)["genial"]
    for seed, view in enumerate(views("genial", number)):
        asked = genial.write_view(view), seed, 64 + seed % 200, 0, 8, 40 * (seed % 3)
        assert ours.think(*asked) == [tuple(one) for one in genial.think(*asked)]


@few_or_many("number", 20, 1_000)
def test_the_network_of_genial_gives_the_same_values(ask: core.Ask, number: int) -> None:
    from tuilerie.native import genial  # noqa: PLC0415

    ours = core.modules(ask)["genial"]
    data = genial.WEIGHTS.read_bytes()
    mine, theirs = ours.Weights(data), genial.Weights(data)
    known = [players for players in (2, 3, 4) if theirs.has(players)]
    assert known == [players for players in (2, 3, 4) if mine.has(players)]
    compared = 0
    for seed, view in enumerate(views("genial", number, *known)):
        if view.options.variant != "standard":
            continue
        asked = genial.write_view(view), seed, 16 * (seed % 3), 0.0, 8, 0, 1
        found = genial.think_with_net(theirs, *asked)
        assert ours.think_with_net(mine, *asked) == [tuple(one) for one in found]
        compared += 1
    assert compared
    with pytest.raises(ValueError, match="checksum"):
        ours.Weights(data[:-1] + bytes([data[-1] ^ 1]))


@few_or_many("number", 20, 1_000)
def test_blockers_has_the_same_candidates_values_and_visits(ask: core.Ask, number: int) -> None:
    from tuilerie.native import _blockers, blockers  # noqa: PLC0415

    ours = core.modules(ask)["blockers"]
    for seed, view in enumerate(views("blockers", number)):
        asked = blockers.text_of_view(view), seed, 64 + seed % 200, 0, 16, 20_000
        assert ours.think(*asked) == [tuple(one) for one in _blockers.think(*asked)]


@few_or_many("number", 20, 1_000)
def test_kaosmos_has_the_same_galaxies_choices_and_odds(ask: core.Ask, number: int) -> None:
    from tuilerie.native import _kaosmos, kaosmos  # noqa: PLC0415

    ours = core.modules(ask)["kaosmos"]
    tiles, cards = kaosmos.write_box_tiles(BOX), kaosmos.write_box_cards(BOX)
    boxes = {ours: ours.Box(tiles, cards), _kaosmos: _kaosmos.Box(tiles, cards)}

    def both(name: str, *words: Any) -> None:
        mine, theirs = (getattr(each, name)(boxes[each], *words) for each in (ours, _kaosmos))
        if name == "solve":  # the last field is how long it took
            mine, theirs = mine[:-1], tuple(theirs)[:-1]
        assert mine == (theirs if name != "weigh_keeps" else [tuple(each) for each in theirs])

    for seed, view in enumerate(views("kaosmos", number)):
        text = kaosmos.write_view(view)
        if view.phase == "draft":
            both("weigh_keeps", text, 1.5, 2_000, 0, seed, 6, 50)
        elif view.phase == "building":
            both("odds", text, 5, 60, seed)
            held = [
                *(view.supply or ()),
                *(laid[0] for laid in view.galaxies[view.viewer].values()),
            ]
            hand = ",".join(held)
            both("solve", view.card or "-", hand, "-", (0, 3, 5, 2), 1.2, [], 600, 0, 0, seed)


def test_an_error_is_raised_and_the_next_request_is_answered(ask: core.Ask) -> None:
    from tuilerie.native import genial  # noqa: PLC0415

    ours = core.modules(ask)["genial"]
    good = genial.write_view(next(views("genial", 1))), 1, 16, 0, 4, 0
    for bad in ("", "5", "2 standard", "x" * 5_000):
        with pytest.raises(ValueError, match=r".") as native_error:
            genial.think(bad, 1, 16, 0, 4, 0)
        with pytest.raises(ValueError, match=r".") as error:
            ours.think(bad, 1, 16, 0, 4, 0)
        assert str(error.value) == str(native_error.value)
        assert ours.think(*good) == [tuple(one) for one in genial.think(*good)]


def test_a_box_is_known_after_an_error(ask: core.Ask) -> None:
    from tuilerie.native import kaosmos  # noqa: PLC0415

    ours = core.modules(ask)["kaosmos"]
    box = ours.Box(kaosmos.write_box_tiles(BOX), kaosmos.write_box_cards(BOX))
    tiles = ",".join(tile.id for tile in BOX.tiles.tiles[:9])
    asked: tuple[Any, ...] = ("-", tiles, "-", (0, 0, 0, 0), 0.0, [], 200, 0, 0, 7)
    before = ours.solve(box, *asked)
    with pytest.raises(ValueError, match="bad tiles"):
        ours.solve(box, "-", "-", *asked[2:])
    assert ours.solve(box, *asked)[:-1] == before[:-1]


def test_an_unknown_function_is_refused(ask: core.Ask) -> None:
    for game in ("genial", "blockers", "kaosmos"):
        assert ask(game, "nothing") == "!no such function: 'nothing'"
