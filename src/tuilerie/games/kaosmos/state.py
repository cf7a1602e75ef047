"""The state of a game, and how each event changes it.

What everyone may know is the `Table`; a state adds what each seat holds in secret, a view adds what
its viewer may know. Both change by the same functions, event by event, so that a view which follows
the events is always the view of the state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from tuilerie.games.game import Ended, Event, Result, Seat, put_at
from tuilerie.games.kaosmos.board import Slot
from tuilerie.games.kaosmos.box import Box
from tuilerie.games.kaosmos.card import COLOURS, Options
from tuilerie.games.kaosmos.cards import CardId, RoundRules
from tuilerie.games.kaosmos.events import (
    ASIDE,
    SUPPLY,
    CardShown,
    Chosen,
    Counted,
    Drawn,
    Filled,
    Grabbed,
    Kept,
    Lifted,
    Locked,
    Passed,
    PhaseBegan,
    Placed,
    RoundBegan,
    SetAside,
    Supplied,
    TimeUp,
    Transferred,
    Turned,
)
from tuilerie.games.kaosmos.score import Galaxy, Markers, SeatCount
from tuilerie.games.kaosmos.tiles import Laid, TileId
from tuilerie.games.kaosmos.versions import Version

CARD_PHASE, DRAW, DRAFT, BUILDING = "card", "draw", "draft", "building"
FILL, INTERFERENCE, TRANSFER, OVER = "fill", "ingerence", "transfert", "over"

READY = "ready"
"""Building as the table sees it before the timer starts (`face_down`)."""

BY_CHANCE = (CARD_PHASE, DRAW, FILL)
"""The phases in which chance must speak."""

BY_SEATS = (DRAFT, BUILDING, INTERFERENCE, TRANSFER)
"""The phases in which seats act, all at the same time."""

LEFT, RIGHT = "left", "right"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """All that lies open on the table."""

    number: int  # how many events have happened
    players: int
    options: Options
    round: int
    direction: str  # left: packets go to the next seat; right: to the one before
    phase: str
    waiting: tuple[Seat, ...]  # the seats that this phase still waits for
    glass: int | None  # how many seconds building lasts, while it goes on
    card: CardId | None  # of this round
    cards: tuple[CardId, ...]  # all that were turned so far
    packets: tuple[int, ...]  # how many tiles each seat holds to choose from
    kept: tuple[int, ...]  # how many lie face down: kept in the draft, or drawn without one
    supplies: tuple[int, ...]  # how many it has to build with and not laid
    galaxies: tuple[Galaxy, ...]
    aside: tuple[TileId | None, ...]  # the tile that it has set aside
    locked: tuple[Seat, ...]
    bonuses: Mapping[str, Seat | None]  # who has taken each bonus tile in this round
    markers: tuple[Markers, ...]
    counts: tuple[SeatCount, ...]  # the last count, seat by seat
    result: Result | None
    _box: Box
    _version: Version

    @property
    def box(self) -> Box:
        """The tiles and the cards that are played with."""
        return self._box

    @property
    def version(self) -> Version:
        """The version of the rules that this game is played by."""
        return self._version

    @property
    def rules(self) -> RoundRules:
        """The rules of this round."""
        return self._box.rules(self.card)

    @property
    def drafting(self) -> bool:
        """Whether tiles are passed on in this round."""
        return self.options.draft and self.rules.draft

    def next_to(self, seat: Seat) -> Seat:
        """The next player in the direction in which packets are passed in this round."""
        return (seat + (1 if self.direction == LEFT else -1)) % self.players

    def is_complete(self, seat: Seat) -> bool:
        """Whether the galaxy of a seat has its whole shape."""
        return self.rules.shape.is_complete(self.galaxies[seat])


@dataclass(frozen=True, slots=True)
class Hand:
    """What a seat holds that others do not see. Tiles are in the order of their names."""

    packet: tuple[TileId, ...] = ()  # to choose from, in the draft
    kept: tuple[TileId, ...] = ()  # face down until building begins
    supply: tuple[TileId, ...] = ()  # to build with
    choice: str | None = None  # made, but not yet shown
    seen: tuple[tuple[TileId, ...], ...] = ()
    """What a good memory holds of this round's draft: the tiles kept of the first packet, those
    passed on, and the same of the second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State(Table):
    """All that is true of a game, hidden or not. Never changed: each entry makes a new one.

    The bag is what no seat has: it needs no field.
    """

    hands: tuple[Hand, ...]


def actors(table: Table) -> tuple[Seat, ...]:
    """The seats that the game waits for."""
    return table.waiting if table.phase in BY_SEATS else ()


def may_still_grab(table: Table, seat: Seat) -> bool:
    """Whether a seat that is done may take bonus tiles, as long as others build."""
    done = table.phase == BUILDING and seat in table.locked
    return done and table.version.bonus_after_done and seat not in table.bonuses.values()


def face_down(state: State) -> State:
    """The state as the table sees it before the timer starts: nobody knows their tiles."""
    if state.phase != BUILDING or not state.version.face_down:
        return state
    hands = tuple(replace(hand, supply=()) for hand in state.hands)
    return replace(state, phase=READY, waiting=(), hands=hands)


def slot_of(galaxy: Galaxy, tile: TileId) -> Slot | None:
    """Where a tile lies."""
    return next((slot for slot, laid in galaxy.items() if laid[0] == tile), None)


def direction_of(round_number: int) -> str:
    """Odd rounds pass to the left, even ones to the right."""
    return LEFT if round_number % 2 else RIGHT


def no_bonuses() -> dict[str, Seat | None]:
    """All three bonus tiles in the middle of the table."""
    return dict.fromkeys(COLOURS)


# --- what events change ---------------------------------------------------------------------------

T = TypeVar("T", bound=Table)


def after(state: State, event: Event) -> State:
    """The state after an event."""
    changed = table_after(state, event)
    hands = tuple(hand_after(state, seat, hand, event) for seat, hand in enumerate(state.hands))
    return replace(changed, hands=hands)


def table_after(table: T, event: Event) -> T:
    """The table after an event, as everyone sees it."""
    return replace(table, number=table.number + 1, **_changes(table, event))


def _changes(table: Table, event: Event) -> dict[str, Any]:  # noqa: PLR0912
    """The fields of the table that an event changes."""
    match event:
        case Placed():
            return _placed(table, event)
        case Lifted(seat, _, slot):
            supplies = _plus(table.supplies, seat, 1)
            return {"galaxies": _lay(table, seat, {}, (slot,)), "supplies": supplies}
        case SetAside(seat, tile, source, returned):
            more = (returned is not None) - (source == SUPPLY)
            return {
                "galaxies": _lay(table, seat, {}, (source,)),
                "supplies": _plus(table.supplies, seat, more),
                "aside": put_at(table.aside, seat, tile),
            }
        case Locked(seat):
            locked = tuple(sorted((*table.locked, seat)))
            return {"locked": locked, "waiting": _without(table.waiting, seat)}
        case Grabbed(seat, colours):
            return {"bonuses": {**table.bonuses, **dict.fromkeys(colours, seat)}}
        case TimeUp():
            return {"waiting": (), "glass": None}
        case Filled(seat, taken, puts):
            new = {slot: (tile, turns) for tile, slot, turns in puts}
            return {
                "galaxies": _lay(table, seat, new, taken),
                "supplies": _plus(table.supplies, seat, len(taken) - len(puts)),
                "waiting": _without(table.waiting, seat),
            }
        case Kept(seat, count):
            return {
                "packets": _plus(table.packets, seat, -count),
                "kept": _plus(table.kept, seat, count),
                "waiting": _without(table.waiting, seat),
            }
        case Passed(_, seat, count, unseen):
            waiting = table.waiting if unseen else tuple(sorted((*table.waiting, seat)))
            return {"packets": put_at(table.packets, seat, count), "waiting": waiting}
        case Supplied(seat, count):
            return {
                "packets": put_at(table.packets, seat, 0),
                "kept": put_at(table.kept, seat, 0),
                "supplies": put_at(table.supplies, seat, count),
            }
        case Drawn(seat, count, unseen):
            field = "packets" if table.drafting else "kept" if unseen else "supplies"
            return {
                field: put_at(getattr(table, field), seat, count),
                "waiting": _without(table.waiting, seat),
            }
        case PhaseBegan(phase, waiting, glass):
            return {"phase": phase, "waiting": waiting, "glass": glass}
        case CardShown(card):
            return {"card": card, "cards": (*table.cards, card)}
        case Chosen(seat):
            return {"waiting": _without(table.waiting, seat)}
        case Turned(tiles):
            galaxies = list(table.galaxies)
            for each in tiles:
                laid = {each.slot: (each.tile, each.turns)}
                galaxies[each.owner] = {**galaxies[each.owner], **laid}
            return {"galaxies": tuple(galaxies)}
        case Counted(seat, _, count):
            return {
                "markers": put_at(table.markers, seat, count.after),
                "counts": (*table.counts[:seat], count) if seat else (count,),
            }
        case Transferred(seat, source, target, _, source_after, target_after):
            moved = {source: source_after, target: target_after}
            return {"markers": put_at(table.markers, seat, {**table.markers[seat], **moved})}
        case RoundBegan():
            return _round_began(table, event)
        case Ended(result):
            return {"phase": OVER, "waiting": (), "glass": None, "result": result}
    raise TypeError(event)


def _placed(table: Table, event: Placed) -> dict[str, Any]:
    seat, source = event.seat, event.source
    more = (event.displaced is not None) - (source == SUPPLY)
    new = {event.slot: (event.tile, event.turns)}
    changes: dict[str, Any] = {"galaxies": _lay(table, seat, new, (source,))}
    if more:
        changes["supplies"] = _plus(table.supplies, seat, more)
    if source == ASIDE:
        changes["aside"] = put_at(table.aside, seat, None)
    return changes


def _round_began(table: Table, event: RoundBegan) -> dict[str, Any]:
    none = (0,) * table.players
    return {
        "round": event.round,
        "direction": event.direction,
        "phase": event.phase,
        "waiting": tuple(range(table.players)) if event.phase == DRAW else (),
        "glass": None,
        "card": None,
        "packets": none,
        "kept": none,
        "supplies": none,
        "galaxies": ({},) * table.players,
        "aside": (None,) * table.players,
        "locked": (),
        "bonuses": no_bonuses(),
    }


def hand_after(table: Table, seat: Seat, hand: Hand, event: Event) -> Hand:
    """What a seat holds after an event of which it may know all. The table is as before it."""
    if isinstance(event, RoundBegan):
        return Hand()
    if isinstance(event, Turned):
        return replace(hand, choice=None)
    return _own_hand_after(table, hand, event) if getattr(event, "seat", None) == seat else hand


def _own_hand_after(table: Table, hand: Hand, event: Event) -> Hand:
    match event:
        case Placed(_, tile, _, _, source, displaced) | SetAside(_, tile, source, displaced):
            supply = _drop(hand.supply, tile) if source == SUPPLY else hand.supply
            return replace(hand, supply=_add(supply, displaced))
        case Lifted(_, tile):
            return replace(hand, supply=_add(hand.supply, tile))
        case Filled(seat, taken, puts):
            galaxy = table.galaxies[seat]
            gathered = _add(hand.supply, *(galaxy[slot][0] for slot in taken))
            return replace(hand, supply=_drop(gathered, *(tile for tile, _, _ in puts)))
        case Drawn(_, _, True, tiles):
            return Hand(kept=_add((), *(tiles or ())))  # not even the seat itself has seen them
        case Drawn(_, _, False, tiles):
            drawn = _add((), *known(tiles))
            return Hand(packet=drawn) if table.drafting else Hand(supply=drawn)
        case Kept(_, _, tiles):
            kept = known(tiles)
            passed = _drop(hand.packet, *kept)
            seen = (*hand.seen, kept, passed)
            return Hand(packet=passed, kept=_add(hand.kept, *kept), seen=seen)
        case Passed(unseen=False, tiles=tiles):
            return replace(hand, packet=known(tiles))
        case Supplied(_, _, tiles):
            return Hand(supply=known(tiles), seen=hand.seen)
        case Chosen(_, choice):
            return replace(hand, choice=choice)
        case Transferred():
            return replace(hand, choice=None)
    return hand


def known(tiles: tuple[TileId, ...] | None) -> tuple[TileId, ...]:
    """The tiles of an event that was not redacted."""
    assert tiles is not None
    return tiles


def _lay(
    table: Table, seat: Seat, new: Mapping[Slot, Laid], gone: tuple[str, ...] = ()
) -> tuple[Galaxy, ...]:
    """All galaxies, where a seat has taken tiles from some slots and laid others."""
    galaxy = {slot: laid for slot, laid in table.galaxies[seat].items() if slot not in gone}
    galaxy.update(new)
    return put_at(table.galaxies, seat, galaxy)


def _plus(values: tuple[int, ...], seat: Seat, more: int) -> tuple[int, ...]:
    return put_at(values, seat, values[seat] + more)


def _without(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return tuple(other for other in seats if other != seat)


def _add(tiles: tuple[TileId, ...], *more: TileId | None) -> tuple[TileId, ...]:
    return tuple(sorted((*tiles, *(tile for tile in more if tile is not None))))


def _drop(tiles: tuple[TileId, ...], *gone: TileId) -> tuple[TileId, ...]:
    return tuple(tile for tile in tiles if tile not in gone)
