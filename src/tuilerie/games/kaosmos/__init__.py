"""Kaosmos: build a galaxy of nine tiles against the glass, in five rounds of chaos."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tuilerie.games.game import Card, Chance, Entry, Event, Game, Json, Pick, Result, Seat, Step
from tuilerie.games.kaosmos import notation, rules
from tuilerie.games.kaosmos import state as states
from tuilerie.games.kaosmos import view as views
from tuilerie.games.kaosmos.box import BOX, Box
from tuilerie.games.kaosmos.card import CARD, read_options
from tuilerie.games.kaosmos.cards import CARDS, Cards
from tuilerie.games.kaosmos.notation import KaosmosMove
from tuilerie.games.kaosmos.state import State
from tuilerie.games.kaosmos.tiles import TILES, TileSet
from tuilerie.games.kaosmos.view import View


class Kaosmos:
    """Kaosmos as a `Game`, with our tiles and cards or with others."""

    card: Card = CARD

    def __init__(self, tiles: TileSet = TILES, cards: Cards = CARDS) -> None:
        self.box = BOX if tiles is TILES and cards is CARDS else Box(tiles, cards)
        self.edition: str | None = None if self.box == BOX else self.box.edition

    def options(self, players: int, given: Mapping[str, Json]) -> dict[str, Json]:
        """All options of a table, the given ones checked."""
        return read_options(players, given).plain()

    def draw_lots(self, players: int, options: Mapping[str, Json], pick: Pick) -> dict[str, Json]:
        """Nothing is left to luck before a game begins."""
        return self.options(players, options)

    def start(self, players: int, options: Mapping[str, Json]) -> State:
        """The table before anything has happened."""
        return rules.start(players, read_options(players, options), self.box)

    def due(self, state: State) -> bool:
        """Whether a card, tiles or the filling of a galaxy must come first."""
        return rules.due(state)

    def chance(self, state: State, pick: Pick) -> Chance:
        """A card turned, tiles drawn or gaps filled at random."""
        return rules.chance(state, pick)

    def actors(self, state: State) -> tuple[Seat, ...]:
        """All seats that still have something to do."""
        return states.actors(state)

    def glass(self, state: State) -> int | None:
        """How long the galaxies may be built."""
        return state.glass

    def legal(self, state: State, seat: Seat) -> Sequence[KaosmosMove]:
        """All moves of a seat."""
        return rules.legal(state, seat)

    def apply(self, state: State, entry: Entry[KaosmosMove]) -> Step[State]:
        """What follows from an entry."""
        return rules.apply(state, entry)

    def result(self, state: State) -> Result | None:
        """How the game ended."""
        return state.result

    def view(self, state: State, viewer: Seat | None) -> View:
        """What a viewer may know."""
        return views.view(state, viewer)

    def open_view(self, state: State) -> Mapping[str, Json]:
        """What every viewer may know."""
        return views.open_view(state)

    def own_view(self, state: State, viewer: Seat | None) -> Mapping[str, Json]:
        """What only this viewer may know, or do."""
        return views.own_view(state, viewer)

    def redact(self, event: Event, viewer: Seat | None) -> Event:
        """An event as a viewer may see it."""
        return views.redact(event, viewer)

    def follow(self, view: View, event: Event) -> View:
        """A view after an event."""
        return views.follow(view, event)

    def parse_move(self, text: str) -> KaosmosMove:
        """The move that a text means."""
        return notation.parse_move(text)

    def read_chance(self, entry: Mapping[str, Json]) -> Chance:
        """The chance entry of a record's line."""
        return notation.read_chance(entry)

    def write_chance(self, chance: Chance) -> dict[str, Json]:
        """The fields of a record's line."""
        return notation.write_chance(chance)


GAME: Game[State, KaosmosMove, View] = Kaosmos()
"""The one instance that everybody uses, with the tiles and the cards that come with Tuilerie."""
