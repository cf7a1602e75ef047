"""The compiled core for Génial!: positions as text, whole games, and search.

`native/genial_text.h` describes the text of a position. It holds a `State` without the number of
events, or a `View`, in which unseen tiles are written `??`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from tuilerie.games.game import Json, Result
from tuilerie.games.genial import rules
from tuilerie.games.genial.board import Board, Cell, Pair
from tuilerie.games.genial.card import read_options
from tuilerie.games.genial.legal import free_pairs_of
from tuilerie.games.genial.score import Symbols, Track, track_of
from tuilerie.games.genial.state import State
from tuilerie.games.genial.tiles import COLOURS, Tile
from tuilerie.games.genial.view import View
from tuilerie.native import _genial as core

if core.HAS_V3:
    from tuilerie.native import _genial_v3 as core  # type: ignore[no-redef]

moves = core.moves
"""Returns the legal moves of a position with the points of each half, in the order of the rules."""

apply = core.apply
"""Returns the position after an entry: a move, or a draw such as 'draw 0 RBGG'."""

result = core.result
"""Returns the reason of the end and the ranks, or None."""

random_game = core.random_game
"""Plays a random game: returns its entries, each with the numbers of all legal moves (two bytes
each; see `MoveNumbering` in `native/genial_playout.h`) and its points, and the final position."""

resample = core.resample
"""Samples the unseen tiles of a position and completes the bag."""

perft = core.perft
"""Counts the move sequences of this length (perft)."""


@dataclass(frozen=True, slots=True)
class GenialPlayouts:
    """Totals of many games."""

    games: int
    placements: int
    wins: tuple[float, ...]  # by seat; a shared win counts as a fraction
    lowest: float  # mean of the winner's lowest marker


def playouts(
    position: str, seed: int, games: int, *, threads: int = 1, greedy: bool = False
) -> GenialPlayouts:
    """Play games to the end with uniformly random moves, or with the greedy bot.

    The greedy bot evaluates all legal placements and plays the best.
    """
    played, placements, wins, lowest = core.playouts(position, seed, games, threads, greedy)
    players = int(position[0])
    return GenialPlayouts(played, placements, tuple(wins[:players]), lowest / max(1, played))


think = core.think
"""Returns the candidate moves of the seat on turn, best first: move, win share, margin, visits.

The `candidates` best moves by the value of the own markers are simulated to the end within the
budget of `nodes` (simulated games) or `seconds`; 0 means no limit, both 0 no simulation. `handful`:
consider only this many random moves; 0 for all.
"""


# --- the network ----------------------------------------------------------------------------------

WEIGHTS = Path(__file__).with_name("genial.net")
"""The weights of the network, made by `make net`."""

Weights = core.Weights
"""The weights, from the bytes of their file. Raises `ValueError` if the file is damaged, or made
for another version."""

think_with_net = core.think_with_net
"""As `think`, with the network: all moves are valued by it, and the `candidates` best simulated.
Without a budget, only the hundred best by a quick estimate are valued, or `candidates` if more.

A node is a simulated line of play, over `rounds` more turns of the seat; then the network values
what it leads to. With no budget, the network decides alone.
"""

luck = core.luck
"""How lucky a draw was for the seat that drew: what the network expects of its next turn with these
tiles, less the mean over all that it might have drawn. `position` is a state before the draw."""


@cache
def _load_weights() -> core.Weights | str:
    try:
        return Weights(WEIGHTS.read_bytes())
    except OSError as error:
        return f"{WEIGHTS.name}: {error.strerror or error}"
    except ValueError as error:
        return f"{WEIGHTS.name}: {error}"


def weights() -> core.Weights | None:
    """Return the weights of the network, or `None` if their file cannot be used."""
    found = _load_weights()
    return None if isinstance(found, str) else found


def why_no_weights() -> str | None:
    """Return why the weights cannot be used; `None` if they can."""
    found = _load_weights()
    return found if isinstance(found, str) else None


# --- positions as text ----------------------------------------------------------------------------


def write_state(state: State) -> str:
    """Write a state as text."""
    hands = "/".join(_tiles(hand) for hand in state.hands)
    return _line(state, state.board, hands, state.bag, state.aside)


def write_view(view: View) -> str:
    """Write a view as text."""
    hands = "/".join(
        _tiles(view.hand) if seat == view.viewer and view.hand is not None else "??" * count or "-"
        for seat, count in enumerate(view.hand_counts)
    )
    unseen = tuple(tile for tile, count in view.unseen.items() for _ in range(count))
    return _line(view, view.board, hands, unseen, ())


def _line(
    seen: State | View, board: Board, hands: str, bag: tuple[Tile, ...], aside: tuple[Tile, ...]
) -> str:
    words = (
        seen.players,
        seen.options.variant,
        int(seen.options.adjacent),
        seen.phase,
        seen.seat,
        seen.bonus,
        seen.turns,
        "-".join(seen.last) if seen.last else "-",
        "".join(seen.symbols.get(cell, ".") for cell in board.cells),
        "/".join(",".join(str(track[colour]) for colour in COLOURS) for track in seen.tracks),
        hands,
        _tiles(bag),
        _tiles(aside),
        "/".join(_tiles(one.tiles) + ":" + _numbers(one.since) for one in seen.returned) or "-",
    )
    return " ".join(map(str, words))


def _tiles(tiles: tuple[Tile, ...]) -> str:
    return "".join(tiles) or "-"


def _numbers(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def read_state(text: str) -> State:
    """Parse a state. The number of events and the memory of swaps are not part of the text."""
    words = text.split(" ")
    players = int(words[0])
    seat, turns = int(words[4]), int(words[6])
    chosen = {"variant": words[1], "adjacent": words[2] == "1", "first": (seat - turns) % players}
    options = read_options(players, chosen)
    state = rules.start(players, options)
    board = state.board
    symbols: Symbols = {
        cell: sign for cell, sign in zip(board.cells, words[8], strict=True) if sign != "."
    }
    tracks = tuple(_read_track(track) for track in words[9].split("/"))
    return replace(
        state,
        symbols=symbols,
        last=_read_pair(words[7]),
        hands=tuple(_read_tiles(hand) for hand in words[10].split("/")),
        bag=_read_tiles(words[11]),
        aside=_read_tiles(words[12]),
        tracks=tracks,
        phase=words[3],
        seat=seat,
        bonus=int(words[5]),
        turns=turns,
        outcome=_outcome(text, options.variant, tracks),
        _free_pairs=free_pairs_of(board, symbols),
    )


def _outcome(text: str, variant: str, tracks: tuple[Track, ...]) -> Result | None:
    ended = result(text)
    if ended is None:
        return None
    reason, places = ended
    scores = tuple(
        {str(colour): at for colour, at in tracks[track_of(variant, seat)].items()}
        for seat in range(len(places))
    )
    return Result(reason, tuple(places), scores)


def _read_track(text: str) -> Track:
    return dict(zip(COLOURS, map(int, text.split(",")), strict=True))


def _read_pair(text: str) -> Pair | None:
    if text == "-":
        return None
    first, second = text.split("-")
    return Cell(first), Cell(second)


def _read_tiles(text: str) -> tuple[Tile, ...]:
    if text == "-":
        return ()
    return tuple(Tile(text[at : at + 2]) for at in range(0, len(text), 2))


def start(players: int, options: Mapping[str, Json] | None = None) -> str:
    """Return the position before the deal."""
    return write_state(rules.start(players, read_options(players, options or {})))
