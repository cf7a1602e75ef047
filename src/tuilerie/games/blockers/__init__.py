"""Blockers! (Uptown): join your own tiles into few groups, and capture those of others."""

from __future__ import annotations

from collections.abc import Mapping

from tuilerie import codec
from tuilerie.games.blockers import notation, rules
from tuilerie.games.blockers import view as views
from tuilerie.games.blockers.card import CARD, read_options
from tuilerie.games.blockers.events import EVENTS
from tuilerie.games.blockers.notation import BlockersMove
from tuilerie.games.blockers.state import State
from tuilerie.games.blockers.view import View
from tuilerie.games.game import BaseGame, Game, Json, Pick, Seat, write_draw


class Blockers(BaseGame[State, BlockersMove]):
    """Blockers! as a `Game`, which documents each method."""

    card = CARD
    version = CARD.rules
    view_type = View
    event_types = EVENTS
    start = staticmethod(rules.start)
    due = staticmethod(rules.due)
    chance = staticmethod(rules.chance)
    actors = staticmethod(rules.actors)
    legal = staticmethod(rules.legal)
    apply = staticmethod(rules.apply)
    result = staticmethod(rules.result)
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
        """Draw who begins, unless the options say it."""
        chosen = self.options(players, options)
        return chosen if "first" in options else {**chosen, "first": pick(players)}

    def reveals(self, move: BlockersMove) -> bool:
        """A hand is shown by 'discard'."""
        return isinstance(move, notation.Discard)

    def held(self, state: State, seat: Seat) -> tuple[str, ...]:
        """What stands on the rack."""
        return state.racks[seat]

    def view(self, state: State, viewer: Seat | None) -> View:
        """What a viewer may know."""
        return views.view(state, viewer)

    def read_view(self, data: Mapping[str, Json]) -> View:
        """The view of the data that `write_view` made."""
        return codec.from_builtins(View, data)


GAME: Game[State, BlockersMove, View] = Blockers()
"""The shared instance."""
