"""The rules of Kaosmos.

Refusals by rule name (when; params):

======================  ========  ==================================================================
game-over               over      anything after the end
not-your-turn           not-…     a move by a seat that may not act now; seat
wrong-phase             illegal   a move of another phase; phase, expected
building-over           too-late  a building move after the galaxies were closed; phase
locked                  too-late  a building move after 'done' or 'grab', or a second 'grab'; seat
wrong-count             illegal   too many or too few tiles; found, expected
not-in-packet           illegal   a tile that is not in the current packet; tile
not-your-tile           illegal   a tile that the seat neither holds nor has laid or set aside; tile
not-laid                illegal   'lift' of a tile that does not lie in the seat's galaxy; tile
slot-outside            illegal   a slot that the shape of this round does not have; slot, shape
bad-turns               illegal   other than 0–3 quarter turns; turns
orientation-fixed       illegal   a turned tile where the card forbids turning; tile
nothing-changes         illegal   a put or leave that changes nothing; tile
no-tile-left-out        illegal   'leave' in a round where all nine tiles are laid; tile
galaxy-incomplete       illegal   'done' before the galaxy is whole, in rules version 1 also 'grab';
                                  laid, needed, shape
unknown-colour          illegal   no colour, or one that does not exist; colours
bonus-taken             too-late  a bonus tile that another seat has; colours, by (a seat for each)
no-tile-there           illegal   'turn' of a slot where the next player has no tile; slot, seat
same-colour             illegal   'move' from a colour to itself; colour
too-many-points         illegal   'move' of more than may be moved; source, points, most
not-due                 illegal   a chance entry that is not due; what, phase
not-in-deck             illegal   a card that is not in the deck (any more); card
not-in-bag              illegal   tiles that are not in the bag; tiles
not-in-supply           illegal   a fill with a tile that the seat does not hold; tile, seat
not-a-gap               illegal   a fill of a slot that is taken, outside or not beside; slot, seat
no-timer                illegal   time in a game without a timer
not-timed               illegal   time while nobody builds; phase
too-few-tiles           illegal   at the start: a set too small for the players; found, needed
too-few-cards           illegal   at the start: fewer cards than rounds; found, needed
======================  ========  ==================================================================

In `notation` and `card` (malformed; found, expected): bad-move, bad-chance, bad-card, bad-seat,
bad-tiles, bad-galaxy, slot-outside, slot-twice, tile-twice, bad-players, unknown-option,
bad-option.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from tuilerie.games.game import (
    Action,
    Chance,
    Code,
    Ended,
    Entry,
    Event,
    Pick,
    Refused,
    Seat,
    Step,
    TilesDrawn,
    Timeout,
    choose,
)
from tuilerie.games.kaosmos.board import HAND
from tuilerie.games.kaosmos.box import Box
from tuilerie.games.kaosmos.card import COLOURS, MARKERS, ROUNDS, Options
from tuilerie.games.kaosmos.cards import CardId
from tuilerie.games.kaosmos.events import (
    CardShown,
    Counted,
    Drawn,
    Filled,
    Passed,
    PhaseBegan,
    RoundBegan,
    Supplied,
    TimeUp,
    Transferred,
    Turned,
    Turning,
)
from tuilerie.games.kaosmos.fill import check_fill, draw_fill
from tuilerie.games.kaosmos.legal import KEEP, legal_texts, transferable
from tuilerie.games.kaosmos.moves import MOVES
from tuilerie.games.kaosmos.notation import (
    CardTurned,
    Done,
    Fill,
    Grab,
    KaosmosMove,
    Transfer,
    Turn,
    parse_move,
)
from tuilerie.games.kaosmos.score import clamp, count_round, final
from tuilerie.games.kaosmos.state import (
    BUILDING,
    BY_CHANCE,
    CARD_PHASE,
    DRAFT,
    DRAW,
    FILL,
    INTERFERENCE,
    TRANSFER,
    Hand,
    State,
    actors,
    after,
    direction_of,
    may_still_grab,
    no_bonuses,
)
from tuilerie.games.kaosmos.tiles import TileId
from tuilerie.games.kaosmos.versions import NEWEST, RulesVersion

# --- the start ------------------------------------------------------------------------------------


def start(players: int, options: Options, box: Box, version: RulesVersion = NEWEST) -> State:
    """Return the initial state."""
    found, needed = len(box.tiles.tiles), players * HAND
    if found < needed:
        raise Refused(Code.ILLEGAL, "too-few-tiles", found=found, needed=needed)
    if options.kaos and len(box.cards) < ROUNDS:
        raise Refused(Code.ILLEGAL, "too-few-cards", found=len(box.cards), needed=ROUNDS)
    none = (0,) * players
    return State(
        number=0,
        players=players,
        options=options,
        round=1,
        direction=direction_of(1),
        phase=CARD_PHASE if options.kaos else DRAW,
        waiting=() if options.kaos else tuple(range(players)),
        timer=None,
        card=None,
        cards=(),
        packets=none,
        kept=none,
        supplies=none,
        galaxies=({},) * players,
        aside=(None,) * players,
        locked=(),
        bonuses=no_bonuses(),
        markers=(dict.fromkeys(MARKERS, 0),) * players,
        counts=(),
        result=None,
        hands=(Hand(),) * players,
        _box=box,
        _version=version,
    )


# --- chance ---------------------------------------------------------------------------------------


def due(state: State) -> bool:
    """Return whether a chance entry is due."""
    return state.phase in BY_CHANCE


def deck(state: State) -> tuple[CardId, ...]:
    """Return the cards that have not been turned."""
    return tuple(card for card in state.box.cards if card not in state.cards)


def bag(state: State) -> tuple[TileId, ...]:
    """Return the tiles that nobody has drawn in this round."""
    drawn = {tile for hand in state.hands for tile in (*hand.packet, *hand.kept, *hand.supply)}
    return tuple(tile for tile in state.box.tiles.ids if tile not in drawn)


def chance(state: State, pick: Pick) -> Chance:
    """Draw the next chance entry: a card, nine tiles, or a random fill."""
    if state.phase == CARD_PHASE:
        left = deck(state)
        return CardTurned("card", left[pick(len(left))])
    seat = state.waiting[0]
    if state.phase == DRAW:
        return TilesDrawn("draw", seat, choose(bag(state), HAND, pick))
    return draw_fill(state, seat, pick)


# --- entries --------------------------------------------------------------------------------------

_parsed = lru_cache(maxsize=1 << 16)(parse_move)


def legal(state: State, seat: Seat) -> Sequence[KaosmosMove]:
    """List every move of a seat once, in a fixed order."""
    return tuple(map(_parsed, legal_texts(state, seat, state.hands[seat])))


class Play:
    """The application of one entry: the current state and the events so far."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def add(self, *events: Event) -> None:
        """Apply events to the state."""
        for event in events:
            self.state = after(self.state, event)
            self.events.append(event)


def apply(state: State, entry: Entry[KaosmosMove]) -> Step[State]:
    """Apply an entry: its own effects, then the next phase once no seat is waited for."""
    if state.result is not None:
        raise Refused(Code.OVER, "game-over")
    play = Play(state)
    if isinstance(entry, Action):
        play.add(*_act(state, entry.seat, entry.move))
    elif isinstance(entry, Timeout):
        play.add(_time_up(state))
    else:
        play.add(_happen(state, entry))
    if not play.state.waiting:
        _NEXT[state.phase](play)
    return Step(play.state, tuple(play.events))


def _act(state: State, seat: Seat, move: KaosmosMove) -> tuple[Event, ...]:
    """Return the events of a move, if the phase and the seat allow it."""
    belongs, events_of = MOVES[type(move)]
    if isinstance(move, Grab) and may_still_grab(state, seat):
        return events_of(state, seat, move)
    if belongs == BUILDING and _is_built(state):
        raise Refused(Code.TOO_LATE, "building-over", phase=state.phase)
    if seat not in actors(state):
        if state.phase == belongs == BUILDING and seat in state.locked:
            raise Refused(Code.TOO_LATE, "locked", seat=seat)
        raise Refused(Code.NOT_YOUR_TURN, "not-your-turn", seat=seat)
    if belongs != state.phase:
        raise Refused(Code.ILLEGAL, "wrong-phase", phase=state.phase, expected=belongs)
    return events_of(state, seat, move)


def _is_built(state: State) -> bool:
    """Return whether building is over, in this round or in the last one before the next draft."""
    before_building = state.phase in (CARD_PHASE, DRAW)
    return state.phase in (FILL, INTERFERENCE, TRANSFER) or (before_building and state.round > 1)


def is_race(state: State, seat: Seat, move: KaosmosMove) -> bool:
    """Return whether a move races with others: for a bonus tile, or for the end of the round, when
    the last 'done' ends it while other seats may still take bonus tiles."""
    if isinstance(move, Done) and state.waiting == (seat,):
        others = any(may_still_grab(state, other) for other in state.locked)
        return others and None in state.bonuses.values()
    return isinstance(move, Grab)


def _time_up(state: State) -> Event:
    """Return the event of the clock running out."""
    if state.options.seconds is None:
        raise Refused(Code.ILLEGAL, "no-timer")
    if state.phase != BUILDING:
        raise Refused(Code.ILLEGAL, "not-timed", phase=state.phase)
    return TimeUp()


def _happen(state: State, entry: Chance) -> Event:
    """Return the event of a chance entry, if it is due for the first waiting seat."""
    first = state.waiting[0] if state.waiting else None
    match state.phase, entry:
        case "card", CardTurned("card"):
            return _card_shown(state, entry)
        case "draw", TilesDrawn("draw", seat) if seat == first:
            return _drawn(state, entry)
        case "fill", Fill("fill", seat, puts) if seat == first:
            return Filled(seat, check_fill(state, entry).taken, puts)
    raise Refused(Code.ILLEGAL, "not-due", what=entry.what, phase=state.phase)


def _card_shown(state: State, entry: CardTurned) -> Event:
    """Each round has its own card."""
    if entry.card not in deck(state):
        raise Refused(Code.ILLEGAL, "not-in-deck", card=entry.card)
    return CardShown(entry.card)


def _drawn(state: State, entry: TilesDrawn) -> Event:
    """Everyone draws nine tiles from the bag."""
    if len(entry.tiles) != HAND:
        raise Refused(Code.ILLEGAL, "wrong-count", found=len(entry.tiles), expected=HAND)
    if len(set(entry.tiles).intersection(bag(state))) != HAND:
        raise Refused(Code.ILLEGAL, "not-in-bag", tiles=list(entry.tiles))
    unseen = state.version.face_down and not state.drafting
    return Drawn(entry.seat, HAND, unseen, entry.tiles)


# --- next phase, once no seat is waited for -------------------------------------------------------


def _everyone(state: State) -> tuple[Seat, ...]:
    return tuple(range(state.players))


def _after_card(play: Play) -> None:
    play.add(PhaseBegan(DRAW, _everyone(play.state)))


def _after_draw(play: Play) -> None:
    if play.state.drafting:
        play.add(PhaseBegan(DRAFT, _everyone(play.state)))
    else:
        _begin_building(play)


def _after_keeping(play: Play) -> None:
    """All packets are passed on at once: six tiles each, then three."""
    state = play.state
    last = state.kept[0] > KEEP
    supplies: dict[Seat, tuple[TileId, ...]] = {}
    for seat, hand in enumerate(state.hands):
        to = state.next_to(seat)
        # The last three are not looked at before building begins.
        tiles = None if last else hand.packet
        play.add(Passed(seat, to, len(hand.packet), last, tiles))
        supplies[to] = tuple(sorted((*state.hands[to].kept, *hand.packet)))
    if last:
        play.add(*(Supplied(seat, HAND, supplies[seat]) for seat in _everyone(state)))
        _begin_building(play)


def _begin_building(play: Play) -> None:
    """Face-down tiles are turned up. (At a live table, when the timer starts: `face_down`.)"""
    hands = enumerate(play.state.hands)
    play.add(*(Supplied(seat, HAND, hand.kept) for seat, hand in hands if hand.kept))
    seconds, (part, whole) = play.state.options.seconds, play.state.rules.time
    timer = None if seconds is None else max(1, seconds * part // whole)
    play.add(PhaseBegan(BUILDING, _everyone(play.state), timer))


def _after_building(play: Play) -> None:
    """Everyone is done, or time is up: incomplete galaxies are filled at random."""
    state = play.state
    late = tuple(seat for seat in _everyone(state) if not state.is_complete(seat))
    if late:
        play.add(PhaseBegan(FILL, late))
    else:
        _after_fill(play)


def _after_fill(play: Play) -> None:
    if play.state.rules.interference:
        play.add(PhaseBegan(INTERFERENCE, _everyone(play.state)))
    else:
        _count(play)


def _after_picking(play: Play) -> None:
    """All picked tiles turn at once."""
    state = play.state
    turned = []
    for by in _everyone(state):
        pick = _choice(state, by)
        assert isinstance(pick, Turn)
        owner = state.next_to(by)
        tile, turns = state.galaxies[owner][pick.slot]
        turns = (turns + state.rules.interference) % 4
        turned.append(Turning(by, owner, pick.slot, tile, turns))
    play.add(Turned(tuple(turned)))
    _count(play)


def _count(play: Play) -> None:
    """Zones, path, bonus, Kaos; then a card may let points be moved."""
    state = play.state
    counts = count_round(state.galaxies, state.bonuses, state.markers, state.rules, state.box.tiles)
    play.add(*(Counted(counted.seat, state.round, counted) for counted in counts))
    gainers = tuple(
        counted.seat
        for counted in counts
        if any(transferable(state, counted, colour) for colour in COLOURS)
    )
    if gainers:
        play.add(PhaseBegan(TRANSFER, gainers))
    else:
        _end_round(play)


def _after_transfers(play: Play) -> None:
    """All points move at once; those beyond 30 are lost."""
    state = play.state
    for seat, markers in enumerate(state.markers):
        move = _choice(state, seat)
        if isinstance(move, Transfer):  # seats without gains have no choice
            source, target, points = move.source, move.target, move.points
            left, reached = markers[source] - points, clamp(markers[target] + points)
            play.add(Transferred(seat, source, target, points, left, reached))
    _end_round(play)


def _choice(state: State, seat: Seat) -> KaosmosMove | None:
    """Return a seat's secret choice."""
    choice = state.hands[seat].choice
    return None if choice is None else _parsed(choice)


def _end_round(play: Play) -> None:
    """After five rounds the game is over."""
    state = play.state
    if state.round == ROUNDS:
        play.add(Ended(final(state.markers)))
    else:
        phase = CARD_PHASE if state.options.kaos else DRAW
        play.add(RoundBegan(state.round + 1, direction_of(state.round + 1), phase))


_NEXT: Mapping[str, Callable[[Play], None]] = {
    CARD_PHASE: _after_card,
    DRAW: _after_draw,
    DRAFT: _after_keeping,
    BUILDING: _after_building,
    FILL: _after_fill,
    INTERFERENCE: _after_picking,
    TRANSFER: _after_transfers,
}
"""What follows each phase."""
