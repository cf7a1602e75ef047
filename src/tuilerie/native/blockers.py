"""The compiled core for Blockers!: positions as text, whole games, and search.

States and views share one text format (see native/blockers_text.h); in a view, tiles unknown to the
viewer are written 'b?'. Tiles listed nowhere are in the piles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tuilerie.games.blockers.board import CELLS, Cell, groups_of, loose_of
from tuilerie.games.blockers.card import read_options
from tuilerie.games.blockers.score import result_of, score_of
from tuilerie.games.blockers.state import State
from tuilerie.games.blockers.tiles import TILES, Tile, cells_by_colour, count_of
from tuilerie.games.blockers.view import View
from tuilerie.games.game import Seat
from tuilerie.native import _blockers

# --- search ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Evaluated:
    """An evaluated move: win share, margin in points, and number of simulated games."""

    move: str
    share: float
    margin: float
    games: int


def think(  # noqa: PLR0913 (budgets and search limits)
    view: View, seed: int, *, nodes: int = 0, seconds: float = 0, candidates: int, exact: int
) -> tuple[Evaluated, ...]:
    """Return the viewer's best moves, best first, by simulating games from sampled states.

    A node is a simulated game; 0 means no limit. Only the `candidates` best moves of a static
    evaluation are simulated. The last round is solved exactly if that takes few enough positions.
    """
    text = text_of_view(view)
    return tuple(
        Evaluated(*found)
        for found in _blockers.think(text, seed, nodes, seconds, candidates, exact)
    )


# --- many games -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BlockersPlayouts:
    """Totals of many games: moves, and by seat the wins and points.

    A shared win counts as a fraction.
    """

    moves: int
    wins: tuple[float, ...]
    points: tuple[int, ...]


def playouts(
    state: State, games: int, seed: int, greedy: bool = False, threads: int = 1
) -> BlockersPlayouts:
    """Play games to the end with uniformly random moves, or with the greedy bot."""
    moves, wins, points = _blockers.playouts(text_of_state(state), games, seed, greedy, threads)
    return BlockersPlayouts(moves, tuple(wins), tuple(points))


def resample(view: View, seed: int) -> State:
    """Sample a state consistent with the view, uniformly.

    Only the tiles of the others' racks are hidden. An unseen tile of a colour is on its owner's
    rack or in its pile; the history does not tell which, except for a rack shown by a discard.
    """
    return state_of(_blockers.resample(text_of_view(view), seed))


# --- to text --------------------------------------------------------------------------------------


def text_of_state(state: State) -> str:
    """Write a state as text for the core."""
    racks = ["".join(rack) for rack in state.racks]
    return _text(state, state.seat, state.drawing, racks)


def text_of_view(view: View) -> str:
    """Write a view in which a seat is to play as text for the core."""
    if view.phase != "play" or view.turn is None:
        raise ValueError(f"phase: found '{view.phase}', expected a view in which a seat is to play")
    racks = [_rack_text(view, seat) for seat in range(len(view.racks))]
    return _text(view, view.turn, None, racks)


def _rack_text(view: View, seat: Seat) -> str:
    if view.rack is not None and seat == view.viewer:
        return "".join(view.rack)
    known = view.shown[seat]
    unknown = {c: held - count_of(known, c) for c, held in view.racks[seat].items()}
    return "".join(known) + "".join(f"{c}?" * count for c, count in unknown.items())


def _text(table: State | View, seat: Seat, drawing: str | None, racks: Iterable[str]) -> str:
    options = table.options
    words = (
        ",".join(options.colours),
        options.scoring,
        str(options.first),
        str(table.number),
        table.phase,
        str(seat),
        drawing or "-",
        table.last or "-",
        "".join([table.board.get(cell, ".") for cell in CELLS]),
        ",".join([rack or "-" for rack in racks]),
        ",".join(["".join(tiles) or "-" for tiles in table.captures]),
        "".join(table.discards) or "-",
        ",".join(["".join(tiles) or "-" for tiles in table.shown]),
    )
    return " ".join(words)


# --- from text ------------------------------------------------------------------------------------

_TILE = re.compile(r"[bygrk](?:#.|.)")
_CELL = re.compile(r"\.|[bygrk](?:#.|.)")


def state_of(text: str) -> State:
    """Parse a complete state from the core's text."""
    colours, scoring, first, number, phase, seat, drawing, last, *places = text.split(" ")
    own = colours.split(",")
    given = {"colours": own, "scoring": scoring, "first": int(first)}
    options = read_options(len(own), given)
    lies = zip(CELLS, _CELL.findall(places[0]), strict=True)
    board = {cell: Tile(tile) for cell, tile in lies if tile != "."}
    racks, captures, shown = (_by_seat(places[at]) for at in (1, 2, 4))
    discards = tiles_of(places[3])
    cells = cells_by_colour(board, options.in_play)
    seen = {*board.values(), *discards, *(t for each in (*racks, *captures) for t in each)}
    scores = [score_of(options, at, cells, captured) for at, captured in enumerate(captures)]
    return State(
        options=options,
        number=int(number),
        phase=phase,  # type: ignore[arg-type]
        seat=int(seat),
        drawing=None if drawing == "-" else drawing,
        board=board,
        last=None if last == "-" else Cell(last),
        racks=racks,
        piles={c: tuple(tile for tile in TILES[c] if tile not in seen) for c in options.in_play},
        captures=captures,
        discards=discards,
        shown=shown,
        groups={c: len(groups_of(cells[c])) for c in options.in_play},
        result=result_of(tuple(scores)) if phase == "over" else None,
        _cells=cells,
        _loose=frozenset().union(*map(loose_of, cells.values())),
    )


def tiles_of(word: str) -> tuple[Tile, ...]:
    """Parse 'b7b#4' as tiles."""
    return tuple(map(Tile, _TILE.findall(word)))


def _by_seat(word: str) -> tuple[tuple[Tile, ...], ...]:
    return tuple(tiles_of(part) for part in word.split(","))
