"""The rules of play.

What is refused, by rule name (when; params):

======================  ========  ==================================================================
game-over               over      anything after the end
not-your-turn           not-…     a move by a seat that may not act now; seat
not-due                 illegal   chance or time that has nothing to say now; what
wrong-seat              illegal   tiles dealt or drawn for another seat; seat, expected
wrong-count             illegal   too many or too few tiles, in all or of a colour; found, expected
                                  (and colour)
not-in-pile             illegal   a tile that is not in a pile that it may come from; tile, colours
tile-not-in-hand        illegal   a tile that is not on the seat's rack; tile
colour-stopped          illegal   a colour of which only four tiles are left; colour
cell-mismatch           illegal   the tile's face does not match the cell; tile, cell
cell-occupied           illegal   '-' to a cell where a tile lies; cell, tile
cell-empty              illegal   'x' on an empty cell; cell
own-tile                illegal   'x' on a tile of one's own; cell, tile
splits-group            illegal   'x' on a tile that holds its group together; cell, colour, parts
discard-not-allowed     illegal   a discard by a seat that has another move; tile
======================  ========  ==================================================================

In `notation` and `card` (malformed; found, expected): bad-move, bad-chance, bad-seat, bad-tiles,
unknown-tile, bad-players, unknown-option, bad-option.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from typing import Any

from tuilerie.games.blockers.board import Cell, loose_now, parts_around
from tuilerie.games.blockers.card import read_options
from tuilerie.games.blockers.events import (
    Captured,
    Dealt,
    Discarded,
    Drawn,
    GroupChange,
    Laid,
    Scored,
)
from tuilerie.games.blockers.notation import MOVES, TEXTS, BlockersMove, Discard, Lay, M, Moves
from tuilerie.games.blockers.score import result_of, score_of
from tuilerie.games.blockers.state import Phase, State
from tuilerie.games.blockers.tiles import (
    CELLS_OF,
    KEPT,
    RACK,
    TILES,
    Board,
    Colour,
    Tile,
    count_of,
    with_tiles,
    without_tile,
)
from tuilerie.games.game import (
    Action,
    Chance,
    Code,
    Ended,
    Entry,
    Event,
    Json,
    Pick,
    Refused,
    Result,
    Seat,
    Step,
    TilesDrawn,
    choose,
    draft_of,
    put_at,
    sealed,
    with_changes,
)


def start(players: int, options: Mapping[str, Json]) -> State:
    """An empty board, every tile face down in the pile of its colour."""
    chosen = read_options(players, options)
    nothing: tuple[tuple[Tile, ...], ...] = ((),) * players
    return State(
        options=chosen,
        number=0,
        phase="deal",
        seat=0,
        drawing=None,
        board={},
        last=None,
        racks=nothing,
        piles={colour: TILES[colour] for colour in chosen.in_play},
        captures=nothing,
        discards=(),
        shown=nothing,
        groups=dict.fromkeys(chosen.in_play, 0),
        result=None,
        _cells=dict.fromkeys(chosen.in_play, frozenset()),
        _loose=frozenset(),
    )


# --- chance ---------------------------------------------------------------------------------------


def due(state: State) -> bool:
    """Whether tiles must be dealt or drawn before any seat may act."""
    return state.phase in ("deal", "draw")


def chance(state: State, pick: Pick) -> Chance:
    """Tiles dealt or drawn at random from the piles that they must come from."""
    if state.drawing is not None:
        return TilesDrawn("draw", state.seat, choose(state.piles[state.drawing], 1, pick))
    hands = (choose(state.piles[c], RACK, pick) for c in state.options.colours[state.seat])
    return TilesDrawn("deal", state.seat, tuple(tile for hand in hands for tile in hand))


def _deal(state: State, entry: TilesDrawn) -> Step[State]:
    # Setting up: five tiles of each of one's colours, seen by nobody else. Seat by seat, then the
    # first player begins.
    seat, options = state.seat, state.options
    own = options.colours[seat]
    _check_draw(state, entry, RACK * len(own))
    piles = dict(state.piles)
    for name in entry.tiles:
        tile = Tile(name)
        colour = next((colour for colour in own if tile in piles[colour]), None)
        if colour is None:
            raise Refused(Code.ILLEGAL, "not-in-pile", tile=tile, colours=own)
        piles[colour] = without_tile(piles[colour], tile)
    rack = with_tiles((), tuple(map(Tile, entry.tiles)))
    for colour in own:
        if (found := count_of(rack, colour)) != RACK:
            raise Refused(Code.ILLEGAL, "wrong-count", found=found, expected=RACK, colour=colour)
    last = seat + 1 == len(options.colours)
    after = with_changes(
        state,
        number=state.number + 1,
        phase="play" if last else "deal",
        seat=options.first if last else seat + 1,
        racks=put_at(state.racks, seat, rack),
        piles=piles,
    )
    return Step(after, (Dealt(seat, rack),))


def _draw(state: State, entry: TilesDrawn, colour: Colour) -> Step[State]:
    # After each move one tile is drawn from the pile of the colour that was played.
    seat = state.seat
    _check_draw(state, entry, 1)
    tile = Tile(entry.tiles[0])
    pile = state.piles[colour]
    if tile not in pile:
        raise Refused(Code.ILLEGAL, "not-in-pile", tile=tile, colours=colour)
    after = draft_of(state)
    after.number += 1
    after.phase, after.seat = "play", next_seat(seat, len(state.racks))
    after.drawing = None
    after.racks = put_at(state.racks, seat, with_tiles(state.racks[seat], (tile,)))
    after.piles = {**state.piles, colour: without_tile(pile, tile)}
    return Step(sealed(after, State), (Drawn(seat, colour, tile),))


def _check_draw(state: State, entry: TilesDrawn, count: int) -> None:
    if entry.seat != state.seat:
        raise Refused(Code.ILLEGAL, "wrong-seat", seat=entry.seat, expected=state.seat)
    if len(entry.tiles) != count:
        raise Refused(Code.ILLEGAL, "wrong-count", found=len(entry.tiles), expected=count)


# --- moves ----------------------------------------------------------------------------------------


def actors(state: State) -> tuple[Seat, ...]:
    """The seat whose turn it is, unless chance must speak first."""
    return (state.seat,) if state.phase == "play" else ()


def legal(state: State, seat: Seat) -> Sequence[BlockersMove]:
    """All moves of a seat: lays, then captures; discards only where there are neither."""
    return _legal(state, seat, MOVES)


def legal_texts(state: State, seat: Seat) -> tuple[str, ...]:
    """The same, written down."""
    return _legal(state, seat, TEXTS)


def _legal(state: State, seat: Seat, moves: Moves[M]) -> tuple[M, ...]:
    if state.phase != "play" or seat != state.seat:
        return ()
    own = state.options.colours[seat]
    return legal_moves(state.board, state._loose, state.racks[seat], own, _live(state), moves)


def legal_moves(  # noqa: PLR0913, PLR0917 - all that decides where a tile may go
    board: Board,
    loose: Set[Cell],
    rack: tuple[Tile, ...],
    own: str,
    live: Collection[Colour],
    moves: Moves[M],
) -> tuple[M, ...]:
    """All moves with this rack by the owner of the colours `own`, of which only those in `live`
    can still be played; `loose` is where a tile lies that does not hold its group together.

    It is told nothing that the seat itself may not know.
    """
    lays: list[M] = []
    captures: list[M] = []
    for tile in rack:
        if tile[0] not in live:
            continue
        for cell, lay, capture in moves.placements[tile]:
            there = board.get(cell)
            if there is None:
                lays.append(lay)
            elif cell in loose and there[0] not in own:
                captures.append(capture)
    # There is no passing: whoever has no empty cell to play to must capture.
    # Ruling: whoever can do neither shows the rack and discards a tile that could be played.
    return (*lays, *captures) or tuple(moves.discards[tile] for tile in rack if tile[0] in live)


def _live(state: State) -> tuple[Colour, ...]:
    # The colours of the seat to act that have not stopped. A colour stops when four of its tiles
    # are left; while its pile lasts, there are five on the rack. With two players one colour may go
    # on while the other has stopped.
    rack = state.racks[state.seat]
    own = state.options.colours[state.seat]
    return tuple([c for c in own if state.piles[c] or count_of(rack, c) > KEPT])


def next_seat(seat: Seat, players: int) -> Seat:
    """Clockwise, without exception: all seats have equally many turns."""
    return (seat + 1) % players


def _act(state: State, seat: Seat, move: BlockersMove) -> Step[State]:
    if state.phase != "play" or seat != state.seat:
        raise Refused(Code.NOT_YOUR_TURN, "not-your-turn", seat=seat)
    tile = move.tile
    if tile not in state.racks[seat]:
        raise Refused(Code.ILLEGAL, "tile-not-in-hand", tile=tile)
    if tile[0] not in _live(state):
        raise Refused(Code.ILLEGAL, "colour-stopped", colour=tile[0])
    if isinstance(move, Discard):
        return _discard(state, tile)
    if move.cell not in CELLS_OF[tile]:
        raise Refused(Code.ILLEGAL, "cell-mismatch", tile=tile, cell=move.cell)
    if isinstance(move, Lay):
        return _lay(state, tile, move.cell)
    return _capture(state, tile, move.cell)


def _lay(state: State, tile: Tile, cell: Cell) -> Step[State]:
    # A tile goes to an empty cell.
    if cell in state.board:
        raise Refused(Code.ILLEGAL, "cell-occupied", cell=cell, tile=state.board[cell])
    own = _joined(state, tile[0], cell)
    after = _placed(state, tile, cell, (own,))
    return _finish(sealed(after, State), Laid(state.seat, tile, cell, (own,)))


def _capture(state: State, tile: Tile, cell: Cell) -> Step[State]:
    # An opponent's tile gives way, and lies face up before the captor for the rest of the game.
    captor = state.seat
    taken = state.board.get(cell)
    if taken is None:
        raise Refused(Code.ILLEGAL, "cell-empty", cell=cell)
    if taken[0] in state.options.colours[captor]:
        raise Refused(Code.ILLEGAL, "own-tile", cell=cell, tile=taken)
    # What remains of the group must hang together. Nothing may remain: a lone tile can be taken.
    loss = taken[0]
    parts = parts_around(state._cells[loss], cell)
    if parts > 1:
        raise Refused(Code.ILLEGAL, "splits-group", cell=cell, colour=loss, parts=parts)
    own = _joined(state, tile[0], cell)
    other = GroupChange(loss, state.groups[loss], state.groups[loss] - (parts == 0))
    after = _placed(state, tile, cell, (other, own))
    after.captures = put_at(state.captures, captor, (*state.captures[captor], taken))
    return _finish(sealed(after, State), Captured(captor, tile, cell, taken, (own, other)))


def _placed(state: State, tile: Tile, cell: Cell, changes: tuple[GroupChange, ...]) -> Any:
    # A draft of the state with the tile on the cell, which these colours have left or come to.
    after = draft_of(state)
    after.number += 1
    after.phase, after.seat = _after_move(state, tile[0])
    after.drawing = tile[0] if after.phase == "draw" else None
    after.board = {**state.board, cell: tile}
    after.last = cell
    after.racks = _played(state.racks, state.seat, tile)
    after.shown = _played(state.shown, state.seat, tile)
    after.groups, after._cells = {**state.groups}, {**state._cells}
    for change in changes:
        colour = change.colour
        after.groups[colour] = change.after
        after._cells[colour] ^= {cell}
        after._loose = loose_now(after._loose, after._cells[colour], cell)
    return after


def _discard(state: State, tile: Tile) -> Step[State]:
    # Ruling: a discarded tile counts as one of the 24 that its colour plays.
    if not isinstance(legal(state, state.seat)[0], Discard):
        raise Refused(Code.ILLEGAL, "discard-not-allowed", tile=tile)
    rack = state.racks[state.seat]
    rest = without_tile(rack, tile)
    phase, seat = _after_move(state, tile[0])
    after = with_changes(
        state,
        number=state.number + 1,
        phase=phase,
        seat=seat,
        drawing=tile[0] if phase == "draw" else None,
        racks=put_at(state.racks, state.seat, rest),
        discards=(*state.discards, tile),
        shown=put_at(state.shown, state.seat, rest),
    )
    return _finish(after, Discarded(state.seat, rack, tile))


def _joined(state: State, colour: Colour, cell: Cell) -> GroupChange:
    # A new tile is a group of its own, less the groups that it joins.
    before = state.groups[colour]
    return GroupChange(colour, before, before + 1 - parts_around(state._cells[colour], cell))


def _after_move(state: State, colour: Colour) -> tuple[Phase, Seat]:
    # What comes after a move with this colour: a tile is drawn; if the pile is empty, the next
    # seat plays at once; when only four tiles of every colour are left, the game is over.
    if state.piles[colour]:
        return "draw", state.seat
    left = sum(map(len, state.piles.values())) + sum(map(len, state.racks)) - 1
    if left == KEPT * len(state.piles):
        return "over", state.seat
    return "play", next_seat(state.seat, len(state.racks))


def _finish(state: State, event: Event) -> Step[State]:
    # What a move led to, and at the end of the game the scores.
    if state.phase != "over":
        return Step(state, (event,))
    scores = tuple(
        score_of(state.options, seat, state._cells, captured)
        for seat, captured in enumerate(state.captures)
    )
    result = result_of(scores)
    events = (
        *(Scored(i, s.groups, s.captures, s.counted, s.score) for i, s in enumerate(scores)),
        Ended(result),
    )
    over = with_changes(state, number=state.number + len(events), result=result)
    return Step(over, (event, *events))


def _played(
    all_tiles: tuple[tuple[Tile, ...], ...], seat: Seat, tile: Tile
) -> tuple[tuple[Tile, ...], ...]:
    # Without the tile that a seat has played, if it was there.
    tiles = all_tiles[seat]
    return put_at(all_tiles, seat, without_tile(tiles, tile)) if tile in tiles else all_tiles


# --- the door -------------------------------------------------------------------------------------


def apply(state: State, entry: Entry[BlockersMove]) -> Step[State]:
    """What follows from an entry."""
    if state.phase == "over":
        raise Refused(Code.OVER, "game-over")
    if isinstance(entry, Action):
        return _act(state, entry.seat, entry.move)
    if isinstance(entry, TilesDrawn) and due(state) and entry.what == state.phase:
        if state.drawing is not None:
            return _draw(state, entry, state.drawing)
        return _deal(state, entry)
    raise Refused(Code.ILLEGAL, "not-due", what=entry.what)


def result(state: State) -> Result | None:
    """How the game ended, or `None` while it goes on."""
    return state.result
