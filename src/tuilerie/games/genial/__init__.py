"""Génial! (Ingenious): two-symbol tiles on a hexagonal board; only the lowest score counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tuilerie.games.game import Chance, Entry, Event, Json, Pick, Result, Seat, Step
from tuilerie.games.genial import notation, rules
from tuilerie.games.genial import view as views
from tuilerie.games.genial.card import CARD, LOT, read_options
from tuilerie.games.genial.notation import GenialMove
from tuilerie.games.genial.state import State
from tuilerie.games.genial.view import View


class Genial:
    """Génial! as the protocol asks for it."""

    card = CARD
    version = CARD.rules
    edition: str | None = None

    def by_version(self, version: int) -> Genial:
        """There is only one version of these rules."""
        CARD.check_version(version)
        return self

    def options(self, players: int, given: Mapping[str, Json]) -> dict[str, Json]:
        """All options, the given ones checked."""
        return read_options(players, given).plain()

    def draw_lots(self, players: int, options: Mapping[str, Json], pick: Pick) -> dict[str, Json]:
        """Who begins, where the table has chosen that lots are drawn."""
        chosen = dict(options)
        if chosen.get("first") == LOT:
            chosen["first"] = pick(players)
        return self.options(players, chosen)

    def start(self, players: int, options: Mapping[str, Json]) -> State:
        """The table before the deal."""
        return rules.start(players, read_options(players, options))

    def due(self, state: State) -> bool:
        """Whether tiles must be drawn first."""
        return rules.due(state)

    def chance(self, state: State, pick: Pick) -> Chance:
        """The tiles that are due, drawn from the bag."""
        return rules.chance(state, pick)

    def actors(self, state: State) -> tuple[Seat, ...]:
        """The seat on turn."""
        return rules.actors(state)

    def glass(self, state: State) -> int | None:
        """Nothing is timed by the rules."""
        return None

    def face_down(self, state: State) -> State:
        """Nothing waits for a timer."""
        return state

    def legal(self, state: State, seat: Seat) -> Sequence[GenialMove]:
        """Every move of this seat."""
        return rules.legal(state, seat)

    def apply(self, state: State, entry: Entry[GenialMove]) -> Step[State]:
        """What follows from an entry."""
        return rules.apply(state, entry)

    def is_race(self, state: State, seat: Seat, move: GenialMove) -> bool:
        """Only one seat acts at a time."""
        return False

    def reveals(self, move: GenialMove) -> bool:
        """A hand is shown by 'swap'."""
        return isinstance(move, notation.Swap)

    def result(self, state: State) -> Result | None:
        """How the game ended."""
        return state.outcome

    def view(self, state: State, viewer: Seat | None) -> View:
        """What this viewer may know."""
        return views.view(state, viewer)

    def open_view(self, state: State) -> Mapping[str, Json]:
        """What every viewer may know."""
        return views.open_view(state)

    def own_view(self, state: State, viewer: Seat | None) -> Mapping[str, Json]:
        """What only this viewer may know, or do."""
        return views.own_view(state, viewer)

    def redact(self, event: Event, viewer: Seat | None) -> Event:
        """The event as this viewer may see it."""
        return views.redact(event, viewer)

    def follow(self, view: View, event: Event) -> View:
        """The view after a redacted event."""
        return views.follow(view, event)

    def parse_move(self, text: str) -> GenialMove:
        """The move that a text means."""
        return notation.parse_move(text)

    def read_chance(self, entry: Mapping[str, Json]) -> Chance:
        """The chance entry of a record's line."""
        return notation.read_chance(entry)

    def write_chance(self, chance: Chance) -> dict[str, Json]:
        """The fields of a record's line."""
        return notation.write_chance(chance)


GAME = Genial()
