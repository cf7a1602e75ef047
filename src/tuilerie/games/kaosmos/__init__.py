"""Kaosmos: build a galaxy of nine tiles against the timer, in five rounds of chaos."""

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
from tuilerie.games.kaosmos.versions import NEWEST, VERSIONS, Version
from tuilerie.games.kaosmos.view import View


class Kaosmos:
    """Kaosmos as a `Game`, with our tiles and cards or with others."""

    card: Card = CARD

    def __init__(
        self, tiles: TileSet = TILES, cards: Cards = CARDS, version: Version = NEWEST
    ) -> None:
        self.box = BOX if tiles is TILES and cards is CARDS else Box(tiles, cards)
        self.edition: str | None = None if self.box == BOX else self.box.edition
        self.version = version.number

    def by_version(self, version: int) -> Kaosmos:
        """The same game, with the same tiles and cards, by another version of its rules."""
        CARD.check_version(version)
        if version == self.version:
            return self
        return Kaosmos(self.box.tiles, self.box.cards, VERSIONS[version])

    def options(self, players: int, given: Mapping[str, Json]) -> dict[str, Json]:
        """All options of a table, the given ones checked."""
        return read_options(players, given).plain()

    def draw_lots(self, players: int, options: Mapping[str, Json], pick: Pick) -> dict[str, Json]:
        """Nothing is left to luck before a game begins."""
        return self.options(players, options)

    def start(self, players: int, options: Mapping[str, Json]) -> State:
        """The table before anything has happened."""
        chosen = read_options(players, options)
        return rules.start(players, chosen, self.box, VERSIONS[self.version])

    def due(self, state: State) -> bool:
        """Whether a card, tiles or the filling of a galaxy must come first."""
        return rules.due(state)

    def chance(self, state: State, pick: Pick) -> Chance:
        """A card turned, tiles drawn or gaps filled at random."""
        return rules.chance(state, pick)

    def actors(self, state: State) -> tuple[Seat, ...]:
        """All seats that are not done."""
        return states.actors(state)

    def glass(self, state: State) -> int | None:
        """How long the galaxies may be built."""
        return state.glass

    def face_down(self, state: State) -> State:
        """Before the timer starts, nobody sees what is to be built with."""
        return states.face_down(state)

    def legal(self, state: State, seat: Seat) -> Sequence[KaosmosMove]:
        """All moves of a seat."""
        return rules.legal(state, seat)

    def apply(self, state: State, entry: Entry[KaosmosMove]) -> Step[State]:
        """What follows from an entry."""
        return rules.apply(state, entry)

    def is_race(self, state: State, seat: Seat, move: KaosmosMove) -> bool:
        """Bonus tiles, and the last 'done' while somebody may still take one."""
        return rules.is_race(state, seat, move)

    def reveals(self, move: KaosmosMove) -> bool:
        """Nothing that is held is ever shown."""
        return False

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
