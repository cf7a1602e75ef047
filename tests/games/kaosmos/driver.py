"""Drives a game in tests: applies entries, keeps the state, returns refusals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

from tuilerie.games.game import Action, Code, Entry, Event, Json, Refused, TilesDrawn, Timeout
from tuilerie.games.kaosmos import Kaosmos
from tuilerie.games.kaosmos.notation import CardTurned, Fill, KaosmosMove, parse_galaxy, parse_move
from tuilerie.games.kaosmos.score import Galaxy, SeatCount
from tuilerie.games.kaosmos.state import State
from tuilerie.games.kaosmos.view import View

MARTIN = "T03/270 T12/180 T49/180 · T14/270 T02/180 T06/0 · T26/270 T46/270 T47/270"
"""The galaxy of the rulebook's example, with our tiles::

    G0 G0   G1 G1   K  G2
    --+--     +--   --+--
    G1 G1   G0|O0   O1|O0

    G0|O0   G0 G0   O0|B1
      +--   --+       +
    G1 G1   G1|G1   B1|B1

    G1 G0   B2|K    K |B1
      +--   --+--   --+--
    O0 O2   O0 O1   O1 O0

Green zones of 9 and 2 planets, blue of 3, 2 and 1, orange of 4, 1, 0 and 0; constellations of one
and of two fields; a path of seven tiles.
"""

OTHER = "T01/0 T05/0 T08/0 · T09/0 T10/0 T13/0 · T15/0 T16/0 T17/0"
"""Nine other tiles, not turned."""


def tiles_of(text: str) -> tuple[str, ...]:
    """Return the tiles of a galaxy, in order."""
    return tuple(tile for tile, _ in parse_galaxy(text).values())


class GameDriver:
    """A game played by a test."""

    def __init__(self, players: int = 2, game: Kaosmos | None = None, **options: Json) -> None:
        self.game = game or Kaosmos()
        self.state: State = self.game.start(players, options)
        self.events: list[Event] = []  # the events of the last entry

    def enter(self, entry: Entry[KaosmosMove]) -> GameDriver:
        self.state, events = self.game.apply(self.state, entry)
        self.events = list(events)
        return self

    def card(self, card: str) -> GameDriver:
        return self.enter(CardTurned("card", card))

    def draw(self, *packets: Iterable[str]) -> GameDriver:
        for seat, tiles in enumerate(packets):
            self.enter(TilesDrawn("draw", seat, tuple(tiles)))
        return self

    def asked(self, cards: Iterable[str], random: Random) -> Iterator[int]:
        """Play one round per card: yield each seat that must act, one at a time. Chance entries are
        drawn in between."""
        for card in cards:
            self.card(card)
            while self.state.card == card and self.state.result is None:
                if self.game.due(self.state):
                    self.enter(self.game.chance(self.state, random.randrange))
                else:
                    yield random.choice(self.state.waiting)

    def act(self, seat: int, *moves: str) -> GameDriver:
        for move in moves:
            self.enter(Action(seat, parse_move(move)))
        return self

    def lay(self, seat: int, galaxy: Galaxy) -> GameDriver:
        for slot, (tile, turns) in galaxy.items():
            self.act(seat, f"put {tile} {slot} {turns}")
        return self

    def time(self) -> GameDriver:
        return self.enter(Timeout())

    def fill(self, seat: int, *puts: tuple[str, str, int]) -> GameDriver:
        return self.enter(Fill("fill", seat, puts))

    def with_markers(self, *markers: tuple[int, int, int, int]) -> GameDriver:
        """Set the markers of all seats: green, blue, orange, star."""
        names = ("green", "blue", "orange", "star")
        own = tuple(dict(zip(names, each, strict=True)) for each in markers)
        self.state = replace(self.state, markers=own)
        return self

    def markers(self, seat: int) -> tuple[int, ...]:
        own = self.state.markers[seat]
        return tuple(own[name] for name in ("green", "blue", "orange", "star"))

    def view(self, seat: int | None) -> View:
        return self.game.view(self.state, seat)

    def count(self, seat: int) -> SeatCount:
        return self.state.counts[seat]

    def refused(self, entry: Entry[KaosmosMove] | tuple[int, str]) -> tuple[Code, str, Json]:
        """Return the refusal of an entry (or a seat's move): code, rule and params."""
        before = self.state
        if isinstance(entry, tuple):
            entry = Action(entry[0], parse_move(entry[1]))
        try:
            self.game.apply(self.state, entry)
        except Refused as refusal:
            assert self.state is before
            return refusal.code, refusal.rule, refusal.params
        raise AssertionError(f"not refused: {entry}")


def building(card: str | None = None, one: str = MARTIN, other: str = OTHER) -> GameDriver:
    """Two players who build with these tiles and this card, without a draft."""
    driver = GameDriver(kaos=card is not None, draft=False)
    if card is not None:
        driver.card(card)
    return driver.draw(tiles_of(one), tiles_of(other))


def counted(card: str | None = None, one: str = MARTIN, other: str = OTHER) -> GameDriver:
    """The same, after both galaxies are built and counted."""
    driver = building(card, one, other)
    for seat, text in enumerate((one, other)):
        driver.lay(seat, parse_galaxy(text)).act(seat, "done")
    return driver
