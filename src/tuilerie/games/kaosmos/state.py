"""The state of a game, and how each event changes it.

`PublicState` is what everybody sees; a state adds the hidden hands, a view what its viewer may
know. Events change both with the same functions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from tuilerie.games.game import Ended, Event, Result, Seat, put_at
from tuilerie.games.kaosmos.board import Slot
from tuilerie.games.kaosmos.box import Box
from tuilerie.games.kaosmos.card import COLOURS, Colour, Options
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
from tuilerie.games.kaosmos.versions import RulesVersion

CARD_PHASE, DRAW, DRAFT, BUILDING = "card", "draw", "draft", "building"
FILL, INTERFERENCE, TRANSFER, OVER = "fill", "ingerence", "transfert", "over"

READY = "ready"
"""The building phase before the timer starts (`face_down`)."""

BY_CHANCE = (CARD_PHASE, DRAW, FILL)
"""The phases that wait for a chance entry."""

BY_SEATS = (DRAFT, BUILDING, INTERFERENCE, TRANSFER)
"""The phases in which all seats act simultaneously."""

LEFT, RIGHT = "left", "right"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicState:
    """All public information."""

    number: int  # number of events so far
    players: int
    options: Options
    round: int
    direction: str  # left: packets go to the next seat; right: to the one before
    phase: str
    waiting: tuple[Seat, ...]  # seats that this phase still waits for
    timer: int | None  # seconds for building, in that phase
    card: CardId | None  # of this round
    cards: tuple[CardId, ...]  # all cards turned so far
    packets: tuple[int, ...]  # number of tiles in each seat's packet
    kept: tuple[int, ...]  # number of face-down tiles: kept in the draft, or drawn without one
    supplies: tuple[int, ...]  # number of tiles to build with that are not laid
    galaxies: tuple[Galaxy, ...]
    aside: tuple[TileId | None, ...]  # the tile that each seat has set aside
    locked: tuple[Seat, ...]
    bonuses: Mapping[Colour, Seat | None]  # who has taken each bonus tile in this round
    markers: tuple[Markers, ...]
    counts: tuple[SeatCount, ...]  # the last count, by seat
    result: Result | None
    _box: Box
    _version: RulesVersion

    @property
    def box(self) -> Box:
        """The tiles and cards of this game."""
        return self._box

    @property
    def version(self) -> RulesVersion:
        """The rules version of this game."""
        return self._version

    @property
    def rules(self) -> RoundRules:
        """The rules of this round."""
        return self._box.rules(self.card)

    @property
    def drafting(self) -> bool:
        """Whether this round has a draft."""
        return self.options.draft and self.rules.draft

    def next_to(self, seat: Seat) -> Seat:
        """Return the next seat in this round's passing direction."""
        return (seat + (1 if self.direction == LEFT else -1)) % self.players

    def is_complete(self, seat: Seat) -> bool:
        """Return whether the galaxy of a seat is complete."""
        return self.rules.shape.is_complete(self.galaxies[seat])


@dataclass(frozen=True, slots=True)
class Hand:
    """The hidden part of a seat. Tiles are sorted by name."""

    packet: tuple[TileId, ...] = ()  # to choose from, in the draft
    kept: tuple[TileId, ...] = ()  # face down until building begins
    supply: tuple[TileId, ...] = ()  # to build with
    choice: str | None = None  # made, but not yet revealed
    seen: tuple[tuple[TileId, ...], ...] = ()
    """What the seat remembers of this round's draft: the tiles kept of the first packet, those
    passed on, and the same of the second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State(PublicState):
    """An immutable state, hidden information included.

    The bag needs no field: it is what no seat holds.
    """

    hands: tuple[Hand, ...]


def actors(public: PublicState) -> tuple[Seat, ...]:
    """Return the seats that the game waits for."""
    return public.waiting if public.phase in BY_SEATS else ()


def may_still_grab(public: PublicState, seat: Seat) -> bool:
    """Return whether a seat that is done may still take bonus tiles while others build."""
    done = public.phase == BUILDING and seat in public.locked
    return done and public.version.bonus_after_done and seat not in public.bonuses.values()


def face_down(state: State) -> State:
    """Return the state before the timer starts, when nobody has seen their tiles."""
    if state.phase != BUILDING or not state.version.face_down:
        return state
    hands = tuple(replace(hand, supply=()) for hand in state.hands)
    return replace(state, phase=READY, waiting=(), hands=hands)


def slot_of(galaxy: Galaxy, tile: TileId) -> Slot | None:
    """Return the slot of a tile."""
    return next((slot for slot, laid in galaxy.items() if laid[0] == tile), None)


def direction_of(round_number: int) -> str:
    """Odd rounds pass to the left, even ones to the right."""
    return LEFT if round_number % 2 else RIGHT


def no_bonuses() -> dict[str, Seat | None]:
    """Return the bonus tiles without owners."""
    return dict.fromkeys(COLOURS)


# --- events ---------------------------------------------------------------------------------------

T = TypeVar("T", bound=PublicState)


def after(state: State, event: Event) -> State:
    """Return the state after an event."""
    changed = public_after(state, event)
    hands = tuple(hand_after(state, seat, hand, event) for seat, hand in enumerate(state.hands))
    return replace(changed, hands=hands)


def public_after(public: T, event: Event) -> T:
    """Return the public state after an event."""
    return replace(public, number=public.number + 1, **_changes(public, event))


def _changes(public: PublicState, event: Event) -> dict[str, Any]:  # noqa: PLR0912
    """Return the fields of the public state that an event changes."""
    match event:
        case Placed():
            return _placed(public, event)
        case Lifted(seat, _, slot):
            supplies = _plus(public.supplies, seat, 1)
            return {"galaxies": _lay(public, seat, {}, (slot,)), "supplies": supplies}
        case SetAside(seat, tile, source, returned):
            more = (returned is not None) - (source == SUPPLY)
            return {
                "galaxies": _lay(public, seat, {}, (source,)),
                "supplies": _plus(public.supplies, seat, more),
                "aside": put_at(public.aside, seat, tile),
            }
        case Locked(seat):
            locked = tuple(sorted((*public.locked, seat)))
            return {"locked": locked, "waiting": _without(public.waiting, seat)}
        case Grabbed(seat, colours):
            return {"bonuses": {**public.bonuses, **dict.fromkeys(colours, seat)}}
        case TimeUp():
            return {"waiting": (), "timer": None}
        case Filled(seat, taken, puts):
            new = {slot: (tile, turns) for tile, slot, turns in puts}
            return {
                "galaxies": _lay(public, seat, new, taken),
                "supplies": _plus(public.supplies, seat, len(taken) - len(puts)),
                "waiting": _without(public.waiting, seat),
            }
        case Kept(seat, count):
            return {
                "packets": _plus(public.packets, seat, -count),
                "kept": _plus(public.kept, seat, count),
                "waiting": _without(public.waiting, seat),
            }
        case Passed(_, seat, count, unseen):
            waiting = public.waiting if unseen else tuple(sorted((*public.waiting, seat)))
            return {"packets": put_at(public.packets, seat, count), "waiting": waiting}
        case Supplied(seat, count):
            return {
                "packets": put_at(public.packets, seat, 0),
                "kept": put_at(public.kept, seat, 0),
                "supplies": put_at(public.supplies, seat, count),
            }
        case Drawn(seat, count, unseen):
            field = "packets" if public.drafting else "kept" if unseen else "supplies"
            return {
                field: put_at(getattr(public, field), seat, count),
                "waiting": _without(public.waiting, seat),
            }
        case PhaseBegan(phase, waiting, timer):
            return {"phase": phase, "waiting": waiting, "timer": timer}
        case CardShown(card):
            return {"card": card, "cards": (*public.cards, card)}
        case Chosen(seat):
            return {"waiting": _without(public.waiting, seat)}
        case Turned(tiles):
            galaxies = list(public.galaxies)
            for each in tiles:
                laid = {each.slot: (each.tile, each.turns)}
                galaxies[each.owner] = {**galaxies[each.owner], **laid}
            return {"galaxies": tuple(galaxies)}
        case Counted(seat, _, count):
            return {
                "markers": put_at(public.markers, seat, count.after),
                "counts": (*public.counts[:seat], count) if seat else (count,),
            }
        case Transferred(seat, source, target, _, source_after, target_after):
            moved = {source: source_after, target: target_after}
            return {"markers": put_at(public.markers, seat, {**public.markers[seat], **moved})}
        case RoundBegan():
            return _round_began(public, event)
        case Ended(result):
            return {"phase": OVER, "waiting": (), "timer": None, "result": result}
    raise TypeError(event)


def _placed(public: PublicState, event: Placed) -> dict[str, Any]:
    seat, source = event.seat, event.source
    more = (event.displaced is not None) - (source == SUPPLY)
    new = {event.slot: (event.tile, event.turns)}
    changes: dict[str, Any] = {"galaxies": _lay(public, seat, new, (source,))}
    if more:
        changes["supplies"] = _plus(public.supplies, seat, more)
    if source == ASIDE:
        changes["aside"] = put_at(public.aside, seat, None)
    return changes


def _round_began(public: PublicState, event: RoundBegan) -> dict[str, Any]:
    none = (0,) * public.players
    return {
        "round": event.round,
        "direction": event.direction,
        "phase": event.phase,
        "waiting": tuple(range(public.players)) if event.phase == DRAW else (),
        "timer": None,
        "card": None,
        "packets": none,
        "kept": none,
        "supplies": none,
        "galaxies": ({},) * public.players,
        "aside": (None,) * public.players,
        "locked": (),
        "bonuses": no_bonuses(),
    }


def hand_after(public: PublicState, seat: Seat, hand: Hand, event: Event) -> Hand:
    """Return a seat's hand after an event, unredacted for this seat. `public` is from before."""
    if isinstance(event, RoundBegan):
        return Hand()
    if isinstance(event, Turned):
        return replace(hand, choice=None)
    return _own_hand_after(public, hand, event) if getattr(event, "seat", None) == seat else hand


def _own_hand_after(public: PublicState, hand: Hand, event: Event) -> Hand:
    match event:
        case Placed(_, tile, _, _, source, displaced) | SetAside(_, tile, source, displaced):
            supply = _drop(hand.supply, tile) if source == SUPPLY else hand.supply
            return replace(hand, supply=_add(supply, displaced))
        case Lifted(_, tile):
            return replace(hand, supply=_add(hand.supply, tile))
        case Filled(seat, taken, puts):
            galaxy = public.galaxies[seat]
            gathered = _add(hand.supply, *(galaxy[slot][0] for slot in taken))
            return replace(hand, supply=_drop(gathered, *(tile for tile, _, _ in puts)))
        case Drawn(_, _, True, tiles):
            return Hand(kept=_add((), *(tiles or ())))  # not even seen by the seat itself
        case Drawn(_, _, False, tiles):
            drawn = _add((), *known(tiles))
            return Hand(packet=drawn) if public.drafting else Hand(supply=drawn)
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
    """Return the tiles of an unredacted event."""
    assert tiles is not None
    return tiles


def _lay(
    public: PublicState, seat: Seat, new: Mapping[Slot, Laid], gone: tuple[str, ...] = ()
) -> tuple[Galaxy, ...]:
    """Return all galaxies after a seat took tiles from some slots and laid others."""
    galaxy = {slot: laid for slot, laid in public.galaxies[seat].items() if slot not in gone}
    galaxy.update(new)
    return put_at(public.galaxies, seat, galaxy)


def _plus(values: tuple[int, ...], seat: Seat, more: int) -> tuple[int, ...]:
    return put_at(values, seat, values[seat] + more)


def _without(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return tuple(other for other in seats if other != seat)


def _add(tiles: tuple[TileId, ...], *more: TileId | None) -> tuple[TileId, ...]:
    return tuple(sorted((*tiles, *(tile for tile in more if tile is not None))))


def _drop(tiles: tuple[TileId, ...], *gone: TileId) -> tuple[TileId, ...]:
    return tuple(tile for tile in tiles if tile not in gone)
