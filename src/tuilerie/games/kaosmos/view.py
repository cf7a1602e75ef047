"""What one seat, or a spectator, may know of a game of Kaosmos."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from operator import attrgetter

from tuilerie.games.game import Event, Own, Seat
from tuilerie.games.kaosmos.events import Chosen, Drawn, Kept, Passed, Supplied
from tuilerie.games.kaosmos.legal import Moves, legal_texts, moves
from tuilerie.games.kaosmos.score import GalaxyCount, count
from tuilerie.games.kaosmos.state import BUILDING, DRAFT, DRAW, Hand, PublicState, State, actors
from tuilerie.games.kaosmos.tiles import TileId

Seen = tuple[tuple[TileId, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class View(PublicState):
    """The game as one seat sees it, or a spectator (`viewer` is `None`), with what it may do."""

    viewer: Own[Seat | None]
    packet: Own[tuple[TileId, ...] | None]  # the packet in hand; None for a spectator
    supply: Own[tuple[TileId, ...] | None]  # tiles that are not laid; None for a spectator
    choice: Own[str | None]  # the secret choice, until it is shown
    counted: Own[GalaxyCount | None]  # what the viewer's galaxy is worth as it lies, in building
    moves: Own[Moves | None]
    actors: tuple[Seat, ...]
    # What the viewer kept and passed on in the draft. It is remembered, not looked at: a bot may
    # use it, but it is not sent to players.
    _seen: Seen = ()

    @property
    def seen(self) -> Seen:
        """What a good memory holds of this round's draft, as `Hand.seen`."""
        return self._seen

    @property
    def hand(self) -> Hand:
        """What the viewer holds and may look at."""
        return Hand(self.packet or (), (), self.supply or (), self.choice, self._seen)

    @property
    def legal(self) -> tuple[str, ...]:
        """Every move of the viewer, each once, in a fixed order."""
        return () if self.viewer is None else legal_texts(self, self.viewer, self.hand)


_OPEN = tuple(field.name for field in fields(PublicState))
_read_open = attrgetter(*_OPEN)


def view(state: State, viewer: Seat | None) -> View:
    """What this viewer may know."""
    return View(
        **dict(zip(_OPEN, _read_open(state), strict=True)),
        actors=actors(state),
        _seen=() if viewer is None else state.hands[viewer].seen,
        **own_view(state, viewer),  # type: ignore[arg-type]
    )


def own_view(state: State, viewer: Seat | None) -> dict[str, object]:
    """The fields that are the viewer's own: the hand, as far as it may be looked at, and what
    follows from it."""
    if viewer is None:
        return dict.fromkeys(("viewer", "packet", "supply", "choice", "counted", "moves"))
    hand = state.hands[viewer]
    # A seat that has kept tiles of a packet may not look at it again, nor at tiles kept before.
    reading = state.phase == DRAW or (state.phase == DRAFT and viewer in actors(state))
    packet = hand.packet if reading else ()
    return {
        "viewer": viewer,
        "packet": packet,
        "supply": hand.supply,
        "choice": hand.choice,
        "counted": _own_count(state, viewer),
        "moves": moves(state, viewer, Hand(packet, (), hand.supply, hand.choice)),
    }


def _own_count(public: PublicState, viewer: Seat) -> GalaxyCount | None:
    galaxy = public.galaxies[viewer]
    if public.phase != BUILDING or not galaxy:
        return None
    return count(galaxy, public.rules, public.box.tiles)


def redact(event: Event, viewer: Seat | None) -> Event:
    """The event as this viewer may see it: no tiles and no choices of another seat."""
    if isinstance(event, Drawn) and event.unseen:
        return replace(event, tiles=None)
    if isinstance(event, (Drawn, Kept, Passed, Supplied)) and event.seat != viewer:
        return replace(event, tiles=None)
    if isinstance(event, Chosen) and event.seat != viewer:
        return Chosen(event.seat, None)
    return event
