"""Blockers!: lay tiles by column, row and region, keep your own together, capture with care."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tuilerie.games.blockers import notation, rules
from tuilerie.games.blockers import view as views
from tuilerie.games.blockers.card import CARD, read_options
from tuilerie.games.blockers.notation import BlockersMove
from tuilerie.games.blockers.state import State
from tuilerie.games.blockers.view import View
from tuilerie.games.game import Card, Chance, Entry, Event, Game, Json, Pick, Result, Seat, Step


class Blockers:
    """Blockers! as a `Game`. Each method says in `Game` what it does."""

    card: Card = CARD
    version = CARD.rules
    edition: str | None = None

    def by_version(self, version: int) -> Blockers:
        """There is only one version of these rules."""
        CARD.check_version(version)
        return self

    def options(self, players: int, given: Mapping[str, Json]) -> dict[str, Json]:
        """All options of a table, the given ones checked."""
        return read_options(players, given).plain()

    def draw_lots(self, players: int, options: Mapping[str, Json], pick: Pick) -> dict[str, Json]:
        """Who begins is drawn by lot, unless the options say it."""
        chosen = self.options(players, options)
        return chosen if "first" in options else {**chosen, "first": pick(players)}

    def start(self, players: int, options: Mapping[str, Json]) -> State:
        """The table before anything has happened."""
        return rules.start(players, options)

    def due(self, state: State) -> bool:
        """Whether tiles must be dealt or drawn first."""
        return rules.due(state)

    def chance(self, state: State, pick: Pick) -> Chance:
        """Tiles dealt or drawn at random."""
        return rules.chance(state, pick)

    def actors(self, state: State) -> tuple[Seat, ...]:
        """The seat whose turn it is."""
        return rules.actors(state)

    def glass(self, state: State) -> int | None:
        """Nothing is timed."""
        return None

    def face_down(self, state: State) -> State:
        """Nothing waits for a timer."""
        return state

    def legal(self, state: State, seat: Seat) -> Sequence[BlockersMove]:
        """All moves of a seat."""
        return rules.legal(state, seat)

    def apply(self, state: State, entry: Entry[BlockersMove]) -> Step[State]:
        """What follows from an entry."""
        return rules.apply(state, entry)

    def is_race(self, state: State, seat: Seat, move: BlockersMove) -> bool:
        """Only one seat acts at a time."""
        return False

    def reveals(self, move: BlockersMove) -> bool:
        """A hand is shown by 'discard'."""
        return isinstance(move, notation.Discard)

    def result(self, state: State) -> Result | None:
        """How the game ended."""
        return rules.result(state)

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

    def parse_move(self, text: str) -> BlockersMove:
        """The move that a text means."""
        return notation.parse_move(text)

    def read_chance(self, entry: Mapping[str, Json]) -> Chance:
        """The chance entry of a record's line."""
        return notation.read_chance(entry)

    def write_chance(self, chance: Chance) -> dict[str, Json]:
        """The fields of a record's line."""
        return notation.write_chance(chance)


GAME: Game[State, BlockersMove, View] = Blockers()
"""The one instance that everybody uses."""
