"""Which events are counts that players look at before the game goes on."""

from __future__ import annotations

from random import Random

from tuilerie.games import GAMES
from tuilerie.games.game import Action, Timeout
from tuilerie.games.kaosmos.events import Counted


def test_only_rounds_of_kaosmos_are_counted() -> None:
    for name, game in GAMES.items():
        random, counts = Random(3), 0
        options = {"draft": False, "kaos": False} if name == "kaosmos" else {}
        state = game.start(2, game.draw_lots(2, options, random.randrange))
        for _ in range(120):
            if game.result(state) is not None:
                break
            if game.due(state):
                entry = game.chance(state, random.randrange)
            elif game.timer(state) is not None:
                entry = Timeout()  # type: ignore[assignment]
            else:
                seat = game.actors(state)[0]
                entry = Action(seat, random.choice(game.legal(state, seat)))  # type: ignore[assignment]
            step = game.apply(state, entry)
            assert [game.is_count(each) for each in step.events] == [
                isinstance(each, Counted) for each in step.events
            ]
            counts += sum(map(game.is_count, step.events))
            state = step.state
        assert bool(counts) == (name == "kaosmos")
