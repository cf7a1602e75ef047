"""Blockers!: the compiled core agrees with the Python rules."""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from zlib import crc32

import pytest

from tests.games.blockers.helpers import STUCK, STUCK_RACKS, position, steps
from tests.perft import after
from tests.tables import Table
from tuilerie import native
from tuilerie.bots.blockers import greedy_choices
from tuilerie.games.blockers import GAME
from tuilerie.games.blockers.notation import MOVES, BlockersMove
from tuilerie.games.blockers.score import score_of
from tuilerie.games.blockers.state import State
from tuilerie.games.blockers.tiles import Tile
from tuilerie.games.game import Action, Entry, Seat, TilesDrawn

if not native.is_compiled():
    pytest.skip(f"the core is not built: {native.why_not_compiled()}", allow_module_level=True)

from tuilerie.native import _blockers
from tuilerie.native.blockers import (
    playouts,
    resample,
    state_of,
    text_of_state,
    text_of_view,
    tiles_of,
)

TABLES = [
    Table("blockers", players, {"scoring": scoring})
    for scoring in ("blockers", "uptown")
    for players in (2, 3, 4, 5)
]
GAMES = int(os.environ.get("TUILERIE_GAMES", "4"))
PROOF = int(os.environ.get("TUILERIE_GAMES", "100000"))

STATE_EVERY = 4  # compare whole states after this many entries, and at the end
SCORES_EVERY = 60  # make every legal move in both engines after this many entries


def start(table: Table, seed: int) -> State:
    pick = Random(seed).randrange
    options = GAME.draw_lots(table.players, table.options, pick)
    if seed % 5 == 0:  # other colours, in another order
        letters = Random(seed).sample("bygrk", 4 if table.players == 2 else table.players)
        each = 2 if table.players == 2 else 1
        colours = ["".join(letters[i : i + each]) for i in range(0, len(letters), each)]
        options = {**options, "colours": colours}
    state = GAME.start(table.players, options)
    assert isinstance(state, State)
    return state


def entry_of(state: State, text: str) -> Entry[BlockersMove]:
    """Convert the core's text to an entry of the Python rules."""
    kind, _, tiles = text.partition(" ")
    if kind in ("deal", "draw"):
        return TilesDrawn(kind, state.seat, tiles_of(tiles))
    return Action(state.seat, GAME.parse_move(text))


def legal_texts(state: State) -> list[str]:
    return list(map(str, GAME.legal(state, state.seat)))


TEXTS = {
    id(move): f"{move} "
    for moves in (*MOVES.placements.values(), [(None, *MOVES.discards.values())])
    for _, *both in moves
    for move in both
}
"""Moves are interned by the rules, so their identity is a fast key."""


def legal_text(state: State) -> bytes:
    """All legal moves in the core's format for checksums."""
    return "".join(map(TEXTS.__getitem__, map(id, GAME.legal(state, state.seat)))).encode()


def score_now(state: State, seat: Seat) -> int:
    return score_of(state.options, seat, state._cells, state.captures[seat]).score


def concerned(state: State, entry: Entry[BlockersMove]) -> set[Seat]:
    """Return the seats whose scores a move can change: its own, and that of a captured tile."""
    if not isinstance(entry, Action):
        return set()
    there = state.board.get(getattr(entry.move, "cell", None))  # type: ignore[arg-type]
    colours = state.options.colours
    return {entry.seat, *(s for s, own in enumerate(colours) if there and there[0] in own)}


def compare_a_game(table: Table, seed: int) -> None:
    """Let the core play a random game, and compare every step with the rules."""
    state = start(table, seed)
    last = [0] * table.players
    for number, (text, legal, after_it, scores) in enumerate(
        _blockers.random_game(text_of_state(state), seed)
    ):
        moves = legal_text(state)
        assert crc32(moves) == legal
        if moves and number % SCORES_EVERY == seed % SCORES_EVERY:
            compare_scores(state)
        before, entry = state, entry_of(state, text)
        state = GAME.apply(before, entry).state
        touched = concerned(before, entry)
        assert [(score_now(state, seat), seat) for seat in touched] == [
            (scores[seat], seat) for seat in touched
        ]
        others = set(range(table.players)) - touched
        assert [scores[seat] for seat in others] == [last[seat] for seat in others]
        last = scores
        if number % STATE_EVERY == 0 or GAME.result(state) is not None:
            assert crc32(text_of_state(state).encode()) == after_it
    compare_results(state)


def compare_scores(state: State) -> None:
    """Make every legal move in both engines."""
    expected = []
    for move in GAME.legal(state, state.seat):
        then = GAME.apply(state, Action(state.seat, move)).state
        there = state.board.get(getattr(move, "cell", None))  # type: ignore[arg-type]
        expected.append(
            (
                str(move),
                then.groups[move.tile[0]],
                -1 if there is None else then.groups[there[0]],
                score_now(then, state.seat),
            )
        )
    assert _blockers.scores(text_of_state(state)) == expected


def compare_results(state: State) -> None:
    assert state.result is not None
    found = _blockers.standings(text_of_state(state))
    assert [(score["groups"], score["score"]) for score in state.result.scores] == [
        (groups, score) for groups, _, score in found
    ]
    keys = [(score, captures) for _, captures, score in found]
    assert state.result.places == tuple(1 + sum(o < key for o in keys) for key in keys)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_both_engines_play_the_same_games(table: Table) -> None:
    for seed in range(GAMES):
        compare_a_game(table, seed)


@pytest.mark.proof
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_both_engines_play_many_same_games(table: Table) -> None:
    for seed in range(1000, 1000 + PROOF):
        compare_a_game(table, seed)


# --- texts ---


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_states_round_trip_through_the_core(table: Table) -> None:
    for state, entry, step in steps(table.players, 5, **table.options):
        text = text_of_state(state)
        assert state_of(text) == state
        assert _blockers.resample(text, 1) == text
        what = (
            f"{entry.what} {''.join(entry.tiles)}"
            if isinstance(entry, TilesDrawn)
            else str(entry.move)  # type: ignore[union-attr]
        )
        assert state_of(_blockers.after(text, what)) == step.state
    assert state_of(text_of_state(step.state)) == step.state


STUCK_CAPTURES = ["", "bDbEbFbGbHbIb8b9b#4b#5g#7g#8g#9g9", ""]


def stuck() -> State:
    """Blue can neither lay nor capture, after fifteen rounds."""
    captured = [" ".join(tiles_of(tiles)) for tiles in STUCK_CAPTURES]
    return position(STUCK, STUCK_RACKS, captures=captured)


def test_both_engines_agree_on_a_forced_discard() -> None:
    state = stuck()
    moves = legal_texts(state)
    assert moves == ["discard bA", "discard bB", "discard b#1", "discard b#2", "discard b#3"]
    text = text_of_state(state)
    assert _blockers.legal(text) == moves
    assert _blockers.greedy(text) == moves
    compare_scores(state)
    then = GAME.apply(state, Action(0, GAME.parse_move("discard bB"))).state
    assert state_of(_blockers.after(text, "discard bB")) == then
    drawn = GAME.apply(then, TilesDrawn("draw", 0, ("b*",))).state
    assert state_of(_blockers.after(text_of_state(then), "draw b*")) == drawn
    compare_a_game_from(drawn, 1)


def compare_a_game_from(state: State, seed: int) -> None:
    for text, legal, after_it, _scores in _blockers.random_game(text_of_state(state), seed):
        assert crc32(legal_text(state)) == legal
        state = GAME.apply(state, entry_of(state, text)).state
        assert crc32(text_of_state(state).encode()) == after_it
    compare_results(state)


def test_greedy_policies_discard_a_joker_last() -> None:
    state = stuck()
    text = text_of_state(state)
    assert _blockers.greedy(text) == list(greedy_choices(GAME.view(state, 0)))


# --- move counts ---


def perft(state: State, depth: int) -> int:
    """As in tests/perft.py, but always drawing the first tile of a pile."""
    while GAME.due(state):
        state = GAME.apply(state, GAME.chance(state, lambda n: 0)).state
    if depth == 0 or GAME.result(state) is not None:
        return 1
    moves = GAME.legal(state, state.seat)
    if depth == 1:
        return len(moves)
    return sum(perft(GAME.apply(state, Action(state.seat, m)).state, depth - 1) for m in moves)


@pytest.mark.parametrize(
    ("table", "actions", "depth"),
    [
        (TABLES[0], 0, 2),
        (TABLES[0], 90, 3),
        (TABLES[1], 10, 2),
        (TABLES[2], 80, 2),
        (TABLES[2], 94, 4),
        (TABLES[3], 100, 2),
    ],
    ids=str,
)
def test_perft_agrees(table: Table, actions: int, depth: int) -> None:
    state = after(table, actions)
    assert _blockers.perft(text_of_state(state), depth) == perft(state, depth)


# --- policies and sampling ---


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_greedy_policies_agree(table: Table) -> None:
    """Compares positions of games with mixed greedy and random moves."""
    pick = Random(3).randrange
    state = start(table, 3)
    while GAME.result(state) is None:
        if GAME.due(state):
            state = GAME.apply(state, GAME.chance(state, pick)).state
            continue
        ties = greedy_choices(GAME.view(state, state.seat))
        assert set(_blockers.greedy(text_of_state(state))) == set(ties)
        moves = legal_texts(state) if pick(3) == 0 else ties
        move = GAME.parse_move(moves[pick(len(moves))])
        state = GAME.apply(state, Action(state.seat, move)).state


def chi_square(found: Counter[str], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in found.values())


@pytest.mark.slow
def test_random_first_moves_are_uniform() -> None:
    state = after(TABLES[2], 60)
    text = text_of_state(state)
    moves = legal_texts(state)
    games = 60 * len(moves)
    found = Counter(dict.fromkeys(moves, 0))
    found.update(_blockers.random_game(text, seed)[0][0] for seed in range(games))
    assert set(found) == set(moves)
    # The mean is the degrees of freedom; a deviation of five sigma is practically impossible.
    freedom = len(moves) - 1
    assert chi_square(found, games / len(moves)) < freedom + 5 * (2 * freedom) ** 0.5


def test_resampling_is_consistent_with_the_view() -> None:
    for table in TABLES[:4]:
        for actions in (0, 30, 70):
            state = after(table, actions)
            for viewer in range(table.players):
                view = GAME.view(state, viewer)
                for seed in range(5):
                    assert GAME.view(resample(view, seed), viewer) == view


@pytest.mark.slow
def test_resampling_is_uniform_over_hidden_tiles() -> None:
    state = after(TABLES[1], 31)
    view = GAME.view(state, 0)
    found: Counter[Tile] = Counter()
    samples = 3000
    for seed in range(samples):
        found.update(tile for tile in resample(view, seed).racks[1])
    hidden = {*state.racks[1], *state.piles["y"]}
    assert set(found) == hidden
    expected = samples * 5 / len(hidden)
    assert all(abs(count - expected) < 5 * expected**0.5 for count in found.values())


def test_resampling_keeps_a_shown_rack() -> None:
    state = GAME.apply(stuck(), Action(0, GAME.parse_move("discard bB"))).state
    state = GAME.apply(state, TilesDrawn("draw", 0, ("b*",))).state
    view = GAME.view(state, 1)
    racks = {resample(view, seed).racks[0] for seed in range(100)}
    assert all({"bA", "b#1", "b#2", "b#3"} < set(rack) for rack in racks)
    hidden = {*state.piles["b"], "b*"}
    assert {tile for rack in racks for tile in rack} == {"bA", "b#1", "b#2", "b#3"} | hidden


# --- many games ---


def test_playouts_do_not_depend_on_threads() -> None:
    state = start(TABLES[2], 1)
    alone, together = (playouts(state, 200, seed=4, threads=n) for n in (1, 3))
    assert (
        (alone.moves, alone.points) == (together.moves, together.points) == (200 * 96, alone.points)
    )
    assert alone.wins == pytest.approx(together.wins)
    assert sum(alone.wins) == pytest.approx(200)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_greedy_playouts_score_lower_than_random_ones(table: Table) -> None:
    state = start(table, 1)
    random, greedy = (playouts(state, 50, seed=1, greedy=by) for by in (False, True))
    assert max(greedy.points) * 1.5 < min(random.points)


# --- bad input ---

GOOD = text_of_state(after(TABLES[1], 4)).split(" ")


def broken(word: int, text: str) -> str:
    return " ".join([*GOOD[:word], text, *GOOD[word + 1 :]])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "position: found '', expected thirteen words"),
        (broken(0, "b,y,"), "colours: found 'b,y,'"),
        (broken(0, "b"), "colours: found 'b', expected two to five seats"),
        (broken(0, "b,y,b"), "colours: found 'b', expected each colour only once"),
        (broken(0, "b,y,z"), "colours: found 'z'"),
        (broken(1, "chess"), "scoring: found 'chess', expected blockers or uptown"),
        (broken(2, "3"), "first: found '3', expected a number from 0 to 2"),
        (broken(3, "-1"), "number: found '-1'"),
        (broken(3, "99999999999999999999"), "number: found"),
        (broken(4, "sleep"), "phase: found 'sleep', expected deal, play, draw or over"),
        (broken(4, "over"), "phase: found 'over'|seat: found"),
        (broken(5, "2"), "seat: found '2', expected the one whose turn it is"),
        (broken(6, "b"), "drawing: found 'b'"),
        (broken(7, "J1"), "last: found 'J1', expected a cell"),
        (broken(7, "A1A2"), "last: found 'A1A2', expected one cell"),
        (broken(8, "."), "board: found '.', expected 81 cells"),
        (broken(8, "." * 82), "board: found '.*…', expected 81 cells"),
        (broken(8, "b2" + "." * 80), "board: found 'b2.*…', expected"),
        (broken(8, "b1b*b*" + "." * 78), "expected each tile at one place only"),
        (broken(8, "k1" + "." * 80), "expected tiles of colours in play"),
        (broken(9, "-,-"), "racks: found '-,-', expected a word for each seat"),
        (broken(9, "-,-,-"), "racks: found '0 on the rack, 2. in the pile of b'"),
        (broken(9, "b?b?b?b?b?b?,-,-"), "expected at most five tiles of a colour"),
        (broken(9, "y1,-,-"), "racks: found 'y1', expected tiles of the seat's own colours"),
        (broken(9, ",-,-"), "racks: found '', expected tiles that begin"),
        (broken(10, "b9,-,-"), "captures: found 'b9'"),
        (broken(11, "b"), "discards: found 'b', expected tiles such as"),
        (broken(12, "b*,-,-"), "shown: found 'b\\*', expected tiles on the seat's rack"),
    ],
)
def test_invalid_position_is_refused_with_a_reason(text: str, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        _blockers.legal(text)


def test_entry_that_is_not_due_is_refused() -> None:
    text = " ".join(GOOD)
    for entry in ("", "draw b1", "deal b1b2b3b4b5", "b7", "pass", "discard b7", "é"):
        with pytest.raises(ValueError, match="move: found"):
            _blockers.after(text, entry)
    dealing = text_of_state(start(TABLES[1], 1))
    for entry in ("deal ", "deal b1", "deal b1b2b3b4b4", "deal b1b2b3b4k5", "deal y1y2y3y4y5"):
        with pytest.raises(ValueError, match="deal: found"):
            _blockers.after(dealing, entry)
    with pytest.raises(ValueError, match="phase: found"):
        _blockers.scores(dealing)
    with pytest.raises(ValueError, match="phase: found 'deal'"):
        text_of_view(GAME.view(start(TABLES[1], 1), 0))
    with pytest.raises(ValueError, match="depth"):
        _blockers.perft(text, 99)
    with pytest.raises(ValueError, match="threads"):
        _blockers.playouts(text, 1, 1, False, 0)


def test_playing_a_position_with_hidden_tiles_is_refused() -> None:
    view = GAME.view(after(TABLES[1], 4), None)
    with pytest.raises(ValueError, match="racks"):
        _blockers.after(text_of_view(view), "b1-A1")
    with pytest.raises(ValueError, match="racks"):
        _blockers.legal(text_of_view(view))
