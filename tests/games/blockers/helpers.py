"""Test helpers: positions from ASCII boards, and random games."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence

import pytest

from tuilerie.games.blockers import GAME
from tuilerie.games.blockers.board import CELLS, Cell, loose_of
from tuilerie.games.blockers.card import read_options
from tuilerie.games.blockers.notation import BlockersMove
from tuilerie.games.blockers.state import State
from tuilerie.games.blockers.tiles import CELLS_OF, TILES, Board, Tile, cells_by_colour
from tuilerie.games.game import Action, Code, Entry, Event, Json, Refused, Step

EMPTY = "\n".join(["." * 9] * 9)
Racks = Sequence[str]


def tiles(text: str) -> tuple[Tile, ...]:
    """Parse 'b7 b#4' as tiles."""
    return tuple(Tile(word) for word in text.split())


def picture(text: str, held: Sequence[Tile] = (), given: Mapping[str, str] | None = None) -> Board:
    """Parse an ASCII board: nine lines of nine cells, each the letter of a colour or a dot.

    Each tile gets a unique face that matches its cell and is not among the `held` tiles; `given`
    fixes the tiles of some cells.
    """
    letters = "".join(text.split())
    assert len(letters) == len(CELLS)
    lies = {cell: letter for cell, letter in zip(CELLS, letters, strict=True) if letter != "."}
    fixed = {Cell(cell): Tile(tile) for cell, tile in (given or {}).items()}
    found: dict[Tile, Cell] = {}

    def settle(cell: Cell, tried: set[Tile]) -> bool:
        for tile in TILES[lies[cell]]:
            free = tile not in held and tile not in fixed.values() and tile not in tried
            if free and cell in CELLS_OF[tile]:
                tried.add(tile)
                if tile not in found or settle(found[tile], tried):
                    found[tile] = cell
                    return True
        return False

    for cell in lies:
        assert cell in fixed or settle(cell, set()), f"no tile is left for {cell}"
    board = fixed | {cell: tile for tile, cell in found.items()}
    return {cell: board[cell] for cell in CELLS if cell in board}


def position(
    text: str,
    racks: Racks,
    *,
    seat: int = 0,
    captures: Racks | None = None,
    given: Mapping[str, str] | None = None,
    empty_piles: str = "",
    **options: Json,
) -> State:
    """A state in which `seat` is to play. All other tiles are in the piles, except for colours with
    empty piles."""
    chosen = read_options(len(racks), options)
    hands = tuple(tiles(rack) for rack in racks)
    taken = tuple(tiles(text) for text in captures or [""] * len(racks))
    board = picture(text, [t for hand in (*hands, *taken) for t in hand], given)
    seen = {*board.values(), *(tile for hand in (*hands, *taken) for tile in hand)}
    cells = cells_by_colour(board, chosen.in_play)
    return State(
        options=chosen,
        number=100,
        phase="play",
        seat=seat,
        drawing=None,
        board=board,
        last=None,
        racks=hands,
        piles={
            colour: ()
            if colour in empty_piles
            else tuple(t for t in TILES[colour] if t not in seen)
            for colour in chosen.in_play
        },
        captures=taken,
        discards=(),
        shown=((),) * len(racks),
        groups={colour: count_groups(board, colour) for colour in chosen.in_play},
        result=None,
        _cells=cells,
        _loose=frozenset().union(*map(loose_of, cells.values())),
    )


def count_groups(board: Board, colour: str) -> int:
    """Count the groups of a colour with another algorithm than the rules: each cell takes the
    smallest label among its neighbours until nothing changes."""
    cells = [cell for cell in CELLS if board.get(cell, " ")[0] == colour]
    joined = [
        (a, b)
        for a in cells
        for b in cells
        if abs(ord(a[0]) - ord(b[0])) + abs(ord(a[1]) - ord(b[1])) == 1
    ]
    number = {cell: index for index, cell in enumerate(cells)}
    before: dict[Cell, int] = {}
    while number != before:
        before = dict(number)
        for a, b in joined:
            number[a] = min(number[a], number[b])
    return len(set(number.values()))


def play(state: State, *moves: str) -> Step[State]:
    """Make these moves in order; return the last step."""
    for move in moves:
        step = GAME.apply(state, Action(state.seat, GAME.parse_move(move)))
        state = step.state
    return step


def moves_of(state: State, seat: int | None = None) -> list[str]:
    """Return the legal moves of the seat to act in notation."""
    return [str(move) for move in GAME.legal(state, state.seat if seat is None else seat)]


def refusal(state: State, entry: Entry[BlockersMove] | str) -> Refused:
    """Return the refusal of an entry; a text is a move of the seat to act."""
    if isinstance(entry, str):
        entry = Action(state.seat, GAME.parse_move(entry))
    with pytest.raises(Refused) as caught:
        GAME.apply(state, entry)
    return caught.value


def assert_illegal(
    state: State, entry: Entry[BlockersMove] | str, rule: str, **params: Json
) -> None:
    refused = refusal(state, entry)
    assert (refused.code, refused.rule, refused.params) == (Code.ILLEGAL, rule, params)


Chooser = Callable[[Sequence[BlockersMove], Callable[[int], int]], BlockersMove]


def at_random(moves: Sequence[BlockersMove], pick: Callable[[int], int]) -> BlockersMove:
    return moves[pick(len(moves))]


def steps(
    players: int, seed: int, choose: Chooser = at_random, **options: Json
) -> Iterator[tuple[State, Entry[BlockersMove], Step[State]]]:
    """Play a whole game: yield each state, entry and step."""
    pick = random.Random(seed).randrange
    state = GAME.start(players, GAME.draw_lots(players, options, pick))
    while GAME.result(state) is None:
        entry: Entry[BlockersMove]
        if GAME.due(state):
            entry = GAME.chance(state, pick)
        else:
            (seat,) = GAME.actors(state)
            entry = Action(seat, choose(GAME.legal(state, seat), pick))
        step = GAME.apply(state, entry)
        yield state, entry, step
        state = step.state


def whole_game(
    players: int, seed: int, choose: Chooser = at_random, **options: Json
) -> tuple[State, list[Event]]:
    """Play a whole game; return the last state and all events."""
    events: list[Event] = []
    for _, _, step in steps(players, seed, choose, **options):
        events += step.events
    return step.state, events


# Blue has no move: every cell of the rows A to C has a blue tile or one whose capture would split a
# group, and the rack below matches no other cells.
STUCK = """
    yyyyyyyyy
    ygggggggy
    ygbbbbbgy
    yg.....gy
    .........
    .........
    .........
    .........
    .........
"""
STUCK_RACK = "bA bB b#1 b#2 b#3"
STUCK_RACKS = [STUCK_RACK, "yE yF yG yH yI", "gE gF gG gH gI"]
