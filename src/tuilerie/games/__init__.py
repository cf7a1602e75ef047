"""The rules of the games: pure, and readable without anything above them."""

from tuilerie.games.blockers import GAME as BLOCKERS
from tuilerie.games.game import AnyGame
from tuilerie.games.genial import GAME as GENIAL
from tuilerie.games.kaosmos import GAME as KAOSMOS

GAMES: dict[str, AnyGame] = {game.card.name: game for game in (GENIAL, KAOSMOS, BLOCKERS)}
"""Every game by its name."""
