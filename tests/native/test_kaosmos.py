"""Kaosmos: the compiled core agrees with the Python rules on scoring and moves."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.games.kaosmos.driver import MARTIN, OTHER, GameDriver, tiles_of
from tuilerie import native, record
from tuilerie.games.game import Action, Entry, TilesDrawn, Timeout
from tuilerie.games.kaosmos import GAME, Kaosmos
from tuilerie.games.kaosmos.board import SHAPES, free_beside
from tuilerie.games.kaosmos.box import BOX, Box
from tuilerie.games.kaosmos.card import COLOURS, MARKERS
from tuilerie.games.kaosmos.cards import BASIC, Balance, ColourZones, RoundRules
from tuilerie.games.kaosmos.legal import legal_texts
from tuilerie.games.kaosmos.notation import (
    CardTurned,
    Fill,
    Grab,
    Transfer,
    parse_galaxy,
    parse_move,
)
from tuilerie.games.kaosmos.score import (
    Galaxy,
    Markers,
    clamp,
    count,
    count_round,
    final,
    kaos_gains,
)
from tuilerie.games.kaosmos.state import State
from tuilerie.games.kaosmos.tiles import Tile, TileSet
from tuilerie.games.kaosmos.versions import NEWEST, VERSIONS

if not native.is_compiled():
    pytest.skip(f"no compiled core: {native.why_not_compiled()}", allow_module_level=True)

from tuilerie.native import _kaosmos as core
from tuilerie.native import kaosmos as fast
from tuilerie.native.kaosmos import Kind

GAMES = int(os.environ.get("TUILERIE_GAMES", "25"))
"""Random games per kind of table."""

STEPS_EVERY = 25
"""Every n-th game is compared entry by entry: all move lists, and positions."""

POSITION_EVERY = 4
"""Whole positions are compared after this many entries, and at the end of each round."""

PROOF = int(os.environ.get("TUILERIE_GAMES", "100000"))

KINDS = [
    *(Kind(players) for players in (2, 3, 4, 5, 6)),
    *(Kind(players, kaos=False) for players in (2, 3, 4, 5, 6)),
    Kind(3, draft=False),
    Kind(4, kaos=False, draft=False, timed=False),
    Kind(2, timed=False),
]
"""Kinds of tables with the newest rules."""

OLDER = [replace(kind, version=number) for number in VERSIONS for kind in KINDS][: -len(KINDS)]
"""The same with all older rules, which no longer change: fewer games."""

OLDER_SHARE = 5

EVERY_KIND = [*KINDS, *OLDER]


RECORDS = sorted((Path(__file__).parents[1] / "fixtures" / "rules-1").glob("kaosmos-*.jsonl"))


def name_of(kind: Kind) -> str:
    chosen = [name for name in ("kaos", "draft", "timed") if getattr(kind, name)]
    return "-".join((f"rules={kind.version}", f"{kind.players}", *chosen))


def games_of(kind: Kind, number: int) -> int:
    return number if kind.version == NEWEST.number else -(-number // OLDER_SHARE)


def start_of(kind: Kind) -> tuple[Kaosmos, State]:
    """Return the game of a kind and its initial state."""
    game = Kaosmos(version=VERSIONS[kind.version])
    seconds = 60 if kind.timed else None
    options = {"kaos": kind.kaos, "draft": kind.draft, "seconds": seconds}
    return game, game.start(kind.players, options)


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


def counted_by_rules(galaxy: Galaxy, rules: RoundRules, box: Box) -> tuple[Any, ...]:
    """Count by the Python rules, in the core's format."""
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
def test_both_engines_score_equally_under_every_card(card: str | None) -> None:
    random, rules, box = Random(f"{card}"), BOX.rules(card), fast.core_box()
    for number in range(150):
        galaxy = random_galaxy(random, rules, holes=number % 3 == 0)
        found = core.count(box, card or "-", fast.write_galaxy(galaxy))
        assert found == counted_by_rules(galaxy, rules, BOX), fast.write_galaxy(galaxy)


def random_box(random: Random) -> Box:
    """Random tiles, and cards with combinations of effects."""
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


def test_both_engines_score_equally_with_random_boxes() -> None:
    random = Random(5)
    for _ in range(4):
        box = random_box(random)
        known = fast.core_box(box)
        for card, rules in box.cards.items():
            for _ in range(10):
                galaxy = random_galaxy(random, rules, box)
                found = core.count(known, card, fast.write_galaxy(galaxy))
                assert found == counted_by_rules(galaxy, rules, box)


# --- whole games ----------------------------------------------------------------------------------


def compare_rounds(kind: Kind, games: range) -> set[str]:
    """Let the core play random games, and count each round by the rules."""
    met = set()
    for seed in games:
        rounds, last = fast.random_rounds(kind, seed)
        assert len(rounds) == 5
        markers: list[Markers] = [dict.fromkeys(MARKERS, 0)] * kind.players
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


@pytest.mark.parametrize("kind", EVERY_KIND, ids=name_of)
def test_both_engines_score_random_games_equally(kind: Kind) -> None:
    games = games_of(kind, GAMES)
    met = compare_rounds(kind, range(games))
    if kind.kaos and games >= 100:
        assert met == set(BOX.cards)


@pytest.mark.proof
@pytest.mark.parametrize("kind", EVERY_KIND, ids=name_of)
def test_both_engines_score_many_random_games_equally(kind: Kind) -> None:
    compare_rounds(kind, range(games_of(kind, PROOF)))


def read_entry(words: str) -> Entry[Any]:
    """Convert the core's text to an entry."""
    first, _, rest = words.partition(" ")
    if first == "time":
        return Timeout()
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


def legal_moves_text(state: State, entry: Entry[Any]) -> str:
    """The legal moves of the acting seat, and of seats that are not waited for."""
    acting = entry.seat if isinstance(entry, Action) else None
    moves: list[str] = []
    for seat, hand in enumerate(state.hands):
        if seat == acting or seat not in state.waiting:
            moves += legal_texts(state, seat, hand)
    return " ".join((*moves, ""))


def compare_steps(kind: Kind, seed: int) -> None:
    """Let the core play a random game, and compare every step with the rules."""
    game, state = start_of(kind)
    for number, (words, legal, after) in enumerate(fast.random_game(kind, seed)):
        entry = read_entry(words)
        assert crc32(legal_moves_text(state, entry).encode()) == legal, words
        round_before, state = state.round, game.apply(state, entry).state
        if number % POSITION_EVERY == 0 or state.round != round_before or state.result:
            assert crc32(fast.write_position(state).encode()) == after, words
    assert state.result == final(state.markers)


@pytest.mark.parametrize("kind", EVERY_KIND, ids=name_of)
def test_every_entry_leads_to_the_same_position(kind: Kind) -> None:
    for seed in range(-(-games_of(kind, GAMES) // STEPS_EVERY)):
        compare_steps(kind, seed)


@pytest.mark.proof
@pytest.mark.parametrize("kind", EVERY_KIND, ids=name_of)
def test_every_entry_of_many_games_leads_to_the_same_position(kind: Kind) -> None:
    for seed in range(1000, 1000 + games_of(kind, PROOF)):
        compare_steps(kind, seed)


def compare_moves(state: State) -> None:
    """Compare the position and the legal moves of each seat."""
    written = fast.write_position(state)
    assert core.rewritten(fast.core_box(), written) == written
    for seat, hand in enumerate(state.hands):
        moves = list(legal_texts(state, seat, hand))
        assert core.legal(fast.core_box(), written, seat) == moves, written


@pytest.mark.parametrize("kind", EVERY_KIND, ids=name_of)
def test_positions_and_moves_round_trip_through_the_core(kind: Kind) -> None:
    game, state = start_of(kind)
    for words, *_ in fast.random_game(kind, 7):
        compare_moves(state)
        state = game.apply(state, read_entry(words)).state


# --- the versions of the rules --------------------------------------------------------------------


def test_both_engines_know_the_same_versions() -> None:
    assert core.versions() == [
        (each.number, each.face_down, each.bonus_after_done, each.bonus_unfinished)
        for each in VERSIONS.values()
    ]


def grabs_of(state: State, seat: int) -> list[str]:
    """The bonus moves that the core offers."""
    moves = core.legal(fast.core_box(), fast.write_position(state), seat)
    return [move for move in moves if move.startswith("grab")]


ALL_GRABS = [
    "grab green",
    "grab blue",
    "grab orange",
    "grab green blue",
    "grab green orange",
    "grab blue orange",
    "grab green blue orange",
]


def driver_by(version: int) -> GameDriver:
    """Two players who build without a draft, by a version of the rules."""
    driver = GameDriver(game=Kaosmos(version=VERSIONS[version]), kaos=False, draft=False)
    return driver.draw(tiles_of(MARTIN), tiles_of(OTHER))


@pytest.mark.parametrize(("version", "offered"), [(1, []), (2, ALL_GRABS)])
def test_bonus_moves_with_an_incomplete_galaxy(version: int, offered: list[str]) -> None:
    driver = driver_by(version).act(0, "put T03 a1 3")
    assert grabs_of(driver.state, 0) == offered
    compare_moves(driver.state)


@pytest.mark.parametrize(("version", "offered"), [(1, []), (2, ALL_GRABS)])
def test_bonus_moves_after_done(version: int, offered: list[str]) -> None:
    driver = driver_by(version).lay(0, parse_galaxy(MARTIN)).act(0, "done")
    assert core.legal(fast.core_box(), fast.write_position(driver.state), 0) == offered
    if version == NEWEST.number:
        driver.act(0, "grab green")
        assert not grabs_of(driver.state, 0)  # only once
        assert grabs_of(driver.state, 1) == ["grab blue", "grab orange", "grab blue orange"]
    compare_moves(driver.state)


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_random_games_use_everything_that_a_version_allows(version: int) -> None:
    """All entries are accepted by the Python rules of that version."""
    kind, after_done, unfinished, face_down = Kind(3, version=version), 0, 0, 0
    for seed in range(40):
        game, state = start_of(kind)
        for words, *_ in fast.random_game(kind, seed):
            entry = read_entry(words)
            if isinstance(entry, Action) and isinstance(entry.move, Grab):
                after_done += entry.seat in state.locked
                unfinished += not state.is_complete(entry.seat)
            state = game.apply(state, entry).state
            face_down += state.phase == "draw" and bool(state.hands[0].kept)
    known = VERSIONS[version]
    assert (after_done > 9) == known.bonus_after_done
    assert (unfinished > 9) == known.bonus_unfinished
    assert (face_down > 9) == known.face_down


@pytest.mark.parametrize("rules", ["rules=99", "rules=0", "rules=-1", "rules=", "rules=2.0", ""])
def test_position_with_an_unknown_rules_version_is_refused(rules: str) -> None:
    state = driver_by(2).state
    text = fast.write_position(state).replace("rules=2", rules)
    view = fast.write_view(GAME.view(state, 0)).replace("rules=2", rules)
    box, complaint = fast.core_box(), "rules .*expected .*one of 1,2"
    for call in (
        lambda: core.rewritten(box, text),
        lambda: core.legal(box, text, 0),
        lambda: core.resample(box, view, 1),
        lambda: core.odds(box, view, 1, 5, 1),
    ):
        with pytest.raises(ValueError, match=complaint):
            call()


def test_random_game_with_an_unknown_rules_version_is_refused() -> None:
    for play in (fast.random_game, fast.random_rounds):
        with pytest.raises(ValueError, match="unknown rules ‘99’: expected one of 1,2"):
            play(Kind(2, version=99), 1)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_core_agrees_on_records_of_rules_version_1(path: Path) -> None:
    """Compares the legal moves in each position of a record."""
    done = record.replay(path.read_text())
    assert done.confirmed
    assert done.header.rules == 1
    state = done.start
    for played in done.played:
        assert "rules=1 " in fast.write_position(state)
        compare_moves(state)
        if isinstance(played.entry, Action):
            moves = core.legal(fast.core_box(), fast.write_position(state), played.entry.seat)
            assert str(played.entry.move) in moves
        state = played.state


def test_odds_fill_a_galaxy_locked_early_at_random() -> None:
    """A galaxy of one tile: the other zones will be larger."""
    driver = driver_by(2).act(1, "put T01 a1 0")
    driver.act(1, "grab green")
    view = driver.view(0)
    lies = count(driver.state.galaxies[1]).largest["blue"]
    odds = fast.odds(view, 200, 5, 1)["blue"]
    assert odds[lies] < 0.5
    assert odds[-1] > 0.95
    assert any(0 < chance < 1 for chance in odds)


# --- bad input ------------------------------------------------------------------------------------

SAID = """
T01 T99 a1:T03/90 b2:T03/0 - ?9 0,1 players=2 players=9 0.supply=?9 viewer=0 seen=T01/T02 round=3
phase=draft phase=building 1.galaxy=a1:T04/0 0.packet=T05,T06,T07,T08 waiting=0,1 green=3:1 = x= T04
B0,B2,K,G1 NW 0.= 1.packet=?9 draft=1 rules=1 rules=2 rules=99 1.locked=1 1.supply=?8 1.kept=?9
0.kept=?9 card=trou-noir card=derive 1.galaxy=a1:T04/0,c3:T07/90,i9:T08/0 bonuses=1,-,-
"""
WORDS = st.sampled_from(SAID.split())
SAYINGS = st.lists(WORDS, max_size=9).map(" ".join)
TEXTS = st.one_of(st.text(max_size=40), SAYINGS, SAYINGS.map("rules=2 players=2 viewer=0 ".__add__))


def refusal_of(call: Callable[[], object]) -> ValueError | None:
    try:
        call()
    except ValueError as refused:
        return refused
    return None


@given(TEXTS, TEXTS, st.integers(0, 2**64 - 1))
@example("", "\x00", 0)  # a NUL once truncated the message
def test_malformed_text_raises_value_error(one: str, other: str, seed: int) -> None:
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


def test_error_message_names_found_and_expected() -> None:
    box = fast.core_box()
    with pytest.raises(ValueError, match="bad tile ‘T9’: expected T00 to T99"):
        core.solve(box, "-", "T9", "-", (0, 0, 0, 0), 0.0, [], 9, 0.0, 0, 1)
    with pytest.raises(ValueError, match="bad total ‘31’: expected 0 to 30"):
        core.solve(box, "-", "T01", "-", (0, 31, 0, 0), 0.0, [], 9, 0.0, 0, 1)
    with pytest.raises(ValueError, match="unknown card ‘x’"):
        core.count(box, "x", "-")
