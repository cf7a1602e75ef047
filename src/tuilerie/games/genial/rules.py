"""The rules of Génial!.

Refusals by rule name (with their params):

==================  ==============================================================================
game-over           the game has ended
not-your-turn       another seat, or chance, comes first (`seat`: whose turn it is)
not-due             no chance entry is due, or another one (`expected`)
wrong-count         not the right number of tiles (`found`, `expected`)
not-in-bag          the bag does not hold these tiles (`tiles`)
not-timed           this game has no timer
must-choose         the seat must say 'swap' or 'keep' now (`move`)
swap-not-allowed    a tile in hand shows a lowest colour (`colours`), or this is not the moment
tile-not-in-hand    (`tile`)
off-board           (`cell`)
not-adjacent        the two cells do not touch (`first`, `second`)
cell-occupied       a tile or a printed symbol is there (`cell`)
first-turn          a first tile touches a printed symbol that no tile touches yet
not-touching        house rule: a tile touches a tile or a printed symbol
==================  ==============================================================================
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from tuilerie.games.game import (
    Action,
    Chance,
    Code,
    Ended,
    Entry,
    Event,
    Pick,
    Refused,
    Result,
    Seat,
    Step,
    TilesDrawn,
    Timeout,
    choose,
    put_at,
)
from tuilerie.games.genial.board import Board, Cell, Pair, board_for
from tuilerie.games.genial.card import DUEL, TEAMS, Options
from tuilerie.games.genial.events import Drawn, Genial, Kept, Now, Placed, Scored, Swapped
from tuilerie.games.genial.legal import (
    all_placements,
    first_turn_cells,
    legal_placements,
    near_cells,
)
from tuilerie.games.genial.memory import after_draw, after_swap, after_tile
from tuilerie.games.genial.notation import GenialMove, Keep, Placement, Swap
from tuilerie.games.genial.score import (
    MarkerMove,
    Symbols,
    Track,
    is_full,
    lowest_colours,
    move_markers,
    places,
    score_tile,
    track_of,
)
from tuilerie.games.genial.state import DEAL, DRAW, OVER, PLACE, SWAP, State
from tuilerie.games.genial.tiles import BAG, COLOURS, HAND_SIZE, Colour, Tile, without

BOARD_FULL = "board-full"
MARKERS_FULL = "markers-full"


# --- the start ------------------------------------------------------------------------------------


def start(players: int, options: Options, board: Board | None = None) -> State:
    """Return the state before the deal. `board` replaces the standard one in tests and puzzles."""
    first = options.first
    if isinstance(first, str):  # must be resolved before the start (`Genial.draw_lots`)
        facts = {"found": first, "expected": f"0–{players - 1}"}
        raise Refused(Code.MALFORMED, "bad-option", name="first", **facts)
    board = board or board_for(players)
    zero: Track = dict.fromkeys(COLOURS, 0)
    return State(
        options=options,
        players=players,
        symbols=dict(board.printed),
        last=None,
        hands=((),) * players,
        bag=BAG,
        aside=(),
        returned=(),
        tracks=(zero,) * (2 if options.variant == TEAMS else players),
        phase=DEAL,
        seat=first,
        bonus=0,
        turns=0,
        number=0,
        outcome=None,
        _board=board,
        _free_pairs=tuple(range(len(board.pairs))),
    )


# --- chance: tiles from the bag -------------------------------------------------------------------


def due(state: State) -> bool:
    """Return whether tiles must be drawn next."""
    return state.phase in (DEAL, DRAW)


def chance(state: State, pick: Pick) -> Chance:
    """Draw tiles from the bag, up to a hand of six."""
    seat, count = _draw_due(state)
    return TilesDrawn(state.phase, seat, choose(state.bag, count, pick))


def _draw_due(state: State) -> tuple[Seat, int]:
    seat = state.hands.index(()) if state.phase == DEAL else state.seat
    return seat, HAND_SIZE - len(state.hands[seat])


def _apply_chance(state: State, entry: Chance) -> Step[State]:
    if not due(state):
        raise Refused(Code.ILLEGAL, "not-due", expected="")
    seat, count = _draw_due(state)
    if not isinstance(entry, TilesDrawn) or (entry.what, entry.seat) != (state.phase, seat):
        raise Refused(Code.ILLEGAL, "not-due", expected=f"{state.phase}, seat {seat}")
    if len(entry.tiles) != count:
        raise Refused(Code.ILLEGAL, "wrong-count", found=len(entry.tiles), expected=count)
    tiles = tuple(map(Tile, entry.tiles))
    bag = without(state.bag, tiles)
    if bag is None:
        raise Refused(Code.ILLEGAL, "not-in-bag", tiles=list(tiles))
    hands = put_at(state.hands, seat, tuple(sorted(state.hands[seat] + tiles)))
    if state.aside:  # a swap: the old tiles return to the bag only after the draw
        bag = tuple(sorted(bag + state.aside))
    drawn = Drawn(seat, tiles, count, len(state.aside))
    returned = after_draw(state.returned, seat, count, len(state.aside))
    if state.phase == DEAL and () in hands:
        return _step(state, (drawn,), hands=hands, bag=bag)
    if state.phase == DEAL:
        now = Now(PLACE, state.seat, bonus=0, turns=0)
    else:  # the turn is over: next player clockwise
        now = Now(PLACE, (seat + 1) % state.players, bonus=0, turns=state.turns + 1)
    return _step(state, (drawn, now), hands=hands, bag=bag, aside=(), returned=returned)


# --- legal moves ----------------------------------------------------------------------------------


def actors(state: State) -> tuple[Seat, ...]:
    """Return the seat on turn; none while tiles must be drawn or after the end."""
    return (state.seat,) if state.phase in (PLACE, SWAP) else ()


def legal(state: State, seat: Seat) -> Sequence[GenialMove]:
    """List all moves of a seat."""
    if seat not in actors(state):
        return []
    if state.phase == SWAP:
        return [Swap(), Keep()]
    table, near = all_placements(state.board), near_cells(state)
    return legal_placements(state.board, state.hands[seat], state._free_pairs, near, table)


# --- actions --------------------------------------------------------------------------------------


def apply(state: State, entry: Entry[GenialMove]) -> Step[State]:
    """Apply an entry: return the next state and the events."""
    if state.phase == OVER:
        raise Refused(Code.OVER, "game-over")
    if isinstance(entry, Chance):
        return _apply_chance(state, entry)
    if isinstance(entry, Timeout):
        raise Refused(Code.ILLEGAL, "not-timed")
    return _apply_action(state, entry)


def _apply_action(state: State, entry: Action[GenialMove]) -> Step[State]:
    move = entry.move
    if entry.seat == state.seat and not isinstance(move, Placement) and state.phase != SWAP:
        low = sorted(lowest_colours(state.tracks[track_of(state.options.variant, entry.seat)]))
        raise Refused(Code.ILLEGAL, "swap-not-allowed", move=str(move), colours=low)
    if (entry.seat,) != actors(state):
        raise Refused(Code.NOT_YOUR_TURN, "not-your-turn", seat=state.seat)
    if isinstance(move, Placement):
        if state.phase == SWAP:
            raise Refused(Code.ILLEGAL, "must-choose", move=str(move))
        _check_placement(state, move)
        return _place(state, move)
    return _swap(state) if isinstance(move, Swap) else _keep(state)


def _check_placement(state: State, move: Placement) -> None:
    board, symbols = state.board, state.symbols
    first, second = move.first, move.second
    if move.tile not in state.hands[state.seat]:
        raise Refused(Code.ILLEGAL, "tile-not-in-hand", tile=move.tile)
    for cell in (first, second):
        if cell not in board.neighbours:
            raise Refused(Code.ILLEGAL, "off-board", cell=cell)
    if second not in board.neighbours[first]:
        raise Refused(Code.ILLEGAL, "not-adjacent", first=first, second=second)
    for cell in (first, second):
        if cell in symbols:
            raise Refused(Code.ILLEGAL, "cell-occupied", cell=cell)
    if state.is_first_turn and {first, second}.isdisjoint(first_turn_cells(board, symbols)):
        raise Refused(Code.ILLEGAL, "first-turn", first=first, second=second)
    touched = board.neighbours[first] | board.neighbours[second]
    if state.options.adjacent and touched.isdisjoint(symbols):
        raise Refused(Code.ILLEGAL, "not-touching", first=first, second=second)


def _place(state: State, move: Placement) -> Step[State]:
    """Steps 1 to 3 of a turn: lay a tile, count its points, earn and use bonus placements."""
    seat, variant = state.seat, state.options.variant
    halves = score_tile(state.board, state.symbols, move.tile, move.first, move.second)
    track = state.tracks[track_of(variant, seat)]
    markers = move_markers(variant, track, halves)
    events: list[Event] = [
        Placed(seat, move.tile, move.first, move.second),
        Scored(seat, halves, markers),
    ]
    reached = tuple(marker.colour for marker in markers if marker.bonus)
    if reached:
        events.append(Genial(seat, reached))

    hand = list(state.hands[seat])
    hand.remove(move.tile)
    tracks = tracks_after(variant, state.tracks, seat, markers)
    free_pairs = _pairs_left(state, (move.first, move.second))
    events.append(_after_placement(state, hand, tracks, free_pairs, len(reached)))
    return _step(
        state,
        tuple(events),
        symbols=_with_tile(state.symbols, move),
        last=(move.first, move.second),
        hands=put_at(state.hands, seat, tuple(hand)),
        returned=after_tile(state.returned, seat, move.tile),
        tracks=tracks,
        _free_pairs=free_pairs,
    )


def _after_placement(
    state: State,
    hand: Collection[Tile],
    tracks: tuple[Track, ...],
    free_pairs: tuple[int, ...],
    bonus_earned: int,
) -> Now | Ended:
    """Return what follows a scored placement."""
    variant, seat = state.options.variant, state.seat
    track = tracks[track_of(variant, seat)]
    if is_full(variant, track):
        return _end(state, tracks, MARKERS_FULL)
    if not free_pairs:
        # Ruling: a bonus placement lapses if there is no room on the board.
        return _end(state, tracks, BOARD_FULL)
    bonus = max(0, state.bonus - 1) + bonus_earned
    if bonus and hand:  # Ruling: it also lapses with an empty hand (a track of 36 gives many)
        return Now(PLACE, seat, bonus, state.turns)
    return Now(SWAP if may_swap(track, hand) else DRAW, seat, 0, state.turns)


def may_swap(track: Track, hand: Collection[Tile]) -> bool:
    """Step 4: return whether no tile in hand shows any of the lowest colours."""
    lowest = lowest_colours(track)
    return bool(hand) and all(lowest.isdisjoint(tile) for tile in hand)


def _swap(state: State) -> Step[State]:
    seat = state.seat
    shown = state.hands[seat]
    events = (Swapped(seat, shown), Now(DRAW, seat, 0, state.turns))
    returned = after_swap(state.returned, seat, shown, state.players)
    hands = put_at(state.hands, seat, ())
    return _step(state, events, hands=hands, aside=shown, returned=returned)


def _keep(state: State) -> Step[State]:
    return _step(state, (Kept(state.seat), Now(DRAW, state.seat, 0, state.turns)))


def tracks_after(
    variant: str, tracks: tuple[Track, ...], seat: Seat, markers: tuple[MarkerMove, ...]
) -> tuple[Track, ...]:
    """Return the tracks after these marker moves. In a duel both sides of the track move."""
    moved = {marker.colour: marker.after for marker in markers}
    mine = track_of(variant, seat)
    tracks = put_at(tracks, mine, {**tracks[mine], **moved})
    if variant == DUEL:
        theirs: Mapping[Colour, int] = {colour: -at for colour, at in tracks[mine].items()}
        tracks = put_at(tracks, 1 - mine, theirs)
    return tracks


def _with_tile(symbols: Symbols, move: Placement) -> Symbols:
    laid = {move.first: move.tile[0], move.second: move.tile[1]}
    return {**symbols, **laid}


def _pairs_left(state: State, taken: Pair) -> tuple[int, ...]:
    gone = _pairs_touching(state.board, taken[0]) | _pairs_touching(state.board, taken[1])
    return tuple([at for at in state._free_pairs if at not in gone])


@cache
def _pairs_touching(board: Board, cell: Cell) -> frozenset[int]:
    return frozenset(at for at, pair in enumerate(board.pairs) if cell in pair)


# --- next state -----------------------------------------------------------------------------------


def _end(state: State, tracks: tuple[Track, ...], reason: str) -> Ended:
    variant, players = state.options.variant, state.players
    scores = tuple(_score(tracks[track_of(variant, seat)]) for seat in range(players))
    return Ended(Result(reason, places(variant, tracks, players), scores))


def _score(track: Track) -> Mapping[str, int]:
    return {colour: track[colour] for colour in COLOURS}


def _step(state: State, events: tuple[Event, ...], **changes: Any) -> Step[State]:
    """Return the next state with these changes and with the phase of the last event."""
    last = events[-1]
    if isinstance(last, Now):
        changes |= {"phase": last.phase, "seat": last.seat}
        changes |= {"bonus": last.bonus, "turns": last.turns}
    elif isinstance(last, Ended):
        changes |= {"phase": OVER, "bonus": 0, "outcome": last.result}
    return Step(replace(state, number=state.number + len(events), **changes), events)
