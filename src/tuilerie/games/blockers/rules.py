"""The rules of Blockers!.

Refusals by rule name (when; params):

======================  ========  ==================================================================
game-over               over      anything after the end
not-your-turn           not-…     a move by a seat that may not act now; seat
not-due                 illegal   a chance or clock entry that is not due; what
wrong-seat              illegal   tiles dealt or drawn for another seat; seat, expected
wrong-count             illegal   too many or too few tiles, in all or of a colour; found, expected
                                  (and colour)
not-in-pile             illegal   a tile that is not in a pile that it may come from; tile, colours
tile-not-in-hand        illegal   a tile that is not on the seat's rack; tile
colour-stopped          illegal   a colour of which only four tiles are left; colour
cell-mismatch           illegal   the tile's face does not match the cell; tile, cell
cell-occupied           illegal   '-' to a cell where a tile lies; cell, tile
cell-empty              illegal   'x' on an empty cell; cell
own-tile                illegal   'x' on the seat's own tile; cell, tile
splits-group            illegal   'x' on a tile whose removal splits its group; cell, colour, parts
discard-not-allowed     illegal   a discard by a seat that has another move; tile
======================  ========  ==================================================================

In `notation` and `card` (malformed; found, expected): bad-move, bad-chance, bad-seat, bad-tiles,
unknown-tile, bad-players, unknown-option, bad-option.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import replace

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
    put_at,
)


def start(players: int, options: Mapping[str, Json]) -> State:
    """Return the initial state: an empty board, and all tiles face down in their piles."""
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
    """Return whether tiles must be dealt or drawn next."""
    return state.phase in ("deal", "draw")


def chance(state: State, pick: Pick) -> Chance:
    """Deal or draw tiles at random from the right piles."""
    if state.drawing is not None:
        return TilesDrawn("draw", state.seat, choose(state.piles[state.drawing], 1, pick))
    hands = (choose(state.piles[c], RACK, pick) for c in state.options.colours[state.seat])
    return TilesDrawn("deal", state.seat, tuple(tile for hand in hands for tile in hand))


def _deal(state: State, entry: TilesDrawn) -> Step[State]:
    # Setup: each seat in turn takes five hidden tiles of each of its colours; then the first player
    # begins.
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
    after = replace(
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
    after = replace(
        state,
        number=state.number + 1,
        phase="play",
        seat=next_seat(seat, len(state.racks)),
        drawing=None,
        racks=put_at(state.racks, seat, with_tiles(state.racks[seat], (tile,))),
        piles={**state.piles, colour: without_tile(pile, tile)},
    )
    return Step(after, (Drawn(seat, colour, tile),))


def _check_draw(state: State, entry: TilesDrawn, count: int) -> None:
    if entry.seat != state.seat:
        raise Refused(Code.ILLEGAL, "wrong-seat", seat=entry.seat, expected=state.seat)
    if len(entry.tiles) != count:
        raise Refused(Code.ILLEGAL, "wrong-count", found=len(entry.tiles), expected=count)


# --- moves ----------------------------------------------------------------------------------------


def actors(state: State) -> tuple[Seat, ...]:
    """Return the seat on turn; none while a chance entry is due."""
    return (state.seat,) if state.phase == "play" else ()


def legal(state: State, seat: Seat) -> Sequence[BlockersMove]:
    """List all moves of a seat: lays, then captures; discards only if there are neither."""
    return _legal(state, seat, MOVES)


def legal_texts(state: State, seat: Seat) -> tuple[str, ...]:
    """List all moves of a seat in notation."""
    return _legal(state, seat, TEXTS)


def _legal(state: State, seat: Seat, moves: Moves[M]) -> tuple[M, ...]:
    if state.phase != "play" or seat != state.seat:
        return ()
    own = state.options.colours[seat]
    return legal_moves(state.board, state._loose, state.racks[seat], own, _live(state), moves)


def legal_moves(  # noqa: PLR0913, PLR0917 - everything that determines the moves
    board: Board,
    loose: Set[Cell],
    rack: tuple[Tile, ...],
    own: str,
    live: Collection[Colour],
    moves: Moves[M],
) -> tuple[M, ...]:
    """List all moves with this rack by the owner of the colours `own`, of which those in `live`
    are not stopped; `loose` holds the cells whose removal splits no group.

    It uses only what the seat may know, so states and views share it.
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
    # There is no passing: a player without a matching empty cell must capture.
    # Ruling: a player who can do neither shows the rack and discards a tile that is not stopped.
    return (*lays, *captures) or tuple(moves.discards[tile] for tile in rack if tile[0] in live)


def _live(state: State) -> tuple[Colour, ...]:
    # The colours of the seat to act that have not stopped. A colour stops when four of its tiles
    # are left; while its pile lasts, there are five on the rack. With two players one colour may
    # continue while the other has stopped.
    rack = state.racks[state.seat]
    own = state.options.colours[state.seat]
    return tuple([c for c in own if state.piles[c] or count_of(rack, c) > KEPT])


def next_seat(seat: Seat, players: int) -> Seat:
    """Return the next seat clockwise: all seats have equally many turns."""
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
    after = _placed(state, tile, cell, (own,), state.captures)
    return _finish(after, Laid(state.seat, tile, cell, (own,)))


def _capture(state: State, tile: Tile, cell: Cell) -> Step[State]:
    # The captured tile lies face up in front of the captor for the rest of the game.
    captor = state.seat
    taken = state.board.get(cell)
    if taken is None:
        raise Refused(Code.ILLEGAL, "cell-empty", cell=cell)
    if taken[0] in state.options.colours[captor]:
        raise Refused(Code.ILLEGAL, "own-tile", cell=cell, tile=taken)
    # A capture must not split a group. A single tile can be captured.
    loss = taken[0]
    parts = parts_around(state._cells[loss], cell)
    if parts > 1:
        raise Refused(Code.ILLEGAL, "splits-group", cell=cell, colour=loss, parts=parts)
    own = _joined(state, tile[0], cell)
    other = GroupChange(loss, state.groups[loss], state.groups[loss] - (parts == 0))
    captures = put_at(state.captures, captor, (*state.captures[captor], taken))
    after = _placed(state, tile, cell, (other, own), captures)
    return _finish(after, Captured(captor, tile, cell, taken, (own, other)))


def _placed(
    state: State,
    tile: Tile,
    cell: Cell,
    changes: tuple[GroupChange, ...],
    captures: tuple[tuple[Tile, ...], ...],
) -> State:
    # The state with the tile on the cell. Each of these colours has left the cell, or come to it.
    groups, cells, loose = {**state.groups}, {**state._cells}, state._loose
    for change in changes:
        colour = change.colour
        groups[colour] = change.after
        cells[colour] ^= {cell}
        loose = loose_now(loose, cells[colour], cell)
    phase, seat = _after_move(state, tile[0])
    return replace(
        state,
        number=state.number + 1,
        phase=phase,
        seat=seat,
        drawing=tile[0] if phase == "draw" else None,
        board={**state.board, cell: tile},
        last=cell,
        racks=_played(state.racks, state.seat, tile),
        shown=_played(state.shown, state.seat, tile),
        captures=captures,
        groups=groups,
        _cells=cells,
        _loose=loose,
    )


def _discard(state: State, tile: Tile) -> Step[State]:
    # Ruling: a discarded tile counts as one of the 24 that its colour plays.
    if not isinstance(legal(state, state.seat)[0], Discard):
        raise Refused(Code.ILLEGAL, "discard-not-allowed", tile=tile)
    rack = state.racks[state.seat]
    rest = without_tile(rack, tile)
    phase, seat = _after_move(state, tile[0])
    after = replace(
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
    # A new tile adds one group and merges those that it touches.
    before = state.groups[colour]
    return GroupChange(colour, before, before + 1 - parts_around(state._cells[colour], cell))


def _after_move(state: State, colour: Colour) -> tuple[Phase, Seat]:
    # After a move a tile of its colour is drawn; with an empty pile the next seat plays at once;
    # when only four tiles of every colour are left, the game is over.
    if state.piles[colour]:
        return "draw", state.seat
    left = sum(map(len, state.piles.values())) + sum(map(len, state.racks)) - 1
    if left == KEPT * len(state.piles):
        return "over", state.seat
    return "play", next_seat(state.seat, len(state.racks))


def _finish(state: State, event: Event) -> Step[State]:
    # The events of a move, with the scores at the end of the game.
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
    over = replace(state, number=state.number + len(events), result=result)
    return Step(over, (event, *events))


def _played(
    all_tiles: tuple[tuple[Tile, ...], ...], seat: Seat, tile: Tile
) -> tuple[tuple[Tile, ...], ...]:
    # Removes a played tile from those that were shown.
    tiles = all_tiles[seat]
    return put_at(all_tiles, seat, without_tile(tiles, tile)) if tile in tiles else all_tiles


# --- entries --------------------------------------------------------------------------------------


def apply(state: State, entry: Entry[BlockersMove]) -> Step[State]:
    """Apply an entry: return the next state and the events."""
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
    """Return the result, or `None` while the game is not over."""
    return state.result
