"""Tables to test at: positions drawn as pictures, games played at random."""

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
    """'b7 b#4' as tiles."""
    return tuple(Tile(word) for word in text.split())


def picture(text: str, held: Sequence[Tile] = (), given: Mapping[str, str] | None = None) -> Board:
    """The board that a picture shows: nine lines of nine cells, a colour's letter or a dot.

    Each tile gets a face of its own that matches its cell and is not among the `held` tiles;
    `given` names the tiles that matter.
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
    """A state in which `seat` is to play. What lies nowhere is in the piles, but for those colours
    whose piles are said to be empty."""
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
    """How many groups of a colour there are, counted in a way that the rules do not use: each cell
    takes the smallest number in reach until nothing changes."""
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
    """What follows when the seat to act makes the last of these moves, after the others."""
    for move in moves:
        step = GAME.apply(state, Action(state.seat, GAME.parse_move(move)))
        state = step.state
    return step


def moves_of(state: State, seat: int | None = None) -> list[str]:
    """The legal moves of the seat to act in notation."""
    return [str(move) for move in GAME.legal(state, state.seat if seat is None else seat)]


def refusal(state: State, entry: Entry[BlockersMove] | str) -> Refused:
    """How an entry is refused; a text is a move of the seat to act."""
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
    """A whole game: each state, what happens to it, and what follows."""
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
    """A whole game: its last state and all that happened."""
    events: list[Event] = []
    for _, _, step in steps(players, seed, choose, **options):
        events += step.events
    return step.state, events


# Blue can play nowhere: on every cell of the rows A to C lies its own tile or one that holds its
# group together. Its rack below fits nowhere else.
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
