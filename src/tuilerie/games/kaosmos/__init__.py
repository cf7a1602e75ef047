"""Kaosmos: build a galaxy of nine tiles against the timer, in five rounds of chaos."""

from __future__ import annotations

from collections.abc import Mapping

from tuilerie import codec
from tuilerie.games.game import Card, Event, Game, Json, Pick, Result, Seat
from tuilerie.games.kaosmos import moves, notation, rules
from tuilerie.games.kaosmos import state as states
from tuilerie.games.kaosmos import view as views
from tuilerie.games.kaosmos.box import BOX, Box
from tuilerie.games.kaosmos.card import CARD, read_options
from tuilerie.games.kaosmos.cards import CARDS, Cards
from tuilerie.games.kaosmos.events import EVENTS, CardShown, Counted
from tuilerie.games.kaosmos.notation import KaosmosMove
from tuilerie.games.kaosmos.state import State
from tuilerie.games.kaosmos.tiles import TILES, TileSet
from tuilerie.games.kaosmos.versions import NEWEST, VERSIONS, RulesVersion
from tuilerie.games.kaosmos.view import Seen, View


class Kaosmos:
    """Kaosmos as a `Game`, which documents each method; with our tiles and cards or others."""

    card: Card = CARD
    view_type = View
    event_types = EVENTS
    due = staticmethod(rules.due)
    chance = staticmethod(rules.chance)
    actors = staticmethod(states.actors)
    face_down = staticmethod(states.face_down)
    legal = staticmethod(rules.legal)
    apply = staticmethod(rules.apply)
    is_race = staticmethod(rules.is_race)
    rearranges = staticmethod(moves.rearranges)
    own_view = staticmethod(views.own_view)
    redact = staticmethod(views.redact)
    parse_move = staticmethod(notation.parse_move)
    read_chance = staticmethod(notation.read_chance)
    write_chance = staticmethod(notation.write_chance)

    def __init__(
        self, tiles: TileSet = TILES, cards: Cards = CARDS, version: RulesVersion = NEWEST
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
        """Validate the given options and fill in the defaults."""
        return read_options(players, given).to_json()

    def draw_lots(self, players: int, options: Mapping[str, Json], pick: Pick) -> dict[str, Json]:
        """There are no random options."""
        return self.options(players, options)

    def start(self, players: int, options: Mapping[str, Json]) -> State:
        """The initial state."""
        chosen = read_options(players, options)
        return rules.start(players, chosen, self.box, VERSIONS[self.version])

    def timer(self, state: State) -> int | None:
        """The time limit for building."""
        return state.timer

    def is_count(self, event: Event) -> bool:
        """A round is counted, zone by zone; or a card is turned up, which all read."""
        return isinstance(event, (Counted, CardShown))

    def reveals(self, move: KaosmosMove) -> bool:
        """No move reveals a hand."""
        return False

    def held(self, state: State, seat: Seat) -> tuple[str, ...]:
        """What was kept, the packet to choose from, and what is still to be laid."""
        hand = state.hands[seat]
        return (*hand.kept, *hand.packet, *hand.supply)

    def result(self, state: State) -> Result | None:
        """The result."""
        return state.result

    def view(self, state: State, viewer: Seat | None) -> View:
        """What a viewer may know."""
        return views.view(state, viewer)

    def write_view(self, view: View) -> dict[str, Json]:
        """A view, with what its seat remembers of the draft."""
        return {**codec.to_builtins(view), "seen": codec.to_builtins(view.seen)}

    def read_view(self, data: Mapping[str, Json]) -> View:
        """The view of the data that `write_view` made."""
        fields = dict(data)
        seen = codec.from_builtins(Seen, fields.pop("seen", None), "seen")
        version = VERSIONS[self.version]
        return codec.from_builtins(View, fields, _box=self.box, _version=version, _seen=seen)


GAME: Game[State, KaosmosMove, View] = Kaosmos()
"""The shared instance, with the tiles and the cards that come with Tuilerie."""
