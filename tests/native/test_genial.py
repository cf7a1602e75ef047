"""Génial!: the compiled core agrees with the Python rules, move by move and point by point."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.perft import after
from tests.tables import TABLES, Table, random_game
from tuilerie import native
from tuilerie.games import GAMES
from tuilerie.games.game import Action, Chance, Json, TilesDrawn
from tuilerie.games.genial.board import Board
from tuilerie.games.genial.events import Scored
from tuilerie.games.genial.legal import all_placements
from tuilerie.games.genial.notation import GenialMove, Keep, Swap
from tuilerie.games.genial.state import State
from tuilerie.games.genial.tiles import Tile
from tuilerie.games.genial.view import preview

if not native.is_compiled():
    pytest.skip("the compiled core is not built", allow_module_level=True)

from tuilerie.native import _genial as baseline
from tuilerie.native import genial as fast

core = vars(fast)["core"]

GAME = GAMES["genial"]
GENIAL = [table for table in TABLES if table.game == "genial"]
GAMES_PLAYED = int(os.environ.get("TUILERIE_GAMES", "4"))
WHOLE_EVERY = 250  # every n-th game also compares the points of each legal move

every_table = pytest.mark.parametrize("table", GENIAL, ids=str)


def start_of(table: Table) -> State:
    state: State = GAME.start(table.players, GAME.options(table.players, table.options))
    return state


def entry_of(text: str) -> Json:
    """Convert the core's text to an entry of the Python rules."""
    if text.startswith("d"):
        what, seat, tiles = text.split()
        drawn = tuple(tiles[at : at + 2] for at in range(0, len(tiles), 2))
        return TilesDrawn(what, int(seat), drawn)
    return GAME.parse_move(text)


def comparable(state: State) -> State:
    """The state without the fields that the core does not have."""
    return replace(state, number=0, returned=())


def expected_moves(state: State) -> list[tuple[str, int, int]]:
    """Every legal move with its points, by the rules."""
    points = preview(state.board, state.symbols)
    found = []
    for move in GAME.legal(state, state.seat):
        if state.phase == "swap":
            found.append((str(move), 0, 0))
        else:
            first = points[move.tile[0]].get(move.first, 0)
            second = points[move.tile[1]].get(move.second, 0)
            found.append((str(move), first, second))
    return found


@cache
def numbered(board: Board) -> list[GenialMove]:
    """All moves on a board, in the order of the core's move numbers."""
    table = all_placements(board)
    moves = [move for tile in sorted(table) for way_round in table[tile] for move in way_round]
    return [*moves, Swap(), Keep()]


def compare_game(table: Table, seed: int, whole: bool) -> None:
    """Replay a random game of the core by the rules.

    Compares at every step the legal moves and the points of the placement, and the final state and
    result. `whole`: also compares at every step the points of each legal move and the whole state.
    """
    state = start_of(table)
    story, end = fast.random_game(fast.write_state(state), seed)
    for text, legal, first, second in story:
        entry = entry_of(text)
        moves = GAME.legal(state, state.seat)
        numbers = list(map(numbered(state.board).__getitem__, memoryview(legal).cast("H")))
        assert numbers == moves, (text, seed)
        if whole and moves:
            assert fast.moves(fast.write_state(state)) == expected_moves(state)
        before = fast.write_state(state) if whole else ""
        move = entry if isinstance(entry, Chance) else Action(state.seat, entry)
        state, events = GAME.apply(state, move)
        scored = [event for event in events if isinstance(event, Scored)]
        assert [(h[0].points, h[1].points) for h in (e.halves for e in scored)] == (
            [(first, second)] if scored else []
        )
        if whole:
            assert fast.read_state(fast.apply(before, text)) == comparable(state), text
    assert GAME.result(state) is not None
    assert fast.read_state(end) == comparable(state)


@every_table
def test_both_engines_play_the_same_games(table: Table) -> None:
    for seed in range(GAMES_PLAYED):
        compare_game(table, seed, whole=seed % WHOLE_EVERY == 0)


@pytest.mark.proof
@every_table
def test_both_engines_play_the_same_games_a_hundred_thousand_times(table: Table) -> None:
    for seed in range(int(os.environ.get("TUILERIE_GAMES", "100000"))):
        compare_game(table, 10_000 + seed, whole=seed % WHOLE_EVERY == 0)


@every_table
def test_core_replays_games_of_the_rules(table: Table) -> None:
    """The core replays games of the rules by greedy bots, which reach bonuses."""
    for moment in random_game(table, seed=5, bots=("greedy",)):
        entry = moment.entry
        if isinstance(entry, TilesDrawn):
            text = f"{entry.what} {entry.seat} {''.join(entry.tiles)}"
        else:
            assert isinstance(entry, Action)
            text = str(entry.move)
            listed = [move for move, *_ in fast.moves(fast.write_state(moment.before))]
            assert listed == list(GAME.view(moment.before, entry.seat).legal)
        after_it = fast.apply(fast.write_state(moment.before), text)
        assert fast.read_state(after_it) == comparable(moment.after), text
        assert after_it.split(" ")[:-1] == fast.write_state(moment.after).split(" ")[:-1]


def test_both_builds_of_the_core_agree() -> None:
    for table, seed in product(GENIAL, range(3)):
        begin = fast.write_state(start_of(table))
        assert fast.random_game(begin, seed) == baseline.random_game(begin, seed)
        assert core.playouts(begin, seed, 3, 1, True) == baseline.playouts(begin, seed, 3, 1, True)


# --- counting ---


def rules_perft(state: State, depth: int) -> int:
    while GAME.due(state):
        state = GAME.apply(state, GAME.chance(state, lambda n: 0)).state
    if depth == 0 or GAME.result(state) is not None:
        return 1
    moves = GAME.legal(state, state.seat)
    if depth == 1:
        return len(moves)
    return sum(
        rules_perft(GAME.apply(state, Action(state.seat, m)).state, depth - 1) for m in moves
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "actions", "depth"),
    [
        (Table("genial", 1), 34, 3),
        (Table("genial", 2), 0, 2),
        (Table("genial", 2), 32, 3),
        (Table("genial", 3), 52, 2),
        (Table("genial", 4, {"adjacent": True}), 74, 3),
        (Table("genial", 2, {"variant": "duel"}), 34, 3),
        (Table("genial", 4, {"variant": "teams"}), 72, 3),
    ],
    ids=str,
)
def test_perft_agrees(table: Table, actions: int, depth: int) -> None:
    state = after(table, actions)
    text = fast.write_state(state)
    assert fast.perft(text, depth) == rules_perft(state, depth)


@pytest.mark.proof
def test_deep_perft() -> None:
    for table, actions, depth in ((GENIAL[1], 24, 3), (GENIAL[2], 48, 3), (GENIAL[3], 70, 3)):
        state = after(table, actions)
        assert fast.perft(fast.write_state(state), depth) == rules_perft(state, depth)


# --- chance ---


@pytest.mark.slow
def test_random_first_moves_are_uniform() -> None:
    """Chi-squared test (4 sigma) of the first moves of many games."""
    state = after(Table("genial", 2), 34)
    text = fast.write_state(state)
    moves = [move for move, *_ in fast.moves(text)]
    rounds = 200 * len(moves)
    seen = Counter(fast.random_game(text, seed)[0][0][0] for seed in range(rounds))
    assert set(seen) == set(moves)
    off = sum((seen[move] - 200) ** 2 / 200 for move in moves)
    freedom = len(moves) - 1
    assert abs(off - freedom) < 4 * (2 * freedom) ** 0.5


def test_playouts_agree_with_the_rules() -> None:
    begin = fast.start(2)
    tally = fast.playouts(begin, 1, 2_000, threads=2)
    assert tally.games == 2_000
    assert sum(tally.wins) == pytest.approx(2_000)
    assert tally == fast.playouts(begin, 1, 2_000, threads=2)
    assert 37 < tally.placements / tally.games < 39
    greedy = fast.playouts(begin, 1, 500, greedy=True)
    assert greedy.lowest > tally.lowest + 4


# --- greedy policy ---


@every_table
def test_greedy_placement_has_the_largest_gain(table: Table) -> None:
    for moment in random_game(table, seed=9):
        state = moment.after
        if state.phase == "place":
            move, gain, best = core.greedy_move(fast.write_state(state), state.turns)
            assert gain == best, move
            assert move in GAME.view(state, state.seat).legal


# --- hidden tiles ---


def hidden_hands(table: Table, view: Json, seed: int) -> State:
    return fast.read_state(fast.resample(fast.write_view(view), seed))


@every_table
def test_resampling_is_consistent_with_the_view(table: Table) -> None:
    for moment in random_game(table, seed=4, bots=("greedy", "random")):
        state = moment.after
        viewers = {"place": range(table.players), "swap": [state.seat]}.get(state.phase, ())
        for viewer in viewers:
            view = GAME.view(state, viewer)
            dealt = replace(
                hidden_hands(table, view, state.number),
                number=state.number,
                returned=state.returned,
            )
            assert GAME.view(dealt, viewer) == view
            assert sorted(dealt.bag + sum(dealt.hands, ())) == sorted(
                state.bag + sum(state.hands, ())
            )


@pytest.mark.slow
def test_resampling_is_uniform_over_hidden_tiles() -> None:
    state = after(Table("genial", 3), 12)
    assert state.returned == ()
    view = GAME.view(state, state.seat)
    rounds = 3_000
    seen: Counter[Tile] = Counter()
    for seed in range(rounds):
        seen.update(hidden_hands(Table("genial", 3), view, seed).hands[(state.seat + 1) % 3])
    unseen = Counter(view.unseen)
    for tile, copies in unseen.items():
        expected = rounds * 6 * copies / sum(view.unseen.values())
        assert abs(seen[tile] - expected) < 5 * expected**0.5


def after_a_swap() -> State:
    """A state in which seat 0 has just shown all red doubles in a swap, and seat 1 is on turn."""
    state = GAME.start(2, GAME.options(2, {}))
    for seat, tiles in enumerate((("RR",) * 5 + ("RY",), ("GG",) * 5 + ("GO",))):
        state = GAME.apply(state, TilesDrawn("deal", seat, tiles)).state
    state = GAME.apply(state, Action(0, GAME.parse_move("RY l8 l7"))).state
    assert state.phase == "swap"
    state = GAME.apply(state, Action(0, GAME.parse_move("swap"))).state
    drawn = TilesDrawn("draw", 0, ("YB", "YB", "YG", "YP", "YO", "YY"))
    after_it: State = GAME.apply(state, drawn).state
    return after_it


def test_returned_tiles_are_not_in_hands_drawn_before() -> None:
    state = after_a_swap()
    assert [one.tiles for one in state.returned] == [("RR",) * 5]
    for viewer, other in ((0, 1), (1, 0)):
        view = GAME.view(state, viewer)
        for seed in range(50):
            assert "RR" not in hidden_hands(Table("genial", 2), view, seed).hands[other]


def test_a_tile_drawn_after_a_swap_may_be_a_returned_one() -> None:
    state = after_a_swap()
    state = GAME.apply(state, Action(1, GAME.parse_move("GG m12 l12"))).state
    if state.phase == "swap":
        state = GAME.apply(state, Action(1, GAME.parse_move("keep"))).state
    state = GAME.apply(state, TilesDrawn("draw", 1, ("RR",))).state
    hands = [
        hidden_hands(Table("genial", 2), GAME.view(state, 0), seed).hands[1] for seed in range(300)
    ]
    counts = Counter(hand.count(Tile("RR")) for hand in hands)
    assert set(counts) == {0, 1}


# --- bad input ---


@pytest.mark.parametrize(
    ("at", "word", "message"),
    [
        (0, "7", "the number of players must be a number from 1 to 4, not '7'"),
        (1, "chess", "unknown variant, not 'chess'"),
        (1, "teams", "not so many players for this variant, not '2'"),
        (3, "sleep", "unknown phase, not 'sleep'"),
        (4, "2", "the seat must be a number from 0 to 1, not '2'"),
        (7, "h8-z9", "a cell must be on the board, such as h8, not 'z9'"),
        (8, "...", "the board must have 91 cells, not '...'"),
        (9, "0,0,0,0,0,0", "there must be 2 tracks, not '0,0,0,0,0,0'"),
        (10, "RY/RX", "a tile must be two letters such as RY or GG, not 'RX'"),
        (11, "RYR", "too many tiles, or half a tile, not 'RYR'"),
        (11, "-", "impossible position: there must be 120 tiles in all"),
        (13, "RY", "returned tiles must be such as RYGG:0,1, not 'RY'"),
    ],
)
def test_invalid_position_is_refused(at: int, word: str, message: str) -> None:
    words = fast.start(2).split(" ")
    words[at] = word
    with pytest.raises(ValueError, match=r"not|must") as refused:
        fast.result(" ".join(words))
    assert str(refused.value) == message


POSITION = fast.write_state(after(Table("genial", 2), 9)).split(" ")
LINE = st.text(alphabet="RYBGPO.?-/,:0123 placeh", max_size=200)


@settings(deadline=None)
@given(at=st.integers(0, len(POSITION) - 1), word=LINE, seed=st.integers(0, 2**63))
def test_arbitrary_word_is_parsed_or_refused(at: int, word: str, seed: int) -> None:
    """Replaces one word of a position: an answer or a ValueError, never a crash."""
    text = " ".join([*POSITION[:at], word, *POSITION[at + 1 :]])
    for ask in (fast.result, fast.moves):
        with suppress(ValueError):
            ask(text)
    with suppress(ValueError):
        fast.random_game(fast.resample(text, seed), seed)


@settings(deadline=None)
@given(cuts=st.lists(st.tuples(st.integers(0, 600), st.sampled_from("R?.-/:,9 a")), max_size=4))
def test_mutated_position_is_parsed_or_refused(cuts: list[tuple[int, str]]) -> None:
    text = list(" ".join(POSITION))
    for at, sign in cuts:
        text[at % len(text)] = sign
    with suppress(ValueError):
        fast.random_game("".join(text), len(cuts))


@settings(deadline=None)
@given(entry=st.one_of(st.text(max_size=30), LINE, st.sampled_from(["swap", "draw 0 RR", "RR"])))
def test_arbitrary_entry_is_accepted_or_refused(entry: str) -> None:
    position = " ".join(POSITION)
    if entry in [move for move, *_ in fast.moves(position)]:
        assert fast.apply(position, entry) != position
    else:
        with pytest.raises(ValueError, match=r"\w"):
            fast.apply(position, entry)
