"""Génial! (Ingenious): two-symbol tiles on a hexagonal board; only the lowest score counts."""

from __future__ import annotations

from collections.abc import Mapping

from tuilerie import codec
from tuilerie.games.game import BaseGame, Game, Json, Pick, Result, Seat, write_draw
from tuilerie.games.genial import notation, rules
from tuilerie.games.genial import view as views
from tuilerie.games.genial.card import CARD, LOT, read_options
from tuilerie.games.genial.events import EVENTS
from tuilerie.games.genial.notation import GenialMove
from tuilerie.games.genial.state import State
from tuilerie.games.genial.view import View


class Genial(BaseGame[State, GenialMove]):
    """Génial! as a `Game`, which documents each method."""

    card = CARD
    version = CARD.rules
    view_type = View
    event_types = EVENTS
    due = staticmethod(rules.due)
    chance = staticmethod(rules.chance)
    actors = staticmethod(rules.actors)
    legal = staticmethod(rules.legal)
    apply = staticmethod(rules.apply)
    own_view = staticmethod(views.own_view)
    redact = staticmethod(views.redact)
    parse_move = staticmethod(notation.parse_move)
    read_chance = staticmethod(notation.read_chance)
    write_chance = staticmethod(write_draw)
    write_view = staticmethod(codec.to_builtins)

    def options(self, players: int, given: Mapping[str, Json]) -> dict[str, Json]:
        """Validate the given options and fill in the defaults."""
        return read_options(players, given).to_json()

    def draw_lots(self, players: int, options: Mapping[str, Json], pick: Pick) -> dict[str, Json]:
        """Draw who begins, if the options ask for it."""
        chosen = dict(options)
        if chosen.get("first") == LOT:
            chosen["first"] = pick(players)
        return self.options(players, chosen)

    def start(self, players: int, options: Mapping[str, Json]) -> State:
        """The state before the deal."""
        return rules.start(players, read_options(players, options))

    def reveals(self, move: GenialMove) -> bool:
        """A hand is shown by 'swap'."""
        return isinstance(move, notation.Swap)

    def held(self, state: State, seat: Seat) -> tuple[str, ...]:
        """The hand."""
        return state.hands[seat]

    def result(self, state: State) -> Result | None:
        """The result."""
        return state.outcome

    def view(self, state: State, viewer: Seat | None) -> View:
        """What this viewer may know."""
        return views.view(state, viewer)

    def read_view(self, data: Mapping[str, Json]) -> View:
        """The view of the data that `write_view` made."""
        return codec.from_builtins(View, data)


GAME: Game[State, GenialMove, View] = Genial()
"""The shared instance."""
