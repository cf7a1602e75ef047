"""Two engines, one game: the compiled Kaosmos counts, plays and remembers as the rules do."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any
from zlib import crc32

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.tables import Table, random_game
from tuilerie import native
from tuilerie.games.game import Action, Clock, Entry, TilesDrawn
from tuilerie.games.kaosmos import GAME
from tuilerie.games.kaosmos.board import SHAPES, free_beside
from tuilerie.games.kaosmos.box import BOX, Box
from tuilerie.games.kaosmos.card import COLOURS, MARKERS
from tuilerie.games.kaosmos.cards import BASIC, Balance, ColourZones, RoundRules
from tuilerie.games.kaosmos.legal import legal_texts
from tuilerie.games.kaosmos.notation import CardTurned, Fill, Transfer, parse_move
from tuilerie.games.kaosmos.score import (
    Galaxy,
    Markers,
    clamp,
    count,
    count_round,
    final,
    kaos_gains,
)
from tuilerie.games.kaosmos.tiles import Tile, TileSet

if not native.is_compiled():
    pytest.skip(f"no compiled core: {native.why_not_compiled()}", allow_module_level=True)

from tuilerie.native import _kaosmos as core
from tuilerie.native import kaosmos as fast

GAMES = int(os.environ.get("TUILERIE_GAMES", "500"))
"""How many random games are compared at each kind of table."""

STEPS_EVERY = 10
"""Of so many games, one is compared entry by entry: every list of moves, and positions."""

POSITION_EVERY = 4
"""Entries: so often whole positions are compared, and always when a round has ended."""

PROOF = int(os.environ.get("TUILERIE_GAMES", "100000"))

KINDS = [
    *((players, True, True, True) for players in (2, 3, 4, 5, 6)),
    *((players, False, True, True) for players in (2, 3, 4, 5, 6)),
    (3, True, False, True),
    (4, False, False, False),
    (2, True, True, False),
]
"""Players, Kaos cards, draft, glass."""


# --- counting -------------------------------------------------------------------------------------


def random_galaxy(random: Random, rules: RoundRules, box: Box = BOX, holes: bool = False) -> Galaxy:
    shape = rules.shape
    tiles = random.sample(box.tiles.ids, shape.size)
    slots = list(shape.slots[: shape.size])
    if shape.joined:
        slots = [random.choice(shape.slots)]
        while len(slots) < shape.size:
            slots.append(random.choice(free_beside(slots)))
    galaxy = {
        slot: (tile, random.randrange(4) if rules.turning else 0)
        for slot, tile in zip(slots, tiles, strict=True)
    }
    if holes:
        galaxy = {slot: laid for slot, laid in galaxy.items() if random.randrange(3)}
    return galaxy


def told(galaxy: Galaxy, rules: RoundRules, box: Box) -> tuple[Any, ...]:
    """What the plain rules count, in the core's form."""
    counted = count(galaxy, rules, box.tiles)
    kaos = dict.fromkeys(MARKERS, 0)
    for gain in kaos_gains(counted, rules):
        kaos[gain.marker] += gain.points
    zones = [[zone.planets for zone in counted.zones if zone.colour == c] for c in COLOURS]
    stars = sorted((len(fields) for fields in counted.constellations), reverse=True)
    return (
        [counted.points[name] for name in MARKERS],
        [kaos[name] for name in MARKERS],
        [counted.largest[colour] for colour in COLOURS],
        counted.path.length,
        [*zones, stars],
    )


@pytest.mark.parametrize("card", [None, *BOX.cards])
def test_both_engines_count_alike_under_every_card(card: str | None) -> None:
    random, rules, box = Random(f"{card}"), BOX.rules(card), fast.core_box()
    for number in range(150):
        galaxy = random_galaxy(random, rules, holes=number % 3 == 0)
        found = core.count(box, card or "-", fast.write_galaxy(galaxy))
        assert found == told(galaxy, rules, BOX), fast.write_galaxy(galaxy)


def strange_box(random: Random) -> Box:
    """Tiles and cards that no box has, with effects together that no card joins."""
    fields = ["G0", "G1", "G2", "B0", "B1", "B2", "O0", "O1", "O2", "K"]
    tiles = tuple(
        Tile(
            f"T{number:02}",
            (
                random.choice(fields),
                random.choice(fields),
                random.choice(fields),
                random.choice(fields),
            ),
            "".join(arm for arm in "NESW" if random.randrange(2)),
        )
        for number in range(100)
    )
    cards = {
        f"card-{number}": replace(
            BASIC,
            shape=random.choice(list(SHAPES.values())),
            cut=bool(random.randrange(2)),
            largest_only=random.choice([None, 0, 2]),
            path_factor=random.randrange(4),
            constellations=random.choice([(), ((1, 1),), ((2, -3), (4, 7))]),
            colour_zones=random.choice(
                [None, ColourZones("blue", 0, 2), ColourZones("orange", 2, -1)]
            ),
            balance=random.choice([None, Balance(1, 4), Balance(3, -2)]),
        )
        for number in range(12)
    }
    return Box(TileSet(tiles), cards)


def test_both_engines_count_alike_with_any_tiles_and_cards() -> None:
    random = Random(5)
    for _ in range(4):
        box = strange_box(random)
        known = fast.core_box(box)
        for card, rules in box.cards.items():
            for _ in range(10):
                galaxy = random_galaxy(random, rules, box)
                found = core.count(known, card, fast.write_galaxy(galaxy))
                assert found == told(galaxy, rules, box)


# --- whole games ----------------------------------------------------------------------------------


def compare_rounds(kind: tuple[int, bool, bool, bool], games: range) -> set[str]:
    """Let the core play random games, and count each of their rounds by the rules."""
    players, *_ = kind
    box, met = fast.core_box(), set()
    for seed in games:
        rounds, last = core.random_rounds(box, *kind, seed)
        assert len(rounds) == 5
        markers: list[Markers] = [dict.fromkeys(MARKERS, 0)] * players
        for card, owners, seats in rounds:
            met.add(card)
            rules = BOX.rules(None if card == "-" else card)
            bonuses = {c: None if o < 0 else o for c, o in zip(COLOURS, owners, strict=True)}
            galaxies = [fast.read_galaxy(galaxy) for galaxy, _, _ in seats]
            counts = count_round(galaxies, bonuses, markers, rules, BOX.tiles)
            markers = [counted.after for counted in counts]
            assert [[own[name] for name in MARKERS] for own in markers] == [m for _, m, _ in seats]
            markers = [
                moved(own, choice) for own, (_, _, choice) in zip(markers, seats, strict=True)
            ]
        assert [[own[name] for name in MARKERS] for own in markers] == last
    return met


def moved(markers: Markers, choice: str) -> Markers:
    if choice == "-":
        return markers
    move = parse_move(choice.replace(":", " "))
    assert isinstance(move, Transfer)
    source, target, points = move.source, move.target, move.points
    left, reached = markers[source] - points, clamp(markers[target] + points)
    return {**markers, source: left, target: reached}


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_random_games_are_counted_alike(kind: tuple[int, bool, bool, bool]) -> None:
    met = compare_rounds(kind, range(GAMES))
    if kind[1] and GAMES >= 100:
        assert met == set(BOX.cards)


@pytest.mark.proof
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_many_random_games_are_counted_alike(kind: tuple[int, bool, bool, bool]) -> None:
    compare_rounds(kind, range(PROOF))


def read_entry(words: str) -> Entry[Any]:
    """An entry as the core tells it."""
    first, _, rest = words.partition(" ")
    if first == "time":
        return Clock()
    if first == "card":
        return CardTurned("card", rest)
    if first == "draw":
        seat, tiles = rest.split()
        return TilesDrawn("draw", int(seat), tuple(tiles.split(",")))
    if first == "fill":
        number, *puts = rest.split()
        laid = (put.split(":") for put in puts)
        return Fill("fill", int(number), tuple((tile, s, int(turns)) for tile, s, turns in laid))
    return Action(int(first), parse_move(rest))


def compare_steps(kind: tuple[int, bool, bool, bool], seed: int) -> None:
    """A game that the core plays at random, each step of which the rules must see as it does."""
    players, kaos, draft, timed = kind
    options = {"kaos": kaos, "draft": draft, "seconds": 60 if timed else None}
    state = GAME.start(players, options)
    story = core.random_game(fast.core_box(), *kind, seed)
    for number, (words, legal, after) in enumerate(story):
        entry = read_entry(words)
        moves: Sequence[str] = ()
        if isinstance(entry, Action):
            moves = legal_texts(state, entry.seat, state.hands[entry.seat])
        assert crc32(" ".join((*moves, "")).encode()) == legal, words
        round_before, state = state.round, GAME.apply(state, entry).state
        if number % POSITION_EVERY == 0 or state.round != round_before or state.result:
            assert crc32(fast.write_position(state).encode()) == after, words
    assert state.result == final(state.markers)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_entry_leads_to_the_same_position(kind: tuple[int, bool, bool, bool]) -> None:
    for seed in range(-(-GAMES // STEPS_EVERY)):
        compare_steps(kind, seed)


@pytest.mark.proof
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_entry_of_many_games_leads_to_the_same_position(
    kind: tuple[int, bool, bool, bool],
) -> None:
    for seed in range(1000, 1000 + PROOF):
        compare_steps(kind, seed)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_positions_and_moves_go_to_the_core_and_back(kind: tuple[int, bool, bool, bool]) -> None:
    players, kaos, draft, timed = kind
    options = {"kaos": kaos, "draft": draft, "seconds": 60 if timed else None}
    state = GAME.start(players, options)
    for words, *_ in core.random_game(fast.core_box(), *kind, 7):
        written = fast.write_position(state)
        assert core.rewritten(fast.core_box(), written) == written
        for seat in range(players):
            moves = list(legal_texts(state, seat, state.hands[seat]))
            assert core.legal(fast.core_box(), written, seat) == moves, words
        state = GAME.apply(state, read_entry(words)).state


# --- what a seat cannot see -----------------------------------------------------------------------


def views(table: Table, seed: int) -> Iterator[tuple[Any, Any]]:
    """Views along a random game, with their states."""
    random = Random(seed)
    for moment in random_game(table, seed):
        if moment.after.result is None and random.randrange(6) == 0:
            viewer = random.randrange(table.players)
            yield table.rules.view(moment.after, viewer), moment.after


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_what_is_filled_in_is_consistent_with_the_view(players: int) -> None:
    for view, state in views(Table("kaosmos", players), 3):
        sampled = dict(word.split("=") for word in fast.resample(view, 7).split())
        true = dict(word.split("=") for word in fast.write_position(state).split())
        own = f"{view.viewer}."
        hidden = [f"{s}.{pile}" for s in range(players) for pile in ("packet", "kept", "supply")]
        for name, value in true.items():
            if name in hidden and not name.startswith(own):
                assert sampled[name].count("T") == value.count("T")
            elif not name.endswith("choice"):
                assert sampled[name] == value, name
        tiles = [t for name in hidden for t in sampled[name].split(",") if t != "-"]
        assert len(set(tiles)) == len(tiles)


def held(position: str, seat: int) -> set[str]:
    """All tiles that a seat has in a position."""
    words = dict(word.split("=") for word in position.split())
    piles = [words[f"{seat}.{pile}"] for pile in ("packet", "kept", "supply", "aside")]
    galaxy = words[f"{seat}.galaxy"].split(",")
    tiles = {tile for pile in piles for tile in pile.split(",")}
    return (tiles | {laid[3:6] for laid in galaxy}) - {"-", ""}


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_packets_passed_on_are_remembered(players: int) -> None:
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


def test_filled_in_tiles_are_equally_likely() -> None:
    """Two players in the first draft: each tile that was not met is as often the other's."""
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
    assert chi_square < 90  # 44 degrees of freedom: beyond this once in many thousand seeds


# --- malformed ------------------------------------------------------------------------------------

SAID = """
T01 T99 a1:T03/90 b2:T03/0 - ?9 0,1 players=2 players=9 0.supply=?9 viewer=0 seen=T01/T02 round=3
phase=draft phase=building 1.galaxy=a1:T04/0 0.packet=T05,T06,T07,T08 waiting=0,1 green=3:1 = x= T04
B0,B2,K,G1 NW 0.= 1.packet=?9 draft=1
"""
WORDS = st.sampled_from(SAID.split())
TEXTS = st.one_of(st.text(max_size=40), st.lists(WORDS, max_size=9).map(" ".join))


def refusal_of(call: Callable[[], object]) -> ValueError | None:
    try:
        call()
    except ValueError as refused:
        return refused
    return None


@given(TEXTS, TEXTS, st.integers(0, 2**64 - 1))
@example("", "\x00", 0)  # a zero once ended the refusal, too
def test_malformed_texts_are_refused_and_nothing_breaks(one: str, other: str, seed: int) -> None:
    box = fast.core_box()
    for call in (
        lambda: core.Box(one, other),
        lambda: core.count(box, one, other),
        lambda: core.rewritten(box, one),
        lambda: core.resample(box, one, seed),
        lambda: core.odds(box, one, 1, 5, seed),
        lambda: core.weigh_keeps(box, one, 1.0, 50, 0.0, seed, 2, 5),
        lambda: core.solve(box, "-", one, other, (0, 0, 0, 0), 0.0, [], 50, 0.0, 10, seed),
    ):
        assert refusal_of(call) is None or "expected" in str(refusal_of(call))


def test_a_refusal_says_what_is_wrong_and_what_would_be_right() -> None:
    box = fast.core_box()
    with pytest.raises(ValueError, match="bad tile ‘T9’: expected T00 to T99"):
        core.solve(box, "-", "T9", "-", (0, 0, 0, 0), 0.0, [], 9, 0.0, 0, 1)
    with pytest.raises(ValueError, match="bad total ‘31’: expected 0 to 30"):
        core.solve(box, "-", "T01", "-", (0, 31, 0, 0), 0.0, [], 9, 0.0, 0, 1)
    with pytest.raises(ValueError, match="unknown card ‘x’"):
        core.count(box, "x", "-")
